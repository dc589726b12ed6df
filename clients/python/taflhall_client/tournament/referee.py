"""Plays one match of a tournament: seats the bots, keeps their time, notes their faults.

A bot that fails (see :mod:`~taflhall_client.tournament.results`) thereby resigns; the match
continues without its seat, by the rules for a seat that has left.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from taflhall_client.bot import Bot, Decision
from taflhall_client.bot_calls import failure_text
from taflhall_client.bots import UnknownBot, load
from taflhall_client.local import LocalMatch, TooLong
from taflhall_client.tournament import results
from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.journal import write_durably, write_record
from taflhall_client.tournament.line_program import BotEnded, BotSilent, ProtocolError
from taflhall_client.tournament.line_protocol import LineBot
from taflhall_client.tournament.results import Fault, MatchResult
from taflhall_client.tournament.schedule import Pairing, bot_seed, secret
from taflhall_client.tournament.time_limit import TimeIsUp, interrupting, time_limit
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.game import Game, View

Deciding = Callable[[int, float], None]
"""Notes which seat decides (-1: none) since when, for the process that watches this one."""


class BotFault(Exception):
    """A bot's fault, raised in its place."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind: Final = kind


@dataclass(slots=True)
class _Seat:
    """A seat's bot under the referee's eyes: a bot itself."""

    number: int
    bot: Bot | None
    seconds: float
    deciding: Deciding
    problem: BotFault | None = None
    """The fault of a bot that could not be made."""
    taken: float = 0.0
    decisions: int = 0

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Return the bot's answer, or raise :exc:`BotFault`."""
        if self.bot is None:
            assert self.problem is not None
            raise self.problem
        began = time.monotonic()
        self.decisions += len(decision.options) > 1
        self.deciding(self.number, began)
        try:
            with time_limit(self.seconds * 1.05 + 0.01):
                answer = self.bot.choose(view, decision)
        except TimeIsUp:
            raise BotFault(results.SILENT, f"no answer within {self.seconds:g} s") from None
        except BotSilent as error:
            raise BotFault(results.SILENT, str(error)) from None
        except BotEnded as error:
            raise BotFault(results.CRASH, str(error)) from None
        except ProtocolError as error:
            raise BotFault(results.ILLEGAL, str(error)) from None
        finally:
            self.deciding(-1, 0.0)
            spent = time.monotonic() - began
            self.taken += spent
        if spent > self.seconds:
            raise BotFault(results.LATE, f"the answer took {spent:.3f} s of {self.seconds:g} s")
        if answer not in decision.options:
            raise BotFault(results.ILLEGAL, f"{answer!r} is not an option")
        return answer


def play(
    tournament: Tournament,
    game: Game,
    pairing: Pairing,
    out: Path,
    deciding: Deciding = lambda seat, since: None,  # noqa: ARG005
) -> MatchResult:
    """Play *pairing*; write its record and the evidence of faults below *out*.

    Only the main thread of a process may call this: bots are interrupted by ``SIGALRM``.
    """
    with interrupting(), ExitStack() as stack:
        seats = [
            _seat(tournament, game, pairing, number, deciding, stack)
            for number in range(len(pairing.entrants))
        ]
        return _play(tournament, game, pairing, seats, out)


def _seat(
    tournament: Tournament,
    game: Game,
    pairing: Pairing,
    number: int,
    deciding: Deciding,
    stack: ExitStack,
) -> _Seat:
    entrant = tournament.entrant(pairing.entrants[number])
    limits = tournament.limits
    seat = _Seat(number, None, limits.decision_seconds, deciding)
    deciding(number, time.monotonic())
    try:
        with time_limit(limits.start_seconds):
            if entrant.command:
                words = tournament.words(pairing.scenario)
                program = LineBot(entrant.command, game, number, words, limits)
                seat.bot = stack.enter_context(program)
            else:
                seed = bot_seed(tournament, pairing, number)
                seat.bot = load(entrant.bot, game, seed, dict(entrant.options))
    except TimeIsUp:
        seat.problem = BotFault(results.SILENT, f"not ready within {limits.start_seconds:g} s")
    except BotSilent as error:
        seat.problem = BotFault(results.SILENT, str(error))
    except (UnknownBot, ProtocolError, BotEnded, OSError) as error:
        seat.problem = BotFault(results.CRASH, str(error))
    except Exception as error:  # the bot's own code
        seat.problem = BotFault(results.CRASH, f"{type(error).__name__}: {error}")
    finally:
        deciding(-1, 0.0)
    return seat


def _play(
    tournament: Tournament, game: Game, pairing: Pairing, seats: Sequence[_Seat], out: Path
) -> MatchResult:
    setup = setups.from_data(game, tournament.words(pairing.scenario))
    match = LocalMatch(game, setup, secret(tournament, pairing.block))
    try:
        played = match.play(seats, on_failure="resign", limit=tournament.limits.commands)
    except TooLong as error:
        return set_aside(pairing, str(error))
    faults = []
    for seat, failure in played.failures:
        cause = failure.__cause__
        kind = cause.kind if isinstance(cause, BotFault) else results.CRASH
        name = f"evidence/{pairing.match_id}-{seat}.txt"
        text = failure_text(failure, game)
        bot = seats[seat].bot
        if isinstance(bot, LineBot):
            text += f"\nthe last lines sent and received:\n{bot.program.transcript}\n"
            text += f"\nthe end of its standard error:\n{bot.program.stderr_tail}\n"
        write_durably(out / name, text.encode())
        faults.append(Fault(seat, pairing.entrants[seat], kind, str(cause or failure), name))
    for bot in (seat.bot for seat in seats):
        if isinstance(bot, LineBot):
            bot.end(played.result)
    record = write_record(out, pairing.match_id, played.record(pairing.entrants))
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
        tuple(faults),
        pairing.scenario,
        record,
    )


def set_aside(pairing: Pairing, why: str) -> MatchResult:
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
