"""Streams of a match: one channel a match, one cursor a viewer. Start with cursor.py."""
