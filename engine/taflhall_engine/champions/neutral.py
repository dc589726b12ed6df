"""CM-17.7 The harmless answer for an absent seat."""

from __future__ import annotations

from typing import Any

from taflhall_engine.champions.rules.blame import BLAME, TrollBlame
from taflhall_engine.champions.rules.placement import PlaceWorker
from taflhall_engine.champions.rules.spaces import BEG_COMMAND
from taflhall_engine.champions.rules.warriors import Keep, KeepWarriors
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Command, options


def neutral(s: ChampionsTable, seat: int) -> Command[Any]:
    """Return the answer, or its next step.

    Axemen are kept before spearmen before swordsmen: the last of the ways listed. The options
    of every other decision begin with the neutral one: the first free leader, no rune, the
    first card drawn, nothing sent, standing, swordsmen lost before spearmen before axemen and
    food before them, done.
    """
    legal = options(s, seat)
    top = s.agenda[-1]
    if isinstance(top, PlaceWorker):
        return BEG_COMMAND
    if isinstance(top, TrollBlame):
        return BLAME[1][0] if s.clans[seat].blame else BLAME[0][0]
    if isinstance(top, KeepWarriors):
        kept = [command for command in legal if isinstance(command, Keep)]
        return kept[-1]
    return legal[0]
