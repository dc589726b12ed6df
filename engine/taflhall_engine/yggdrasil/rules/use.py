"""YG-6.1 to YG-6.5 Which worlds may be used, and how many actions are left."""

from __future__ import annotations

from typing import Final

from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.yggdrasil.effects import use_action
from taflhall_engine.yggdrasil.ids import FREY, FREYJA
from taflhall_engine.yggdrasil.rules.base import has_power
from taflhall_engine.yggdrasil.table import YggdrasilTable

MUST_APPEASE: Final = Refusal("YG-6.5", "must_appease_fenrir")
WORLD_BLOCKED: Final = Refusal("YG-6.4", "world_blocked")
WORLD_USED: Final = Refusal("YG-6.2", "world_used")


def actions_left(s: YggdrasilTable) -> int:
    """YG-6.1, YG-10.3 Three actions a turn, four for Frey while the gods have their powers."""
    allowance = s.components.frey_actions if has_power(s, s.active, FREY) else s.components.actions
    left = allowance - s.actions_used
    return max(0, left)


def spent_worlds(s: YggdrasilTable) -> int:
    """YG-6.2, YG-10.6 The worlds that may not be used again this turn, as bits."""
    if s.used_twice == 0 and has_power(s, s.active, FREYJA):
        return 0
    return s.used


def barred(s: YggdrasilTable, world: int) -> Refusal | None:
    """YG-6.8 Return why the action of *world* is forbidden, regardless of its effect."""
    if s.fenrir_card >= 0:
        return MUST_APPEASE
    if s.hindrance >> world & 1:
        return WORLD_BLOCKED
    if spent_worlds(s) >> world & 1:
        return WORLD_USED
    return None


def use_world(s: YggdrasilTable, world: int) -> None:
    """YG-6.7 The action is accepted: it counts at once and its world is used."""
    use_action(s, "YG-6.7", s.active, world)
