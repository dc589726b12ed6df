"""Texts of the players' proposals."""

from __future__ import annotations

from taflhall_client.results import Proposal
from taflhall_client.terminal import seat_name
from taflhall_client.terminal.words import words


def proposal_text(proposal: Proposal, names: list[str], language: str) -> str:
    """Return the text of the proposal, and the seats that still have to agree."""
    key = "abandon_proposed" if proposal.to_revision is None else "undo_proposed"
    who = seat_name(names, proposal.seat, language)
    wanted = ", ".join(dict.fromkeys(seat_name(names, seat, language) for seat in proposal.wanted))
    return words(key, language, who=who, revision=proposal.to_revision, wanted=wanted or "-")
