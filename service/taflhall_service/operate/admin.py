"""``taflhall-server admin``: accounts and keys, directly in the store.

It creates the first key, and a new one when no administrator has a key any more. The audit log
names what it does, without an account.
"""

from __future__ import annotations

import argparse
import getpass
from typing import Final

from taflhall_service.app.access.accounts import Account, Accounts, Role, key_id_of
from taflhall_service.app.errors import AccountNotFound, ApiKeyNotFound, InvalidName, Malformed
from taflhall_service.app.matches.admin import AuditLog, printable
from taflhall_service.app.model.limits import Limits, without_secrets
from taflhall_service.app.ports.match_store import MatchStore

ROLES: Final = {role.name.lower(): role for role in Role}


def arguments(parser: argparse.ArgumentParser, store: argparse.ArgumentParser) -> None:
    """Define the arguments of ``admin``; *store* holds the option that all of them share."""
    parts = parser.add_subparsers(dest="action", required=True)

    def part(name: str, meaning: str) -> argparse.ArgumentParser:
        return parts.add_parser(name, help=meaning, description=meaning, parents=[store])

    new = part("create-account", "create an account and print its first key, which is shown once")
    new.add_argument("name", help="its name for people")
    new.add_argument("--role", choices=list(ROLES), default="player", help="role of the account")
    new.add_argument("--no-key", action="store_true", help="without a key")
    part("list-accounts", "print all accounts")
    part("create-key", "print a new key of an account").add_argument("account")
    part("list-keys", "print the keys of an account").add_argument("account")
    part("revoke-key", "revoke a key: tfk_<id>_... has the id").add_argument("key")
    part("disable", "disable an account and all its keys").add_argument("account")
    part("enable", "enable an account again").add_argument("account")


async def run(store: MatchStore, given: argparse.Namespace) -> list[str]:
    """Carry out the command *given*; return the lines to print, or raise :exc:`ValueError`."""
    limits = Limits()
    accounts = Accounts(store.accounts, limits, store.now)
    audit = AuditLog(store.accounts, limits, store.now)
    target = getattr(given, "name", "") or getattr(given, "account", "")
    target = target or key_id_of(getattr(given, "key", ""))
    who = printable(getpass.getuser())
    try:
        await audit.write("", "", f"tool {given.action}", target, f"run by {who}")
        return await _run(accounts, given)
    except InvalidName:
        raise ValueError("a name has 1 to 64 printable characters, and no secret") from None
    except (AccountNotFound, ApiKeyNotFound, Malformed):
        raise ValueError(f"{without_secrets(target)!r} does not exist") from None


async def _run(accounts: Accounts, given: argparse.Namespace) -> list[str]:
    if given.action == "create-account":
        account = await accounts.create(given.name, ROLES[given.role])
        lines = [f"account {account.id}"]
        if not given.no_key:
            lines.append(f"key     {(await accounts.create_key(account.id))[1]}")
        return lines
    if given.action == "list-accounts":
        return [_line_of(account) for account in await accounts.all()]
    if given.action == "create-key":
        return [f"key     {(await accounts.create_key(given.account))[1]}"]
    if given.action == "list-keys":
        keys = await accounts.keys(given.account)
        return [f"{key.id}  {'revoked' if key.revoked_ms else 'valid'}" for key in keys]
    if given.action == "revoke-key":
        return [f"{(await accounts.revoke(given.key)).id}  revoked"]
    disabled = given.action == "disable"
    return [_line_of(await accounts.update(given.account, None, None, disabled))]


def _line_of(account: Account) -> str:
    role = Role(account.role).name.lower()
    return f"{account.id}  {role:<6}  {account.name}{'  disabled' if account.disabled else ''}"
