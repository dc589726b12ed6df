"""Situations that any bot must master, class or program.

Each takes a :class:`~taflhall_client.bot_check.bench.Bench`, returns what there is to say if all
went well, and raises :exc:`~taflhall_client.bot_check.bench.Wrong` if not.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final

from taflhall_client.bot import Bot
from taflhall_client.bot_check.bench import Bench, Wrong
from taflhall_client.bot_check.positions import Position
from taflhall_client.tournament.line_protocol import LineBot
from taflhall_engine.kernel.agenda import apply, asked, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.drafts import Draft

Situation = Callable[[Bench], str]

STEPS: Final = 200
"""No answer has more steps."""
DECISIONS: Final = 5_000
"""No seat has more decisions in a match."""
ALTERNATE: Final = 40
"""How many decisions of each of two matches are answered in turn."""


def plays_a_whole_match(bench: Bench) -> str:
    """Play the first seat of the smallest table, and the last of the largest, to the end."""
    decisions = 0
    for setup, last in ((bench.positions.setups[0], False), (bench.positions.setups[-1], True)):
        table = bench.game.new(setup, FastChance(1))
        seat = bench.game.seats(table) - 1 if last else 0
        with bench.seat(setup, seat) as bot:
            walk = Walk(bench, bot, setup, seat, seed=1)
            while walk.answer_next():
                decisions += 1
                if decisions > DECISIONS:
                    raise Wrong(f"the match is not over after {DECISIONS} decisions of the bot")
            result = bench.game.result(walk.table)
            if result is not None and isinstance(bot, LineBot):
                bot.end(result)
    return f"{decisions} decisions"


def answers_every_kind_of_decision(bench: Bench) -> str:
    """Answer a decision of each kind, each time as a bot that has just started."""
    found = bench.positions
    for position in found.kinds.values():
        with bench.seat(position.setup, position.seat) as bot:
            bench.ask(bot, position)
    missing = f"; not met: {', '.join(found.missing)}" if found.missing else ""
    return f"{len(found.kinds)} kinds{missing}"


def answers_a_long_list_of_options(bench: Bench) -> str:
    """Answer the decision with the most options that was met."""
    position = bench.positions.longest
    with bench.seat(position.setup, position.seat) as bot:
        bench.ask(bot, position)
    return f"{position.size} options"


def finishes_answers_in_several_steps(bench: Bench) -> str:
    """Give answers step by step until they are complete."""
    for position in bench.positions.split.values():
        with bench.seat(position.setup, position.seat) as bot:
            draft = Draft(position.table, position.seat)
            for _ in range(STEPS):
                step = bench.ask(bot, Position(position.setup, draft.table, position.seat))
                if step is None or draft.give(step):
                    break
            else:
                raise Wrong(f"its answer to {position.kind} had no end after {STEPS} steps")
    return f"{len(bench.positions.split)} kinds of answer"


def answers_again_when_asked_again(bench: Bench) -> str:
    """Answer a decision twice, and once more after later ones, as after an undo."""
    first = bench.positions.longest
    same_seat = (first.setup, first.seat)
    with bench.seat(*same_seat) as bot:
        bench.ask(bot, first)
        bench.ask(bot, first)
        for other in bench.positions.kinds.values():
            if (other.setup, other.seat) == same_seat:
                bench.ask(bot, other)
        bench.ask(bot, first)
    return ""


def takes_up_a_match_in_the_middle(bench: Bench) -> str:
    """Answer the last decision of a match without having seen the rest, as after a restart."""
    position = bench.positions.last
    for _ in range(2):
        with bench.seat(position.setup, position.seat) as bot:
            bench.ask(bot, position)
    return ""


def plays_two_matches_at_once(bench: Bench) -> str:
    """Answer the decisions of two matches in turn."""
    setup = bench.positions.setups[0]
    with ExitStack() as stack:
        walks = [
            Walk(bench, stack.enter_context(bench.seat(setup, 0)), setup, 0, seed)
            for seed in (2, 3)
        ]
        for _ in range(ALTERNATE):
            for walk in walks:
                walk.answer_next()
    return ""


class Walk:
    """A match in which the bot has one seat, and the others choose at random."""

    def __init__(self, bench: Bench, bot: Bot, setup: Any, seat: int, seed: int) -> None:
        self.table: Final = bench.game.new(setup, FastChance(seed))
        self._bench: Final = bench
        self._bot: Final = bot
        self._setup: Final = setup
        self._seat: Final = seat
        self._rng: Final = FastChance(seed)
        self._resigned = False

    def next_position(self) -> Position | None:
        """Play on until the bot has to decide; ``None`` if the match is over."""
        s = self.table
        while (seats := asked(s)) and self._seat not in seats:
            legal = options(s, seats[0])
            apply(s, seats[0], legal[self._rng.below(len(legal))])
        return Position(self._setup, s, self._seat) if seats else None

    def answer_next(self) -> bool:
        """Let the bot answer its next decision; return whether it did and had not resigned."""
        position = None if self._resigned else self.next_position()
        if position is None:
            return False
        answer = self._bench.ask(self._bot, position)
        if answer is None:
            self._resigned = True
            return False
        apply(self.table, self._seat, answer)
        return True


SITUATIONS: Final[dict[str, Situation]] = {
    "plays a whole match": plays_a_whole_match,
    "answers every kind of decision": answers_every_kind_of_decision,
    "answers a long list of options": answers_a_long_list_of_options,
    "finishes answers in several steps": finishes_answers_in_several_steps,
    "answers again when it is asked again": answers_again_when_asked_again,
    "takes up a match in the middle": takes_up_a_match_in_the_middle,
    "plays two matches at once": plays_two_matches_at_once,
}
"""By what a bot has to do."""
