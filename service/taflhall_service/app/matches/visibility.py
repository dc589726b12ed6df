"""The visible state that a change leaves behind for those who see the match late."""

from __future__ import annotations

from typing import Final

from taflhall_service.app.model.match import Match
from taflhall_service.app.model.spectator_policy import SpectatorPolicy
from taflhall_service.app.model.visible_states import VisibleState

SLACK_MS: Final = 60_000
"""How much longer states are kept than anybody needs them."""


def state_of(match: Match, at_ms: int) -> VisibleState:
    """Return the publicly visible state of *match* from that moment on."""
    return VisibleState(
        at_ms,
        match.revision,
        match.version.change_count,
        match.status,
        match.table is not None,
        match.seats,
        match.clocks,
        match.proposed,
        match.version.nonce,
    )


def states_after(before: Match, after: Match, now_ms: int, most: int) -> tuple[VisibleState, ...]:
    """Return the visible states of *after*, which *before* becomes at *now_ms*.

    Beyond *most* every other one is dropped.
    """
    spectators, visible_states = after.origin.spectators, before.visible_states
    if (
        spectators.policy != SpectatorPolicy.DELAYED
        or before.version.change_id == after.version.change_id
    ):
        return visible_states
    if visible_states:
        now_ms = max(now_ms, visible_states[-1].at_ms)
    seen = now_ms - spectators.delay_ms - SLACK_MS
    first = 0
    while first + 1 < len(visible_states) and visible_states[first + 1].at_ms <= seen:
        first += 1
    kept = visible_states[first:]
    if len(kept) >= most:
        kept = (*kept[:-1:2], kept[-1])
    return (*kept, state_of(after, now_ms))
