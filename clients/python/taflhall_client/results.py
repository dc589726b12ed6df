"""Results of the client: matches, decisions and updates in the engine's own values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any

from taflhall_client.bot import Decision
from taflhall_client.clocks import SeatClock, TimeControl
from taflhall_client.spectators import PUBLIC, SpectatorSettings
from taflhall_engine.kernel.agenda import Command, Event, Refusal
from taflhall_engine.kernel.game import Result, View


class Status(Enum):
    """How far a match is."""

    UNKNOWN = 0
    OPEN = 1
    PLAYING = 2
    FINISHED = 3
    ABANDONED = 4
    """It was ended without a winner."""


class SeatFilter(Enum):
    """Which seats a match must have to be listed."""

    ANY = 0
    FREE = 1
    """A free one."""
    TO_DECIDE = 2
    """One that the account asked for answers for, with a decision pending."""
    INVITED = 3
    """One that is reserved for the account asked for."""


class Durability(Enum):
    """Durability of acknowledged commands; each level survives all that the previous one does."""

    UNKNOWN = 0
    MEMORY = 1
    PERIODIC = 2
    DISK = 3
    REPLICATED = 4


class SeatKind(Enum):
    """A seat and its player."""

    FREE = 0
    PERSON = 1
    BOT = 2


class Restart(Enum):
    """Why a watch starts over with a snapshot."""

    BEGIN = 0
    """No resume token was given."""
    COMPACTED = 1
    """The events in between are no longer kept."""
    HISTORY_REWOUND = 2
    """The store lost the history that was sent when it failed over."""
    SEATS_CHANGED = 3
    """Something other than the table changed: the seats, the proposal or the clocks."""


class Reaction(Enum):
    """Something that a seat says to the others."""

    UNKNOWN = 0
    HELLO = 1
    GOOD_LUCK = 2
    WELL_PLAYED = 3
    THANKS = 4
    OOPS = 5
    WOW = 6
    THINKING = 7
    GOOD_GAME = 8


class AnswerGrade(Enum):
    """How bad an answer was."""

    UNKNOWN = 0
    SOUND = 1
    """It gave nothing away, little, or nothing that is beyond doubt."""
    INACCURACY = 2
    """It gave away at least 0.05 of a win."""
    MISTAKE = 3
    """At least 0.1."""
    BLUNDER = 4
    """At least 0.15."""


@dataclass(frozen=True, slots=True)
class SeatReaction:
    """A reaction of a seat."""

    seat: int
    reaction: Reaction


@dataclass(frozen=True, slots=True)
class SeatPresence:
    """Whether the player of a seat is there."""

    seat: int
    connected: bool
    """A stream of its holder or deputy is open, or a bot of the server holds it."""
    last_seen: datetime | None
    """When such a stream was last known to be open; ``None``: not for a week."""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game of a server."""

    id: str
    title: str
    min_seats: int
    max_seats: int
    cooperative: bool
    rules_version: str
    data_digest: str
    setup: dict[str, Any]
    """The setup's fields with their defaults, in words."""
    bots: Mapping[str, str] = field(default_factory=dict)
    """The bots of the server that play it: how each plays, by its id."""


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A place at the table."""

    seat: int
    name: str
    """The player's name; empty if the seat is free."""
    kind: SeatKind
    resigned: bool
    """It has resigned, or has lost because its time ran out."""
    deputy: bool = False
    """The name is that of a deputy, who acts until the seat's holder takes it back."""
    stand_in: bool = False
    """A server-side stand-in acts until the seat's holder is back."""
    account: str = ""
    """The account that sits there; empty without one."""
    bot: str = ""
    """The bot of the server that holds the seat; empty if none does."""
    invited: str = ""
    """The account that the free seat is reserved for; empty if it is for all."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A seat's proposal, pending until all agree, one refuses or an answer is given."""

    proposal_id: str
    seat: int
    to_revision: int | None
    """Take answers back to this revision; ``None``: end the match without a winner."""
    agreed: list[int]
    """The seats that agree."""
    wanted: list[int]
    """The seats that are still to agree."""


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """Public information about a match, without its table."""

    match_id: str
    game: str
    title: str
    setup: Any
    """The engine's setup of the game; ``None`` if this client does not know the game."""
    status: Status
    revision: int
    """How many commands have been given."""
    seats: list[SeatInfo]
    rules_version: str
    data_digest: str
    secret_digest: str
    """SHA-256 of the secret that all random numbers come from, in hex: known from the start."""
    secret: str
    """The secret in hex; only once the match is over."""
    result: Result | None
    created: datetime
    updated: datetime
    """When it last changed."""
    started: datetime | None
    """``None`` before the start."""
    ended: datetime | None
    """``None`` before the end."""
    time_control: TimeControl | None = None
    """How much time the seats have; ``None``: as much as they like."""
    clocks: list[SeatClock] = field(default_factory=list)
    """The clock of each seat; empty before the start and without clocks."""
    spectators: SpectatorSettings = PUBLIC
    """Who may watch the match without playing in it."""
    creator_account: str = ""
    """The id of the account that created it; empty without one."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What its creator has noted about it."""
    proposal: Proposal | None = None
    """The current proposal, or ``None``."""
    next_match: str = ""
    """The id of its rematch; empty without one."""
    previous_match: str = ""
    """The id of the match that it is the rematch of; empty if it is not a rematch."""

    @property
    def finished(self) -> bool:
        """Whether the match is over."""
        return self.status in (Status.FINISHED, Status.ABANDONED)


