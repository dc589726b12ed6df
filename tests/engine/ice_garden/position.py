"""Positions of Ice Garden in the notation of case files (IG-21), for tests of single rules."""

from typing import Any

from taflhall_engine.conformance.ice_garden.choices import command_of
from taflhall_engine.conformance.ice_garden.positions import position
from taflhall_engine.ice_garden.ids import FACTIONS, REGIONS
from taflhall_engine.kernel.agenda import advance, apply, check, options, refusal, waiting
from taflhall_engine.kernel.notation import snake
from tests.engine.ice_garden.tables import GAME


def at(state: str, *players: str, **given: Any) -> Any:
    """Return a table at its first decision from *state* on; *players* in turn order."""
    s = position(GAME.components, GAME.tables, {"players": list(players), "state": state, **given})
    s.journal = []
    advance(s)
    return s


def asked(s: Any) -> tuple[str, str]:
    """Return who decides, and what; two empty words if the match is over."""
    top = waiting(s)
    if top is None:
        return "", ""
    [seat] = top.seats(s)
    return FACTIONS[s.options.factions[seat]], snake(type(top).__name__)


def do(s: Any, **choice: Any) -> Any:
    """Answer the pending decision, with ``from_`` for ``from``; return the table."""
    seat, command = _read(s, choice)
    check(s, seat, command)
    apply(s, seat, command)
    return s


def may(s: Any, **choice: Any) -> bool:
    """Return whether the pending decision lists a choice."""
    seat, command = _read(s, choice)
    return command in options(s, seat)


def refused(s: Any, **choice: Any) -> str:
    """Return the code of why the pending decision refuses a choice, or an empty word."""
    reason = refusal(s, *_read(s, choice))
    return reason.code if reason else ""


def emitted(s: Any, kind: str) -> list[Any]:
    """Return the emitted events of a kind."""
    return [event for event in s.journal if type(event).__name__ == kind]


def markers(s: Any, faction: str) -> dict[str, int]:
    """Return a player's influence markers by region, where there are any."""
    first = FACTIONS.index(faction) * len(REGIONS)
    return {
        name: s.influence[first + n] for n, name in enumerate(REGIONS) if s.influence[first + n]
    }


def _read(s: Any, choice: dict[str, Any]) -> tuple[int, Any]:
    top: Any = waiting(s)
    [seat] = top.seats(s)
    plain = {key.rstrip("_"): value for key, value in choice.items()}
    return seat, command_of(snake(type(top).__name__), plain)
