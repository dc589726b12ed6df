"""YG-7.9b What all uses of the Vanir's track share."""

from __future__ import annotations

from typing import Final

from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.yggdrasil.effects import move_vanir
from taflhall_engine.yggdrasil.ids import VANAHEIM
from taflhall_engine.yggdrasil.rules.use import barred, use_world
from taflhall_engine.yggdrasil.table import YggdrasilTable

EFFECT_NOT_REACHED: Final = Refusal("YG-7.9b", "effect_not_reached")


def not_reached(s: YggdrasilTable, effect: int) -> Refusal | None:
    """YG-7.9b Return why the space of *effect* cannot be used."""
    reason = barred(s, VANAHEIM)
    if reason is not None:
        return reason
    return EFFECT_NOT_REACHED if s.components.effect_space[effect] > s.vanir else None


def use_space(s: YggdrasilTable) -> None:
    """YG-7.9b The action counts and the Vanir returns to the start of its track."""
    use_world(s, VANAHEIM)
    move_vanir(s, "YG-7.9b", s.components.vanir_start)
