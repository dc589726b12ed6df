"""The stand-in: plays for a seat whose player is away, from the seat's view alone.

It tries some of the options at tables that agree with the seat's view, continues at random,
and takes the option with the best average outcome. Its work is bounded and counted in
plies, so it is not a strong player: it lets a match continue sensibly, not more.
"""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.kernel.agenda import Command, Table, apply, asked, options
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.drafts import Draft
from taflhall_engine.kernel.game import Game, View

PLIES: Final = 3000
"""Greatest number of commands played for one decision."""

TRIED: Final = 8
"""Number of options that are tried out, chosen at random if there are more."""


def choose(
    game: Game, view: View, legal: list[Command[Any]], rng: Chance, plies: int = PLIES
) -> Command[Any]:
    """Return one of the *legal* commands of ``view.seat``; the same one for the same *rng*.

    It uses nothing but the view. If *plies* do not suffice for trying out, the result is the
    rules' neutral answer.
    """
    if len(legal) == 1:
        return legal[0]
    tried = list(range(len(legal)))
    rng.shuffle(tried)
    del tried[TRIED:]
    worth = [0] * len(tried)
    played = [0] * len(tried)
    left = plies
    while left > 0:
        for number in range(len(tried)):
            if left > 0:
                ended, spent = _rollout(game, view, legal[tried[number]], rng, left)
                left -= spent
                if ended >= 0:
                    worth[number] += ended
                    played[number] += 1
    if min(played) == 0:
        neutral = game.neutral(game.imagine(view, rng), view.seat)
        return neutral if neutral in legal else legal[tried[0]]
    best = 0
    for number in range(len(tried)):
        if worth[number] * played[best] > worth[best] * played[number]:
            best = number
    return legal[tried[best]]


def choose_answer(game: Game, s: Table, seat: int, rng: Chance, plies: int = PLIES) -> list[int]:
    """Return the options that *seat* takes at *s*, one for each step of its answer.

    Raise ``ValueError`` if the seat has nothing to decide. *plies* bounds the work of each step.
    """
    draft = Draft(s, seat)
    taken: list[int] = []
    complete = False
    while not complete:
        legal = options(draft.table, seat)
        if not legal:
            raise ValueError(f"seat {seat} has nothing to decide")
        command = choose(game, game.view(draft.table, seat), legal, rng, plies)
        taken.append(legal.index(command))
        complete = draft.give(command)
    return taken


def random_answer(s: Table, seat: int, rng: Chance) -> list[int]:
    """Return the options of an answer that *seat* chooses at random, one for each of its steps.

    Raise ``ValueError`` if the seat has nothing to decide.
    """
    draft = Draft(s, seat)
    taken: list[int] = []
    complete = False
    while not complete:
        legal = options(draft.table, seat)
        if not legal:
            raise ValueError(f"seat {seat} has nothing to decide")
        taken.append(rng.below(len(legal)))
        complete = draft.give(legal[taken[-1]])
    return taken


def _rollout(
    game: Game, view: View, command: Command[Any], rng: Chance, most: int
) -> tuple[int, int]:
    """Return how well a random match after *command* ended for the seat, and its length.

    From 0 to 1199; -1 if it has not ended after *most* plies.
    """
    table = game.imagine(view, rng)
    apply(table, view.seat, command)
    spent = 1
    seats = asked(table)
    while seats and spent < most:
        seat = seats[rng.below(len(seats))]
        legal = options(table, seat)
        apply(table, seat, legal[rng.below(len(legal))])
        spent += 1
        seats = asked(table)
    result = game.result(table)
    if result is None:
        return -1, spent
    worth = 1000 if result.won[view.seat] else 0
    if result.places:
        worth += 100 * (len(result.places) - result.places[view.seat]) // len(result.places)
    if result.scores:
        worth += min(99, max(0, result.scores[view.seat]))
    return worth, spent
