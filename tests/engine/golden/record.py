"""Golden records: matches written down ply by ply, so that a change of behaviour is seen.

`make golden` (`python -m tests.engine.golden.record [GAME ...]`) rewrites them. Do that on
purpose only: when the rules of a game are meant to behave otherwise, its `version` goes up, and
the difference of these files is what a reviewer reads.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from taflhall_engine import registry
from taflhall_engine.kernel import notation, setups
from taflhall_engine.kernel.agenda import Event, Table, apply
from taflhall_engine.kernel.chance import FastChance, KeyedChance
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.snapshot import digest
from tests.engine.every_game import setups as trials
from tests.engine.every_game.walk import choice, secret

FOLDER = Path(__file__).parent / "records"
DIGITS = 16
HEAD = """\
# A match of {title} with random answers, written down ply by ply: seat, command, and the first
# digits of the digest of the table after it; indented, all its events. The engine, plain and
# compiled, has to play it again exactly so. A difference means that the rules behave otherwise
# than when this was written. If that is meant, raise the game's version and run `make golden`.
"""


class Played(NamedTuple):
    """One ply of a golden record."""

    line: int
    seat: int
    command: str
    digest: str
    events: list[str]


class Golden(NamedTuple):
    """A golden record as it was read."""

    game: str
    version: str
    data: str
    setup: dict[str, Any]
    secret: str
    start: str
    plies: list[Played]
    result: str


def write(game: Game, fields: dict[str, Any], seed: int) -> str:
    """Play a match at random and return its golden record."""
    setup = game.setup_kind(**fields)
    s = game.new(setup, KeyedChance(secret(seed)))
    rng = FastChance(seed)
    lines = [
        HEAD.format(title=game.title).rstrip(),
        f"game {game.id}",
        f"version {game.version}",
        f"data {game.data_digest}",
        f"setup {json.dumps(setups.to_data(game, setup))}",
        f"secret {secret(seed).hex()}",
        f"start {short(game, s)}",
        "",
    ]
    ply = 0
    while s.agenda:
        seat, command = choice(s, rng)
        events = events_after(game, s, seat, command)
        ply += 1
        text = notation.write(command, game.labels)
        lines.append(f"{ply} seat={seat} {text} -> {short(game, s)}")
        lines += [f"  {event}" for event in events]
    lines += ["", f"result {game.result(s)}", ""]
    return "\n".join(lines)


def events_after(game: Game, s: Table, seat: int, command: Any) -> list[str]:
    """Answer for *seat* and return the events, as text."""
    events: list[Event] = []
    s.journal = events
    apply(s, seat, command)
    s.journal = None
    return [notation.write(event, game.labels) for event in events]


def short(game: Game, s: Table) -> str:
    return digest(game, s)[:DIGITS]


def read(path: Path) -> Golden:
    """Read a golden record."""
    head: dict[str, str] = {}
    plies: list[Played] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.startswith("  "):
            plies[-1].events.append(line[2:])
        elif line[:1].isdigit():
            text, _, after = line.rpartition(" -> ")
            _, seat, command = text.split(" ", 2)
            plies.append(Played(number, int(seat.partition("=")[2]), command, after, []))
        elif line and not line.startswith("#"):
            name, _, rest = line.partition(" ")
            head[name] = rest
    return Golden(
        head["game"],
        head["version"],
        head["data"],
        json.loads(head["setup"]),
        head["secret"],
        head["start"],
        plies,
        head["result"],
    )


def records(name: str) -> Iterator[tuple[Path, dict[str, Any], int]]:
    """Yield the file, the setup and the seed of each record of the game called *name*."""
    for seed, fields in enumerate(trials.trial(name).usual):
        yield FOLDER / name / f"{seed + 1}.txt", fields, seed


def main(names: list[str]) -> None:
    for name in names:
        for path, fields, seed in records(name):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(write(trials.game(name), fields, seed), "utf-8")
            print(path.relative_to(FOLDER.parent))


if __name__ == "__main__":
    main(sys.argv[1:] or ["quay", *registry.GAMES])
