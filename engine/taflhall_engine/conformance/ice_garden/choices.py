"""IG-20, IG-21 The choices of case files as commands: ``{ piece = "influence", from = "r1" }``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from taflhall_engine.conformance.cases import CaseError, Keys
from taflhall_engine.ice_garden.ids import (
    ABILITIES,
    FACTIONS,
    FIELDS,
    FIGURES,
    FIRST_MARKER,
    KINDS,
    NONE,
    PIECES,
    POWERS,
    REGIONS,
    TARGETS,
    UNITS,
)
from taflhall_engine.ice_garden.rules.abilities import Invoke
from taflhall_engine.ice_garden.rules.answers import DONE, FORGO
from taflhall_engine.ice_garden.rules.attack import Attack, Hit
from taflhall_engine.ice_garden.rules.crossing import Cross
from taflhall_engine.ice_garden.rules.domination import Claim
from taflhall_engine.ice_garden.rules.fields import DiscardVuko, PlaceMarker, RaiseReputation
from taflhall_engine.ice_garden.rules.gorge import TakeGood, Trade
from taflhall_engine.ice_garden.rules.locking import Redistribute
from taflhall_engine.ice_garden.rules.making import (
    BeginSummon,
    BuyUpgrade,
    MoveFactor,
    ShiftFactor,
    Upgrade,
)
from taflhall_engine.ice_garden.rules.moving import Carry, Feed, MovePiece
from taflhall_engine.ice_garden.rules.planning import LayToken, Plan
from taflhall_engine.ice_garden.rules.prey import EnchantMarker, PillageGood, Recruit
from taflhall_engine.ice_garden.rules.rounds import Advance, CatchUp
from taflhall_engine.ice_garden.rules.setup import LayTile, RaiseThorn, Settle
from taflhall_engine.ice_garden.rules.speed import Run
from taflhall_engine.ice_garden.rules.spy import AssignSpy, KeepSpy
from taflhall_engine.ice_garden.rules.summoning import PlaceUnit, Summon
from taflhall_engine.ice_garden.rules.visit import Flee, YieldUnit
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command

Made = Command[IceGardenTable]


class NoSuchOption(Exception):
    """A choice that no option of the decision could be."""


def command_of(decision: str, choice: Mapping[str, Any]) -> Made:
    """Return the command that *choice* means as an answer to *decision*.

    Raise :exc:`NoSuchOption` for an unknown option, :exc:`CaseError` for unknown keys.
    """
    keys = Keys("choice", choice)
    reader = READERS.get(decision)
    if reader is None:
        raise CaseError(f"there is no decision {decision!r}")
    unknown = set(choice) - FIELDS_OF[decision] - {"op"}
    if unknown:
        raise CaseError(f"unknown key choice.{', choice.'.join(sorted(unknown))}")
    command = reader(keys)
    keys.finish()
    return command


FIELDS_OF: Final = {
    decision: frozenset(fields.split())
    for decision, fields in {
        "setup_tile": "region",
        "setup_thorn": "region",
        "setup_influence": "region",
        "catch_up_place": "region",
        "initiative_move": "steps",
        "order_token": "token field",
        "plan_marker": "field",
        "viper_gorge": "kind give get",
        "influence_place": "region",
        "move_step": "piece from to",
        "mountain_route": "from to",
        "mountain_piece": "piece",
        "raven_shadow": "",
        "making_menu": "",
        "m_step": "from to",
        "upgrade_choice": "unit ability replace",
        "summon_choice": "unit n",
        "summon_place": "region",
        "spy_assign": "abilities",
        "ice_crossing": "piece from",
        "speed_move": "unit to",
        "attack_declare": "",
        "attack_hit": "region target",
        "vuko_kill": "unit",
        "use_ability": "ability use",
        "recruit_target": "player state",
        "enchant_target": "player state",
        "pillage_choice": "player kind level",
        "resource_choice": "kind",
        "lock_redistribute": "region",
        "snake_fight_move": "unit to",
    }.items()
}
"""IG-20 By decision: the fields of an option."""


def _word(keys: Keys, key: str, names: list[str]) -> int:
    return _number(keys.take(key), names)


def _number(value: Any, names: list[str]) -> int:
    if value not in names:
        raise NoSuchOption(f"{value!r} is not one of {', '.join(names)}")
    return names.index(value)


def _int(keys: Keys, key: str) -> int:
    value = keys.take(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise NoSuchOption(f"{key} is {value!r}")
    return value


def _op(keys: Keys, ops: dict[str, Made]) -> Made:
    op = keys.take("op")
    if op not in ops:
        raise NoSuchOption(f"op is {op!r}")
    return ops[op]


def _or_op(keys: Keys, op: str, command: Made, make: Callable[[], Made]) -> Made:
    return _op(keys, {op: command}) if "op" in keys else make()


def _region(make: Callable[[int], Made]) -> Callable[[Keys], Made]:
    return lambda keys: make(_word(keys, "region", REGIONS))


def _region_or_done(make: Callable[[int], Made]) -> Callable[[Keys], Made]:
    return lambda keys: _or_op(keys, "done", DONE, lambda: make(_word(keys, "region", REGIONS)))


def _gorge(keys: Keys) -> Made:
    op = keys.take("op")
    if op == "take":
        return TakeGood(_word(keys, "kind", KINDS))
    if op == "trade":
        given = keys.need("give")
        if not isinstance(given, list) or len(given) != 2:
            raise NoSuchOption(f"give is {given!r}")
        one, other = sorted(_number(kind, KINDS) for kind in given)
        return Trade(one, other, _word(keys, "get", KINDS))
    if op != "done":
        raise NoSuchOption(f"op is {op!r}")
    return DONE


def _move(keys: Keys) -> Made:
    return _or_op(
        keys,
        "done",
        DONE,
        lambda: MovePiece(
            _word(keys, "piece", PIECES), _word(keys, "from", REGIONS), _word(keys, "to", REGIONS)
        ),
    )


def _route(keys: Keys) -> Made:
    return _or_op(
        keys,
        "pass",
        FORGO,
        lambda: Feed(_word(keys, "from", REGIONS), _word(keys, "to", REGIONS)),
    )


def _upgrade(keys: Keys) -> Made:
    replaced = _word(keys, "replace", ABILITIES) if "replace" in keys else NONE
    return Upgrade(_word(keys, "unit", UNITS), _word(keys, "ability", ABILITIES), replaced)


def _spy(keys: Keys) -> Made:
    if "op" in keys:
        return _op(keys, {"keep": KeepSpy()})
    abilities = keys.need("abilities")
    if not isinstance(abilities, list) or len(abilities) != 2:
        raise NoSuchOption(f"abilities is {abilities!r}")
    one, other = sorted(_number(ability, ABILITIES) for ability in abilities)
    return AssignSpy(one, other)


def _crossing(keys: Keys) -> Made:
    return _or_op(
        keys,
        "done",
        DONE,
        lambda: Cross(_word(keys, "piece", PIECES), _word(keys, "from", REGIONS)),
    )


def _speed(keys: Keys) -> Made:
    return _or_op(
        keys,
        "done",
        DONE,
        lambda: Run(_word(keys, "unit", FIGURES), _word(keys, "to", REGIONS)),
    )


def _hit(keys: Keys) -> Made:
    if "op" in keys:
        return _op(keys, {"done": DONE})
    region = _word(keys, "region", REGIONS)
    target = keys.need("target")
    if isinstance(target, dict):
        inner = Keys("target", target)
        faction = _word(inner, "influence", FACTIONS)
        inner.finish()
        return Hit(region, FIRST_MARKER + faction)
    if target != "neutral" and target not in FIGURES:
        raise NoSuchOption(f"target is {target!r}")
    return Hit(region, TARGETS.index(target))


def _controlled(keys: Keys) -> bool:
    return _number(keys.take("state"), ["free", "controlled"]) == 1


def _pillage(keys: Keys) -> Made:
    victim = _word(keys, "player", FACTIONS)
    level = _int(keys, "level") if "level" in keys else NONE
    return PillageGood(victim, _word(keys, "kind", KINDS), level)


def _m_step(keys: Keys) -> Made:
    return _or_op(keys, "done", DONE, lambda: ShiftFactor(_int(keys, "from"), _int(keys, "to")))


def _use(keys: Keys) -> Made:
    used = keys.take("use")
    if not isinstance(used, bool):
        raise NoSuchOption(f"use is {used!r}")
    return Invoke(_word(keys, "ability", POWERS), used)


READERS: Final[dict[str, Callable[[Keys], Made]]] = {
    "setup_tile": _region(LayTile),
    "setup_thorn": _region(RaiseThorn),
    "setup_influence": _region(Settle),
    "catch_up_place": _region_or_done(CatchUp),
    "initiative_move": lambda keys: Advance(_int(keys, "steps")),
    "order_token": lambda keys: LayToken(_int(keys, "token"), _word(keys, "field", FIELDS)),
    "plan_marker": lambda keys: Plan(_word(keys, "field", FIELDS)),
    "viper_gorge": _gorge,
    "influence_place": _region_or_done(PlaceMarker),
    "move_step": _move,
    "mountain_route": _route,
    "mountain_piece": lambda keys: _or_op(
        keys, "done", DONE, lambda: Carry(_word(keys, "piece", PIECES))
    ),
    "raven_shadow": lambda keys: _op(
        keys, {"discard_vuko": DiscardVuko(), "reputation": RaiseReputation(), "pass": FORGO}
    ),
    "making_menu": lambda keys: _op(
        keys,
        {"move_m": MoveFactor(), "upgrade": BuyUpgrade(), "summon": BeginSummon(), "done": DONE},
    ),
    "m_step": _m_step,
    "upgrade_choice": _upgrade,
    "summon_choice": lambda keys: Summon(_word(keys, "unit", UNITS), _int(keys, "n")),
    "summon_place": _region(PlaceUnit),
    "spy_assign": _spy,
    "ice_crossing": _crossing,
    "speed_move": _speed,
    "attack_declare": lambda keys: _op(keys, {"attack": Attack(), "pass": FORGO}),
    "attack_hit": _hit,
    "vuko_kill": lambda keys: YieldUnit(_word(keys, "unit", FIGURES)),
    "use_ability": _use,
    "recruit_target": lambda keys: Recruit(_word(keys, "player", FACTIONS), _controlled(keys)),
    "enchant_target": lambda keys: EnchantMarker(
        _word(keys, "player", FACTIONS), _controlled(keys)
    ),
    "pillage_choice": _pillage,
    "resource_choice": lambda keys: Claim(_word(keys, "kind", KINDS)),
    "lock_redistribute": _region(Redistribute),
    "snake_fight_move": lambda keys: Flee(_word(keys, "unit", FIGURES), _word(keys, "to", REGIONS)),
}
"""IG-20 By decision: how its choices are read."""
