"""Matches in Redis or Valkey. Start with store.py and scripts/commit.lua."""
