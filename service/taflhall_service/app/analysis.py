"""The stateless engine: questions about tables that the caller supplies.

A table comes in as bytes sealed by a server of the same store, because a forged table could keep
a server busy forever. A view to be imagined may come from any caller: every failure with it is
the caller's fault and raises ``InvalidTable``. Work is counted in plies and done in portions on
the event loop, so that a long rollout does not block other calls.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import msgspec

from taflhall_engine.kernel import agenda
from taflhall_engine.kernel.agenda import Command, Event, Refusal, Table
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, InvalidSetup, Result, View
from taflhall_engine.kernel.rollout import rollout
from taflhall_engine.kernel.snapshot import SnapshotTooNew, load_table
from taflhall_engine.kernel.value import Value
from taflhall_service.app import errors
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.codec import encode_snapshot
from taflhall_service.app.ports.analyst import (
    AnalysisOrder,
    Analyst,
    AnalystBusy,
    AnalystUnavailable,
    InvalidRecord,
    JudgedDecisions,
)

PORTION: Final = 32
"""Plies that are played before others get their turn."""

MOST: Final = 100
"""Tables, roll-outs of a table, or imagined tables of one call."""

SEEDS: Final = 2**31 - 1
"""An imagined table, and a roll-out of a table, draws from one of that many seeds."""

GREATEST: Final = 1 << 12
"""Largest absolute value of a number in a view, since a game may allocate that many items."""

_unpack: Final = msgspec.msgpack.Decoder().decode


class AppliedAnswers(NamedTuple):
    """A table after answers, and what happened."""

    table: Table
    events: list[Event]
    applied: int
    refusal: Refusal | None


class RolloutResult(NamedTuple):
    """One rollout; without a result if the limit came first."""

    plies: int
    result: Result | None


def write_table(game: Game, s: Table, key: bytes) -> bytes:
    """Return a table as bytes that are sealed with *key*, the servers' own."""
    return chain.seal(key, f"table/{game.id}/", encode_snapshot(game, s, None))


def read_table(game: Game, data: bytes, seed: int, key: bytes) -> Table:
    """Return a sealed table whose fast random numbers come from *seed*."""
    try:
        payload = chain.unseal(key, f"table/{game.id}/", data)
    except errors.StoredDataDamaged:
        raise errors.InvalidTable(game=game.id) from None
    with tampered(game):
        try:
            snapshot, _ = _unpack(payload)
            s = load_table(game, snapshot, FastChance(seed))
        except SnapshotTooNew:
            raise errors.RulesTooNew(match_id="") from None
        if s.agenda and not isinstance(s.agenda[-1], agenda.Waiting):
            raise errors.InvalidTable(game=game.id)
        if game.faults(s):
            raise errors.InvalidTable(game=game.id)
        return s


@contextmanager
def tampered(game: Game) -> Iterator[None]:
    """Raise every failure inside as a fault of the supplied table."""
    try:
        yield
    except errors.Refused:
        raise
    except Exception:
        raise errors.InvalidTable(game=game.id) from None


def set_up(game: Game, setup: Any, seed: int) -> Table:
    """Set up a table."""
    try:
        return game.new(setup, FastChance(seed))
    except InvalidSetup as error:
        raise errors.InvalidSetup(error.game, error.faults) from None


def apply(s: Table, answers: Sequence[int | Command[Any]]) -> AppliedAnswers:
    """Answer the lowest seat's decisions one after the other, as far as they are legal."""
    s.journal = []
    for index, answer in enumerate(answers):
        seats = agenda.asked(s)
        if not seats:
            return AppliedAnswers(s, s.journal, index, agenda.GAME_OVER)
        legal = agenda.options(s, seats[0])
        if isinstance(answer, int):
            if not 0 <= answer < len(legal):
                if index:
                    return AppliedAnswers(s, s.journal, index, agenda.NOT_OFFERED)
                raise errors.NoSuchOption(option=answer, options=len(legal))
            command = legal[answer]
        elif answer in legal:
            command = answer
        else:
            return AppliedAnswers(s, s.journal, index, _refusal_of(s, seats[0], answer))
        agenda.apply(s, seats[0], command)
    return AppliedAnswers(s, s.journal, len(answers), None)


