"""Streams of a match: a channel for each match, a cursor for each viewer. Start with cursor.py."""
