"""The servers of the service's tests."""

from tests.service.conftest import processes, rng, server

__all__ = ["processes", "rng", "server"]
