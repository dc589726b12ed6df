"""The agenda: the rules' remaining steps, innermost last.

A match is always at rest on a :class:`Waiting` step, or over. Between two decisions the
kernel runs the steps on top of the agenda; a step does what its rule says and may put
further steps on the agenda. Steps are immutable and hold plain numbers only, so the agenda
can be copied, stored and sent like any other value: it is the bookmark in the rulebook.

Asking (:func:`options`, :func:`refusal`) never changes anything. Only :func:`apply` and
:func:`advance` change the table.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Generic, TypeVar, final

from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.value import Value

MAX_STEPS: Final = 100_000
"""Between two decisions there are fewer steps than this."""

SPECTATOR: Final = -1
"""The seat number of a spectator."""

MAX_OPTIONS: Final = 256
"""No decision lists more options than this; a larger choice is split into several."""


class Event(Value):
    """Something that happened, sent to those who may know it. Its first field is the rule."""

    def seen_by(self, seat: int) -> Event | None:
        """Return what *seat* (or :data:`SPECTATOR`) may know of this, ``None`` if nothing."""
        return self


class Table:
    """The table of a match: the part of it that the kernel knows about.

    A game adds its own fields. Every parameter of its constructor is a field of the same
    name and goes into the snapshot, *agenda* included; *chance*, *journal* and *legal* are
    not parameters and do not: they belong to the process, not to the match.
    """

    agenda: list[Step[Any]]
    """The steps still to be carried out, innermost last; empty when the match is over."""

    chance: Chance
    """The source of random numbers."""

    journal: list[Event] | None
    """The receiver of events; ``None`` without one."""

    legal: list[Command[Any]] | None
    """The options of the decision the match rests on, if the kernel has computed them."""

    def copy(self) -> Table:
        """Return an independent copy with the same random numbers to come and no journal.

        Making a list costs more than all else in a copy. So a list that changes a few times a
        round may be shared by copies, and by views: then no rule changes it in place, each puts
        another list in its place (:mod:`~taflhall_engine.kernel.shared_lists`).
        """
        raise NotImplementedError


S = TypeVar("S", bound=Table)


class Step(Value, Generic[S]):
    """One numbered step of the rulebook that is still to be carried out."""

    RULE: ClassVar[str] = ""
    """The number of the rule, with which the docstring begins too (docstrings are not compiled)."""

    def run(self, s: S) -> None:
        """Carry out the rule and schedule the steps that follow."""
        raise NotImplementedError

    def advance(self, s: S) -> bool:
        """Take this step, the last of the agenda; return whether the match continues after it.

        For the kernel: a game says in :meth:`run` what its step does.
        """
        s.agenda.pop()
        self.run(s)
        return True


@final
class Refusal(Value):
    """Why a rule forbids a command: the rule's number and a stable code with a text in the game."""

    def __init__(self, rule: str, code: str) -> None:
        self.rule: Final = rule
        self.code: Final = code


GAME_OVER: Final = Refusal("", "game_over")
NOT_YOUR_DECISION: Final = Refusal("", "not_your_decision")
NOT_OFFERED: Final = Refusal("", "not_offered")
WRONG_COMMAND: Final = Refusal("", "wrong_command")
MALFORMED_COMMAND: Final = Refusal("", "malformed_command")


class Runaway(Exception):
    """Rules that run without end and without reaching a decision."""


