"""Two worlds that a viewer cannot tell apart, in the form in which a store keeps matches."""

from __future__ import annotations

import random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from taflhall_engine.kernel.agenda import Table, asked, options
from taflhall_engine.kernel.chance import Chance, CheapChance, KeyedChance
from taflhall_engine.kernel.deeds import answer
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.snapshot import dump, dump_table, load_table
from taflhall_service.app import chain, stored
from taflhall_service.app.access import digest_of
from taflhall_service.app.clock import Moment
from taflhall_service.app.lobby import lay_out
from taflhall_service.app.match import Match
from taflhall_service.app.storage import Commit, Verdict, Version
from taflhall_service.app.stored import SCHEMA, Origin, Place
from taflhall_service.app.turn import Progress, table_fields
from taflhall_service.store.memory import Memory, MemoryStore
from tests.engine.every_game import setups

ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz234567"


class World(NamedTuple):
    """A match in the middle, and what opens it."""

    match: Match
    commits: Any
    """The entries of its history, as they are stored."""
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


def prepared(name: str, seed: int) -> World:
    """Return a match of the game *name* after a random number of random commands."""
    luck, trial = random.Random(seed), setups.trial(name)
    cheap = CheapChance(seed)
    game = setups.game(name)
    chosen = trial.usual[seed] if seed < len(trial.usual) else trial.other(cheap)
    setup = game.setup_kind(**chosen)
    secret, key = luck.randbytes(32), luck.randbytes(32)
    seats = game.seats(game.new(setup, KeyedChance(secret)))
    secrets = [f"seat-{luck.getrandbits(220):055x}" for _ in range(seats)]
    creator = f"host-{luck.getrandbits(220):055x}"
    match_id = "".join(luck.choice(ALPHABET) for _ in range(26))
    origin = Origin(
        match_id,
        game.id,
        game.version,
        game.data_digest,
        dump(setup),
        secret,
        key,
        digest_of(creator),
        1_700_000_000_000 + seed,
        "two worlds",
        False,
    )
    roster = tuple(Place(f"P{n}", 2, digest_of(s)) for n, s in enumerate(secrets))
    start = Match(game, origin, setup, roster, Version(0, chain.first_head(key, match_id), seats))
    lay_out(start)
    assert start.table is not None
    progress = Progress(start, Moment(0))
    for move in moves(game, start.table.copy(), cheap, luck.choice((0, 3, 10, 30, 80, 200))):
        progress.answer(*move)
    return World(progress.match(), list(progress.packed), secrets, creator)


def moves(game: Game, table: Table, luck: Chance, plies: int) -> list[tuple[int, Any]]:
    """Return random moves, at most *plies*, after which the match still goes on."""
    made: list[tuple[int, Any]] = []
    while len(made) < plies and (move := pick(table, luck)) is not None:
        answer(game, table, *move)
        made.append(move)
    return made if table.agenda else made[:-1]


def pick(table: Table, luck: Chance) -> tuple[int, Any] | None:
    """Return a seat that has to decide and one of its options, by chance."""
    seats = asked(table)
    if not seats:
        return None
    seat = seats[luck.below(len(seats))]
    listed = options(table, seat)
    return seat, listed[luck.below(len(listed))]


def other(world: World, viewer: int, luck: Chance, secret: bytes | None = None) -> World:
    """Return a world that looks the same to *viewer*: what it may not know is dealt anew.

    With *secret*, the luck that is to come is another one as well.
    """
    game, match = world.game, world.match
    imagined = game.imagine(game.view(world.table, viewer), luck)
    chance = world.table.chance
    assert isinstance(chance, KeyedChance)
    future = chance.copy() if secret is None else KeyedChance(secret, chance.words)
    table = load_table(game, dump_table(game, imagined), future)
    twin = Match(
        game,
        match.origin if secret is None else replace(match.origin, secret=secret),
        match.setup,
        match.roster,
        match.version,
        match.status,
        table,
        match.gone,
        match.pending,
        match.result,
    )
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
    memory.marks.clear()
    match = world.match
    fields = {
        "schema": str(SCHEMA).encode(),
        "origin": stored.pack(match.origin),
        "roster": stored.pack(match.roster),
        **table_fields(match),
    }
    store = MemoryStore(memory)
    outcome = await store.commit(
        Commit(match.id, None, "put:", bytes(16), b"", match.version, fields, world.commits)
    )
    assert outcome.verdict is Verdict.DONE
    await store.enlist(f"{match.origin.created_ms:012x}{match.id}")
    await store.close()
