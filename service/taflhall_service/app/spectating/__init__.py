"""Spectators, at once or delayed. Start with spectators.py."""
