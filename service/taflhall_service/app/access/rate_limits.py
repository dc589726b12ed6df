"""Rate limits: token buckets, checked before a request is read.

A caller who has proved a seat or an account has their own buckets; all others share their
host's. A malformed request or a wrong secret costs extra.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from enum import Enum
from math import ceil
from time import monotonic
from typing import Final

from taflhall_service.app.access.permissions import Action
from taflhall_service.app.errors import RateLimited
from taflhall_service.app.model.limits import Rates

SECRETS_SHARE: Final = 10.0
"""All secrets of seats and matches that one host uses share the rates of that many callers."""

BURST_SECONDS: Final = 4.0
"""A bucket holds the tokens of this many seconds."""

MIN_BURST: Final = 20.0
"""Smallest size of a bucket: beginning a match takes several calls."""

MAX_CALLERS: Final = 20_000
"""Callers whose buckets are kept, in less than 1 KB each; those not seen for longest are
forgotten first."""

INVALID_REQUEST_COST: Final = 5.0
"""Extra cost of a request that is malformed or carries a wrong credential."""


STEP_MS: Final = 20
"""Reported waits are rounded up to this step, so that few distinct replies exist."""


class RateClass(Enum):
    """A class of calls with a limit of its own."""

    COMMANDS = "commands"
    WRITES = "joins"
    """Everything else that changes a match, such as creating, joining, proposing and resigning."""
    READS = "reads"
    STREAMS = "streams"
    """Opening a stream; how many may be open is another limit."""

    def __init__(self, word: str) -> None:
        self.place = ("commands", "joins", "reads", "streams").index(word)


_CLASSES: Final = {
    Action.SUBMIT_ANSWERS: RateClass.COMMANDS,
    Action.WATCH_MATCH: RateClass.STREAMS,
    Action.PLAY: RateClass.STREAMS,
    Action.PLAY_ALL: RateClass.STREAMS,
    Action.CREATE_MATCH: RateClass.WRITES,
    Action.JOIN_MATCH: RateClass.WRITES,
    Action.START_MATCH: RateClass.WRITES,
    Action.LEAVE_MATCH: RateClass.WRITES,
    Action.DELEGATE_SEAT: RateClass.WRITES,
    Action.RECLAIM_SEAT: RateClass.WRITES,
    Action.WATCH_LOBBY: RateClass.STREAMS,
    Action.FIND_MATCH: RateClass.WRITES,
    Action.INVITE_TO_MATCH: RateClass.WRITES,
    Action.DECLINE_INVITATION: RateClass.WRITES,
    Action.REMOVE_PLAYER: RateClass.WRITES,
    Action.ADD_BOT: RateClass.WRITES,
    Action.JOIN_REMATCH: RateClass.WRITES,
    Action.SEND_REACTION: RateClass.WRITES,
    Action.PROPOSE_TO_PLAYERS: RateClass.WRITES,
    Action.RESPOND_TO_PROPOSAL: RateClass.WRITES,
    Action.RESIGN_SEAT: RateClass.WRITES,
    Action.ABANDON_MATCH: RateClass.WRITES,
    Action.CREATE_TOURNAMENT: RateClass.WRITES,
    Action.ENTER_TOURNAMENT: RateClass.WRITES,
    Action.WITHDRAW_FROM_TOURNAMENT: RateClass.WRITES,
    Action.START_TOURNAMENT: RateClass.WRITES,
    Action.CANCEL_TOURNAMENT: RateClass.WRITES,
    Action.WATCH_TOURNAMENT: RateClass.STREAMS,
}
_COSTS: Final = {
    Action.ANALYSE_RECORD: 20.0,
    Action.ROLLOUT: 10.0,
    Action.IMAGINE_TABLES: 5.0,
    Action.GET_MATCH_RECORD: 5.0,
    Action.GET_MATCH_VIEW: 5.0,
    Action.LIST_MATCH_EVENTS: 5.0,
}


def class_of(action: Action) -> RateClass:
    """Return the class that *action* is limited by."""
    return _CLASSES.get(action, RateClass.READS)


def cost_of(action: Action) -> float:
    """Return how many calls *action* counts for."""
    return _COSTS.get(action, 1.0)


class TokenBuckets:
    """The tokens that one caller has left, by class."""

    __slots__ = ("at", "delayed", "rates", "tokens")

    def __init__(self, rates: list[float], now: float) -> None:
        self.rates = rates
        self.tokens = [burst(rate) for rate in rates]
        self.at = [now] * len(rates)
        self.delayed = 0
        """Number of refusals that wait to be sent."""

    def take(self, kind: RateClass, cost: float, now: float) -> float:
        """Take *cost* tokens, or return the seconds until enough are available."""
        place = kind.place
        rate = self.rates[place]
        if not rate:
            return 0.0
        most = self._count(place, rate, now)
        short = min(cost, most) - self.tokens[place]
        if short > 0.0:
            return short / rate
        self.tokens[place] -= cost
        return 0.0

    def reserve(self, kind: RateClass, now: float, tokens: int = 1) -> float:
        """Take *tokens*, into debt if needed, and return the seconds until that is paid off."""
        place = kind.place
        rate = self.rates[place]
        if not rate:
            return 0.0
        self._count(place, rate, now)
        left = self.tokens[place] = self.tokens[place] - tokens
        return -left / rate if left < 0.0 else 0.0

    def _count(self, place: int, rate: float, now: float) -> float:
        """Add the tokens that are due by now, and return how many the bucket holds."""
        flown, most = (now - self.at[place]) * rate, burst(rate)
        self.tokens[place] = min(most, self.tokens[place] + flown)
        self.at[place] = now
        return most

    def penalize(self, kind: RateClass, cost: float) -> None:
        """Take *cost* tokens more, going into debt if needed, but only so far."""
        rate = self.rates[kind.place]
        if rate:
            self.tokens[kind.place] = max(-burst(rate), self.tokens[kind.place] - cost)


def burst(rate: float) -> float:
    """Return how many tokens a bucket holds that is refilled with *rate* a second."""
    return max(MIN_BURST, rate * BURST_SECONDS)


class RateLimiter:
    """The token buckets of recent callers."""

    def __init__(
        self,
        rates: Rates,
        clock: Callable[[], float] = monotonic,
        max_callers: int = MAX_CALLERS,
    ) -> None:
        self._rates = [rates.commands, rates.joins, rates.reads, rates.streams]
        self._many = [rates.commands, rates.joins * 20, rates.reads, rates.streams]
        """For hosts of tournaments, who open many matches."""
        self._shared = [rate * SECRETS_SHARE for rate in self._rates]
        self._any = any(self._rates)
        self._clock = clock
        self._max_callers = max_callers
        self._unlimited = TokenBuckets([0.0] * len(RateClass), clock())
        self._buckets: OrderedDict[object, TokenBuckets] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def knows(self, who: object) -> bool:
        """Return whether *who* has their own buckets."""
        return who in self._buckets

    def of(self, who: object, many: bool = False) -> TokenBuckets:
        """Return the buckets of *who*; *many* if it may open many matches."""
        return self._of(who, self._many if many else self._rates)

    def of_secrets(self, host: str) -> TokenBuckets:
        """Return the buckets shared by the secrets that *host* uses.

        Such a secret costs nothing, so that many of them must not allow any number of calls.
        """
        return self._of(("secrets", host), self._shared)

    def _of(self, who: object, rates: list[float]) -> TokenBuckets:
        if not self._any:
            return self._unlimited
        found = self._buckets.get(who)
        if found is None:
            found = self._buckets[who] = TokenBuckets(rates, self._clock())
            if len(self._buckets) > self._max_callers:
                self._buckets.popitem(last=False)
        else:
            found.rates = rates  # the account may have another role now
            self._buckets.move_to_end(who)
        return found

    def spend(self, buckets: TokenBuckets, kind: RateClass, cost: float = 1.0) -> None:
        """Take tokens out of a caller's buckets, or raise ``RateLimited``."""
        wait = buckets.take(kind, cost, self._clock())
        if wait > 0.0:
            ms = ceil(wait * 1000 / STEP_MS) * STEP_MS
            raise RateLimited(retry_after_ms=ms, limit=kind.value)

    def delay(self, buckets: TokenBuckets, kind: RateClass, tokens: int = 1) -> float:
        """Take *tokens*, going into debt if needed; return the seconds until it is paid off."""
        return buckets.reserve(kind, self._clock(), tokens)
