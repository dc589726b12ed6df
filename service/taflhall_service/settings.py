"""The server's settings: flags, and for each an environment variable ``TAFLHALL_...``.

Each field of :class:`Settings` is one setting, with its default, its help and its bounds; the
command line, the environment and the checks follow from it. What combinations are wrong is in
:func:`problem_of`.
"""

from __future__ import annotations

import argparse
import dataclasses
import ipaddress
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final, get_type_hints

MAX_PORT: Final = 65535
CENTURY: Final = 876_000.0
"""In hours; anything kept longer is kept forever."""
DAY: Final = 86_400.0
"""In seconds."""
BOTS: Final = ("random", "monte-carlo")
"""The bots of the server."""
YES: Final = frozenset({"1", "true", "yes", "on"})
NO: Final = frozenset({"0", "false", "no", "off"})


def _setting(
    default: Any, meaning: str, *bounds: float, choices: Sequence[str] = (), shape: str = "N"
) -> Any:
    """Return a field; *bounds* are the least and the greatest value of a number.

    *shape* stands for the value in the help.
    """
    about = {"help": meaning, "bounds": bounds, "choices": choices, "shape": shape}
    return dataclasses.field(default=default, metadata=about)


def _rate(of: str) -> Any:
    meaning = f"{of} per second and caller; 0: unlimited; -1: the usual rate, lower with --public"
    return _setting(-1.0, meaning, -1e9, 1e9)


