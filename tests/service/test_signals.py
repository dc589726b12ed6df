"""Signals about a match, as bytes."""

from __future__ import annotations

import pytest

from taflhall_service.app.model.signals import (
    PRESENCE,
    SeatReaction,
    reaction_signal,
    read_reaction,
)


def test_a_reaction_is_read_from_its_signal():
    assert reaction_signal(SeatReaction(2, 5)) == b"reaction 2 5"
    assert read_reaction(b"reaction 2 5") == SeatReaction(2, 5)


@pytest.mark.parametrize("signal", [PRESENCE, b"reaction 2", b"reaction 2 5 7", b"another 2 5"])
def test_another_signal_shows_no_reaction(signal: bytes):
    """A newer server may send signals that this one does not know."""
    assert read_reaction(signal) is None
