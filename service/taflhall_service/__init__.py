"""The service: matches behind gRPC, kept in Redis. Begin with `main.py`."""
