"""A bot that tries to win Yggdrasil: it weighs every action by its value to the gods.

Start with :meth:`Heuristic.choose`. This module answers each kind of decision;
:mod:`yggdrasil_plan` weighs the actions of a turn, and :mod:`yggdrasil_evaluation` values a
position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from taflhall_client.bot import Decision
from taflhall_client.bots.yggdrasil_evaluation import Scale, Sense
from taflhall_client.bots.yggdrasil_plan import Plan, exchange
from taflhall_client.bots.yggdrasil_weights import WEIGHTS
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.yggdrasil import ids
from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.ids import FIRST_GIANT
from taflhall_engine.yggdrasil.rules.giants import SigelFurther, TiwazFurther
from taflhall_engine.yggdrasil.view import PublicView

Answer = Callable[[Sense, Any, list[Any]], Any]
"""Answers a decision from the view, the decision and its options."""


class Heuristic:
    """Weighs the options; the same view always gives the same answer."""

    def __init__(self, game: Game, seed: int = 0, weights: dict[str, float] | None = None) -> None:
        components: Components = game.components  # type: ignore[attr-defined]
        self._scale: Final = Scale(components, WEIGHTS | (weights or {}))

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Return the option that is worth most."""
        options = decision.options
        if len(options) == 1:
            return options[0]
        public = view.public
        assert isinstance(public, PublicView)
        sense = Sense(self._scale, public, decision.seat)
        step = decision.step
        name = type(step).__name__
        if name == "ChooseAction":
            return self._action(sense, options)
        if name not in ANSWERS:
            return options[-1]  # a decision of a newer server
        chosen: Command[Any] = ANSWERS[name](sense, step, options)
        return chosen

    # ---------------------------------------------------------------- actions

    def _action(self, sense: Sense, options: list[Command[Any]]) -> Command[Any]:
        plan = Plan(sense)
        best, most = options[-1], 0.0
        for option in options:
            worth = plan.worth(option)
            if worth > most + 1e-9:
                best, most = option, worth
        return best


# ---------------------------------------------------------------- other decisions


def amount(index: int) -> Answer:
    """Return the answer to one of the four numbers of an exchange."""

    def answer(sense: Sense, step: Any, options: list[Any]) -> Any:
        wanted = exchange(sense, step.partner)[index]
        return min(options, key=lambda option: abs(option.count - wanted))

    return answer


def odin_draw(_sense: Sense, _step: Any, options: list[Any]) -> Any:
    """Two cards leave a choice."""
    return options[-1]


def odin_choice(sense: Sense, step: Any, options: list[Any]) -> Any:
    """Take the card that harms less."""
    cards = step.first_card, step.second_card
    return min(options, key=lambda option: card_harm(sense, cards[option.index]))


def card_harm(sense: Sense, card: int) -> float:
    """Return what *card* would do: the enemies' spaces, and the power."""
    moved = sense.after_card(sense.v.enemies, card)
    harm = sum(sense.height[space] for space in moved)
    harm -= sum(sense.height[space] for space in sense.v.enemies)
    if sense.lost(moved):
        harm += 20.0 * (1.0 - sense.might(sense.seat, sense.components.card_enemies[card][0], 8))
    if card >= ids.RAGNAROK:
        return harm
    enemy = card % ids.FURIOUS
    level = sense.components.space_level[moved[enemy]]
    if enemy == ids.FENRIR and sense.v.fenrir_card < 0:
        harm += sense.w["anger"] * (0.0, 1.2, 2.0, 3.5)[level]
    elif enemy == ids.LOKI:
        harm += 0.8 * min(level, sense.v.giants_deck)
    elif enemy == ids.JORMUNGAND:
        harm += 0.6
    elif enemy in (ids.HEL, ids.SURT):
        harm += 0.25 * level
    return harm


def tyr_choice(sense: Sense, step: Any, options: list[Any]) -> Any:
    """Choose the better face for the current roll."""
    faces = step.first_face, step.second_face
    purpose = type(sense.v.agenda[-2]).__name__
    return max(options, key=lambda option: face_worth(sense, purpose, faces[option.index]))


