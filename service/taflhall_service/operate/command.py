"""The operator's tools on the command line: ``taflhall-server backup``, and so on.

Each exits with status 0 if all is well, 1 if something differs or is damaged, and 2 if it could
not do its work.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from taflhall_engine import registry
from taflhall_engine.kernel.components import InvalidData
from taflhall_service.app.errors import Refused
from taflhall_service.app.ports.match_store import Durability, MatchStore
from taflhall_service.app.ports.record_archive import RecordArchive
from taflhall_service.operate import admin
from taflhall_service.operate.backup import backup, running_at
from taflhall_service.operate.folders import BackupError, error_text, require_no_file, require_store
from taflhall_service.operate.restore import restore
from taflhall_service.operate.verify import VerifyReport, compare, verify
from taflhall_service.store.address import BadAddress, open_archive, open_store
from taflhall_service.store.embedded import EmbeddedStoreError

TOOLS: Final = {
    "backup": "copy an embedded store, even while a server uses it",
    "restore": "put a backup into an empty folder",
    "verify-store": "replay every match and compare it with what is stored",
    "admin": "accounts and keys, directly in the store",
    "drill": "back up, restore elsewhere, verify and compare, then clean up",
}
SHOWN: Final = 50
"""The most lines of one kind that are printed."""


def run_tool(arguments: Sequence[str]) -> int:
    """Run the tool that the first of *arguments* names; return the exit status."""
    given = _read(arguments)
    try:
        data = getattr(given, "data", None)
        registry.use_data(None if data is None else data.resolve())
        return asyncio.run(_RUN[given.tool](given))
    except (BackupError, BadAddress, EmbeddedStoreError, InvalidData) as error:
        return _fail(str(error))
    except Refused:
        return _fail("the store does not answer")
    except OSError as error:
        return _fail(error_text(error))


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="taflhall-server", description=__doc__)
    tools = parser.add_subparsers(dest="tool", required=True)
    parts = {
        name: tools.add_parser(name, help=text, description=text) for name, text in TOOLS.items()
    }
    default = os.environ.get("TAFLHALL_STORE", "embedded:./data")
    shared = argparse.ArgumentParser(add_help=False)
    for part in [shared, *[parts[name] for name in parts if name != "admin"]]:
        part.add_argument("--store", default=default, help=f"the store (default: {default})")
    admin.arguments(parts["admin"], shared)
    parts["backup"].add_argument("--to", type=Path, required=True, help="a folder to create")
    parts["restore"].add_argument(
        "--from", dest="source", type=Path, required=True, help="a backup"
    )
    check = parts["verify-store"]
    folder = os.environ.get("TAFLHALL_DATA")
    for part in (check, parts["drill"]):
        part.add_argument(
            "--data",
            type=Path,
            default=folder,
            help="the server's folder with corrected component data",
        )
    check.add_argument("--against", metavar="STORE", help="also compare with this store")
    check.add_argument("--archive", help="look there for the records of archived matches")
    check.add_argument(
        "--unfreeze", action="store_true", help="lift the freeze of matches that pass"
    )
    check.add_argument(
        "--reindex",
        action="store_true",
        help="index matches that lists or background jobs do not find",
    )
    parts["drill"].add_argument("--work", type=Path, help="where to work (default: temporary)")
    return parser.parse_args(arguments)


async def _backup(given: argparse.Namespace) -> int:
    about = await backup(_folder(given.store), given.to)
    _say(f"backed up {_size(given.to)} to {given.to} in {about['ended'] - about['began']:.2f} s")
    return 0


async def _restore(given: argparse.Namespace) -> int:
    data = _folder(given.store)
    size = restore(given.source, data)
    verify_it = f"taflhall-server verify-store --store {given.store}"
    _say(f"restored {_bytes(size)} to {data}; verify it: {verify_it}")
    return 0


async def _verify(given: argparse.Namespace) -> int:
    archive = _archive(given.archive) if given.archive else None
    store = await _open(given.store)
    try:
        found = await verify(store, archive, given.unfreeze, given.reindex)
        if given.against:
            await _compare(store, given.against, found)
    finally:
        await store.close()
    _print_report(found)
    return 0 if found.sound and not found.differences else 1


async def _admin(given: argparse.Namespace) -> int:
    if given.action == "create-account":  # the first may be made before the first server runs
        _make_folder(given.store)
        store = await open_store(_beside(given.store), Durability.MEMORY)
    else:
        store = await _open(given.store)
    try:
        for line in await admin.run(store, given):
            _say(line)
    except ValueError as error:
        return _fail(str(error))
    finally:
        await store.close()
    return 0


async def _drill(given: argparse.Namespace) -> int:
    """Back up, restore, verify, compare: a copy may be behind a live store, and nothing else."""
    source = _folder(given.store)
    work = Path(tempfile.mkdtemp(prefix="tafl-drill-", dir=given.work))
    started = time.perf_counter()
    try:
        await backup(source, work / "backup")
        copied = time.perf_counter()
        size = restore(work / "backup", work / "data")
        store = await _open(f"embedded:{work / 'data'}")
        restored = time.perf_counter()
        try:
            found = await verify(store)
            await _compare(store, given.store, found)
        finally:
            await store.close()
        verified = time.perf_counter()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    _print_report(found)
    parted = [line for line in found.differences if "another history" in line or "ahead" in line]
    _say(
        f"drill: {_bytes(size)}; backed up in {copied - started:.2f} s, restored and up in "
        f"{restored - copied:.2f} s, verified in {verified - restored:.2f} s"
    )
    return 0 if found.sound and not parted else 1


_RUN: Final = {
    "backup": _backup,
    "restore": _restore,
    "verify-store": _verify,
    "admin": _admin,
    "drill": _drill,
}


def _make_folder(address: str) -> None:
    kind, _, place = address.partition(":")
    if kind == "embedded" and place:
        require_no_file(Path(place))
        Path(place).mkdir(parents=True, exist_ok=True)


def _folder(address: str) -> Path:
    kind, _, place = address.partition(":")
    if kind != "embedded" or not place:
        raise BackupError(
            f"{address} is not embedded. Copy a Redis as deploy/README.md says, then run "
            "taflhall-server verify-store --store redis://THE-COPY --against that store."
        )
    return Path(place)


async def _compare(store: MatchStore, address: str, found: VerifyReport) -> None:
    """Add to *found* where the store at *address* differs from *store*."""
    other = await _open(address)
    try:
        await compare(store, other, found)
    finally:
        await other.close()


async def _open(address: str) -> MatchStore:
    """Open an existing store; an embedded one together with the server that uses it."""
    address = _beside(address)
    kind, _, place = address.partition(":")
    if kind == "embedded":
        require_store(Path(place))
    return await open_store(address, Durability.MEMORY)


def _beside(address: str) -> str:
    """Return the address of a store that a server may be using."""
    kind, _, place = address.partition(":")
    if kind == "memory":
        raise BadAddress("a store in memory belongs to its server, and ends with it")
    if kind != "embedded":
        return address
    require_no_file(Path(place))
    if not Path(place).is_dir():
        raise BackupError(f"there is no folder {place}")
    return running_at(Path(place)) or address


def _archive(address: str) -> RecordArchive:
    """Open an existing archive."""
    if "://" not in address:
        require_no_file(Path(address), "an archive's folder")
        if not Path(address).is_dir():
            raise BadAddress(f"there is no folder {address}")
    return open_archive(address)


def _print_report(found: VerifyReport) -> None:
    for line in [*found.faults[:SHOWN], *found.differences[:SHOWN]]:
        _say(line)
    hidden = max(0, len(found.faults) - SHOWN) + max(0, len(found.differences) - SHOWN)
    if hidden:
        _say(f"... and {hidden} more")
    words = [f"{found.matches} matches, {found.commands} commands replayed"]
    counts = {
        "damaged": len(found.faults),
        "of another release, not checked": found.unknown,
        "frozen": found.frozen,
        "of them by an administrator, left as they are": found.frozen_by_admin,
        "unfrozen": found.unfrozen,
        "missing in an index": found.unlisted,
        "different in the other store": len(found.differences),
    }
    words += [f"{count} {what}" for what, count in counts.items() if count]
    sound = not found.faults and not found.differences
    _say("; ".join(words) + ("; everything that was checked is sound" if sound else ""))


def _size(folder: Path) -> str:
    return _bytes(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()))


def _bytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size} bytes"


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def _fail(text: str) -> int:
    print(f"taflhall-server: {text}", file=sys.stderr, flush=True)  # noqa: T201
    return 2
