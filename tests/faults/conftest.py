"""A run in which too little happened judges nothing: it is skipped, and says so.

A broken promise always fails; only the lack of traffic is forgiven here, since
a busy machine is no fault of the service. `make prove` ends with VOID and status 1 instead.
"""

from collections.abc import Callable, Generator
from typing import Any

import pytest

from tests.faults import tally
from tests.faults.scenarios.verdict import Verdict, Void


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    try:
        return (yield)
    except Void as void:
        pytest.skip(f"void: {void}")


@pytest.fixture
def settle(record_property: Callable[[str, Any], None]) -> Callable[..., None]:
    """Note what a run has done, and fail or skip the test by its verdict."""

    def settled(verdict: Verdict, **least: int) -> None:
        print(verdict.summary())
        violations = sum(len(seen) for seen in verdict.broken.values())
        record_property(tally.NAME, {**verdict.figures, "violations": violations})
        verdict.clean()
        verdict.at_least(**least)

    return settled
