"""Situations for bots that are Python classes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from taflhall_client.bot import Resign, UnknownOption
from taflhall_client.bot_check.bench import Bench, Wrong
from taflhall_client.bot_check.situations import Situation

SHORT: Final = 2.0
"""The seconds that a late prompt leaves."""


def leaves_what_it_is_given_as_it_is(bench: Bench) -> str:
    """Return from each kind of decision without having changed the view or the options."""
    for position in bench.positions.kinds.values():
        with bench.seat(position.setup, position.seat) as bot:
            view, decision = position.view(bench.game), position.decision()
            before = repr(view), list(decision.options)
            try:
                bench.choose(bot, view, decision)
            except Resign:
                continue
            if list(decision.options) != before[1]:
                raise Wrong(f"at {position.kind} it changed the list of options")
            if repr(view) != before[0]:
                raise Wrong(f"at {position.kind} it changed the view")
    return ""


def copes_with_unknown_options(bench: Bench) -> str:
    """Choose among the known options of a newer server's decision."""
    position = bench.positions.longest
    decision = replace(position.decision(), unknown_options=[UnknownOption(1, "XX-1", "teleport")])
    with bench.seat(position.setup, position.seat) as bot, suppress(Resign):
        answer = bench.choose(bot, position.view(bench.game), decision)
        decision.index(answer)
    return ""


def copes_with_an_unknown_decision(bench: Bench) -> str:
    """Choose an option of a decision whose kind is unknown."""
    position = bench.positions.longest
    decision = replace(position.decision(), step=None, rule="XX-1")
    with bench.seat(position.setup, position.seat) as bot, suppress(Resign):
        bench.choose(bot, position.view(bench.game), decision)
    return ""


def keeps_to_the_time_that_is_left(bench: Bench) -> str:
    """Answer a prompt that comes late: little time is left."""
    position = bench.positions.longest
    decision = replace(
        position.decision(),
        time_left=SHORT,
        deadline=datetime.now(UTC) + timedelta(seconds=SHORT),
    )
    with bench.seat(position.setup, position.seat) as bot:
        began = bench.clock()
        with suppress(Resign):
            bench.choose(bot, position.view(bench.game), decision)
        taken = bench.clock() - began
    if taken > SHORT:
        raise Wrong(f"with {SHORT:g} s left (decision.time_left) it took {taken:.1f} s")
    return ""


SITUATIONS: Final[dict[str, Situation]] = {
    "leaves view and options as they are": leaves_what_it_is_given_as_it_is,
    "copes with unknown options": copes_with_unknown_options,
    "copes with an unknown kind of decision": copes_with_an_unknown_decision,
    "keeps to the time that is left": keeps_to_the_time_that_is_left,
}
