"""Admission of every call: identity, permission and rate limit.

All are checked before the request is read. A caller with an API key, or with a secret that has
been verified here before, is identified by it; all others are identified by their host.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from taflhall_service.app.access.accounts import PREFIX, Accounts, Role
from taflhall_service.app.access.credentials import ANONYMOUS, Identity, identify
from taflhall_service.app.access.permissions import Action, enter
from taflhall_service.app.access.rate_limits import (
    INVALID_REQUEST_COST,
    RateClass,
    RateLimiter,
    TokenBuckets,
    class_of,
    cost_of,
)
from taflhall_service.app.errors import (
    ApiKeyInvalid,
    JoinCodeInvalid,
    Malformed,
    Refused,
    SecretInvalid,
    TooLarge,
    TooManyStreams,
)
from taflhall_service.app.model.limits import Limits
from taflhall_service.rpc.context import Context
from taflhall_service.rpc.hosts import host_of_address, host_of_peer

_FINED: Final = (ApiKeyInvalid, SecretInvalid, JoinCodeInvalid, Malformed, TooLarge)
"""Refusals with an extra cost, as they answer guesses and malformed requests."""

MAX_DELAYED_IN_ALL: Final = 5000
"""Refusals of all callers that wait at a time."""


class CallerContext:
    """The caller of a call, and the buckets that it is charged to."""

    __slots__ = ("buckets", "host", "identity", "kind", "own", "shared")

    def __init__(self, host: str, kind: RateClass, buckets: TokenBuckets) -> None:
        self.identity: Identity = ANONYMOUS
        self.host = host
        self.kind = kind
        self.buckets = buckets
        self.own = False
        """The buckets are the caller's own, not those of its host."""
        self.shared: TokenBuckets | None = None
        """Shared by all callers of its host with secrets of seats and matches."""