@dataclass(frozen=True, slots=True)
class State:
    """A match as its caller may see it."""

    match: MatchInfo
    decisions: list[Decision]
    view: View | None
    resume_token: str
    presence: list[SeatPresence] = field(default_factory=list)
    """Which players are there, if asked for and the caller sees the match without a delay."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """The result of an answer, or of a list of answers."""

    revision: int
    applied: int
    """How many were applied."""
    refusal: Refusal | None
    """Why the next one was not; ``None`` if all were."""
    replayed: bool
    """The same request had been answered before; nothing happened twice."""
    durability: Durability
    events: list[Event]
    decision: Decision | None
    """The seat's next decision, if one is pending now."""
    status: Status
    resume_token: str


@dataclass(frozen=True, slots=True)
class Explained:
    """Whether a command is legal now, and why not."""

    legal: bool
    refusal: Refusal | None
    rule_text: str


@dataclass(frozen=True, slots=True)
class Update:
    """One message of a watch: one command's events, or the match as it is.

    One with presence or a reaction says nothing else: it has no events and no decisions.
    """

    revision: int
    events: list[Event]
    """The events in order; empty when :attr:`restart` is set."""
    decisions: list[Decision]
    """The pending decisions."""
    view: View | None
    status: Status
    resume_token: str
    match: MatchInfo | None = None
    """The match: at the beginning, after a :attr:`restart` and at the end."""
    restart: Restart | None = None
    """Set if everything known before is void and this update starts over."""
    clocks: list[SeatClock] = field(default_factory=list)
    """The clocks now; empty in a match without clocks."""
    presence: list[SeatPresence] = field(default_factory=list)
    """Which players are there now: at the beginning and after each change, if asked for."""
    reaction: SeatReaction | None = None
    """A reaction of a seat, if asked for."""


@dataclass(frozen=True, slots=True)
class RevisionEvents:
    """What happened at one revision of a match, as a viewer may know it."""

    revision: int
    events: list[Event]
    status: Status
    time: datetime
    """When it happened, by the store's clock."""


@dataclass(frozen=True, slots=True)
class PastView:
    """A seat's view at an earlier revision."""

    revision: int
    view: View
    decisions: list[Decision]
    events: list[Event]


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """What an answer in a finished match was worth, by search from its seat's own view.

    Expected results run from 0 (lost) to 1 (won alone).
    """

    revision: int
    """That of the answer: the first command of a match has revision 1."""
    seat: int
    chosen: list[Command[Any]]
    """The answer that was given: its steps."""
    best: list[Command[Any]]
    """The best answer that was found: its steps, as far as the search knows them."""
    expected_before: float
    """What the seat could expect with the best answer."""
    expected_after: float
    """What it could expect with its own."""
    standard_error: float
    """That of the difference."""
    grade: AnswerGrade

    @property
    def loss(self) -> float:
        """What the answer gave away."""
        return self.expected_before - self.expected_after
