"""The bots that come with Taflhall: ``random``, and a ``heuristic`` one for each game."""
