"""The server's settings: flags, and for each an environment variable ``TAFLHALL_...``."""

from __future__ import annotations

import argparse
import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from taflhall_service.app.access.rate_limits import OPEN, PUBLIC, Rates
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.ports.match_store import Durability
from taflhall_service.operate.command import TOOLS
from taflhall_service.rpc.tls import Tls
from taflhall_service.store import address as store_address

MAX_PORT: Final = 65535

CENTURY: Final = 876_000.0
"""In hours: whatever is kept longer is kept for ever."""

DAY: Final = 86_400.0

BOUNDS: Final = {
    "workers": (1, 1024),
    "metrics": (0, MAX_PORT),
    "caller_streams": (0, 1_000_000),
    "host_streams": (0, 1_000_000),
    "host_connections": (0, 1_000_000),
    "rate_commands": (-1e9, 1e9),
    "rate_joins": (-1e9, 1e9),
    "rate_reads": (-1e9, 1e9),
    "rate_streams": (-1e9, 1e9),
    "keep_finished": (0, CENTURY),
    "abandon_after": (0, CENTURY),
    "heartbeat": (0.01, DAY),
    "tables": (1, 100_000_000),
    "drain_delay": (0, DAY),
    "grace": (0, DAY),
}
"""The least and the most that a number may be."""

YES: Final = frozenset({"1", "true", "yes", "on"})
NO: Final = frozenset({"0", "false", "no", "off"})
LOG_LEVELS: Final = ("debug", "info", "warning", "error")


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
    drain_delay: float = 0.0
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
        "hours without any change after which a match is given up, looked for every half hour to "
        "hour; 0: never",
    )
    _add(parser, "--heartbeat", d.heartbeat, "seconds of silence until a stream says it is alive")
    _add(parser, "--tables", d.tables, "tables that a process keeps in memory")
    _add(
        parser,
        "--drain-delay",
        d.drain_delay,
        "seconds between SIGTERM and closing, for routers to notice",
    )
    _add(parser, "--grace", d.grace, "seconds for what is under way when closing")
    _add(parser, "--log-level", d.log_level, "debug, info, warning or error")
    _switch(
        parser,
        "--public",
        d.public,
        "for the open internet: no reflection, and lower limits of calls and streams",
    )
    _switch(
        parser,
        "--behind-proxy",
        d.behind_proxy,
        "a caller's host is the last that x-forwarded-for names: only where every call comes "
        "through a proxy that adds it",
    )
    _switch(
        parser,
        "--self-check",
        d.self_check,
        "do not fold a match anew every second to compare it with what is stored",
    )
    given = vars(parser.parse_args(arguments))
    level = given.pop("durability") or ("memory" if given["store"] == "memory:" else "disk")
    if level not in levels:
        parser.error(f"--durability is one of {', '.join(levels)}")
    if given["log_level"] not in LOG_LEVELS:
        parser.error(f"--log-level is one of {', '.join(LOG_LEVELS)}")
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


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) <= MAX_PORT


def _field(flag: str) -> str:
    """Return the field of the settings that a flag sets; its variable is TAFLHALL_ and that."""
    return flag.lstrip("-").replace("-", "_")


def _add(parser: argparse.ArgumentParser, flag: str, default: object, meaning: str) -> None:
    name = f"TAFLHALL_{_field(flag).upper()}"
    found = os.environ.get(name, default)
    shown = f" (default: {default})" if default != "" else ""
    parser.add_argument(flag, default=found, type=type(default), help=f"{meaning}{shown}; {name}")


def _switch(parser: argparse.ArgumentParser, flag: str, default: bool, meaning: str) -> None:
    """Add a flag that turns *default* over; its variable says yes or no."""
    field = _field(flag)
    name = f"TAFLHALL_{field.upper()}"
    found = os.environ.get(name, "").strip().lower()
    if found and found not in YES | NO:
        parser.error(f"{name} is 1, true, yes or on, or 0, false, no or off")
    value = found in YES if found else default
    spelled = flag.replace("--", "--no-", 1) if default else flag
    action = "store_false" if default else "store_true"
    told = f"{meaning}; {name}={int(not default)}"
    parser.add_argument(spelled, dest=field, action=action, default=value, help=told)


def _check_numbers(parser: argparse.ArgumentParser, given: dict[str, Any]) -> None:
    for name, (least, most) in BOUNDS.items():
        if not least <= given[name] <= most:
            flag = "--" + name.replace("_", "-")
            parser.error(f"{flag} is {max(least, 0):g} to {most:.15g}, not {given[name]:g}")
    if given["workers"] > 1 and given["store"] == "memory:":
        parser.error("a store in memory serves one process: leave out --workers")


def _check_doors(parser: argparse.ArgumentParser, given: dict[str, Any]) -> None:
    _, _, port = given["listen"].rpartition(":")
    if not _is_port(port):
        parser.error("--listen is HOST:PORT")
    if given["accounts"] not in ("optional", "required"):
        parser.error("--accounts is optional or required")
    _, _, port = (given["admin"] or ":0").rpartition(":")
    if not _is_port(port):
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
