"""Spectators, at once or late."""