def face_worth(sense: Sense, purpose: str, face: int) -> float:
    """Return how good *face* is for the step that reads it."""
    colour = sense.components.face_colour[face]
    if purpose == "FenrirListens":
        return float(sense.components.calming[sense.v.fenrir_level] >> colour & 1)
    if purpose == "HelTakes":
        return -use_of(sense, colour)
    if purpose in ("SurtSends", "JormungandSinks"):
        return -use_of(sense, colour)
    return float(sense.components.face_value[face])


def use_of(sense: Sense, island: int) -> float:
    """Return how useful the bag of *island* is to the gods."""
    for bag in sense.v.bags:
        if bag.island == island:
            size = bag.vikings + bag.fire_giants
            share = bag.vikings / size if size else 0.0
            return share - 0.1 * abs(island - sense.v.valkyries)
    return -0.1 * abs(island - sense.v.valkyries)


def pulled(sense: Sense, _step: Any, options: list[Any]) -> Any:
    """Let the least dangerous enemy be pulled."""

    def after(option: Any) -> float:
        spaces = sense.v.enemies[:]
        spaces[option.enemy] += 1
        return sense.danger(spaces)

    return min(options, key=after)


def battle_vikings(sense: Sense, step: Any, options: list[Any]) -> Any:
    """Send as many Vikings as make the battle worth most."""
    plan = Plan(sense)
    weapon = 0
    if step.opponent < FIRST_GIANT:
        prize = plan.prize[step.opponent]
        strength = sense.v.strengths[step.opponent]
        weapon = plan.weapons[step.opponent]
    else:
        strength = sense.components.giant_strength
        if step.opponent == ids.HIDDEN:
            prize = plan.hidden_worth()
        else:
            prize = plan.giant_worth(step.opponent - FIRST_GIANT)
    _, sent = sense.battle(strength, prize, plan.vikings, plan.elves, weapon)
    return options[min(sent, len(options) - 1)]


def battle_elves(sense: Sense, step: Any, options: list[Any]) -> Any:
    """Win with as few elves as it takes, if that is worth them."""
    need = step.strength - step.total
    if need <= 0 or need >= len(options):
        return options[0]
    plan = Plan(sense)
    if step.opponent < FIRST_GIANT:
        prize = plan.prize[step.opponent]
    elif step.opponent == ids.HIDDEN:
        prize = plan.hidden_worth()
    else:
        prize = plan.giant_worth(step.opponent - FIRST_GIANT)
    return options[need if prize > need * sense.elf_worth else 0]


def distribute(sense: Sense, step: Any, options: list[Any]) -> Any:
    """Give every god the same share."""
    given = step.given if isinstance(step, SigelFurther) else []
    return options[-(-step.left // (sense.seats - len(given)))]


def mann_target(sense: Sense, _step: Any, options: list[Any]) -> Any:
    """Throw back where it helps most."""

    def after(option: Any) -> float:
        spaces = sense.v.enemies[:]
        spaces[option.enemy] = max(1, spaces[option.enemy] - sense.components.mann_steps)
        return sense.danger(spaces)

    return min(options, key=after)


def tiwaz_targets(sense: Sense, step: Any, options: list[Any]) -> Any:
    """Pick the three enemies whose retreat helps most, in order."""
    movable = [enemy for enemy, space in enumerate(sense.v.enemies) if space > 1]
    gain = Plan(sense).prize
    best = sorted(sorted(movable, key=lambda enemy: -gain[enemy])[: sense.components.tiwaz_enemies])
    picked = step.picked if isinstance(step, TiwazFurther) else []
    return next((option for option in options if option.enemy == best[len(picked)]), options[0])


def peek_reorder(sense: Sense, _step: Any, options: list[Any]) -> Any:
    """Let the cards that harm least come first."""
    return min(options, key=lambda option: card_harm(sense, option.card))


ANSWERS: Final[dict[str, Answer]] = {
    "OdinDraw": odin_draw,
    "OdinChoice": odin_choice,
    "TyrChoice": tyr_choice,
    "NidhoggPull": pulled,
    "BattleVikings": battle_vikings,
    "BattleElves": battle_elves,
    "GiveVikings": amount(0),
    "TakeVikings": amount(1),
    "GiveElves": amount(2),
    "TakeElves": amount(3),
    "SigelDistribute": distribute,
    "SigelFurther": distribute,
    "MannTarget": mann_target,
    "TiwazTargets": tiwaz_targets,
    "TiwazFurther": tiwaz_targets,
    "PeekReorder": peek_reorder,
    "PeekFurther": peek_reorder,
}
