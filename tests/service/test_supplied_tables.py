"""Tables and views that a caller supplies: which are refused, and what is tried with the others."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from taflhall_engine import registry
from taflhall_engine.kernel import agenda
from taflhall_engine.kernel.agenda import Command, Table
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Result, View
from taflhall_service.app import analysis
from taflhall_service.app.analysis import GREATEST
from taflhall_service.app.errors import InvalidSetup, InvalidTable
from tests.engine.every_game import setups
from tests.virtual_time import in_virtual_time, now_ms

GAME: Any = registry.game("yggdrasil")
KEY = b"k" * 32
SETUP = setups.trial(GAME.id).usual[0]


class Altered:
    """A game of which the test has altered some methods."""

    def __init__(self, **methods: Any) -> None:
        self.methods = methods

    def __getattr__(self, name: str) -> Any:
        return self.methods[name] if name in self.methods else getattr(GAME, name)


@pytest.fixture
def table() -> Table:
    return analysis.set_up(GAME, GAME.setup_kind(**SETUP), 1)


async def refused(game: Any, view: View) -> bool:
    """Return whether *view* is refused as one that makes no table."""
    try:
        await analysis.imagine(game, view, 1, 1)
    except InvalidTable as refusal:
        return refusal.metadata == {"game": "yggdrasil"}
    return False


def test_a_setup_that_the_game_refuses_names_its_fields():
    with pytest.raises(InvalidSetup) as refusal:
        analysis.set_up(GAME, GAME.setup_kind(**{**SETUP, "seats": 99}), 1)
    assert refusal.value.metadata["fields"] == "setup.seats"
    with pytest.raises(InvalidSetup) as refusal:
        analysis.set_up(GAME, GAME.setup_kind(**{**SETUP, "ragnarok": 99}), 1)
    assert refusal.value.metadata["fields"] == "setup.yggdrasil.ragnarok"


def test_a_table_that_waits_for_no_decision_is_refused(table: Table):
    while isinstance(table.agenda[-1], agenda.Waiting):
        table.agenda.pop()
    data = analysis.write_table(GAME, table, KEY)
    games: list[Any] = [GAME, Altered(faults=lambda _: [])]
    for game in games:
        with pytest.raises(InvalidTable) as refusal:
            analysis.read_table(game, data, 1, KEY)
        assert refusal.value.metadata == {"game": "yggdrasil"}


def test_a_table_that_breaks_an_invariant_is_refused(table: Table):
    data = analysis.write_table(GAME, table, KEY)
    game: Any = Altered(faults=lambda _: ["a fault"])
    with pytest.raises(InvalidTable):
        analysis.read_table(game, data, 1, KEY)


@pytest.mark.parametrize("name", ["faults", "view"])
async def test_an_imagined_table_that_is_none_or_looks_otherwise_is_refused(
    table: Table, name: str
):
    view = GAME.view(table, 0)
    answer = ["a fault"] if name == "faults" else GAME.view(table, 1)
    assert not await refused(GAME, view)
    assert await refused(Altered(**{name: lambda *_: answer}), view)


@pytest.mark.parametrize(
    ("part", "modest"),
    [
        (GREATEST, True),
        (GREATEST + 1, False),
        (-GREATEST, True),
        (-GREATEST - 1, False),
        ([0, [GREATEST + 1]], False),
        ("a word", True),
        (None, True),
    ],
)
async def test_a_view_of_numbers_that_no_table_shows_is_not_imagined(part: Any, modest: bool):
    tried: list[View] = []

    def imagine(view: View, _: FastChance) -> Table:
        tried.append(view)
        raise ValueError

    assert await refused(Altered(imagine=imagine), View(0, part, part))
    assert bool(tried) == modest


@in_virtual_time
async def test_others_get_their_turn_after_each_imagined_table():
    table, turns = analysis.set_up(GAME, GAME.setup_kind(**SETUP), 1), 0

    async def others() -> None:
        nonlocal turns
        while turns < 100:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    await analysis.imagine(GAME, GAME.view(table, 0), 1, 3)
    task.cancel()
    assert (turns, now_ms()) == (3, 0)


async def test_each_roll_out_of_a_table_has_its_own_luck(table: Table):
    drawn: list[int] = []

    def result(s: Table) -> Result | None:
        drawn.append(s.chance.below(1 << 30))
        found: Result | None = GAME.result(s)
        return found

    data = analysis.write_table(GAME, table, KEY)
    game: Any = Altered(result=result)
    await analysis.roll_outs([(game, data)], KEY, 7, plies=0, repeats=3, limit=0)
    assert len(set(drawn)) == 3


class Unreadable(Command[Any]):
    """A command of numbers that no rule can deal with."""

    def malformed(self) -> bool:
        raise IndexError


def test_a_command_that_is_not_offered_is_refused_with_the_reason_of_the_rules(table: Table):
    foreign = registry.game("champions").types["Beg"]()
    reason = agenda.refusal(table, agenda.asked(table)[0], foreign)
    assert reason not in (None, agenda.NOT_OFFERED)
    assert analysis.apply(table, [foreign]).refusal == reason
    assert analysis.apply(table, [Unreadable()]).refusal == agenda.NOT_OFFERED
