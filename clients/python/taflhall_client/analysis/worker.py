"""The analyst of a server: judges decisions of records that come over standard input.

Each order, and each reply, is a JSON object behind four bytes of length (big-endian). An order has
the keys ``record``, ``first_revision``, ``decisions``, ``iterations``, ``trials`` and ``seed``. The
reply has ``cpu_seconds``, and ``decisions`` with ``next_revision`` (0 after the last), or the
``error`` for which the record does not replay. The argument is the folder of component data.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final

from taflhall_client.analysis.match import Effort, judge_pending, pending
from taflhall_client.bots.knowledge import knowledge_of
from taflhall_engine import registry
from taflhall_engine.kernel.replay import RecordError, Replay, game_of, replaying

NICENESS: Final = 10
"""Serving processes have precedence wherever both want a core."""
LENGTH_BYTES: Final = 4


def main() -> None:
    """Reply to orders until the input ends."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    registry.use_data(Path(sys.argv[1]) if sys.argv[1:] else None)
    while (order := read_frame(sys.stdin.buffer)) is not None:
        began = time.process_time()
        answer = reply(json.loads(order)) | {"cpu_seconds": time.process_time() - began}
        body = json.dumps(answer).encode()
        sys.stdout.buffer.write(len(body).to_bytes(LENGTH_BYTES, "big") + body)
        sys.stdout.buffer.flush()


def read_frame(stream: BinaryIO) -> bytes | None:
    """Return the next order; ``None`` at the end of *stream*."""
    head = stream.read(LENGTH_BYTES)
    return stream.read(int.from_bytes(head, "big")) if len(head) == LENGTH_BYTES else None


def reply(order: dict[str, Any]) -> dict[str, Any]:
    """Return the reply to *order*, but for its cost."""
    try:
        found = replayed(order["record"])
    except RecordError as error:
        return {"error": str(error)}
    except Exception as error:  # a record from outside may hold anything
        return {"error": type(error).__name__}
    game, effort = found.game, Effort(order["iterations"], order["trials"])
    knowledge = knowledge_of(game)
    later = (p for p in pending(found, knowledge) if p.revision >= order["first_revision"])
    decisions = [
        asdict(judge_pending(game, knowledge, one, effort, order["seed"]))
        for one in islice(later, order["decisions"])
    ]
    following = next(later, None)
    return {
        "decisions": decisions,
        "next_revision": 0 if following is None else following.revision,
    }


def replayed(record: Any) -> Replay:
    """Replay *record*, but compare the table after its last command only."""
    steps = replaying(registry.game(game_of(record)), record, max(1, len(record["commands"])))
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Replay = end.value
            return found


if __name__ == "__main__":
    main()
