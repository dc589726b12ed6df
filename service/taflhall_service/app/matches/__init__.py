"""The use cases of matches. Start with transaction.py, then submit.py."""
