"""Two worlds that look the same to a viewer, in the form in which a store keeps matches."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from taflhall_engine.kernel.agenda import Table, asked, options
from taflhall_engine.kernel.chance import Chance, FastChance, KeyedChance
from taflhall_engine.kernel.drafts import unfinished
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.meta_commands import answer
from taflhall_engine.kernel.snapshot import dump, dump_table, load_table
from taflhall_service.app.access.credentials import digest_of
from taflhall_service.app.matches.table_update import table_fields
from taflhall_service.app.matches.transaction import NO_FINGERPRINT
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.codec import SCHEMA
from taflhall_service.app.model.match import PLAYING, Match
from taflhall_service.app.model.records import Origin, Seat
from taflhall_service.app.model.tokens import decision_id
from taflhall_service.app.ports.match_store import Commit, CommitStatus, Version
from taflhall_service.store.memory import Memory, MemoryStore
from tests import exploring
from tests.engine.every_game import setups

ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"

PLIES: Final = (0, 3, 10, 30, 80, 200)
"""Number of commands after which a match becomes a world, unless it is over by then."""


class World(NamedTuple):
    """A match that has just been laid out, and what opens it.

    Its table may lie as after many commands: where a match begins is for :data:`laid` to say.
    """

    match: Match
    secrets: list[str]
    """The secret of each seat."""
    creator: str

    @property
    def game(self) -> Game:
        return self.match.game

    @property
    def table(self) -> Table:
        assert self.match.table is not None
        return self.match.table


laid: Final[ContextVar[Table | None]] = ContextVar("laid", default=None)
"""The table with which matches begin, if it is not what their setup and secret lead to.

So the history of a world that was imagined is as true as that of the world it was made from,
and what is recomputed from the start (views of the past, records) can be compared too.
"""


@contextmanager
def begun_elsewhere(game: Game) -> Iterator[None]:
    """Let :data:`laid` have its effect on *game*."""
    new = game.new

    def begin(setup: Any, chance: Any) -> Table:
        table = laid.get()
        return new(setup, chance) if table is None else table.copy()

    game.new = begin  # type: ignore[method-assign]
    try:
        yield
    finally:
        del game.new  # the class's own is visible again


class Spot(NamedTuple):
    """How far a game has come: a match can be laid out there."""

    game: Game
    setup: Any
    secret: bytes
    """All random numbers come from it."""
    table: Table


def spots(name: str, seed: int) -> Iterator[Spot]:
    """Yield the states of a game of *name* after more and more random commands.

    No answer is half given there: no store keeps such a table.
    """
    rng, trial = random.Random(seed), setups.trial(name)
    cheap = FastChance(seed)
    game = setups.game(name)
    number = seed % exploring.STRETCH
    chosen = trial.usual[number] if number < len(trial.usual) else trial.other(cheap)
    setup = game.setup_kind(**chosen)
    secret = rng.randbytes(32)
    laid.set(None)
    table = game.new(setup, KeyedChance(secret))
    ply = 0
    for stop in PLIES:
        while (ply < stop or unfinished(table)) and (move := pick(table, cheap)) is not None:
            answer(game, table, *move)
            ply += 1
        if not table.agenda:
            return
        yield Spot(game, setup, secret, table)


def world_at(spot: Spot, rng: random.Random) -> World:
    """Return a new match, laid out at *spot*."""
    game, setup, secret, table = spot
    seats = game.seats(table)
    secrets = [f"seat-{rng.getrandbits(220):055x}" for _ in range(seats)]
    creator = f"host-{rng.getrandbits(220):055x}"
    key, match_id = rng.randbytes(32), "".join(rng.choice(ALPHABET) for _ in range(26))
    origin = Origin(
        match_id=match_id,
        game=game.id,
        rules_version=game.version,
        data_digest=game.data_digest,
        setup=dump(setup),
        secret=secret,
        chain=key,
        creator=digest_of(creator),
        created_ms=1_700_000_000_000,
        title="two worlds",
        start_when_full=False,
    )
    head = chain.first_head(key, match_id)
    taken = tuple(Seat(f"P{n}", 2, digest_of(s)) for n, s in enumerate(secrets))
    pending = {seat: decision_id(key, head, 0, seat) for seat in asked(table)}
    version = Version(0, head, seats)
    match = Match(game, origin, setup, taken, version, PLAYING, table.copy(), pending=pending)
    return World(match, secrets, creator)


def pick(table: Table, rng: Chance) -> tuple[int, Any] | None:
    """Return a seat that has to decide and one of its options, by chance."""
    seats = asked(table)
    if not seats:
        return None
    seat = seats[rng.below(len(seats))]
    listed = options(table, seat)
    return seat, listed[rng.below(len(listed))]


def other(world: World, viewer: int, rng: Chance, secret: bytes | None = None) -> World:
    """Return a world that looks the same to *viewer*: what it may not know is dealt again.

    With *secret*, future random numbers differ as well.
    """
    game, match = world.game, world.match
    imagined = game.imagine(game.view(world.table, viewer), rng)
    chance = world.table.chance
    assert isinstance(chance, KeyedChance)
    future = chance.copy() if secret is None else KeyedChance(secret, chance.draws)
    twin = match.replaced(table=load_table(game, dump_table(game, imagined), future))
    if secret is not None:
        twin = twin.replaced(origin=replace(match.origin, secret=secret))
    return world._replace(match=twin)


def hidden_differences(a: World, b: World) -> set[str]:
    """Return the fields of the table in which two worlds differ."""
    one, two = dump_table(a.game, a.table), dump_table(b.game, b.table)
    if isinstance(one, dict):
        fields_one, fields_two = _fields(one), _fields(two)
        return {name for name in fields_one if fields_one[name] != fields_two[name]}
    return {"table"} if one != two else set()


def _fields(dumped: dict[str, Any]) -> dict[str, Any]:
    inner = [value for value in dumped.values() if isinstance(value, dict)]
    return inner[0] if len(inner) == 1 else dumped


async def put(memory: Memory, world: World) -> None:
    """Put a world into a store, through the store's own protocol, as the only match there."""
    memory.matches.clear()
    memory.entries.clear()
    memory.records.clear()
    memory.indexes.clear()
    match = world.match
    fields = {
        "schema": str(SCHEMA).encode(),
        "origin": stored.encode(match.origin),
        "seats": stored.encode(match.seats),
        **table_fields(match),
    }
    store = MemoryStore(memory)
    outcome = await store.commit(
        Commit(match.id, None, "put:", NO_FINGERPRINT, b"", match.version, fields, [])
    )
    assert outcome.status is CommitStatus.COMMITTED
    await store.index_add(f"{match.origin.created_ms:012x}{match.id}")
    await store.close()
