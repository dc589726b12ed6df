"""The use cases of matches. Start with repository.py."""
