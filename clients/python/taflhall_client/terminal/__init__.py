"""Tables drawn for a terminal, one module a game."""
