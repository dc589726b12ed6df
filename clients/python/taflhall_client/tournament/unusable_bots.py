"""Finds missing programs, misspelt bots, and misspelt arguments of their classes, before the first
match.

Bots are looked up in a process of its own, which runs this module: to import a bot runs its code.
Its class is not called. A bot that ends that process, or takes too long, is not misspelt: its
matches will judge it.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from contextlib import redirect_stdout
from shutil import which

from taflhall_client.bots import NAMES, UnknownBot, look_up
from taflhall_client.tournament.description import Entrant, Tournament


def unusable_bots(tournament: Tournament) -> list[str]:
    """Return what is wrong with the bots of *tournament*, a line for each."""
    missing = [
        f"command of {entrant.name!r}: there is no program {entrant.command[0]!r}"
        for entrant in tournament.entrants
        if entrant.command and which(entrant.command[0]) is None
    ]
    return missing + _unknown_classes(tournament)


def _unknown_classes(tournament: Tournament) -> list[str]:
    if not any(map(_is_looked_up, tournament.entrants)):
        return []
    command = [sys.executable, "-m", __name__]
    try:
        looked_up = subprocess.run(
            command,
            input=pickle.dumps(tournament),
            check=False,
            capture_output=True,
            timeout=tournament.limits.start_seconds,
        )
    except subprocess.TimeoutExpired:
        return []
    return looked_up.stdout.decode("utf-8", "replace").splitlines()


def _is_looked_up(entrant: Entrant) -> bool:
    """Return whether a bot may be misspelt: all but programs and what is built in, as it is."""
    return bool(entrant.bot) and (entrant.bot not in NAMES or bool(entrant.options))


def _main(tournament: Tournament) -> None:
    game = tournament.make_game()
    for entrant in filter(_is_looked_up, tournament.entrants):
        try:
            with redirect_stdout(sys.stderr):  # whatever the bot's module prints
                look_up(entrant.bot, game, dict(entrant.options))
        except UnknownBot as error:
            sys.stdout.buffer.write(f"bot of {entrant.name!r}: {error}\n".encode())
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    _main(pickle.load(sys.stdin.buffer))  # noqa: S301  # written by our parent
