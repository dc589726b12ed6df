"""The servers of the service's tests."""

from tests.service.conftest import rng, server

__all__ = ["server", "rng"]
