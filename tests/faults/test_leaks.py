"""G7: no viewer can distinguish two worlds that differ only in what it may not know."""

from __future__ import annotations

import asyncio

import pytest

from taflhall_engine import registry
from tests import exploring
from tests.engine.every_game import setups
from tests.faults.leaks.canaries import found
from tests.faults.leaks.pairs import pairs

PAIRS = 500

HIDDEN = {
    "champions": {"destiny_deck", "monster_deck", "troll_deck", "draugr_deck", "journey_deck"},
    "ice_garden": {"tile_stack"},
    "yggdrasil": {"deck", "giant_deck"},  # what was drawn from a bag was seen (YG-13.3)
}
"""Fields of a table that must have differed, or the worlds were no two worlds."""


@pytest.mark.parametrize("name", registry.GAMES)
def test_worlds_that_differ_only_in_what_is_hidden_are_alike_to_the_byte(name, settle):
    verdict = asyncio.run(pairs(name, PAIRS, exploring.FIRST))
    settle(verdict, **{"world pairs": PAIRS})
    differ = {key.removeprefix("differ in ") for key in verdict.figures if "differ in" in key}
    assert differ >= HIDDEN.get(name, set())
    if setups.trial(name).reveals:
        assert verdict.figures["pairs that differ"] > verdict.figures["world pairs"] // 10
        assert verdict.figures["steps in two worlds"] > verdict.figures["world pairs"] // 4


@pytest.mark.parametrize(
    "text", ["{}", "x{}y", '{{"secret": "{}"}}'], ids=["alone", "inside", "json"]
)
def test_a_canary_is_found_in_every_form(text):
    import base64

    secret = bytes(range(1, 33))
    for form in (
        secret.hex(),
        base64.b64encode(secret).decode(),
        base64.b32encode(secret).decode(),
    ):
        assert found([secret], text.format(form).encode()) == [secret]
    assert found([secret], b"nothing of that kind") == []
