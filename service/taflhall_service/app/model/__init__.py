"""A match as values: its seats, clocks, history and their stored form. Start with match.py."""
