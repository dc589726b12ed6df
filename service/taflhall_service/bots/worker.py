"""A bot process: it reads decisions from standard input and writes answers to standard output.

It ends when its standard input does, and with the server.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Final

from taflhall_engine import registry
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.snapshot import load_table
from taflhall_engine.kernel.stand_in import choose_answer, random_answer
from taflhall_service.bots.frames import Answer, Task, decode_task, encode, frame, read_frame
from taflhall_service.store.exec_with_parent import die_with_parent

NICENESS: Final = 10
"""Serving processes have precedence wherever both want a core."""


def main() -> None:
    """Answer decisions until the input ends; the argument is the folder of component data."""
    die_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    registry.use_data(Path(sys.argv[1]) if sys.argv[1:] else None)
    while body := read_frame(sys.stdin.buffer):
        sys.stdout.buffer.write(frame(encode(answer(decode_task(body)))))
        sys.stdout.buffer.flush()


def answer(task: Task) -> Answer:
    """Return the answer to *task*, chosen from the seat's view only."""
    began = time.process_time()
    try:
        game = registry.game(task.game)
        rng = FastChance(task.seed)
        table = load_table(game, task.table, rng)
        if task.plies:
            taken = choose_answer(game, table, task.seat, rng, task.plies)
        else:
            taken = random_answer(table, task.seat, rng)
    except Exception as error:
        return Answer([], time.process_time() - began, type(error).__name__)
    return Answer(taken, time.process_time() - began)


if __name__ == "__main__":
    main()
