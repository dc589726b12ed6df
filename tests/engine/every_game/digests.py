"""Prints one digest per game over every ply of some matches: `python -m ...digests [NAME...]`."""

from __future__ import annotations

import json
import sys
from hashlib import sha256

from taflhall_engine.kernel.notation import write
from taflhall_engine.kernel.snapshot import canonical, dump_table
from tests.engine.every_game import setups, walk


def digest_of(name: str, matches: int) -> str:
    """Return a digest over every table, event and option of the first *matches* matches."""
    state = sha256()
    game = setups.game(name)
    for seed in range(matches):
        for position in walk.walk(name, seed):
            state.update(canonical(dump_table(game, position.s)))
            state.update(repr(position.events).encode())
            if position.s.agenda:
                state.update(write(position.s.agenda[-1], game.labels).encode())
    return state.hexdigest()


if __name__ == "__main__":
    print(json.dumps({name: digest_of(name, 2) for name in sys.argv[1:] or setups.NAMES}))
