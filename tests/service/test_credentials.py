"""Secrets, API keys and join codes as values."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest

from taflhall_service.app.access.accounts import (
    PREFIX,
    Account,
    ActiveKey,
    ApiKey,
    Role,
    key_id_of,
    new_id,
)
from taflhall_service.app.access.credentials import (
    ANONYMOUS,
    MAX_KEPT_ID,
    Identity,
    derive_secret,
    digest_of,
    request_key,
)
from taflhall_service.app.errors import ApiKeyInvalid, JoinCodeInvalid, SecretMissing
from taflhall_service.app.model.join_codes import join_code, read_code


def active(revoked: int = 0, disabled: bool = False) -> ActiveKey:
    account = Account("acc", "Ann", Role.PLAYER, disabled, 0)
    return ActiveKey(ApiKey("k", "acc", b"", 0, revoked), account, 0.0)


def test_a_caller_is_known_by_account_or_secret():
    scope = urlsafe_b64encode(sha256(b"s").digest()[:8]).decode()
    assert Identity("s").scope == f"#{scope.rstrip('=')}"
    assert Identity(None, active()).scope == "@acc"
    with pytest.raises(SecretMissing):
        _ = ANONYMOUS.scope
    assert (ANONYMOUS.nobody, Identity("s").nobody, Identity(None, active()).nobody) == (
        True,
        False,
        False,
    )
    assert ANONYMOUS.digest == b""
    assert Identity("s").digest == digest_of("s") == sha256(b"s").digest()


def test_a_long_request_id_is_remembered_by_a_digest():
    for short in ("", "r", "r" * MAX_KEPT_ID):
        assert request_key("#s", short) == f"#s:{short}"
    ids = ["r" * 17, "r" * 18, "f81d4fae7dec11d0a76500a0c91e6bf6"]
    keys = {request_key("#s", long) for long in ids}
    assert len(keys) == 3
    assert {len(key) for key in keys} == {len("#s:") + MAX_KEPT_ID}


@pytest.mark.parametrize("key", [active(revoked=1), active(disabled=True)])
def test_a_key_that_holds_no_longer_is_refused_wherever_it_is_used(key):
    identity = Identity(None, key)
    for use in (lambda: identity.scope, lambda: identity.account, lambda: identity.proof("r")):
        with pytest.raises(ApiKeyInvalid):
            use()


def test_request_ids_of_two_accounts_prove_different_things():
    assert Identity("s").proof("r") == "r"
    assert Identity(None, active()).proof("r") == "acc\0r"
    assert Identity(None, active()).proof("") == Identity("s").proof("") == ""


def test_a_key_counts_the_streams_that_are_open_with_it():
    key = active()
    identity = Identity(None, key)
    with identity:
        with identity:
            assert key.holders == 2
        assert key.holders == 1
    assert key.holders == 0
    with ANONYMOUS:
        pass


def test_a_secret_follows_from_key_purpose_and_proof_and_is_the_same_in_every_release():
    found = derive_secret(b"k" * 32, "join", "request")
    assert found == "oa_GubT_cY-r62Hgd989JJbBzOffMlC5Yd8SugyPVHI"
    others = {
        derive_secret(b"x" * 32, "join", "request"),
        derive_secret(b"k" * 32, "create", "request"),
        derive_secret(b"k" * 32, "join", "another"),
    }
    assert len(others | {found}) == 4
    assert len(found) == 43


def test_a_key_is_named_by_its_text_or_its_id():
    assert key_id_of(f"{PREFIX}abc_secret_more") == key_id_of("abc") == "abc"
    assert {len(new_id(10)) for _ in range(9)} == {16}
    assert new_id(10) != new_id(10)


def test_a_join_code_is_read_however_it_is_typed():
    origin: Any = SimpleNamespace(chain=b"c" * 32)
    code = join_code(origin)
    assert len(code) == 10
    other: Any = SimpleNamespace(chain=b"d" * 32)
    assert code != join_code(other)
    for typed in (code, code.lower(), f"{code[:5]}-{code[5:]}", f" {code[:3]} {code[3:]} "):
        assert read_code(typed) == code
    for wrong in ("", code[:9], code + "A", code[:9] + "!", code[:9] + "\u00e9"):
        with pytest.raises(JoinCodeInvalid):
            read_code(wrong)
