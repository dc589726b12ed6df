"""Records: how a match is written down.

A record is plain data (JSON)::

    {"format": 1, "match_id": "...", "game": "yggdrasil", "rules_version": "1",
     "data_digest": "...", "setup": {"gods": ["odin"], "furious": 3}, "seats": ["Ann", "Bob"],
     "secret": "...", "secret_digest": "...", "start_digest": "...",
     "commands": [[0, "asgard enemy=hel vikings=3"], [0, "undo 1"], [1, "resign"]],
     "digests": ["...", "..."],
     "result": {"won": [...], "places": [...], "scores": [...], "reasons": [...]}}

Only a hosted match has a ``match_id``. A command is an answer in the notation, its steps with
semicolons between them, or the name of a meta command (:mod:`~.kernel.meta_commands`). In a brief
record *digests* has that of the last table alone: it takes no replay to write, and proves as much.
:func:`write` makes a record and :func:`text` writes it down; :mod:`replay` checks one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from taflhall_engine.kernel import notation, setups
from taflhall_engine.kernel.agenda import Table
from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.drafts import Answer
from taflhall_engine.kernel.game import Game, Result
from taflhall_engine.kernel.mainline import replay_states
from taflhall_engine.kernel.meta_commands import (
    Action,
    MetaCommand,
    Move,
    result,
    write_meta_command,
)
from taflhall_engine.kernel.snapshot import digest

STEP_BREAK: Final = "; "
"""The separator of the steps of one answer."""

FORMAT: Final = 1
"""The number of the form in which records are written."""


def write(
    game: Game, setup: Any, seats: Sequence[str], secret: bytes, moves: Sequence[Move]
) -> dict[str, Any]:
    """Return the record of a match that is over; *seats* are the names in seat order."""
    record = save(game, setup, seats, secret, moves)
    if not record["result"]:
        raise ValueError("a match that is not over has no record")
    return record


def brief(
    game: Game,
    setup: Any,
    seats: Sequence[str],
    secret: bytes,
    moves: Sequence[Move],
    last: Table,
    end: Result | None,
) -> dict[str, Any]:
    """Return the brief record of a match that ended with the table *last* and the result *end*.

    Without an *end* it is a match that was saved under way, as :func:`save` returns it.
    """
    digests = [_start_digest(game, setup, secret)]
    digests += [digest(game, last)] if moves else []
    return written(game, setup, seats, secret, moves, digests, end)


@lru_cache(maxsize=8)
def _start_digest(game: Game, setup: Any, secret: bytes) -> str:
    """Return the digest of the table as it is laid out; matches with one deal follow each other."""
    return digest(game, game.new(setup, KeyedChance(secret)))


def save(
    game: Game, setup: Any, seats: Sequence[str], secret: bytes, moves: Sequence[Move]
) -> dict[str, Any]:
    """Return a match that may be under way, in the form of a record; *seats* are the names."""
    digests: list[str] = []
    end: Result | None = None
    for state in replay_states(game, setup, secret, moves):
        digests.append(digest(game, state.table))
        end = result(game, state.table, state.withdrawn)
    return written(game, setup, seats, secret, moves, digests, end)


def written(
    game: Game,
    setup: Any,
    seats: Sequence[str],
    secret: bytes,
    moves: Sequence[Move],
    digests: Sequence[str],
    end: Result | None,
    match_id: str = "",
) -> dict[str, Any]:
    """Return the record of a match that ended so; *digests* of the table at each revision.

    Without an *end* it is a match that was saved under way; :func:`.replay.resume` reads it.
    *match_id* is that of a hosted match.
    """
    distinct = {id(action): action for _, action in moves}  # few: games keep their options
    texts = {key: action_text(game, action) for key, action in distinct.items()}
    return {
        "format": FORMAT,
        **({"match_id": match_id} if match_id else {}),
        "game": game.id,
        "rules_version": game.version,
        "data_digest": game.data_digest,
        "setup": setups.to_data(game, setup),
        "seats": list(seats),
        "secret": secret.hex(),
        "secret_digest": secret_digest(secret),
        "start_digest": digests[0],
        "commands": [[seat, texts[id(action)]] for seat, action in moves],
        "digests": list(digests[1:]),
        "result": {} if end is None else result_data(end),
    }


def action_text(game: Game, action: Action) -> str:
    """Return *action* as written in a record."""
    if isinstance(action, MetaCommand):
        return write_meta_command(action)
    if not isinstance(action, Answer):
        return notation.write(action, game.labels)
    return STEP_BREAK.join([notation.write(step, game.labels) for step in action.steps])


def text(record: dict[str, Any]) -> str:
    """Return a record as JSON, one command and one digest a line."""
    lines = []
    for key, value in record.items():
        if key in ("commands", "digests"):
            items = ",\n".join([f"    {_json(item)}" for item in value])
            lines.append(f"  {json.dumps(key)}: [\n{items}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {_json(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


_json: Final = json.JSONEncoder(ensure_ascii=False).encode


def secret_digest(secret: bytes) -> str:
    """Return the SHA-256 of a match's secret in hex, which is published at its start."""
    return hashlib.sha256(secret).hexdigest()


def result_data(end: Result) -> dict[str, Any]:
    """Return *end* as written in a record."""
    data: dict[str, Any] = {
        "won": list(end.won),
        "places": list(end.places),
        "scores": list(end.scores),
        "reasons": list(end.reasons),
    }
    if end.npc is not None:
        data["npc"] = {"name": end.npc.name, "won": end.npc.won, "score": end.npc.score}
    return data
