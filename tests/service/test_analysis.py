"""The stateless engine as functions: work within its budget, answers one after the other."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from taflhall_engine import registry
from taflhall_engine.kernel import agenda
from taflhall_engine.kernel.agenda import Command, Table, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import View
from taflhall_engine.kernel.snapshot import digest
from taflhall_service.app import analysis, errors
from taflhall_service.app.analysis import MOST, PORTION, Budget
from tests.engine.every_game import setups

GAME = registry.game("yggdrasil")
KEY = b"k" * 32


@pytest.fixture
def table() -> Table:
    setup = setups.trial(GAME.id).usual[0]
    return analysis.set_up(GAME, GAME.setup_kind(**setup), 1)


def test_a_table_is_sealed_and_read_with_the_luck_of_a_seed(table: Table):
    data = analysis.write_table(GAME, table, KEY)
    one, other = (analysis.read_table(GAME, data, seed, KEY) for seed in (1, 2))
    assert digest(GAME, one) == digest(GAME, other) == digest(GAME, table)
    assert one.chance.below(1 << 30) != other.chance.below(1 << 30)
    for wrong in (data[:-1], data + b"x", b""):
        with pytest.raises(errors.InvalidTable) as refusal:
            analysis.read_table(GAME, wrong, 1, KEY)
        assert refusal.value.metadata == {"game": "yggdrasil"}
    with pytest.raises(errors.InvalidTable):
        analysis.read_table(GAME, data, 1, b"x" * 32)


def test_answers_are_applied_as_far_as_they_are_legal(table: Table):
    seat = agenda.asked(table)[0]
    first = options(table, seat)[0]
    done = analysis.apply(table.copy(), [0, 0])
    assert (done.applied, done.refusal) == (2, None)
    assert done.events
    by_command = analysis.apply(table.copy(), [first])
    assert (by_command.applied, by_command.refusal) == (1, None)
    assert digest(GAME, by_command.table) == digest(GAME, analysis.apply(table.copy(), [0]).table)
    for wrong in (-1, len(options(table, seat))):
        with pytest.raises(errors.NoSuchOption) as refusal:
            analysis.apply(table.copy(), [wrong])
        assert refusal.value.metadata["option"] == str(wrong)
    late = analysis.apply(table.copy(), [0, 99, 0])
    assert (late.applied, late.refusal) == (1, agenda.NOT_OFFERED)
    last = analysis.apply(table.copy(), [len(options(table, seat)) - 1])
    assert last.applied == 1


def test_a_command_that_is_no_option_says_why(table: Table):
    foreign: Command[Any] = registry.game("champions").types["Beg"]()
    done = analysis.apply(table, [foreign])
    assert done.applied == 0
    assert done.refusal is not None
    assert done.refusal.code


async def test_nothing_is_answered_after_the_end(table: Table):
    out = await analysis.roll_out(GAME, table, FastChance(1), 5000, Budget(5000))
    assert out.result is not None
    done = analysis.apply(table, [0])
    assert (done.applied, done.refusal) == (0, agenda.GAME_OVER)


async def test_a_roll_out_ends_with_the_match_or_its_plies(table: Table):
    for plies in (0, 1, PORTION, PORTION + 1):
        budget = Budget(100)
        out = await analysis.roll_out(GAME, table.copy(), FastChance(1), plies, budget)
        assert (out.plies, out.result) == (plies, None)
        assert budget.left == 100 - plies
    whole = await analysis.roll_out(GAME, table.copy(), FastChance(1), 5000, Budget(5000))
    assert 0 < whole.plies < 5000
    assert whole.result is not None


async def test_others_get_their_turn_during_a_roll_out(table: Table):
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.ensure_future(others())
    await analysis.roll_out(GAME, table, FastChance(1), PORTION + 1, Budget(1000))
    task.cancel()
    assert turns == 2


def test_a_budget_may_be_spent_to_the_last_ply():
    budget = Budget(5)
    budget.spend(3)
    budget.spend(2)
    with pytest.raises(errors.WorkLimit) as refusal:
        budget.spend(1)
    assert refusal.value.metadata == {"limit": "5"}


async def test_roll_outs_come_in_order_and_within_their_numbers(table: Table):
    data = analysis.write_table(GAME, table, KEY)

    async def outs(tables: int, plies: int, repeats: int, limit: int = 1000) -> Any:
        return await analysis.roll_outs([(GAME, data)] * tables, KEY, 7, plies, repeats, limit)

    assert [out.plies for out in await outs(2, 3, 2)] == [3, 3, 3, 3]
    assert len(await outs(1, 1, 0)) == 1
    assert len(await outs(1, 1, MOST)) == MOST
    assert len(await outs(MOST, 1, 1)) == MOST
    whole = await outs(1, 0, 2, 5000)
    assert all(out.result is not None for out in whole)
    for tables, plies, repeats, field in (
        (0, 1, 1, "tables"),
        (MOST + 1, 1, 1, "tables"),
        (1, -1, 1, "plies"),
        (1, 1, -1, "repeats"),
        (1, 1, MOST + 1, "repeats"),
    ):
        with pytest.raises(errors.Malformed) as refusal:
            await outs(tables, plies, repeats)
        assert refusal.value.metadata["field"] == field
    with pytest.raises(errors.Malformed) as refusal:
        await outs(0, 1, 1)
    assert refusal.value.metadata["expected"] == "1 to 100 tables"
    with pytest.raises(errors.WorkLimit):
        await outs(1, 3, 2, limit=5)
    assert len(await outs(1, 3, 2, limit=6)) == 2


async def test_imagined_tables_are_as_many_as_asked_for_and_differ(table: Table):
    view = GAME.view(table, 0)
    found = await analysis.imagine(GAME, view, 1, 3)
    assert len({digest(GAME, s) for s in found}) == 3
    again = await analysis.imagine(GAME, view, 1, 3)
    assert [digest(GAME, s) for s in again] == [digest(GAME, s) for s in found]
    assert len(await analysis.imagine(GAME, view, 1, 0)) == 1
    assert len(await analysis.imagine(GAME, GAME.view(table, -1), 1, 1)) == 1
    for count in (-1, MOST + 1):
        with pytest.raises(errors.Malformed):
            await analysis.imagine(GAME, view, 1, count)
    for seat in (-2, GAME.seats(table)):
        with pytest.raises(errors.Refused):
            await analysis.imagine(GAME, View(seat, view.public, view.private), 1, 1)
