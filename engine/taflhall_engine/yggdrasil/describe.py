"""Details for texts beyond the fields of a value: an option's costs, gains and meaning.

The meaning of an option's number often depends on the decision on top of the agenda. Without a
view that is unknown, and each detail is ``None``.
"""

from __future__ import annotations

from typing import Any

from taflhall_engine.kernel.agenda import Step
from taflhall_engine.kernel.game import View
from taflhall_engine.kernel.notation import snake
from taflhall_engine.kernel.value import Value
from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.events import DieChosen, DieRolled, Exchanged, GiantRevealed
from taflhall_engine.yggdrasil.ids import (
    FIRST_GIANT,
    HIDDEN,
    NO_DIE,
    NO_POWERS,
    PLUS_SHIFT,
    VALUE,
    WHIRLPOOL,
)
from taflhall_engine.yggdrasil.rules.battle import (
    BattleElves,
    BattleVikings,
    CommitElves,
    SendVikings,
)
from taflhall_engine.yggdrasil.rules.dice import ChooseDie, TyrChoice
from taflhall_engine.yggdrasil.rules.exchange import Amount, Niflheim
from taflhall_engine.yggdrasil.rules.giants import Distribute, SigelDistribute, SigelFurther
from taflhall_engine.yggdrasil.rules.turn import ChooseCard, OdinChoice
from taflhall_engine.yggdrasil.rules.vanaheim import VanirDiscardGiant
from taflhall_engine.yggdrasil.rules.worlds import Asgard, Jotunheim, Nidavellir
from taflhall_engine.yggdrasil.view import PublicView


def details(components: Components, value: Value, view: View | None) -> dict[str, Any]:
    """Return the details for a text about *value*, as numbers and lists of numbers by name."""
    v = view.public if view is not None else None
    if isinstance(v, PublicView) and v.agenda:
        return _event(components, value) or _option(components, value, v, v.agenda[-1])
    return _event(components, value) or _unknown(value)


def _event(components: Components, value: Value) -> dict[str, Any]:
    if isinstance(value, (GiantRevealed, Jotunheim, VanirDiscardGiant)):
        return giant_details(components, value.giant)
    if isinstance(value, DieRolled):
        return {
            "numbers": [components.face_value[face] for face in value.faces],
            "colours": [components.face_colour[face] for face in value.faces],
        }
    if isinstance(value, DieChosen):
        return _face(components, value.face, value.aspect)
    if isinstance(value, Exchanged):
        return {
            "given": {"vikings": value.give_vikings, "elves": value.give_elves},
            "taken": {"vikings": value.take_vikings, "elves": value.take_elves},
        }
    return {}


def giant_details(components: Components, giant: int) -> dict[str, Any]:
    """YG-9.3 The effects of an active giant, and its rune."""
    bits = components.giant_bits[giant]
    found: dict[str, Any] = {"rune": components.giant_rune[giant], "effect": "block"}
    if bits & WHIRLPOOL:
        found["effect"] = "whirlpool"
    elif bits & NO_POWERS:
        found["effect"] = "no_powers"
    elif bits & NO_DIE:
        found["effect"] = "no_die"
    elif bits >> PLUS_SHIFT:
        found["effect"] = "plus"
        found["enemy"] = bits.bit_length() - 1 - PLUS_SHIFT
    else:
        found["world"] = bits.bit_length() - 1
    return found


def _face(components: Components, face: int, aspect: int) -> dict[str, Any]:
    return {
        "aspect": "value" if aspect == VALUE else "colour",
        "number": components.face_value[face],
        "colour": components.face_colour[face],
    }


def _option(components: Components, value: Value, v: PublicView, step: Step[Any]) -> dict[str, Any]:
    seat = getattr(step, "seat", v.active)
    if isinstance(value, Asgard):
        weapon = v.holdings[seat].weapons[value.enemy]
        return {"strength": v.strengths[value.enemy], "weapon": weapon}
    if isinstance(value, Nidavellir):
        return {"level": v.holdings[seat].weapons[value.enemy] + 1}
    if isinstance(value, Niflheim):
        holding = v.holdings[value.partner]
        return {"god": holding.god, "vikings": holding.vikings, "elves": holding.elves}
    if isinstance(value, Amount):
        return {"what": snake(type(step).__name__)}
    if isinstance(value, ChooseCard) and isinstance(step, OdinChoice):
        return {"card": step.second_card if value.index else step.first_card}
    if isinstance(value, ChooseDie) and isinstance(step, TyrChoice):
        return _face(components, step.second_face if value.index else step.first_face, step.aspect)
    if isinstance(value, SendVikings) and isinstance(step, BattleVikings):
        return {"missing": _missing(components, v, step, value.vikings)}
    if isinstance(value, CommitElves) and isinstance(step, BattleElves):
        total = step.total + value.elves
        return {"strength": step.strength, "sum": total, "won": total >= step.strength}
    if isinstance(value, Distribute) and isinstance(step, SigelDistribute):
        return {"god": v.holdings[0].god}
    if isinstance(value, Distribute) and isinstance(step, SigelFurther):
        return {"god": v.holdings[len(step.given)].god}
    return _unknown(value)


def _missing(components: Components, v: PublicView, step: BattleVikings, vikings: int) -> int:
    """YG-8.3 Return how much more than Vikings and weapon a battle needs."""
    if step.opponent < FIRST_GIANT:
        weapon = v.holdings[step.seat].weapons[step.opponent]
        return max(0, v.strengths[step.opponent] - weapon - vikings)
    assert step.opponent <= HIDDEN
    return max(0, components.giant_strength - vikings)


def _unknown(value: Value) -> dict[str, Any]:
    """Return the details of an option of which nothing more is known."""
    if isinstance(value, (Asgard, CommitElves)):
        return {"strength": None}
    if isinstance(value, Nidavellir):
        return {"level": None}
    if isinstance(value, (Niflheim, Distribute)):
        return {"god": None}
    if isinstance(value, Amount):
        return {"what": None}
    if isinstance(value, ChooseCard):
        return {"card": None}
    if isinstance(value, ChooseDie):
        return {"aspect": None}
    if isinstance(value, SendVikings):
        return {"missing": None}
    return {}
