"""``taflhall admin ...``: for administrators, at their own port."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from taflhall_client.cli.addressed import Commands
from taflhall_client.cli.common import LINK, GameFilter, MatchId, UsageError
from taflhall_client.cli.output import add_row, console, say

if TYPE_CHECKING:
    from taflhall_client.admin import Account, Admin, AdminMatch, Key, Role

T = TypeVar("T")

app = Commands(
    help="Accounts, keys and intervention; needs --api-key of an administrator.",
    no_args_is_help=True,
)
AdminAddress = Annotated[
    str,
    typer.Argument(envvar="TAFLHALL_ADMIN_ADDRESS", help="The administrators' port, as HOST:PORT."),
]
Justification = Annotated[
    str, typer.Option("--justification", help="The justification; it is written to the audit log.")
]


def call_admin(address: str, work: Callable[[Admin], Awaitable[T]]) -> T:
    """Return what *work* returns for a client of the administrators' port at *address*."""
    import asyncio

    from taflhall_client.admin import Admin

    key = LINK.api_key
    if not key:
        raise UsageError(
            "say who you are: taflhall --api-key tfk_... admin ..., or TAFLHALL_API_KEY"
        )

    async def run() -> T:
        async with Admin(address, key, tls=LINK.tls()) as admin:
            return await work(admin)

    return asyncio.run(run())


@app.command()
def accounts(address: AdminAddress) -> None:
    """List the accounts."""
    from rich.table import Column, Table

    table = Table(Column("account", no_wrap=True), "role", "name", "created", "")
    for account in call_admin(address, lambda admin: admin.accounts()):
        gone = "disabled" if account.disabled else ""
        role = account.role.name.lower()
        add_row(table, account.account_id, role, account.name, f"{account.created:%F %T}", gone)
    console().print(table)


@app.command(name="create-account")
def create_account(
    address: AdminAddress,
    name: Annotated[str, typer.Argument(help="Its name for people.")],
    role: Annotated[str, typer.Option(help="player, bot, host or admin.")] = "player",
    justification: Justification = "",
) -> None:
    """Open an account; print its id and its first key, which is shown once."""

    async def work(admin: Admin) -> tuple[Account, str]:
        account = await admin.create_account(name, _role(role), justification)
        return account, (await admin.create_key(account.account_id, justification))[1]

    account, text = call_admin(address, work)
    say(f"account {account.account_id}")
    say(f"key     {text}")


@app.command(name="change-account")
def change_account(
    address: AdminAddress,
    account: Annotated[str, typer.Argument(help="The account's id.")],
    name: Annotated[str | None, typer.Option(help="A new name.")] = None,
    role: Annotated[str | None, typer.Option(help="player, bot, host or admin.")] = None,
    disable: Annotated[
        bool | None, typer.Option("--disable/--enable", help="Whether its keys hold.")
    ] = None,
    justification: Justification = "",
) -> None:
    """Change an account; disabled, its keys are refused within a second.

    Secrets of seats that it sits at hold until their matches end.
    """
    new = None if role is None else _role(role)
    changed = call_admin(
        address,
        lambda admin: admin.update_account(
            account, name=name, role=new, disabled=disable, justification=justification
        ),
    )
    state = "  disabled" if changed.disabled else ""
    say(f"{changed.account_id}  {changed.role.name.lower()}  {changed.name}{state}")


@app.command()
def keys(
    address: AdminAddress, account: Annotated[str, typer.Argument(help="The account's id.")]
) -> None:
    """List the keys of an account."""
    for key in call_admin(address, lambda admin: admin.keys(account)):
        say(_key_line(key))


@app.command(name="create-key")
def create_key(
    address: AdminAddress,
    account: Annotated[str, typer.Argument(help="The account's id.")],
    justification: Justification = "",
) -> None:
    """Create a key for an account; it is shown once."""
    _, text = call_admin(address, lambda admin: admin.create_key(account, justification))
    say(f"key     {text}")


@app.command(name="revoke-key")
def revoke_key(
    address: AdminAddress,
    key: Annotated[str, typer.Argument(help="The key's id, or its text.")],
    justification: Justification = "",
) -> None:
    """Revoke a key; it is refused everywhere within a second."""
    key_id = key.split("_")[1] if key.startswith("tfk_") else key
    say(_key_line(call_admin(address, lambda admin: admin.revoke_key(key_id, justification))))


@app.command()
def matches(
    address: AdminAddress,
    game: GameFilter = "",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="The largest number.")] = 50,
) -> None:
    """List the newest matches, with who created them and why they are frozen."""
    from rich.table import Column, Table

    table = Table(Column("match", no_wrap=True), "game", "status", "revision", "seats", "frozen")
    for match in call_admin(address, lambda admin: admin.matches(game, limit=limit)):
        names = ", ".join(name or "-" for name in match.names)
        status, revision = match.status.name.lower(), str(match.revision)
        add_row(table, match.match_id, match.game, status, revision, names, match.frozen)
    console().print(table)


@app.command()
def freeze(address: AdminAddress, match: MatchId, justification: Justification) -> None:
    """Freeze a match: it cannot be changed, but can still be seen."""
    say(_match_line(call_admin(address, lambda admin: admin.freeze(match, justification))))


@app.command()
def unfreeze(address: AdminAddress, match: MatchId, justification: Justification) -> None:
    """Resume a frozen match."""
    say(_match_line(call_admin(address, lambda admin: admin.unfreeze(match, justification))))


@app.command()
def abandon(address: AdminAddress, match: MatchId, justification: Justification) -> None:
    """End a match without a result."""
    say(_match_line(call_admin(address, lambda admin: admin.abandon(match, justification))))


@app.command()
def reveal(address: AdminAddress, match: MatchId, justification: Justification) -> None:
    """Print the whole table of a match, hidden parts included, as JSON."""
    say(call_admin(address, lambda admin: admin.reveal(match, justification)).snapshot)


@app.command()
def damaged(address: AdminAddress) -> None:
    """List the matches that a server froze because what is stored of them is damaged."""
    for match_id, damage in call_admin(address, lambda admin: admin.damaged()).items():
        say(f"{match_id}  {damage}")


@app.command()
def audit(
    address: AdminAddress,
    limit: Annotated[int, typer.Option(min=1, help="The largest number.")] = 50,
) -> None:
    """Print the audit log: what administrators did, newest first."""
    for done in call_admin(address, lambda admin: admin.audit(limit)):
        who = done.account_id or "-"
        say(f"{done.time:%F %T}  {who}  {done.action}  {done.target or '-'}  {done.justification}")


def _role(name: str) -> Role:
    from taflhall_client.admin import Role

    try:
        return Role[name.upper()]
    except KeyError:
        raise UsageError("--role is player, bot, host or admin") from None


def _key_line(key: Key) -> str:
    state = "valid" if key.revoked is None else f"revoked {key.revoked:%F %T}"
    return f"{key.key_id}  {state}"


def _match_line(match: AdminMatch) -> str:
    frozen = f"  frozen: {match.frozen}" if match.frozen else ""
    return f"{match.match_id}  {match.status.name.lower()}{frozen}"
