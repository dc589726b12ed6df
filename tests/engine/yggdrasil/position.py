"""Positions for the tests, written as the conformance cases write them (YG-17.2)."""

from __future__ import annotations

from typing import Any

from taflhall_engine import registry
from taflhall_engine.conformance.cases import Keys
from taflhall_engine.conformance.yggdrasil.commands import carry_out, refused
from taflhall_engine.conformance.yggdrasil.position import position, scripted
from taflhall_engine.kernel.agenda import advance, options, waiting
from taflhall_engine.kernel.chance import ScriptedChance
from taflhall_engine.yggdrasil.game import Yggdrasil
from taflhall_engine.yggdrasil.ids import ENEMIES
from taflhall_engine.yggdrasil.table import YggdrasilTable


def yggdrasil() -> Yggdrasil:
    game = registry.game("yggdrasil")
    assert isinstance(game, Yggdrasil)
    return game


GAME = yggdrasil()


def at(**given: Any) -> YggdrasilTable:
    """Return the table of a position, moved on to its first decision; events are kept."""
    keys = Keys("given", {"gods": ["thor", "frey"], **given})
    chance, _ = scripted(GAME.components, keys)
    s = position(GAME.components, keys, chance)
    keys.finish()
    s.journal = []
    advance(s)
    return s


def do(s: YggdrasilTable, name: str, **fields: Any) -> YggdrasilTable:
    """Carry out a logical command for the god who decides."""
    assert refused(s, s.active, name, fields) is None, (name, fields)
    carry_out(s, s.active, name, fields)
    return s


def code(s: YggdrasilTable, name: str, **fields: Any) -> str | None:
    """Return the code with which a logical command is refused, ``None`` if it is legal."""
    return refused(s, s.active, name, fields)


def asked(s: YggdrasilTable) -> str:
    """Return the name of the step that waits, empty if the match is over."""
    top = waiting(s)
    return "" if top is None else type(top).__name__


def listed(s: YggdrasilTable, field: str) -> list[Any]:
    """Return one field of every option."""
    return [getattr(option, field) for option in options(s, s.active)]


def rng(s: YggdrasilTable) -> ScriptedChance:
    """Return the scripted random numbers, to add to them."""
    assert isinstance(s.chance, ScriptedChance)
    return s.chance


def spaces(s: YggdrasilTable) -> dict[str, int]:
    """Return the spaces of the enemies that have left the start."""
    return {ENEMIES[e]: space for e, space in enumerate(s.enemies) if space > 1}


def emitted(s: YggdrasilTable, kind: str) -> list[tuple[Any, ...]]:
    """Return the fields, without the rule, of every event of one kind."""
    assert s.journal is not None
    return [event.fields()[1:] for event in s.journal if type(event).__name__ == kind]
