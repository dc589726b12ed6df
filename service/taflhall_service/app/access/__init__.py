"""Who calls, what they may do, and how often. Start with permissions.py."""
