"""Meta commands: a seat's actions on a match other than answers, and their effects.

Every revision of a match is one action of one seat: an answer (a :class:`Command`, or an
:class:`Answer` that was given in several steps), or one of these (a :class:`MetaCommand`):

* ``resign``: the seat gives the match up;
* ``timeout``: its time ran out, and the rules' neutral answer is given for it;
* ``forfeit``: its time ran out, and it has lost;
* ``undo N``: the table of *N* answers ago is restored (:mod:`~.kernel.mainline`);
* ``abandon``: all abandon the match, and no seat wins.

A seat that no longer plays (:class:`Withdrawals`) is answered for with :meth:`Game.neutral`, within
the same revision, until a seat that still plays has to decide. A cooperative match ends when one
withdraws, any other when one seat is left: it has won. Who has withdrawn belongs to the match, not
to the table.
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
    emit,
)
from taflhall_engine.kernel.drafts import Answer, Draft, apply_checked, steps_of, unfinished, whole
from taflhall_engine.kernel.game import Game, Result
from taflhall_engine.kernel.value import Value

MAX_BACK: Final = 64
"""No undo takes back more answers than this."""


@final
class MetaCommand(Value):
    """An action of a seat on a match other than an answer.

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

MIN_RIVALS: Final = 2
"""With fewer seats left a match between seats is decided."""

RESIGNED: Final = "resigned"
FORFEITED: Final = "forfeited"
ABANDONED: Final = "abandoned"
"""The reasons that a result names for such an end."""

Action = Command[Any] | Answer | MetaCommand
"""The content of one revision of a match."""

Move = tuple[int, Action]
"""A seat and its action. Only ``abandon`` may come without a seat (-1), from the server."""


def undo(back: int) -> MetaCommand:
    """Return the action that takes *back* answers back, from 1 to :data:`MAX_BACK`."""
    return MetaCommand(UNDO, back)


def write_meta_command(action: MetaCommand) -> str:
    """Return a meta command as written in records: its name, and how far back an undo goes."""
    return f"{action.name} {action.back}" if action.back else action.name


def read_meta_command(text: str) -> MetaCommand | None:
    """Return what :func:`write_meta_command` wrote, ``None`` for any other *text*."""
    return _META_COMMANDS.get(text)


_META_COMMANDS: Final = {
    write_meta_command(action): action
    for action in [
        *(RESIGN, TIMEOUT, FORFEIT, ABANDON),
        *[undo(back) for back in range(1, MAX_BACK + 1)],
    ]
}


class Withdrawals(NamedTuple):
    """The seats that no longer play, and whether the match was abandoned."""

    seats: tuple[int, ...] = ()
    """All seats that no longer play, in the order in which they went."""
    forfeited: tuple[int, ...] = ()
    """Those of them that have lost because their time ran out."""
    abandoned: bool = False

    @property
    def resigned(self) -> tuple[int, ...]:
        """Those of the seats that gave the match up."""
        return tuple([seat for seat in self.seats if seat not in self.forfeited])

    @property
    def reasons(self) -> list[str]:
        """Their part of a result."""
        reasons: list[str] = []
        if self.resigned:
            reasons.append(RESIGNED)
        if self.forfeited:
            reasons.append(FORFEITED)
        return reasons


NO_WITHDRAWALS: Final = Withdrawals()
"""All seats still play."""


