"""What the use cases need from outside: stores, archive, bots. Start with match_store.py."""
