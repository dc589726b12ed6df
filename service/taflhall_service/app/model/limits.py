"""The limits of this server, and the checks of names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from unicodedata import category, normalize

from taflhall_service.app.errors import InvalidName
from taflhall_service.app.model.server_bots import SERVER_BOTS

IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that show nothing, such as variation selectors (Default_Ignorable_Code_Point)."""


SECRET_LIKE: Final = re.compile("[A-Za-z0-9_-]{43,}")
"""The shape of a secret of a seat or an API key: 256 bits as text."""


def without_secrets(text: str) -> str:
    """Return *text* from outside as it may be stored or logged: with *** for each secret."""
    return SECRET_LIKE.sub("***", text)


def looks_like(name: str) -> str:
    """Return the same text for names that look the same: Unicode's NFKC_Casefold."""
    return normalize("NFKC", IGNORABLE.sub("", normalize("NFKC", name)).casefold())


@dataclass(frozen=True, slots=True)
class Rates:
    """How many calls of each class a caller may make per second; 0: any number."""

    commands: float = 20_000.0
    joins: float = 2_000.0
    reads: float = 20_000.0
    streams: float = 2_000.0


DEFAULT_RATES: Final = Rates()
"""The limits of a private server: far above what a bot needs at full speed."""

PUBLIC_RATES: Final = Rates(commands=100.0, joins=2.0, reads=100.0, streams=10.0)
"""The limits of a public server."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server; the catalogue states those that callers have to know."""

    request_bytes: int = 64 * 1024
    response_bytes: int = 4 * 1024 * 1024
    name_characters: int = 64
    answers: int = 64
    match_commands: int = 20_000
    match_changes: int = 2_000
    """How often seats and proposals of a match may change."""
    heartbeat_seconds: float = 15.0
    group_delay_seconds: float = 0.01
    """How long a command may wait for others while many are under way."""
    enter_seconds: float = 30.0
    """How long a Play stream may stay open before its first message."""
    engine_plies: int = 20_000
    analysis_iterations: int = 5_000
    """Iterations and trials of one AnalyseRecord, over all its decisions."""
    stream_matches: int = 1_000
    """Matches of one PlayAll stream."""
    streams: int = 20_000
    caller_streams: int = 20_000
    """Streams of one seat, account or, without either, host."""
    host_streams: int = 20_000
    host_connections: int = 20_000
    """Connections of one host over which streams are open."""
    connection_calls: int = 2_000
    """Calls that are open at a time over one connection; the client holds further ones back."""
    connection_streams: int = 20_000
    """Streams among them."""
    write_seconds: float = 30.0
    """How long a client may take to read one message of a stream."""
    delayed_refusals: int = 500
    """Refusals of one caller that wait at a time, the last of them for ten seconds."""
    refusal_delay_seconds: float = 0.02
    """How long a refusal is delayed for each one of its caller that waits already."""
    visible_states: int = 256
    """Beyond this number every other publicly visible state of a match with delayed spectators
    is dropped; its change becomes visible with the next."""
    rates: Rates = DEFAULT_RATES
    accounts_required: bool = False
    """Calls that take memory or work need an account."""
    bots: tuple[str, ...] = tuple(SERVER_BOTS)
    """The bots of the server that may take seats."""

    def name(self, field: str, name: str, least: int = 1, most: int = 0) -> str:
        """Return *name* if it is short, printable and not blank, or raise ``InvalidName``.

        Printable leaves out control, format and bidirectional characters, so that no name can
        make another look different or break a line; nor may it hold letters that show nothing.
        It must not contain text that looks like a secret, because names and reasons are stored and
        shown. A name (*field* ``name``) must not contain spaces that are hard to see: at its ends,
        or several in a row.
        """
        most = most or self.name_characters
        printable = name.isprintable() and (name.isascii() or BLANK.isdisjoint(name))
        too_short = least and (len(name) < least or _is_blank(name))
        if not printable or too_short or len(name) > most:
            expected = f"{least} to {most} printable characters"
        elif field == "name" and name != " ".join(name.split()):
            expected = "no space at the ends, and no two together"
        elif SECRET_LIKE.search(name):
            expected = "no secret in it"
        else:
            return name
        raise InvalidName(field=field, limit=most, expected=expected)

    def retry_key(self, request_id: str) -> str:
        """Return a request id that a secret is derived from: empty, or too long to guess."""
        return self.name("request_id", request_id, GUESSABLE) if request_id else ""


def _is_blank(name: str) -> bool:
    """Return whether a printable *name* shows nothing but spaces and marks."""
    if name.isascii():
        return not name.strip(" ")
    return all(category(c)[0] in "MZ" for c in name)


BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that count as printable and yet show nothing."""

GUESSABLE = 16
"""A request id that gives a secret back has at least this many characters."""
