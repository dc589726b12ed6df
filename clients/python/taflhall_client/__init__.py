"""The Python client: SDK, bots, tournaments and the command line."""
