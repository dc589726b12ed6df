"""Meta commands: what a seat can do to a match besides answering, and what follows from it.

Every revision of a match is one action of one seat: an answer (a :class:`Command`, or an
:class:`Answer` that was given in several steps), or one of these (a :class:`MetaCommand`):

* ``resign``: the seat gives the match up;
* ``timeout``: its time ran out, and the rules' neutral answer is given for it;
* ``forfeit``: its time ran out, and it has lost by that;
* ``undo N``: the table is again what it was *N* answers ago (:mod:`~.kernel.mainline`);
* ``abandon``: all give the match up, and nobody wins.

A seat that no longer plays (:class:`Withdrawals`) is answered for with :meth:`Game.neutral`, within
the same revision, until a seat that still plays has to decide. In a cooperative game the match
ends when one withdraws. Who has withdrawn belongs to the match, not to the table: whoever
keeps the table keeps it too.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, final

from taflhall_engine.kernel.agenda import (
    Abandoned,
    Command,
    Resigned,
    Table,
    TimedOut,
    apply,
    asked,
    tell,
)
from taflhall_engine.kernel.drafts import Answer, Draft, steps_of, unfinished, whole
from taflhall_engine.kernel.game import Game, NpcResult, Result
from taflhall_engine.kernel.value import Value

MAX_BACK: Final = 64
"""No undo takes back more answers than this."""


@final
class MetaCommand(Value):
    """What a seat does to a match besides answering.

    *back* is how many answers are taken back, 0 for everything but an undo.
    """

    def __init__(self, name: str, back: int = 0) -> None:
        self.name: Final = name
        self.back: Final = back


RESIGN: Final = MetaCommand("resign")
TIMEOUT: Final = MetaCommand("timeout")
FORFEIT: Final = MetaCommand("forfeit")
ABANDON: Final = MetaCommand("abandon")

UNDO: Final = "undo"
"""The name of the meta command that takes answers back."""

RESIGNED: Final = "resigned"
FORFEITED: Final = "forfeited"
ABANDONED: Final = "abandoned"
"""The reasons that a result names for such an end."""

Action = Command[Any] | Answer | MetaCommand
"""What one revision of a match consists of."""

Move = tuple[int, Action]
"""A seat and what it does. Only ``abandon`` may come from no seat (-1): from the house."""


def undo(back: int) -> MetaCommand:
    """Return the action that takes *back* answers back, from 1 to :data:`MAX_BACK`."""
    return MetaCommand(UNDO, back)


def write_meta_command(action: MetaCommand) -> str:
    """Return a meta command as it stands in records: its name, and how far back an undo goes."""
    return f"{action.name} {action.back}" if action.back else action.name


def read_meta_command(text: str) -> MetaCommand | None:
    """Return what :func:`write_meta_command` wrote, ``None`` for any other *text*."""
    for action in (RESIGN, TIMEOUT, FORFEIT, ABANDON):
        if text == action.name:
            return action
    for back in range(1, MAX_BACK + 1):
        if text == f"{UNDO} {back}":
            return undo(back)
    return None


class Withdrawals(NamedTuple):
    """Who no longer plays, in the order in which they went, and whether all gave the match up."""

    resigned: tuple[int, ...] = ()
    forfeited: tuple[int, ...] = ()
    """Seats that have lost because their time ran out."""
    abandoned: bool = False

    @property
    def seats(self) -> tuple[int, ...]:
        """All seats that no longer play."""
        return self.resigned + self.forfeited

    @property
    def reasons(self) -> list[str]:
        """What a result says of them."""
        reasons: list[str] = []
        if self.resigned:
            reasons.append(RESIGNED)
        if self.forfeited:
            reasons.append(FORFEITED)
        return reasons


NO_WITHDRAWALS: Final = Withdrawals()
"""Everybody plays."""


def answer(
    game: Game,
    s: Table,
    seat: int,
    given: Command[Any] | Answer,
    withdrawn: Withdrawals = NO_WITHDRAWALS,
) -> None:
    """Answer for *seat* with what is legal, then for those who have withdrawn."""
    for step in steps_of(given):
        apply(s, seat, step)
    _answer_for(game, s, withdrawn)


def neutral_answer(game: Game, s: Table, seat: int) -> Command[Any] | Answer:
    """Return the rules' neutral answer of *seat*, with all its steps."""
    draft = Draft(s, seat)
    while not draft.give(game.neutral(draft.table, seat)):
        pass
    return whole(draft.steps)