def answer(
    game: Game,
    s: Table,
    seat: int,
    given: Command[Any] | Answer,
    withdrawn: Withdrawals = NO_WITHDRAWALS,
    checked: bool = False,
) -> None:
    """Answer for *seat* with a legal command, then for the withdrawn seats.

    With *checked* raise :exc:`IllegalCommand` if it is not one; the table is spoilt then.
    """
    if checked:
        apply_checked(s, seat, steps_of(given))
    else:
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
    game: Game,
    s: Table,
    seat: int,
    action: Action,
    withdrawn: Withdrawals,
    checked: bool = False,
) -> Withdrawals:
    """Carry out a legal action of *seat* (all but an undo); return the withdrawals.

    With *checked* raise :exc:`IllegalCommand` if it is an answer that is not legal.
    """
    if isinstance(action, Command | Answer):
        answer(game, s, seat, action, withdrawn, checked)
    elif action == RESIGN:
        withdrawn = resign(game, s, seat, withdrawn)
    elif action == TIMEOUT:
        if s.journal is not None:
            emit(s, TimedOut("", seat))
        _answer_neutrally(game, s, seat)
        _answer_for(game, s, withdrawn)
    elif action == FORFEIT:
        if s.journal is not None:
            emit(s, TimedOut("", seat))
        left = withdrawn._replace(forfeited=(*withdrawn.forfeited, seat))
        withdrawn = _withdraw(game, s, seat, left)
    elif action == ABANDON:
        if s.journal is not None:
            emit(s, Abandoned("", seat))
        withdrawn = withdrawn._replace(abandoned=True)
    else:
        raise ValueError(f"{write_meta_command(action)} is not for a single table")
    return withdrawn


def resign(game: Game, s: Table, seat: int, withdrawn: Withdrawals = NO_WITHDRAWALS) -> Withdrawals:
    """Withdraw *seat* from the match and emit the event; return the withdrawals.

    The caller makes sure that the match is not over and *seat* has not withdrawn yet.
    """
    if s.journal is not None:
        emit(s, Resigned("", seat))
    return _withdraw(game, s, seat, withdrawn)


def pending(game: Game, s: Table, withdrawn: Withdrawals = NO_WITHDRAWALS) -> list[int]:
    """Return the seats that have to decide, lowest first; empty when the match is over."""
    return [] if _ended(game, s, withdrawn) else asked(s)


def result(game: Game, s: Table, withdrawn: Withdrawals = NO_WITHDRAWALS) -> Result | None:
    """Return how the match ended, or ``None`` before its end.

    ``docs/rules.md`` has the table. A seat that withdrew has lost; the first to go has the last
    place. A match that withdrawals ended has no scores and names no reason of the game; one that
    all gave up has no places either.
    """
    seats = range(game.seats(s))
    if withdrawn.abandoned:
        return Result([False for _ in seats], [], [], [ABANDONED])
    if not withdrawn.seats:
        return game.result(s)
    if game.cooperative:
        return Result([False for _ in seats], [2 for _ in seats], [], withdrawn.reasons)
    if _ended(game, s, withdrawn):
        stay = [seat not in withdrawn.seats for seat in seats]
        places = _places(stay, [1 for _ in seats], withdrawn)
        npc = None if any(stay) else game.npc_alone(s)
        return Result(stay, places, [], withdrawn.reasons, npc)
    played = game.result(s)
    if played is None:
        return None
    stay = [seat not in withdrawn.seats for seat in seats]
    places = _places(stay, played.places, withdrawn)
    won = [stay[seat] and played.won[seat] for seat in seats]
    if not any(won):
        won = [stay[seat] and places[seat] == 1 for seat in seats]
    reasons = [*played.reasons, *withdrawn.reasons]
    return Result(won, places, list(played.scores), reasons, played.npc)


def _ended(game: Game, s: Table, withdrawn: Withdrawals) -> bool:
    """Return whether withdrawals have ended the match: fewer than two seats are left to compete."""
    if withdrawn.abandoned:
        return True
    gone = len(withdrawn.seats)
    return gone > 0 and (game.cooperative or game.seats(s) - gone < MIN_RIVALS)


def _places(stay: list[bool], places: list[int], withdrawn: Withdrawals) -> list[int]:
    """Return the places: those who stayed move up, those who went follow, the first to go last."""
    found = []
    for seat in range(len(stay)):
        if stay[seat]:
            ahead = [o for o in range(len(stay)) if stay[o] and places[o] < places[seat]]
            found.append(1 + len(ahead))
        else:
            found.append(max(2, len(stay) - withdrawn.seats.index(seat)))
    return found


def _withdraw(game: Game, s: Table, seat: int, withdrawn: Withdrawals) -> Withdrawals:
    withdrawn = withdrawn._replace(seats=(*withdrawn.seats, seat))
    game.withdraw(s, seat)
    s.legal = None  # it may depend on who plays
    if not _ended(game, s, withdrawn):
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
