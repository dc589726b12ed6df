"""The halls of the service's tests."""

from tests.service.conftest import hall, luck

__all__ = ["hall", "luck"]
