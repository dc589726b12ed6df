"""Credentials: the secret or API key that a call carries, and what is stored of secrets.

A secret is 256 random bits as text; the match keeps its SHA-256.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256
from typing import Final

from taflhall_service.app.access.accounts import PREFIX, Account, Accounts, Pass
from taflhall_service.app.errors import (
    ApiKeyInvalid,
    SecretMissing,
)


class Identity:
    """What a call says of who makes it: a secret, an API key, or nothing."""

    __slots__ = ("_pass", "digest", "proven")

    def __init__(self, secret: str | None = None, key: Pass | None = None) -> None:
        self.digest: Final = digest_of(secret) if secret else b""
        """SHA-256 of the secret; empty without one."""
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
        """Where the caller's request ids count: with the secret, or with the account.

        It stays the same whatever becomes of the seats. Raise ``SecretMissing`` if the caller
        says nothing of himself, ``ApiKeyInvalid`` if his API key holds no longer.
        """
        account = self.account
        if account is not None:
            return f"account-{account.id}"
        if not self.digest:
            raise SecretMissing
        return f"secret-{self.digest.hex()[:16]}"

    @property
    def nobody(self) -> bool:
        """Whether the caller says nothing of himself."""
        return not self.digest and self._pass is None

    @property
    def key(self) -> Pass | None:
        """The API key."""
        return self._pass

    @property
    def account(self) -> Account | None:
        """Whose API key it is, or raise ``ApiKeyInvalid`` if it holds no longer."""
        if self._pass is None:
            return None
        if not self._pass.alive:
            raise ApiKeyInvalid
        return self._pass.account


NOBODY: Final = Identity()


async def identify(secret: str | None, accounts: Accounts | None) -> Identity:
    """Return who sends *secret*, or raise ``ApiKeyInvalid``."""
    if secret and accounts is not None and secret.startswith(PREFIX):
        return Identity(None, await accounts.admit(secret))
    return Identity(secret) if secret else NOBODY


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def digest_of(secret: str) -> bytes:
    """Return what is kept of a secret."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


def hide(secret: str, request_id: str, salt: bytes) -> bytes:
    """Return *secret* so that only who knows the *request_id* can read it again."""
    pad = hmac.digest(request_id.encode(), b"secret" + salt, "sha512")
    return bytes(a ^ b for a, b in zip(secret.encode(), pad, strict=False))


def reveal(hidden: bytes, request_id: str, salt: bytes) -> str:
    """Return the secret that :func:`hide` hid."""
    pad = hmac.digest(request_id.encode(), b"secret" + salt, "sha512")
    return bytes(a ^ b for a, b in zip(hidden, pad, strict=False)).decode("ascii", "replace")
