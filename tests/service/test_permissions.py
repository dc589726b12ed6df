"""Who may take an action at all, whatever its match."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_service.app.access.accounts import Account, ActiveKey, ApiKey, Role
from taflhall_service.app.access.credentials import ANONYMOUS, Identity
from taflhall_service.app.access.permissions import PERMISSIONS, Action, CallerKind, enter
from taflhall_service.app.errors import AccountRequired, ApiKeyInvalid, Forbidden, Refused

FOR_ACCOUNTS = {CallerKind.ACCOUNT, CallerKind.HOST, CallerKind.ADMIN}
SECRET = "a" * 43
"""What could be the secret of a match."""


def member(role: Role) -> Identity:
    held = Account("acc", "Ann", role, False, 0)
    return Identity(None, ActiveKey(ApiKey("key", "acc", b"", 0), held, 0.0))


def refused(action: Any, identity: Identity, required: bool = False) -> type[Refused] | None:
    """Return why *action* is refused, ``None`` if it is not."""
    try:
        enter(action, identity, required)
    except Refused as error:
        return type(error)
    return None


def test_an_action_without_a_row_is_refused_to_everybody():
    for identity in (ANONYMOUS, Identity(SECRET), member(Role.ADMIN)):
        assert refused("an action of tomorrow", identity) is Forbidden


@pytest.mark.parametrize("secret", [None, SECRET])
@pytest.mark.parametrize("required", [False, True])
@pytest.mark.parametrize("action", Action)
def test_without_an_account_nobody_does_what_is_for_accounts_or_costly(action, required, secret):
    row = PERMISSIONS[action]
    wanted = row.who in FOR_ACCOUNTS or (required and row.costly)
    assert refused(action, Identity(secret), required) is (AccountRequired if wanted else None)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("action", Action)
def test_an_account_does_what_is_for_its_role_and_not_barred_to_it(action, role):
    row = PERMISSIONS[action]
    roles = {
        CallerKind.HOST: {Role.HOST, Role.ADMIN},
        CallerKind.ADMIN: {Role.ADMIN},
    }.get(row.who, set(Role))
    allowed = role in roles and role != row.barred
    assert refused(action, member(role), required=True) is (None if allowed else Forbidden)


def test_a_bot_neither_creates_a_match_nor_looks_for_one():
    for action in (Action.CREATE_MATCH, Action.FIND_MATCH):
        assert refused(action, member(Role.BOT)) is Forbidden
        assert refused(action, member(Role.PLAYER)) is None


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Action.LIST_GAMES, ApiKeyInvalid),
        (Action.CREATE_MATCH, ApiKeyInvalid),
        (Action.CREATE_TOURNAMENT, ApiKeyInvalid),
        (Action.GET_MATCH, None),
        (Action.SUBMIT_ANSWERS, None),
        (Action.ADMIN_LIST_ACCOUNTS, AccountRequired),
    ],
)
def test_what_cannot_be_a_secret_is_taken_for_a_wrong_key_where_no_match_is_meant(action, reason):
    assert refused(action, Identity("nearly a key")) is reason