async def imagine(game: Game, view: View, seed: int, count: int) -> list[Table]:
    """Return tables that *view* could be of."""
    if not _modest(view):
        raise errors.InvalidTable(game=game.id)
    rng = FastChance(seed)
    tables = []
    for _ in range(between("count", count, 0, MOST) or 1):
        with tampered(game):
            s = game.imagine(view, FastChance(rng.below(SEEDS)))
            if not agenda.SPECTATOR <= view.seat < game.seats(s):
                raise errors.UnknownSeat(seat=view.seat, seats=game.seats(s))
            if game.faults(s) or game.view(s, view.seat) != view:
                raise errors.InvalidTable(game=game.id)
            tables.append(s)
        await asyncio.sleep(0)
    return tables


class Budget:
    """Plies that one call may still spend."""

    def __init__(self, limit: int) -> None:
        self.limit: Final = limit
        self.left = limit

    def spend(self, plies: int) -> None:
        """Consume *plies*, or raise ``WorkLimit`` if fewer are left."""
        self.left -= plies
        if self.left < 0:
            raise errors.WorkLimit(limit=self.limit)


async def roll_out(
    game: Game, s: Table, rng: FastChance, plies: int, budget: Budget
) -> RolloutResult:
    """Play *s* on at random until it is over, or for *plies*."""
    played = 0
    while s.agenda and played < plies:
        with tampered(game):
            made = rollout(s, rng, min(PORTION, plies - played))
        budget.spend(made)
        played += made
        await asyncio.sleep(0)
    with tampered(game):
        return RolloutResult(played, game.result(s))


async def roll_outs(
    tables: Sequence[tuple[Game, bytes]],
    key: bytes,
    seed: int,
    plies: int,
    repeats: int,
    limit: int,
) -> list[RolloutResult]:
    """Play each table *repeats* times, in order."""
    if not 0 < len(tables) <= MOST:
        raise errors.Malformed(field="tables", expected=f"1 to {MOST} tables")
    if plies < 0:
        raise errors.Malformed(field="plies", expected="0 or more")
    budget, rng = Budget(limit), FastChance(seed)
    outs = []
    for game, data in tables:
        start = read_table(game, data, seed, key)
        for _ in range(between("repeats", repeats, 0, MOST) or 1):
            with tampered(game):
                s = start.copy()
            s.chance = FastChance(rng.below(SEEDS))
            outs.append(await roll_out(game, s, rng, plies or limit, budget))
    return outs


async def judge_decisions(
    analyst: Analyst, caller: str, order: AnalysisOrder, limit: int
) -> JudgedDecisions:
    """Return the judgement of decisions of a record; *limit* bounds the iterations and trials."""
    if order.decisions * (order.iterations + 2 * order.trials) > limit:
        raise errors.WorkLimit(limit=limit)
    try:
        return await analyst.judge(caller, order)
    except InvalidRecord as error:
        raise errors.Malformed(field="record", expected=f"one that replays ({error})") from None
    except AnalystBusy as busy:
        wait = round(1000 * busy.seconds)
        raise errors.RateLimited(retry_after_ms=wait, limit="analyses") from None
    except AnalystUnavailable:
        raise errors.WorkLimit(limit=limit) from None


def _modest(part: Any) -> bool:
    """Return whether every number in *part* of a view is one that a table could show."""
    if isinstance(part, int):
        return -GREATEST <= part <= GREATEST
    if isinstance(part, Value):
        return all(_modest(field) for field in part.fields())
    return not isinstance(part, list) or all(_modest(item) for item in part)


def between(field: str, count: int, least: int, most: int) -> int:
    """Return *count* if it is from *least* to *most*, or raise ``Malformed``."""
    if not least <= count <= most:
        raise errors.Malformed(field=field, expected=f"{least} to {most}")
    return count


def _refusal_of(s: Table, seat: int, command: Command[Any]) -> Refusal:
    try:
        return agenda.refusal(s, seat, command) or agenda.NOT_OFFERED
    except Exception:  # the numbers come from outside and may be anything
        return agenda.NOT_OFFERED
