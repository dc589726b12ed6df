"""A run in which too little happened judges nothing: it is skipped, and says so.

A broken promise fails whatever the traffic was; only the lack of traffic is forgiven here, since
a busy machine is no fault of the service. `make prove` ends with VOID and status 1 instead.
"""

from collections.abc import Generator

import pytest

from tests.faults.scenarios.verdict import Void


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    try:
        return (yield)
    except Void as void:
        pytest.skip(f"void: {void}")