class IllegalCommand(Exception):
    """A command that the rules forbid. The table is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"rule {refusal.rule}: {refusal.code}")
        self.refusal: Final = refusal


class Command(Value, Generic[S]):
    """One way to answer a decision: the conditions and the effect of one rule."""

    RULE: ClassVar[str] = ""
    """The number of the rule, with which the docstring begins too."""

    SECRET: ClassVar[bool] = False
    """It is one step of an answer given in several, and stays with its seat."""

    def malformed(self) -> bool:
        """Return whether these fields are invalid for every decision on any table."""
        return False

    def refuse(self, s: S, seat: int) -> Refusal | None:
        """Return why *seat* may not do this now, or ``None`` if they may."""
        return None

    def perform(self, s: S, seat: int) -> None:
        """Carry out the effect; the command is legal."""
        raise NotImplementedError


class Waiting(Step[S]):
    """A step that waits for players: the match rests on it.

    A command is refused for the first of these reasons that applies (:meth:`refusal`):

    1. it is malformed (:meth:`Command.malformed`): :attr:`MALFORMED`;
    2. its kind does not answer this decision (:attr:`answers_with`): :attr:`WRONG_KIND`;
    3. the rule does not mention it here (:meth:`offers`): what :meth:`not_offered` returns;
    4. its own rule forbids it (:meth:`Command.refuse`).

    A game says its codes once, in the base class of its decisions. The law of all this is that
    a command is refused exactly when it is not among the :meth:`options`.
    """

    answers_with: ClassVar[tuple[type[Command[Any]], ...]] = (Command,)
    """The kinds of commands that answer this decision, legal or not."""

    continues_answer: ClassVar[bool] = False
    """It asks for a further step of the answer that its seat has begun.

    The answer counts, and shows to others, when its last step has been given.
    """

    MALFORMED: ClassVar[Refusal] = MALFORMED_COMMAND
    WRONG_KIND: ClassVar[Refusal] = WRONG_COMMAND

    def seats(self, s: S) -> list[int]:
        """Return the seats that have not answered yet, lowest first."""
        raise NotImplementedError

    def first_seat(self, s: S) -> int:
        """Return the first of the seats that have not answered yet."""
        return self.seats(s)[0]

    def offers(self, s: S, seat: int) -> list[Command[S]]:
        """Return the commands that the rule mentions here, in the rulebook's order.

        The list may be the rule's own: do not change it.
        """
        raise NotImplementedError

    def options(self, s: S, seat: int) -> list[Command[S]]:
        """Return the offers that nothing refuses; override only where speed asks for it."""
        return [c for c in self.offers(s, seat) if c.refuse(s, seat) is None]

    def not_offered(self, s: S, seat: int, command: Command[S]) -> Refusal:
        """Return why *command*, though of the right kind, is not among the offers."""
        return NOT_OFFERED

    def refusal(self, s: S, seat: int, command: Command[S]) -> Refusal | None:
        """Return why *command* does not answer this decision, or ``None`` if it does."""
        if command.malformed():
            return self.MALFORMED
        if not isinstance(command, self.answers_with):
            return self.WRONG_KIND
        if command not in self.offers(s, seat):
            return self.not_offered(s, seat, command)
        return command.refuse(s, seat)

    def forced(self, s: S, legal: list[Command[S]]) -> bool:
        """Return whether the kernel answers (one option) or skips (none) this decision."""
        return len(legal) < 2

    def secret(self, s: S) -> bool:
        """Return whether the answer stays between the seat and the table."""
        return False

    def resolve(self, s: S, seat: int, command: Command[S]) -> None:
        """Carry out *command*; override if the rule continues after it."""
        command.perform(s, seat)

    def run(self, s: S) -> None:
        raise AssertionError("a decision waits; it is never run")

    def advance(self, s: S) -> bool:
        return False


class Decision(Waiting[S]):
    """One seat chooses."""

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def seats(self, s: S) -> list[int]:
        return [self.seat]

    def first_seat(self, s: S) -> int:
        return self.seat

    def advance(self, s: S) -> bool:
        legal = self.options(s, self.seat)
        if not self.forced(s, legal):
            s.legal = legal
            return False
        s.agenda.pop()
        if legal:
            _answer(s, self, self.seat, legal[0], True)
        return True


class Together(Waiting[S]):
    """Several seats choose at the same time, each without knowing the others' choice.

    The seats still to answer are the bits of *waiting*. What was chosen is kept on the
    table, never here: the agenda is public.
    """

    def __init__(self, waiting: int) -> None:
        self.waiting: Final = waiting

    def seats(self, s: S) -> list[int]:
        return [seat for seat in range(self.waiting.bit_length()) if self.waiting >> seat & 1]

    def remaining(self, waiting: int) -> Step[S]:
        """Return this step with fewer seats to wait for."""
        raise NotImplementedError

    def forced(self, s: S, legal: list[Command[S]]) -> bool:
        return False

    def secret(self, s: S) -> bool:
        return True

    def resolve(self, s: S, seat: int, command: Command[S]) -> None:
        command.perform(s, seat)
        waiting = self.waiting & ~(1 << seat)
        if waiting:
            s.agenda.append(self.remaining(waiting))


@final
class Answered(Event):
    """A seat answered a decision, or the kernel did because there was no choice.

    *command* is ``None`` for those who may not know the answer.
    """

    def __init__(
        self, rule: str, seat: int, command: Command[Any] | None, forced: bool, secret: bool
    ) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.command: Final = command
        self.forced: Final = forced
        self.secret: Final = secret

    def seen_by(self, seat: int) -> Event | None:
        if self.secret and seat != self.seat:
            return Answered("", self.seat, None, self.forced, True)
        return self


@final
class Resigned(Event):
    """A seat gave the match up. *rule* is empty: no rule of a game does this."""

    def __init__(self, rule: str, seat: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat


@final
class TimedOut(Event):
    """A seat's time ran out: it was answered for, or it has lost. *rule* is empty."""

    def __init__(self, rule: str, seat: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat


@final
class Undone(Event):
    """The last *back* answers were taken back, as *seat* had proposed. *rule* is empty."""

    def __init__(self, rule: str, seat: int, back: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.back: Final = back


@final
class Abandoned(Event):
    """All abandoned the match, as *seat* had proposed; -1 for the server. *rule* is empty."""

    def __init__(self, rule: str, seat: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat


def schedule(s: Table, steps: list[Step[Any]]) -> None:
    """Put *steps* on the agenda so that they run in the order written."""
    steps.reverse()
    s.agenda.extend(steps)


def emit(s: Table, event: Event) -> None:
    """Emit *event*. Build it only if ``s.journal`` is not ``None``."""
    if s.journal is not None:
        s.journal.append(event)


def waiting(s: Table) -> Waiting[Any] | None:
    """Return the step the match rests on, or ``None`` if it is over."""
    if not s.agenda:
        return None
    top = s.agenda[-1]
    assert isinstance(top, Waiting)
    return top


def asked(s: Table) -> list[int]:
    """Return the seats whose decision is pending, lowest first; empty when it is over."""
    top = waiting(s)
    return [] if top is None else top.seats(s)


def options(s: Table, seat: int) -> list[Command[Any]]:
    """Return *seat*'s legal commands in the rulebook's order; empty if it has no decision.

    The list belongs to the kernel: do not change it.
    """
    if not s.agenda:
        return []
    top = s.agenda[-1]
    assert isinstance(top, Waiting)
    if isinstance(top, Decision):
        if top.seat != seat:
            return []
        if s.legal is not None:
            return s.legal
    elif seat not in top.seats(s):
        return []
    return top.options(s, seat)


def refusal(s: Table, seat: int, command: Command[Any]) -> Refusal | None:
    """Return why *seat* may not answer with *command* now, or ``None`` if they may."""
    top = waiting(s)
    if top is None:
        return GAME_OVER
    if seat not in top.seats(s):
        return NOT_YOUR_DECISION
    return top.refusal(s, seat, command)


def check(s: Table, seat: int, command: Command[Any]) -> None:
    """Raise :exc:`IllegalCommand` unless *seat* may answer with *command*."""
    reason = refusal(s, seat, command)
    if reason is not None:
        raise IllegalCommand(reason)


def apply(s: Table, seat: int, command: Command[Any]) -> None:
    """Answer for *seat* with a legal *command* and continue to the next decision."""
    top = s.agenda[-1]
    assert isinstance(top, Waiting)
    play(s, top, seat, command)


def play(s: Table, top: Waiting[Any], seat: int, command: Command[Any]) -> None:
    """Do the same as :func:`apply`, for a caller that knows the step the match rests on."""
    s.agenda.pop()
    _answer(s, top, seat, command, False)
    advance(s)


def advance(s: Table) -> None:
    """Run steps until the match rests on a decision or is over.

    A decision without a choice is answered or skipped here, as its rules demand. Raise
    :exc:`Runaway` if that takes more steps than any rule could need: a table that was
    tampered with must not block the process forever.
    """
    agenda = s.agenda
    s.legal = None
    steps = 0
    while agenda:
        steps += 1
        if steps > MAX_STEPS:
            raise Runaway(f"{MAX_STEPS} steps and no decision")
        if not agenda[-1].advance(s):
            return


def _answer(s: Table, top: Waiting[Any], seat: int, command: Command[Any], forced: bool) -> None:
    if s.journal is not None:
        secret = command.SECRET or top.secret(s)
        s.journal.append(Answered(command.RULE, seat, command, forced, secret))
    top.resolve(s, seat, command)
