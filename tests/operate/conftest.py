"""The halls of the service's tests."""

from tests.service.conftest import hall

__all__ = ["hall"]
