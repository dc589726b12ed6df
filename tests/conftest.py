"""For all tests: Hypothesis takes the same examples every time, unless one explores.

Tests set the properties of their terminal themselves: those of the shell or of the CI are removed.
At the end it is said how much the rig of tests/faults has done.
"""

import itertools
import os

import pytest
from hypothesis import HealthCheck, settings

from tests import exploring
from tests.faults import tally

for name in (
    "COLUMNS",
    "LINES",
    "TERMINAL_WIDTH",
    "FORCE_COLOR",
    "NO_COLOR",
    "PY_COLORS",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "TTY_COMPATIBLE",
    "TTY_INTERACTIVE",
    "GITHUB_ACTIONS",  # has Typer print colours
):
    os.environ.pop(name, None)

settings.register_profile(
    "same",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile(
    "explore", settings.get_profile("same"), derandomize=False, max_examples=1000
)
settings.load_profile("explore" if exploring.NUMBER else "same")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    line = tally.line(itertools.chain.from_iterable(terminalreporter.stats.values()))
    if line:
        terminalreporter.write_line(line)
