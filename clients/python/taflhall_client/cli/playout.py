"""``taflhall playout``: random matches in process."""

from __future__ import annotations

from typing import Annotated

import typer

from taflhall_client.cli.common import (
    DataFolder,
    GameName,
    Processes,
    SeatCount,
    SetupWords,
    make_game,
    setup_of,
)
from taflhall_client.cli.output import progress_bar, say


def playout(
    game: GameName,
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")] = 100,
    seats: SeatCount = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all random numbers.")] = 0,
    jobs: Processes = 1,
    setup: SetupWords = None,
    data: DataFolder = None,
) -> None:
    """Play random matches; print their number, speed, outcomes and one digest of their ends.

    The digest is the same on every run and machine, with any number of jobs, compiled or not.
    """
    from taflhall_client.rollouts import play_many
    from taflhall_engine.kernel import COMPILED, setups

    known = make_game(game, data)
    words = setups.to_data(known, setup_of(known, setup, seats))
    played = 0

    def advance(done: int) -> None:
        nonlocal played
        played += done
        show(played, matches)

    with progress_bar() as show:
        total = play_many(game, data, words, matches, seed, jobs, advance)
    say(f"{total.matches} matches")
    say(f"{total.plies} plies")
    say(f"{total.plies_per_second:.0f} plies/s")
    say(f"compiled: {'yes' if COMPILED else 'no'}")
    for outcome, count in sorted(total.outcomes.items(), key=lambda o: (-o[1], o[0])):
        say(f"outcome {outcome}: {count} ({100 * count / total.matches:.1f} %)")
    say(f"digest {total.digest}")
