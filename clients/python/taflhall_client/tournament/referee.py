"""Plays one match of a tournament: seats the bots, keeps their time, notes their faults.

A bot that fails (see :mod:`~taflhall_client.tournament.results`) thereby resigns; the match
continues without its seat, by the rules for a seat that has left.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import time
import traceback
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Protocol

from taflhall_client.bot import Abandon, Bot, Decision, Resign, TakeBack
from taflhall_client.bot_calls import log
from taflhall_client.bots import UnknownBot, best, load
from taflhall_client.errors import BotFailed
from taflhall_client.local import FinishedMatch, LocalMatch, TooLong
from taflhall_client.tournament import results
from taflhall_client.tournament.description import Limits, Tournament
from taflhall_client.tournament.evidence import evidence
from taflhall_client.tournament.journal import write_whole
from taflhall_client.tournament.line_program import (
    BotEnded,
    BotSilent,
    LineProgram,
    ProtocolError,
)
from taflhall_client.tournament.line_protocol import LineBot
from taflhall_client.tournament.out_of_memory import killed_for_memory
from taflhall_client.tournament.results import SHOWN, Fault, MatchResult, shortened
from taflhall_client.tournament.schedule import Pairing, bot_seed, secret
from taflhall_client.tournament.time_limit import LIMIT, TimeIsUp, interrupting, time_limit
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.game import Game, View

MAX_ADJUDICATION: Final = 100_000
"""Commands that the end of a match may take which is adjudicated."""

CLOSED: Final = 76
"""The exit code of a process whose connection a bot has closed."""
COPY_SECONDS: Final = 20e-6
"""To copy a process takes longer than this, several times as long at best."""
NOBODY: Final = -1.0
"""The seat in a :data:`Tick` while no seat decides."""


class Tick(Protocol):
    """Which seat decides (-1: none), and until when by the monotonic clock: two numbers.

    The process that watches this one reads them, so the time is written first.
    """

    def __getitem__(self, at: int, /) -> float: ...
    def __setitem__(self, at: int, value: float, /) -> None: ...


class BotFault(Exception):
    """A bot's fault, raised in its place."""

    def __init__(self, kind: str, text: str, trace: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.kind: Final = kind
        self.trace: Final = trace
        """The traceback of the bot's exception."""


@dataclass(slots=True)
class Seat:
    """A seat's bot under the referee's eyes: a bot itself."""

    number: int
    bot: Bot | None
    limits: Limits
    tick: Tick
    problem: BotFault | None = None
    """The fault of a bot that could not be made."""
    program: LineProgram | None = None
    """The program that is the bot, even if it did not start."""
    taken: float = 0.0
    """Seconds that its decisions took."""
    decisions: int = 0
    """Decisions with a choice."""
    asked: int = 0
    """Decisions, those without a choice among them."""
    left: float = 0.0
    """The seconds that the last decision was given."""
    connection: int = -1
    """The descriptor of this process's connection to the one that watches it; -1: none."""
    process: int = field(default_factory=os.getpid)
    """The process that plays the match, of which a bot might make copies."""

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Return the bot's answer, or raise :exc:`BotFault`."""
        if self.bot is None:
            assert self.problem is not None
            raise self.problem
        limits, tick, limit = self.limits, self.tick, LIMIT
        left = self.left = self._bank() if limits.match_seconds else limits.decision_seconds
        if len(decision.options) > 1:
            self.decisions += 1
        self.asked += 1
        began = time.monotonic()
        tick[1] = began + left
        tick[0] = self.number
        try:
            limit.end = began + left * 1.05 + 0.01
            answer = self._chosen(view, decision)
            limit.end = None
        except TimeIsUp:
            raise BotFault(results.SILENT, f"no answer within {left:g} s") from None
        finally:
            limit.end = None
            spent = time.monotonic() - began
            self.end_if_spoilt(spent)
            tick[0] = NOBODY
            self.taken += spent
        if spent > left:
            raise BotFault(results.LATE, f"the answer took {spent:.3f} s of {left:g} s")
        return answer

    def _chosen(self, view: View, decision: Decision) -> Command[Any]:
        """Return the option that the bot chooses, or raise :exc:`BotFault`.

        Whatever runs code of the bot is done here, within its time: its answer may compare, and its
        exception may show itself, as it likes.
        """
        assert self.bot is not None
        options = tuple(decision.options)  # whatever the bot does to its list
        try:
            answer = self.bot.choose(view, decision)
            for option in options:
                if answer is option:
                    return option
            for option in options:
                if type(answer) is type(option) and option == answer:
                    return option
            text = f"answered {answer!r}"
        except (Resign, TimeIsUp):
            raise
        except BotSilent as error:
            raise BotFault(results.SILENT, str(error)) from None
        except BotEnded as error:
            raise BotFault(results.CRASH, str(error)) from None
        except ProtocolError as error:
            raise BotFault(results.ILLEGAL, str(error)) from None
        except (Abandon, TakeBack) as error:
            raise BotFault(results.ILLEGAL, f"a bot may not raise {type(error).__name__}") from None
        except BaseException as error:  # SystemExit, for instance
            line = traceback.format_exception_only(error)[0].strip()
            trace = traceback.format_exception(error)
            raise BotFault(results.CRASH, shortened(line), trace) from None
        where = f"(seat {decision.seat}, rule {decision.rule})"
        wrong = f"{shortened(text)}, which is not one of its {len(options)} options {where}"
        raise BotFault(results.ILLEGAL, wrong)

    def end_if_spoilt(self, spent: float = math.inf) -> None:
        """End this process if it cannot play on, while the tick still names the bot that did it.

        It may be a copy that the bot made, if it has *spent* as many seconds as that takes, or the
        bot may have closed its connection.
        """
        if spent > COPY_SECONDS and os.getpid() != self.process:
            os._exit(1)
        if self.connection >= 0:
            try:
                os.get_blocking(self.connection)
            except OSError:
                os._exit(CLOSED)

    def _bank(self) -> float:
        """Return the seconds that the next decision may take, with a time for the whole match."""
        limits = self.limits
        bank = limits.match_seconds + self.asked * limits.increment_seconds - self.taken
        return min(limits.decision_seconds, bank)


def play(
    tournament: Tournament,
    game: Game,
    pairing: Pairing,
    out: Path,
    tick: Tick | None = None,
    connection: int = -1,
) -> MatchResult:
    """Play *pairing*; write its record and the evidence of faults below *out*.

    *tick* and *connection* are those of a process that is watched; see :class:`Seat`.

    Only the main thread of a process may call this: bots are interrupted by ``SIGALRM``.
    """
    programs_play = any(entrant.command for entrant in tournament.entrants)
    killed_before = killed_for_memory() if programs_play else 0
    with interrupting(), ExitStack() as stack:
        seats = [
            seat_bot(tournament, game, pairing, number, stack, tick, connection)
            for number in range(len(pairing.entrants))
        ]
        result = _play(tournament, game, pairing, seats, out)
        if programs_play and any(map(_killed, seats)) and killed_for_memory() > killed_before:
            return set_aside(pairing, "the machine had no memory left")
    programs = [seat.program for seat in seats]
    if any(programs):  # which have ended by now
        spent = tuple(round(p.cpu_seconds, 4) if p else 0.0 for p in programs)
        return replace(result, cpu_seconds=spent)
    return result


def seat_bot(
    tournament: Tournament,
    game: Game,
    pairing: Pairing,
    number: int,
    stack: ExitStack,
    tick: Tick | None = None,
    connection: int = -1,
) -> Seat:
    """Return the seat *number* with its bot, which ends with *stack*."""
    entrant = tournament.player(pairing.entrants[number], number)
    limits = tournament.limits
    tick = [NOBODY, 0.0] if tick is None else tick
    seat = Seat(number, None, limits, tick, connection=connection)
    seat.tick[1] = time.monotonic() + limits.start_seconds
    seat.tick[0] = number
    try:
        with time_limit(limits.start_seconds):
            if entrant.command:
                words = tournament.words(pairing.scenario)
                bot = LineBot(entrant.command, game, number, words, limits, lambda: seat.left)
                seat.program = bot.program
                seat.bot = stack.enter_context(bot)
            else:
                seed = bot_seed(tournament, pairing, number)
                seat.bot = load(entrant.bot, game, seed, dict(entrant.options))
    except TimeIsUp:
        seat.problem = BotFault(results.SILENT, f"not ready within {limits.start_seconds:g} s")
    except BotSilent as error:
        seat.problem = BotFault(results.SILENT, str(error))
    except (UnknownBot, ProtocolError, BotEnded, OSError) as error:
        seat.problem = BotFault(results.CRASH, shortened(str(error)))
    except BaseException as error:  # the bot's own code
        line = traceback.format_exception_only(error)[0].strip()
        seat.problem = BotFault(results.CRASH, shortened(line))
    finally:
        seat.end_if_spoilt()
        seat.tick[0] = NOBODY
    return seat


def _play(
    tournament: Tournament, game: Game, pairing: Pairing, seats: Sequence[Seat], out: Path
) -> MatchResult:
    setup = setups.from_data(game, tournament.words(pairing.scenario))
    match = LocalMatch(game, setup, secret(tournament, pairing.block))
    limit = tournament.limits.commands
    adjudicated = False

    def report(failure: BotFailed, then: str) -> None:
        _log_fault(failure, then, pairing, seats)

    try:
        played = match.play(seats, on_failure="resign", limit=limit, report=report)
    except TooLong as error:
        if not tournament.limits.adjudicate:
            return set_aside(pairing, str(error))
        adjudicated = True
        stand_ins = [best(game, bot_seed(tournament, pairing, seat.number)) for seat in seats]
        played = match.play(stand_ins, limit=limit + MAX_ADJUDICATION)
    finally:
        for seat in seats:  # a copy that was not seen to be made writes no record
            seat.end_if_spoilt()
    for seat in seats:
        if isinstance(seat.bot, LineBot):
            seat.bot.end(played.result)
    record, digest = _write_record(out, pairing, played)
    return MatchResult(
        pairing.match_id,
        pairing.entrants,
        tuple(played.result.places),
        tuple(played.result.won),
        tuple(played.result.scores),
        tuple(played.result.reasons),
        len(played.moves),
        tuple(round(seat.taken, 4) for seat in seats),
        tuple(seat.decisions for seat in seats),
        _faults(game, pairing, seats, played, out),
        pairing.scenario,
        record,
        digest,
        adjudicated=adjudicated,
    )


def _log_fault(failure: BotFailed, then: str, pairing: Pairing, seats: Sequence[Seat]) -> None:
    """Log a fault in one line; the evidence has the rest."""
    fault, decision = failure.__cause__, failure.decision
    assert isinstance(fault, BotFault)
    assert decision is not None
    program = seats[decision.seat].program
    last = program.stderr_tail.rstrip().rpartition("\n")[2][:SHOWN] if program else ""
    text = f"{fault}; its standard error ends with {last!r}" if last else str(fault)
    entrant = pairing.entrants[decision.seat]
    log.error("match %s, %s: %s: %s; %s", pairing.match_id, entrant, fault.kind, text, then)


def _killed(seat: Seat) -> bool:
    return seat.program is not None and seat.program.killed


def _faults(
    game: Game, pairing: Pairing, seats: Sequence[Seat], played: FinishedMatch, out: Path
) -> tuple[Fault, ...]:
    """Return the faults of a match, and write their evidence."""
    faults = []
    for number, failure in played.failures:
        name = f"evidence/{pairing.match_id}-{number}.json"
        cause = failure.__cause__
        assert isinstance(cause, BotFault)
        kind, text, seat = cause.kind, str(cause), seats[number]
        found = evidence(game, failure, played.moves, number, cause.trace, seat.program)
        found |= {"match_id": pairing.match_id, "entrant": pairing.entrants[number]}
        found |= {"kind": kind, "text": text, "seconds": round(seat.left, 4)}
        write_whole(out / name, json.dumps(found, indent=1).encode())
        faults.append(Fault(number, pairing.entrants[number], kind, text, name))
    return tuple(faults)


def _write_record(out: Path, pairing: Pairing, played: FinishedMatch) -> tuple[str, str]:
    """Write the record of a match; return its name relative to *out*, and its digest."""
    name = f"records/{pairing.match_id}.json"
    record = played.brief_record(pairing.entrants)
    raw = json.dumps(record, separators=(",", ":"), check_circular=False).encode()
    write_whole(out / name, raw)
    return name, hashlib.sha256(raw).hexdigest()


def set_aside(pairing: Pairing, why: str, suspect: int = -1) -> MatchResult:
    """Return the result of a match that does not count and is played again."""
    seats = len(pairing.entrants)
    nothing = (0.0,) * seats
    return MatchResult(
        pairing.match_id,
        pairing.entrants,
        (1,) * seats,
        (False,) * seats,
        (),
        (),
        0,
        nothing,
        (0,) * seats,
        scenario=pairing.scenario,
        set_aside=why,
        suspect=suspect,
    )


def forfeited(pairing: Pairing, seat: int, kind: str, text: str) -> MatchResult:
    """Return the result of a match that had to be ended by force while *seat* decided.

    The offender is last, the others share the first place.
    """
    seats = len(pairing.entrants)
    return MatchResult(
        pairing.match_id,
        pairing.entrants,
        tuple(seats if number == seat else 1 for number in range(seats)),
        tuple(number != seat for number in range(seats)),
        (),
        ("forfeit",),
        0,
        (0.0,) * seats,
        (0,) * seats,
        (Fault(seat, pairing.entrants[seat], kind, text),),
        pairing.scenario,
    )