def _streams(meaning: str) -> Any:
    return _setting(0, f"{meaning}; 0: the usual limit, lower with --public", 0, 1_000_000)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs."""

    listen: str = _setting(
        "127.0.0.1:50051", "where to listen; port 0 takes a free one", shape="HOST:PORT"
    )
    web: str = _setting(
        "",
        "port for browsers and curl: Connect, gRPC-Web and WebSockets; none if left out",
        shape="HOST:PORT",
    )
    web_origins: str = _setting(
        "",
        "origins whose pages may call that port, such as https://example.org, separated by commas; "
        "*: all; if left out: only pages that come from the same host and port",
        shape="ORIGINS",
    )
    web_page: str = _setting(
        "",
        "folder with a built page, instead of the one in this package; none: no page",
        shape="FOLDER",
    )
    store: str = _setting("embedded:./data", "where matches are stored, see below", shape="ADDRESS")
    durability: str = _setting(
        "",
        "refuse to serve over a store below this level; if left out: disk, memory for memory:",
        choices=("memory", "periodic", "disk", "replicated"),
    )
    workers: int = _setting(1, "processes that share the port", 1, 1024)
    metrics: int = _setting(0, "port for Prometheus metrics; 0: none", 0, MAX_PORT, shape="PORT")
    metrics_host: str = _setting("127.0.0.1", "address on which that port listens", shape="ADDRESS")
    otel: bool = _setting(
        False,
        "send traces and metrics over OTLP to where the variables OTEL_... of OpenTelemetry say",
    )
    accounts: str = _setting(
        "optional",
        "required: creating, joining and using the engine need an account",
        choices=("optional", "required"),
    )
    admin: str = _setting(
        "",
        "port for AdminService, none if left out; loopback, unless --admin-tls-client-ca",
        shape="HOST:PORT",
    )
    tls_cert: str = _setting("", "certificate chain (PEM): the port uses TLS", shape="FILE")
    tls_key: str = _setting("", "its private key (PEM)", shape="FILE")
    tls_client_ca: str = _setting(
        "", "clients show certificates that this authority (PEM) signed", shape="FILE"
    )
    admin_tls_cert: str = _setting(
        "", "certificate chain (PEM) of the administrators' port", shape="FILE"
    )
    admin_tls_key: str = _setting("", "its private key (PEM)", shape="FILE")
    admin_tls_client_ca: str = _setting(
        "", "administrators show certificates that this authority (PEM) signed", shape="FILE"
    )
    rate_commands: float = _rate("commands")
    rate_joins: float = _rate("joins")
    rate_reads: float = _rate("reads")
    rate_streams: float = _rate("streams")
    caller_streams: int = _streams("open streams of one seat or account")
    host_streams: int = _streams("open streams of one host")
    host_connections: int = _streams("connections of one host that carry open streams")
    behind_proxy: bool = _setting(
        False,
        "a caller's host is the last that x-forwarded-for names: only where every call comes "
        "through a proxy that adds it",
    )
    bot_share: float = _setting(
        0.25, "share of one core that the bots of a process use, such as stand-ins", 0.01, 256
    )
    analysis_share: float = _setting(
        0.25, "share of one core that a process uses for AnalyseRecord", 0.01, 256
    )
    bots: str = _setting(
        ",".join(BOTS),
        "bots that may take seats (AddBot), separated by commas; none: no bot may",
        shape="NAMES",
    )
    data: str = _setting(
        "", "folder with corrected component data, see docs/rules.md", shape="FOLDER"
    )
    public: bool = _setting(
        False, "for the open internet: no reflection, and lower limits of calls and streams"
    )
    archive: str = _setting(
        "",
        "folder or bucket (s3://BUCKET/PATH, gs://, az://) for the records of finished matches; "
        "without one no match is ever deleted",
        shape="PLACE",
    )
    keep_finished: float = _setting(
        24.0, "hours that the store keeps a match once its record is archived", 0, CENTURY
    )
    prune_above: int = _setting(
        0,
        "MB of the store's memory above which archived matches are deleted before these hours are "
        "over, the oldest first; 0: never",
        0,
        1_000_000_000,
    )
    abandon_after: float = _setting(
        720.0, "hours without any change after which a match is abandoned; 0: never", 0, CENTURY
    )
    self_check: bool = _setting(True, "replay one match per second and compare it with the store")
    heartbeat: float = _setting(15.0, "seconds of silence before a stream's heartbeat", 0.01, DAY)
    tables: int = _setting(2000, "tables that a process keeps in memory", 1, 100_000_000)
    group_delay: float = _setting(
        10.0,
        "milliseconds that a command given by a call may wait for others while many are under "
        "way, so that they cost less together; 0: none waits",
        0,
        1000,
    )
    drain_delay: float = _setting(
        0.0, "seconds between SIGTERM and closing, for routers to notice", 0, DAY
    )
    grace: float = _setting(5.0, "seconds that calls under way get when closing", 0, DAY)
    log_level: str = _setting(
        "info", "the least level that is logged", choices=("debug", "info", "warning", "error")
    )


def read_settings(
    arguments: Sequence[str] | None = None,
    environment: Mapping[str, str] = os.environ,
    epilog: str = "",
) -> Settings:
    """Return the settings of a command line; missing ones come from *environment*.

    Print the fault and exit with status 2 if no server can run with them; *epilog* ends the help.
    """
    parser = argparse.ArgumentParser(
        prog="taflhall-server",
        usage="taflhall-server [--SETTING VALUE ...]\n       taflhall-server TOOL ...\n"
        "       taflhall-server --help lists settings, stores and tools",
        description="Host matches over gRPC.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=epilog,
    )
    parser.add_argument(
        "--version", action="version", version=f"taflhall-server {version('taflhall')}"
    )
    types = get_type_hints(Settings)
    for field in dataclasses.fields(Settings):
        _add(parser, field, types[field.name], environment)
    given = vars(parser.parse_args(arguments))
    given["durability"] = given["durability"] or (
        "memory" if given["store"] == "memory:" else "disk"
    )
    settings = Settings(**given)
    if problem := problem_of(settings):
        parser.error(problem)
    return settings


def _add(
    parser: argparse.ArgumentParser,
    field: dataclasses.Field[Any],
    kind: type,
    environment: Mapping[str, str],
) -> None:
    flag, variable = _flag(field.name), f"TAFLHALL_{field.name.upper()}"
    found = environment.get(variable, "").strip() or None
    shown = "" if field.default == "" else f" (default: {field.default})"
    text = f"{field.metadata['help']}{shown}; {variable}"
    if kind is bool:
        if found and found.lower() not in YES | NO:
            parser.error(f"{variable} is 1, true, yes or on, or 0, false, no or off")
        default = found.lower() in YES if found else field.default
        parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=default, help=text)
    else:
        if found and kind is not str and not _is_a(kind, found):
            parser.error(f"{variable} is a number, not {found!r}")
        choices = field.metadata["choices"]
        shown_value = "{" + ",".join(choices) + "}" if choices else field.metadata["shape"]
        parser.add_argument(
            flag, default=found or field.default, type=kind, metavar=shown_value, help=text
        )


def problem_of(settings: Settings) -> str:
    """Return why no server can run with *settings*; empty if one can."""
    for field in dataclasses.fields(settings):
        value, flag = getattr(settings, field.name), _flag(field.name)
        choices, bounds = field.metadata["choices"], field.metadata["bounds"]
        if choices and value not in choices:
            return f"{flag} is one of {', '.join(choices)}"
        if bounds and not bounds[0] <= value <= bounds[1]:
            return f"{flag} is {max(bounds[0], 0):g} to {bounds[1]:.15g}, not {value:g}"
    if settings.workers > 1 and settings.store == "memory:":
        return "a store in memory serves one process: leave out --workers"
    for flag, address in (
        ("--listen", settings.listen),
        ("--admin", settings.admin or ":0"),
        ("--web", settings.web or ":0"),
    ):
        if not _is_port(address.rpartition(":")[2]):
            return f"{flag} is HOST:PORT"
    if not settings.listen.rpartition(":")[0]:
        return "--listen is HOST:PORT; 0.0.0.0 and [::] are all addresses of this machine"
    for tls, cert, key, ca in (
        ("--tls", settings.tls_cert, settings.tls_key, settings.tls_client_ca),
        (
            "--admin-tls",
            settings.admin_tls_cert,
            settings.admin_tls_key,
            settings.admin_tls_client_ca,
        ),
    ):
        if bool(cert) != bool(key) or (ca and not cert):
            return f"TLS needs a certificate and its key: {tls}-cert and {tls}-key"
    if settings.prune_above and not settings.archive:
        return "only archived matches are deleted: --prune-above needs --archive"
    if strange := [bot for bot in bots_of(settings) if bot not in BOTS]:
        return f"--bots names some of {', '.join(BOTS)}, or none; not {strange[0]!r}"
    host = settings.admin.rpartition(":")[0].strip("[]")
    if settings.admin and not settings.admin_tls_client_ca and not _is_loopback(host):
        return "--admin listens on 127.0.0.1, or clients show certificates: --admin-tls-client-ca"
    return ""


def bots_of(settings: Settings) -> tuple[str, ...]:
    """Return the bots that may take seats."""
    names = [] if settings.bots == "none" else settings.bots.split(",")
    return tuple(name.strip() for name in names)


def _flag(field: str) -> str:
    return "--" + field.replace("_", "-")


def _is_a(kind: type, text: str) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) <= MAX_PORT