class AdmissionControl:
    """Admits calls or refuses them.

    Without *secrets* only API keys count; with *proxied* the host is the one that the proxy
    reports.
    """

    def __init__(
        self,
        limits: Limits,
        accounts: Accounts,
        *,
        secrets: bool = True,
        proxied: bool = False,
    ) -> None:
        self.accounts: Final = accounts
        self.limiter: Final = RateLimiter(limits.rates)
        self._limits = limits
        self._secrets = secrets
        self._proxied = proxied
        self._streams: Counter[object] = Counter()
        self._delayed: set[asyncio.Future[None]] = set()
        self._released = False
        self._connections: dict[str, Counter[str]] = {}

    @property
    def hosts(self) -> int:
        """Number of hosts that have a stream open."""
        return len(self._connections)

    def identify_host(self, action: Action, context: Context) -> CallerContext:
        """Return the caller as its host is known, before any look-up."""
        host = host_of(context, self._proxied)
        return CallerContext(host, class_of(action), self.limiter.of(host))

    async def admit(self, action: Action, caller: CallerContext, context: Context) -> Identity:
        """Return the caller, or raise why they may not take *action*."""
        secret = secret_of(context)
        if secret and secret.startswith(PREFIX):
            if not self.accounts.knows(secret):
                lookups = self.limiter.of(("keys", caller.host))  # it has to be looked up
                self.limiter.spend(lookups, RateClass.READS)
            caller.identity = identity = await identify(secret, self.accounts)
            account = identity.account
            if account is not None:
                many = account.role in (Role.HOST, Role.ADMIN)
                caller.buckets, caller.own = self.limiter.of(account.id, many), True
        elif secret and not self._secrets:
            raise ApiKeyInvalid
        elif secret:
            caller.identity = identity = Identity(secret)
            if self.limiter.knows(identity.digest):
                self._own(caller)
        else:
            identity = ANONYMOUS
        for buckets in (caller.buckets, caller.shared):
            if buckets is not None:
                self.limiter.spend(buckets, caller.kind, cost_of(action))
        enter(action, identity, self._limits.accounts_required)
        return identity

    def charge_result(self, caller: CallerContext, refused: Refused | None = None) -> None:
        """Learn from the call's outcome: a verified credential, or a malformed request."""
        if not caller.own and caller.identity.proven:
            self._own(caller)
        if isinstance(refused, _FINED):
            caller.buckets.penalize(caller.kind, INVALID_REQUEST_COST)

    def _own(self, caller: CallerContext) -> None:
        """Give a caller with a proven secret buckets of its own, within those of its host."""
        caller.buckets, caller.own = self.limiter.of(caller.identity.digest), True
        caller.shared = self.limiter.of_secrets(caller.host)

    async def delay_refusal(self, caller: CallerContext) -> None:
        """Delay a refusal: the more refusals a caller has waiting, the longer.

        A refusal costs as much as many an answer, and a waiting caller makes no other call. The
        number of waiting refusals is limited, since each takes memory.
        """
        buckets = caller.buckets
        few = buckets.delayed < self._limits.delayed_refusals
        if self._released or not few or len(self._delayed) >= MAX_DELAYED_IN_ALL:
            return
        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        buckets.delayed += 1
        pause = buckets.delayed * self._limits.refusal_delay_seconds
        timer = loop.call_later(pause, _wake, waiter)
        self._delayed.add(waiter)
        try:
            await waiter
        finally:
            timer.cancel()
            self._delayed.discard(waiter)
            buckets.delayed -= 1

    def release(self) -> None:
        """Send all delayed refusals now, and delay no more."""
        self._released = True
        for waiter in self._delayed:
            _wake(waiter)

    def throttle(self, caller: CallerContext, answers: int = 1) -> float:
        """Count answers in an open stream; return the seconds to wait before they are taken."""
        if not caller.own:
            self.charge_result(caller)
        delay = self.limiter.delay(caller.buckets, RateClass.COMMANDS, answers)
        if caller.shared is None:
            return delay
        return max(delay, self.limiter.delay(caller.shared, RateClass.COMMANDS, answers))

    def spend_lookup(self, caller: CallerContext) -> None:
        """Count a credential that an open stream looks up as a read, or raise ``RateLimited``."""
        for buckets in (caller.buckets, caller.shared):
            if buckets is not None:
                self.limiter.spend(buckets, RateClass.READS)

    def charge_lookup(self, caller: CallerContext, refused: Refused) -> None:
        """Charge the extra cost of a credential in an open stream that turned out to be wrong."""
        if isinstance(refused, _FINED):
            caller.buckets.penalize(RateClass.READS, INVALID_REQUEST_COST)

    @contextmanager
    def stream(self, caller: CallerContext, peer: str) -> Iterator[None]:
        """Reserve one of the streams that a caller, and a host, may have open."""
        identity, limits = caller.identity, self._limits
        account = identity.account
        who = account.id if account is not None else identity.digest or caller.host
        here = self._connections.get(caller.host, Counter())
        if self._streams[who] >= limits.caller_streams:
            raise TooManyStreams(limit=limits.caller_streams)
        if peer not in here and len(here) >= limits.host_connections:
            raise TooManyStreams(limit=limits.host_connections)
        if here[peer] >= limits.connection_streams:
            raise TooManyStreams(limit=limits.connection_streams)
        if here.total() >= limits.host_streams:
            raise TooManyStreams(limit=limits.host_streams)
        self._streams[who] += 1
        self._connections[caller.host] = here
        here[peer] += 1
        try:
            with identity:
                yield
        finally:
            _less(self._streams, who)
            _less(here, peer)
            if not here:
                self._connections.pop(caller.host, None)


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


def _less(counter: Counter[Any], key: object) -> None:
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]


def secret_of(context: Context) -> str | None:
    """Return the secret that the call carries, if it does."""
    for name, value in context.invocation_metadata() or ():
        if name == "authorization":
            text = value if isinstance(value, str) else value.decode("ascii", "replace")
            scheme, _, secret = text.partition(" ")
            return secret.strip() if scheme.lower() == "bearer" else text
    return None


def host_of(context: Context, proxied: bool) -> str:
    """Return the host that a call comes from; with *proxied* the one that the proxy reports."""
    if proxied:
        for name, value in context.invocation_metadata() or ():
            if name == "x-forwarded-for":
                text = value if isinstance(value, str) else value.decode("ascii", "replace")
                return host_of_address(text.rpartition(",")[2])
    return host_of_peer(context.peer())
