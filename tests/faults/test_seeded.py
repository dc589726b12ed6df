"""The rig finds what is planted. A few faults in every run, all of them in the long form."""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.faults.control.children import Children
from tests.faults.seeded import SEEDS
from tests.faults.seeded.hunts import hunt_again

ALWAYS = [
    "request_ids_not_looked_up_when_refused",
    "resumed_one_too_late",
    "token_not_tied_to_history",
    "malformed_bytes_escape",
    "options_in_hidden_order",
    "seat_secrets_in_the_log",
]
"""One of each kind that is quick to find."""

NAMES = list(SEEDS()) if os.environ.get("TAFLHALL_SEEDED") else ALWAYS


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_planted_fault_is_found(name):
    seed = SEEDS()[name]
    found, verdict = asyncio.run(hunt_again(seed))
    assert found, f"{seed.says} Expected {seed.breaks}, found {verdict.summary()}"


@pytest.mark.parametrize("name", list(SEEDS()))
def test_a_planted_fault_fits_the_service(name, tmp_path):
    """In a process of its own, for it changes the service."""
    children = Children()
    try:
        log = tmp_path / "log"
        child = children.run("tests.faults.seeded:fits", [name], log, {})
        assert asyncio.run(child.ended(60))
        assert child.status == 0, log.read_text("utf-8")
    finally:
        children.close()


def test_there_are_enough_planted_faults():
    assert len(SEEDS()) >= 25
    assert all(seed.says for seed in SEEDS().values())
    assert set(ALWAYS) <= set(SEEDS())
