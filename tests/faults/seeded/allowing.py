"""Faults in the rights of seats, spectators and keys, and in time control (G13; items 6 to 8)."""

from __future__ import annotations

from typing import Any, Final

from taflhall_service.app.access import accounts
from taflhall_service.app.matches import table_update
from taflhall_service.app.model import match
from taflhall_service.app.spectating import spectators
from taflhall_service.store.redis import store as redis
from tests.faults.seeded import edit, exchange


def taken_back_past_a_reveal() -> None:
    """Answers are taken back though they have shown what was hidden."""
    exchange(table_update, "reveals_hidden", lambda _: lambda game, events: False)


def taken_back_past_luck() -> None:
    """Answers are taken back though random numbers were drawn since."""
    exchange(table_update, "draws_of", lambda _: lambda s: 0)


def spectators_not_delayed() -> None:
    """Who is to see a match late sees it as it is."""
    exchange(spectators, "_is_delayed", lambda _: lambda match, caller: False)


def revoked_keys_believed() -> None:
    """A server that knows a key does not ask for it again."""
    exchange(accounts.Accounts, "_renew", lambda _: lambda self, found, key, account: None)


def time_up_too_early() -> None:
    """A seat's time is up a moment before its deadline."""

    def make(due: Any) -> Any:
        def hasty(self: Any, outages: Any) -> Any:
            found = due(self, outages)
            return None if found is None else found._replace(ms=found.ms - 700)

        return hasty

    exchange(match.Match, "next_deadline", make)


def jumps_charged() -> None:
    """Time that the store's clock skips is charged to the seat that has to decide."""
    edit(redis, "_HEARTBEAT", "if start < stop then", "if false then")


SEEDS: Final = [
    (taken_back_past_a_reveal, "terms", "undo"),
    (taken_back_past_luck, "terms", "undo"),
    (spectators_not_delayed, "terms", "late"),
    (revoked_keys_believed, "terms", "keys"),
    (time_up_too_early, "clocks", "G13 never early"),
    (jumps_charged, "jumps", "G13 jumps"),
]
