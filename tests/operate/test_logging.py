"""Every line on standard error is one JSON object, under any fault, and shows no values."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

START = """
import asyncio, gc, logging, threading, warnings, uvloop
from taflhall_service.observability.logging import configure_logs
configure_logs("info")
async def fail():
    raise ValueError("CANARY")
"""

FAULTS = {
    "a task whose exception nobody retrieves": """
async def main():
    task = asyncio.create_task(fail())
    await asyncio.sleep(0.01)
    del task
    gc.collect()
uvloop.run(main())
""",
    "an exception in a callback": """
async def main():
    def call():
        raise ValueError("CANARY")
    asyncio.get_running_loop().call_soon(call)
    await asyncio.sleep(0.01)
uvloop.run(main())
""",
    "an exception in a thread": """
def run():
    raise ValueError("CANARY")
thread = threading.Thread(target=run)
thread.start()
thread.join()
""",
    "an exception in a destructor": """
class Thing:
    def __del__(self):
        raise ValueError("CANARY")
Thing()
""",
    "an exception that ends the process": "asyncio.run(fail())",
    "a library's log with a traceback": """
try:
    asyncio.run(fail())
except ValueError:
    logging.getLogger("grpc._cython").exception("it is %s", "CANARY")
""",
    "a warning": "warnings.warn('a warning\\nof two lines')",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_line_is_json(fault):
    done = subprocess.run(
        [sys.executable, "-c", START + FAULTS[fault]], capture_output=True, text=True, check=False
    )
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert len(lines) == 1
    assert "CANARY" not in done.stderr
    if fault != "a warning":
        assert lines[0]["kind"] == "ValueError"
        assert lines[0]["level"] == "error"
        assert lines[0]["frames"]
