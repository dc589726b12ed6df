"""Whether the tests take other examples than usual.

They choose at random, but always the same: what has passed once passes on any machine. With the
environment variable TAFLHALL_EXPLORE=n, a positive number, they try others: another stretch of
seeds for each n, and other Hypothesis examples.
"""

from __future__ import annotations

import os
from typing import Final

NUMBER: Final = int(os.environ.get("TAFLHALL_EXPLORE", "0"))

STRETCH: Final = 1_000_000
"""No test takes more seeds than this."""

FIRST: Final = NUMBER * STRETCH
"""The first seed to take."""
