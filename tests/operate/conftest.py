"""The halls of the service's tests."""

from tests.service.conftest import hall, rng

__all__ = ["hall", "rng"]
