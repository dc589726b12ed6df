"""Texts of the players' proposals."""

from __future__ import annotations

from taflhall_client.results import Proposal
from taflhall_client.terminal import seat_name


def proposal_text(proposal: Proposal, names: list[str], language: str) -> str:
    """Return the text of the proposal, and the seats that still have to agree."""
    german = language == "de"
    who = seat_name(names, proposal.seat, language)
    wanted = ", ".join(dict.fromkeys(seat_name(names, seat, language) for seat in proposal.wanted))
    to = proposal.to_revision
    if german:
        what = "die Partie abzubrechen" if to is None else f"auf Stand {to} zurückzugehen"
        return f"{who} schlägt vor, {what}; zustimmen müssen noch: {wanted or '-'}"
    what = "to abandon the match" if to is None else f"to go back to revision {to}"
    return f"{who} proposes {what}; still to agree: {wanted or '-'}"
