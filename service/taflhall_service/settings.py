"""The server's settings: flags, and for each an environment variable ``TAFLHALL_...``."""

from __future__ import annotations

import argparse
import ipaddress
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taflhall_service.app.limits import Limits
from taflhall_service.app.rates import OPEN, PUBLIC, Rates
from taflhall_service.app.storage import Durability
from taflhall_service.operate.command import TOOLS
from taflhall_service.rpc.tls import Tls
from taflhall_service.store import address as store_address

MAX_PORT = 65535


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs."""

    listen: str = "127.0.0.1:50051"
    store: str = "embedded:./data"
    durability: Durability = Durability.DISK
    workers: int = 1
    public: bool = False
    metrics: int = 0
    metrics_host: str = "127.0.0.1"
    accounts: str = "optional"
    admin: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    tls_client_ca: str = ""
    admin_tls_cert: str = ""
    admin_tls_key: str = ""
    admin_tls_client_ca: str = ""
    rate_commands: float = -1.0
    rate_joins: float = -1.0
    rate_reads: float = -1.0
    rate_streams: float = -1.0
    caller_streams: int = 0
    host_streams: int = 0
    host_connections: int = 0
    behind_proxy: bool = False
    archive: str = ""
    keep_finished: float = 24.0
    abandon_after: float = 720.0
    self_check: bool = True
    heartbeat: float = 15.0
    tables: int = 2000
    pause: float = 0.0
    grace: float = 5.0
    log_level: str = "info"

    @property
    def tls(self) -> Tls | None:
        """How the port of the game is secured; ``None``: it is in the clear."""
        return _tls(self.tls_cert, self.tls_key, self.tls_client_ca)

    @property
    def admin_tls(self) -> Tls | None:
        """How the administrators' port is secured."""
        return _tls(self.admin_tls_cert, self.admin_tls_key, self.admin_tls_client_ca)

    @property
    def limits(self) -> Limits:
        usual = PUBLIC if self.public else OPEN
        few = self.public
        return Limits(
            heartbeat_seconds=self.heartbeat,
            caller_streams=self.caller_streams or (64 if few else 20_000),
            host_streams=self.host_streams or (500 if few else 20_000),
            host_connections=self.host_connections or (100 if few else 20_000),
            rates=Rates(
                commands=_rate(self.rate_commands, usual.commands),
                joins=_rate(self.rate_joins, usual.joins),
                reads=_rate(self.rate_reads, usual.reads),
                streams=_rate(self.rate_streams, usual.streams),
            ),
            accounts_required=self.accounts == "required",
        )


def _tls(cert: str, key: str, client_ca: str) -> Tls | None:
    return Tls(Path(cert), Path(key), Path(client_ca) if client_ca else None) if cert else None


def _rate(given: float, usual: float) -> float:
    return usual if given < 0 else given


