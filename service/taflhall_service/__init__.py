"""The service: matches behind gRPC, kept in Redis. Begin with `main.py`."""

import os

os.environ.setdefault("GRPC_VERBOSITY", "NONE")
# gRPC's core, which reads this when it is loaded, would write lines of its own between ours
