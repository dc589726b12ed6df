"""Credentials: the secret or API key that a call carries, and the stored digests of secrets.

A secret is 256 random bits as text; the match keeps its SHA-256.
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from hashlib import blake2b, sha256
from typing import Final

from taflhall_service.app.access.accounts import PREFIX, Account, Accounts, ActiveKey
from taflhall_service.app.errors import (
    ApiKeyInvalid,
    SecretMissing,
)

_OF_A_MATCH: Final = re.compile(r"[A-Za-z0-9_-]{43}")
"""What the secrets of a match look like."""

MAX_KEPT_ID: Final = 16
"""A request id of more characters is remembered by a digest of that many."""


class Identity:
    """The credentials of a call: a secret, an API key, or none."""

    __slots__ = ("_pass", "digest", "misshapen", "proven")

    def __init__(self, secret: str | None = None, key: ActiveKey | None = None) -> None:
        self.digest: Final = digest_of(secret) if secret else b""
        """SHA-256 of the secret; empty without one."""
        self.misshapen: Final = bool(secret) and _OF_A_MATCH.fullmatch(secret or "") is None
        """No match has such a secret; an API key may have been meant."""
        self._pass: Final = key
        self.proven = False
        """The secret has opened something of a match."""

    def __enter__(self) -> None:
        """A stream is open with it."""
        if self._pass is not None:
            self._pass.holders += 1

    def __exit__(self, *_: object) -> None:
        if self._pass is not None:
            self._pass.holders -= 1

    @property
    def scope(self) -> str:
        """The scope of the caller's request ids: the secret or the account.

        It does not depend on the seats, and no key of a server's own request begins like it.
        Raise ``SecretMissing`` if the call carries no credentials, ``ApiKeyInvalid`` if its API
        key is no longer valid.
        """
        account = self.account
        if account is not None:
            return f"@{account.id}"
        if not self.digest:
            raise SecretMissing
        return scope_of(self.digest)

    def proof(self, request_id: str) -> str:
        """Return the input that a secret is derived from: the request id, with any account id.

        It is empty without a request id. No request id contains NUL, so two callers' never collide.
        """
        account = self.account
        return f"{account.id}\0{request_id}" if account is not None and request_id else request_id

    @property
    def nobody(self) -> bool:
        """Whether the call carries no credentials."""
        return not self.digest and self._pass is None

    @property
    def key(self) -> ActiveKey | None:
        """The API key."""
        return self._pass

    @property
    def account(self) -> Account | None:
        """The account of the API key, or raise ``ApiKeyInvalid`` if the key is no longer valid."""
        if self._pass is None:
            return None
        if not self._pass.alive:
            raise ApiKeyInvalid
        return self._pass.account


ANONYMOUS: Final = Identity()


async def identify(secret: str | None, accounts: Accounts | None) -> Identity:
    """Return who sends *secret*, or raise ``ApiKeyInvalid``."""
    if secret and accounts is not None and secret.startswith(PREFIX):
        return Identity(None, await accounts.admit(secret))
    return Identity(secret) if secret else ANONYMOUS


def digest_of(secret: str) -> bytes:
    """Return the digest of a secret that is stored."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def digest_text(secret: str) -> str:
    """Return the same digest as text."""
    return _text(digest_of(secret))


def scope_of(digest: bytes) -> str:
    """Return the scope of the request ids of those whose secret has this digest."""
    return f"#{_text(digest[:8])}"


def request_key(scope: str, request_id: str) -> str:
    """Return the key under which a match remembers a request of that scope."""
    if len(request_id) > MAX_KEPT_ID:
        digest = blake2b(request_id.encode(), digest_size=MAX_KEPT_ID * 6 // 8).digest()
        request_id = _text(digest)
    return f"{scope}:{request_id}"


def derive_secret(key: bytes, purpose: str, proof: str) -> str:
    """Return the secret of a match that follows from its *key* for *proof*.

    *proof* is an unguessable request id: a repeated request gets the same secret, and only
    the secret's digest is stored.
    """
    raw = hmac.digest(key, f"{purpose}/{proof}".encode(), "sha256")
    return _text(raw)


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
