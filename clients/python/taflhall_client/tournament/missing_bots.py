"""Finds misspelt bots before a tournament begins.

They are looked up in a process of its own, which runs this module: to import a bot runs its code.
A bot that ends that process, or takes too long, is not misspelt: its matches will judge it.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

from taflhall_client.bots import UnknownBot, find
from taflhall_client.tournament.description import Entrant, Tournament, read


def missing_bots(file: Path, tournament: Tournament) -> list[str]:
    """Return what is wrong with the bots of *tournament*, which *file* describes."""
    if not any(map(_is_looked_up, tournament.entrants)):
        return []
    command = [sys.executable, "-m", __name__, str(file)]
    try:
        limit = tournament.limits.start_seconds
        looked_up = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return []
    return looked_up.stdout.splitlines()


def _is_looked_up(entrant: Entrant) -> bool:
    """Return whether an entrant's bot is somebody's own class, not built in or a program."""
    return ":" in entrant.bot


def _main(file: Path) -> None:
    tournament = read(file)
    game = tournament.make_game()
    for entrant in tournament.entrants:
        if not _is_looked_up(entrant):
            continue
        try:
            with redirect_stdout(sys.stderr):  # whatever the bot's module prints
                find(entrant.bot, game)
        except UnknownBot as error:
            print(f"bot of {entrant.name!r}: {error}", flush=True)


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