def apply_move(
    game: Game, s: Table, seat: int, action: Action, withdrawn: Withdrawals
) -> Withdrawals:
    """Let *seat* do what it may do (all but an undo) and tell it; return who has withdrawn now."""
    if isinstance(action, Command | Answer):
        answer(game, s, seat, action, withdrawn)
    elif action == RESIGN:
        withdrawn = resign(game, s, seat, withdrawn)
    elif action == TIMEOUT:
        if s.journal is not None:
            tell(s, TimedOut("", seat))
        _answer_neutrally(game, s, seat)
        _answer_for(game, s, withdrawn)
    elif action == FORFEIT:
        if s.journal is not None:
            tell(s, TimedOut("", seat))
        left = withdrawn._replace(forfeited=(*withdrawn.forfeited, seat))
        withdrawn = _withdraw(game, s, seat, left)
    elif action == ABANDON:
        if s.journal is not None:
            tell(s, Abandoned("", seat))
        withdrawn = withdrawn._replace(abandoned=True)
    else:
        raise ValueError(f"{write_meta_command(action)} is not for a single table")
    return withdrawn


def resign(game: Game, s: Table, seat: int, withdrawn: Withdrawals = NO_WITHDRAWALS) -> Withdrawals:
    """Give the match up for *seat* and tell it; return who has withdrawn now.

    The caller makes sure that the match is not over and *seat* has not withdrawn yet.
    """
    if s.journal is not None:
        tell(s, Resigned("", seat))
    return _withdraw(game, s, seat, withdrawn._replace(resigned=(*withdrawn.resigned, seat)))


def pending(game: Game, s: Table, withdrawn: Withdrawals = NO_WITHDRAWALS) -> list[int]:
    """Return the seats that have to decide, lowest first; empty when the match is over."""
    if withdrawn.abandoned or (game.cooperative and withdrawn.seats):
        return []
    return asked(s)


def result(game: Game, s: Table, withdrawn: Withdrawals = NO_WITHDRAWALS) -> Result | None:
    """Return how the match ended, or ``None`` while it goes on.

    Who has withdrawn does not win and shares the last place; the others move up. A cooperative
    team loses. The result's reasons say so. A match that all gave up has neither places nor
    scores.
    """
    if withdrawn.abandoned:
        return Result([False for _ in range(game.seats(s))], [], [], [ABANDONED])
    left = withdrawn.seats
    if game.cooperative and left:
        seats = range(game.seats(s))
        return Result([False for _ in seats], [2 for _ in seats], [], withdrawn.reasons)
    played = game.result(s)
    if played is None or not left:
        return played
    stay = [seat for seat in range(len(played.won)) if seat not in left]
    places = [len(stay) + 1] * len(played.won)
    for seat in stay:
        before = [other for other in stay if played.places[other] < played.places[seat]]
        places[seat] = 1 + len(before)
    won = [seat in stay and played.won[seat] for seat in range(len(played.won))]
    if not any(won):
        won = [seat in stay and places[seat] == 1 for seat in range(len(won))]
    npc = played.npc
    if npc is not None and not stay:
        npc = NpcResult(npc.name, True, npc.score)
    return Result(won, places, list(played.scores), [*played.reasons, *withdrawn.reasons], npc)


def _withdraw(game: Game, s: Table, seat: int, withdrawn: Withdrawals) -> Withdrawals:
    if not game.cooperative:
        game.withdraw(s, seat)
        _answer_for(game, s, withdrawn)
    return withdrawn


def _answer_for(game: Game, s: Table, withdrawn: Withdrawals) -> None:
    left = withdrawn.seats
    while left:
        absent = [seat for seat in asked(s) if seat in left]
        if not absent:
            return
        _answer_neutrally(game, s, absent[0])


def _answer_neutrally(game: Game, s: Table, seat: int) -> None:
    """Give the rules' neutral answer, to its last step."""
    apply(s, seat, game.neutral(s, seat))
    while unfinished(s):
        apply(s, seat, game.neutral(s, seat))