def read_settings(arguments: Sequence[str] | None = None) -> Settings:
    """Return the settings of a command line; what it leaves out comes from the environment."""
    parser = argparse.ArgumentParser(
        prog="taflhall-server",
        description="Host matches over gRPC.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="stores:\n"
        + _plain((store_address.__doc__ or "").partition("\n\n")[2])
        + "\ntools, each with --help of its own:\n"
        + "".join(f"  taflhall-server {name:<14}{what}\n" for name, what in TOOLS.items()),
    )
    d = Settings()
    levels = [level.name.lower() for level in Durability]
    _add(parser, "--listen", d.listen, "HOST:PORT to listen at; port 0 takes a free one")
    _add(parser, "--store", d.store, "where matches are kept, see below")
    _add(
        parser,
        "--durability",
        "",
        f"refuse to start below this: {', '.join(levels)} (default: disk, memory for memory:)",
    )
    _add(parser, "--workers", d.workers, "processes that share the port")
    _add(parser, "--metrics", d.metrics, "port for Prometheus metrics; 0: none")
    _add(parser, "--metrics-host", d.metrics_host, "address at which that port listens")
    _add(
        parser,
        "--accounts",
        d.accounts,
        "optional: anybody may play; required: who creates, joins or uses the engine needs one",
    )
    _add(
        parser,
        "--admin",
        d.admin,
        "HOST:PORT for AdminService, none if left out; loopback, unless clients show certificates",
    )
    for port, whose in (("", "the port"), ("admin-", "the administrators' port")):
        _add(parser, f"--{port}tls-cert", "", f"certificate chain (PEM): {whose} speaks TLS")
        _add(parser, f"--{port}tls-key", "", "its private key (PEM)")
        _add(parser, f"--{port}tls-client-ca", "", "clients show certificates that it signed")
    for what, rate, public in (
        ("commands", OPEN.commands, PUBLIC.commands),
        ("joins", OPEN.joins, PUBLIC.joins),
        ("reads", OPEN.reads, PUBLIC.reads),
        ("streams", OPEN.streams, PUBLIC.streams),
    ):
        meaning = f"{what} a second of one caller, 0: any number; below 0: {rate:g}, or {public:g}"
        _add(parser, f"--rate-{what}", -1.0, f"{meaning} with --public")
    for flag, whom in (
        ("--caller-streams", "of one seat or account; 0: 20000, or 64 with --public"),
        ("--host-streams", "of one host; 0: 20000, or 500 with --public"),
        ("--host-connections", "of one host may lie on so many connections; 0: 20000, or 100"),
    ):
        _add(parser, flag, 0, f"open streams {whom}")
    _add(
        parser,
        "--archive",
        d.archive,
        "folder or bucket (s3://BUCKET/PATH, gs://, az://) for the records of finished matches; "
        "without one no match is ever forgotten",
    )
    _add(
        parser,
        "--keep-finished",
        d.keep_finished,
        "hours that the store keeps a match once its record is in the archive",
    )
    _add(
        parser,
        "--abandon-after",
        d.abandon_after,
        "hours without an answer after which a match is given up; 0: never",
    )
    _add(parser, "--heartbeat", d.heartbeat, "seconds of silence until a stream says it is alive")
    _add(parser, "--tables", d.tables, "tables that a process keeps in memory")
    _add(parser, "--pause", d.pause, "seconds between SIGTERM and closing, for routers to notice")
    _add(parser, "--grace", d.grace, "seconds for what is under way when closing")
    _add(parser, "--log-level", d.log_level, "debug, info, warning or error")
    parser.add_argument(
        "--public",
        action="store_true",
        default=os.environ.get("TAFLHALL_PUBLIC", "") in ("1", "true", "yes"),
        help="for the open internet: no reflection, and lower limits of calls and streams",
    )
    parser.add_argument(
        "--behind-proxy",
        action="store_true",
        default=os.environ.get("TAFLHALL_BEHIND_PROXY", "") in ("1", "true", "yes"),
        help="a caller's host is the last that x-forwarded-for names: only where every call comes "
        "through a proxy that adds it; TAFLHALL_BEHIND_PROXY",
    )
    parser.add_argument(
        "--no-self-check",
        dest="self_check",
        action="store_false",
        default=os.environ.get("TAFLHALL_SELF_CHECK", "") not in ("0", "false", "no"),
        help="do not fold a match anew every second to compare it with what is stored",
    )
    given = vars(parser.parse_args(arguments))
    level = given.pop("durability") or ("memory" if given["store"] == "memory:" else "disk")
    if level not in levels:
        parser.error(f"--durability is one of {', '.join(levels)}")
    _check_numbers(parser, given)
    _check_doors(parser, given)
    return Settings(durability=Durability[level.upper()], **given)


def _plain(table: str) -> str:
    """Return a table of a docstring without its markup."""
    rows = [row for row in table.splitlines() if row and not row.startswith("==")]
    return "".join(f"  {row.replace('``', '')}\n" for row in rows)


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _add(parser: argparse.ArgumentParser, flag: str, default: object, meaning: str) -> None:
    name = "TAFLHALL_" + flag.lstrip("-").replace("-", "_").upper()
    found = os.environ.get(name, default)
    shown = f" (default: {default})" if default != "" else ""
    parser.add_argument(flag, default=found, type=type(default), help=f"{meaning}{shown}; {name}")


def _check_numbers(parser: argparse.ArgumentParser, given: dict[str, Any]) -> None:
    if given["keep_finished"] < 0:
        parser.error("--keep-finished is 0 or more")
    if given["abandon_after"] < 0:
        parser.error("--abandon-after is 0 or more")
    for name in ("pause", "grace"):
        if not 0 <= given[name] < math.inf:
            parser.error(f"--{name} is 0 or more")
    if not 0 < given["heartbeat"] < math.inf:
        parser.error("--heartbeat is more than 0")
    if given["tables"] < 1:
        parser.error("--tables is 1 or more")
    if not 0 <= given["metrics"] <= MAX_PORT:
        parser.error("--metrics is a port")
    if given["workers"] < 1:
        parser.error("--workers is 1 or more")
    if given["workers"] > 1 and given["store"] == "memory:":
        parser.error("a store in memory serves one process: leave out --workers")


def _check_doors(parser: argparse.ArgumentParser, given: dict[str, Any]) -> None:
    _, _, port = given["listen"].rpartition(":")
    if not port.isdigit() or int(port) > MAX_PORT:
        parser.error("--listen is HOST:PORT")
    if given["accounts"] not in ("optional", "required"):
        parser.error("--accounts is optional or required")
    _, _, port = (given["admin"] or ":0").rpartition(":")
    if not port.isdigit() or int(port) > MAX_PORT:
        parser.error("--admin is HOST:PORT")
    for door in ("", "admin_"):
        cert, key, ca = (given[f"{door}tls_{part}"] for part in ("cert", "key", "client_ca"))
        if bool(cert) != bool(key) or (ca and not cert):
            parser.error("TLS needs a certificate and its key: --tls-cert and --tls-key")
    host = given["admin"].rpartition(":")[0].strip("[]")
    if given["admin"] and not given["admin_tls_client_ca"] and not _loopback(host):
        parser.error(
            "--admin listens at 127.0.0.1, or clients show certificates: --admin-tls-client-ca"
        )
