"""A match as values: what it is, its clocks, its history, and their stored form."""
