"""Deeds: what a seat can do to a match, and how the match goes on from it.

Every revision of a match is one deed of one seat: an answer (a :class:`Command`), or one of
these (a :class:`Deed`):

* ``resign``: the seat gives the match up;
* ``timeout``: its time ran out, and the rules' neutral answer is given for it;
* ``forfeit``: its time ran out, and it has lost by that;
* ``undo N``: the table is again what it was *N* answers ago (:mod:`~.kernel.line`);
* ``abandon``: all give the match up, and nobody wins.

A seat that no longer plays (:class:`Gone`) is answered for with :meth:`Game.neutral`, within
the same revision, until a seat that still plays has to decide. In a cooperative game the match
ends when one goes. Who has gone belongs to the match, not to the table: whoever keeps the
table keeps it too.
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
from taflhall_engine.kernel.game import Game, Result
from taflhall_engine.kernel.value import Value

MAX_BACK: Final = 64
"""No undo takes back more answers than this."""


@final
class Deed(Value):
    """What a seat does to a match besides answering.

    *back* is how many answers are taken back, 0 for everything but an undo.
    """

    def __init__(self, name: str, back: int = 0) -> None:
        self.name: Final = name
        self.back: Final = back


RESIGN: Final = Deed("resign")
TIMEOUT: Final = Deed("timeout")
FORFEIT: Final = Deed("forfeit")
ABANDON: Final = Deed("abandon")

UNDO: Final = "undo"
"""The name of the deed that takes answers back."""

RESIGNED: Final = "resigned"
FORFEITED: Final = "forfeited"
ABANDONED: Final = "abandoned"
"""The reasons that a result names for such an end."""

Move = tuple[int, Command[Any] | Deed]
"""A seat and what it does. Only ``abandon`` may come from no seat (-1): from the house."""


def undo(back: int) -> Deed:
    """Return the deed that takes *back* answers back, from 1 to :data:`MAX_BACK`."""
    return Deed(UNDO, back)


def write_deed(deed: Deed) -> str:
    """Return a deed as it stands in records: its name, and how far back an undo goes."""
    return f"{deed.name} {deed.back}" if deed.back else deed.name


def read_deed(text: str) -> Deed | None:
    """Return the deed that :func:`write_deed` wrote, ``None`` if *text* is none."""
    for deed in (RESIGN, TIMEOUT, FORFEIT, ABANDON):
        if text == deed.name:
            return deed
    for back in range(1, MAX_BACK + 1):
        if text == f"{UNDO} {back}":
            return undo(back)
    return None


class Gone(NamedTuple):
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


NOBODY: Final = Gone()
"""Everybody plays."""


def answer(game: Game, s: Table, seat: int, command: Command[Any], gone: Gone = NOBODY) -> None:
    """Answer for *seat* with a legal *command*, then for those who have gone."""
    apply(s, seat, command)
    _answer_for(game, s, gone)


def carry_out(game: Game, s: Table, seat: int, deed: Command[Any] | Deed, gone: Gone) -> Gone:
    """Let *seat* do what it may do (all but an undo) and tell it; return who has gone now."""
    if isinstance(deed, Command):
        answer(game, s, seat, deed, gone)
    elif deed == RESIGN:
        gone = resign(game, s, seat, gone)
    elif deed == TIMEOUT:
        if s.journal is not None:
            tell(s, TimedOut("", seat))
        answer(game, s, seat, game.neutral(s, seat), gone)
    elif deed == FORFEIT:
        if s.journal is not None:
            tell(s, TimedOut("", seat))
        gone = _goes(game, s, gone._replace(forfeited=(*gone.forfeited, seat)))
    elif deed == ABANDON:
        if s.journal is not None:
            tell(s, Abandoned("", seat))
        gone = gone._replace(abandoned=True)
    else:
        raise ValueError(f"{write_deed(deed)} is not for a single table")
    return gone


def resign(game: Game, s: Table, seat: int, gone: Gone = NOBODY) -> Gone:
    """Give the match up for *seat* and tell it; return who has gone now.

    The caller makes sure that the match is not over and *seat* has not gone yet.
    """
    if s.journal is not None:
        tell(s, Resigned("", seat))
    return _goes(game, s, gone._replace(resigned=(*gone.resigned, seat)))


def pending(game: Game, s: Table, gone: Gone = NOBODY) -> list[int]:
    """Return the seats that have to decide, lowest first; empty when the match is over."""
    if gone.abandoned or (game.cooperative and gone.seats):
        return []
    return asked(s)


def result(game: Game, s: Table, gone: Gone = NOBODY) -> Result | None:
    """Return how the match ended, or ``None`` while it goes on.

    Who has gone does not win and shares the last place; the others move up. A cooperative
    team loses. The result's reasons say so. A match that all gave up has neither places nor
    scores.
    """
    if gone.abandoned:
        return Result([False for _ in range(game.seats(s))], [], [], [ABANDONED])
    left = gone.seats
    if game.cooperative and left:
        seats = range(game.seats(s))
        return Result([False for _ in seats], [2 for _ in seats], [], gone.reasons)
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
    return Result(won, places, list(played.scores), [*played.reasons, *gone.reasons])


def _goes(game: Game, s: Table, gone: Gone) -> Gone:
    if not game.cooperative:
        _answer_for(game, s, gone)
    return gone


def _answer_for(game: Game, s: Table, gone: Gone) -> None:
    left = gone.seats
    while left:
        absent = [seat for seat in asked(s) if seat in left]
        if not absent:
            return
        apply(s, absent[0], game.neutral(s, absent[0]))
