"""The client for programs that do not use asyncio: the same shape, blocking.

::

    with Client("localhost:50051") as client:
        match = client.create("yggdrasil", {"seats": 1})
        seat = match.join("Ann")
        match.start()
        while decision := seat.decision():
            seat.submit(decision.options[0])

Behind it runs :mod:`taflhall_client.async_client` on an event loop in a thread of its own. A client
may be used from several threads.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any, Final, Self

import grpc

from taflhall_client import async_client
from taflhall_client.backoff import Timing
from taflhall_client.bot import Bot, Decision
from taflhall_client.bot_calls import OnFailure, Proposals
from taflhall_client.clocks import TimeControl
from taflhall_client.lobby_loop import LobbyUpdate
from taflhall_client.loop_thread import LoopThread
from taflhall_client.messages import Choice
from taflhall_client.play_all_loop import BotOffer, NewBot, PlayedMatch
from taflhall_client.results import (
    Explained,
    GameInfo,
    JudgedAnswer,
    MatchInfo,
    PastView,
    Proposal,
    Reaction,
    RevisionEvents,
    SeatFilter,
    SeatKind,
    State,
    Status,
    Submitted,
    Update,
)
from taflhall_client.spectators import PUBLIC, SpectatorSettings
from taflhall_client.sync_tournaments import Tournaments
from taflhall_client.tls import TLS
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.value import Value


class Client:
    """A connection to a server; see :class:`taflhall_client.async_client.Client`."""

    def __init__(
        self,
        address: str,
        *,
        deadline: float = 30.0,
        connect_deadline: float = 5.0,
        timing: Timing = Timing(),  # noqa: B008  (it is immutable)
        key: str | None = None,
        tls: TLS | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        game: Callable[[str], Game] = registry.game,
    ) -> None:
        self._loop: Final = LoopThread()
        self.game: Final = game

        async def connect() -> async_client.Client:
            return async_client.Client(
                address,
                deadline=deadline,
                connect_deadline=connect_deadline,
                timing=timing,
                key=key,
                tls=tls,
                credentials=credentials,
                game=game,
            )

        try:
            self._client: Final = self._loop.run(connect())
        except BaseException:
            self._loop.stop()
            raise
        self.tournaments: Final = Tournaments(self._loop, self._client.tournaments)
        """The tournaments that the server runs."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; open streams end."""
        self._loop.run(self._client.close())
        self._loop.stop()

    def games(self) -> list[GameInfo]:
        """Return the games of the server."""
        return self._loop.run(self._client.games())

    def create(
        self,
        game: str,
        setup: Value | Mapping[str, Any] | None = None,
        *,
        title: str = "",
        start_when_full: bool = False,
        time_control: TimeControl | None = None,
        spectators: SpectatorSettings = PUBLIC,
        labels: Mapping[str, str] | None = None,
        unlisted: bool = False,
        invitation_required: bool = False,
    ) -> Match:
        """Open a match; the :class:`Match` returned may start it."""
        work = self._client.create(
            game,
            setup,
            title=title,
            start_when_full=start_when_full,
            time_control=time_control,
            spectators=spectators,
            labels=labels,
            unlisted=unlisted,
            invitation_required=invitation_required,
        )
        return Match(self._loop, self._loop.run(work))

    def find_match(
        self,
        game: str,
        name: str,
        setup: Value | Mapping[str, Any] | None = None,
        *,
        time_control: TimeControl | None = None,
        spectators: SpectatorSettings = PUBLIC,
        labels: Mapping[str, str] | None = None,
        kind: SeatKind = SeatKind.PERSON,
    ) -> Match:
        """Sit down at an open match that fits, or at a new one; it starts when it is full."""
        work = self._client.find_match(
            game,
            name,
            setup,
            time_control=time_control,
            spectators=spectators,
            labels=labels,
            kind=kind,
        )
        return Match(self._loop, self._loop.run(work))

    def join_by_code(self, code: str, name: str, kind: SeatKind = SeatKind.PERSON) -> Match:
        """Take the lowest free seat of the match with a join code."""
        return Match(self._loop, self._loop.run(self._client.join_by_code(code, name, kind)))

    def watch_lobby(
        self,
        game: str = "",
        status: Status = Status.UNKNOWN,
        *,
        labels: Mapping[str, str] | None = None,
        text: str = "",
        patience: float = 300.0,
    ) -> Generator[LobbyUpdate, None, None]:
        """Yield what changes among the matches that pass the filter; reconnect after a failure."""
        updates = self._client.watch_lobby(
            game, status, labels=labels, text=text, patience=patience
        )
        yield from self._loop.iterate(updates)

    def play_all(
        self,
        new_bot: NewBot,
        *,
        seats: Iterable[Match] = (),
        offer: BotOffer | None = None,
        on_failure: OnFailure = "neutral",
        in_thread: bool = True,
        think_seconds: float | None = None,
        patience: float = 300.0,
        proposals: Proposals = "agree",
        events: bool = False,
    ) -> Generator[PlayedMatch, None, None]:
        """Let bots play in many matches over one stream; yield each that enters or leaves."""
        played = self._client.play_all(
            new_bot,
            seats=[self._client.match(match.match_id, match.secret) for match in seats],
            offer=offer,
            on_failure=on_failure,
            in_thread=in_thread,
            think_seconds=think_seconds,
            patience=patience,
            proposals=proposals,
            events=events,
        )
        yield from self._loop.iterate(played)

    def analyse(
        self,
        record: Mapping[str, Any],
        *,
        first_revision: int = 1,
        iterations: int = 100,
        trials: int = 30,
        seed: int = 0,
    ) -> Generator[JudgedAnswer, None, None]:
        """Let the server judge the decisions of a finished match, and yield each as it is judged.

        See :meth:`taflhall_client.async_client.Client.analyse`.
        """
        judged = self._client.analyse(
            record, first_revision=first_revision, iterations=iterations, trials=trials, seed=seed
        )
        yield from self._loop.iterate(judged)

    def match(self, match_id: str, secret: str | None = None) -> Match:
        """Return the match of that id, to act with *secret* or to watch without."""
        return Match(self._loop, self._client.match(match_id, secret))

    def matches(
        self,
        game: str = "",
        status: Status = Status.UNKNOWN,
        limit: int = 50,
        *,
        account: str = "",
        creator: str = "",
        seat: SeatFilter = SeatFilter.ANY,
        labels: Mapping[str, str] | None = None,
        text: str = "",
        oldest_first: bool = False,
    ) -> list[MatchInfo]:
        """Return the newest matches, at most *limit*, that pass every filter given."""
        work = self._client.matches(
            game,
            status,
            limit,
            account=account,
            creator=creator,
            seat=seat,
            labels=labels,
            text=text,
            oldest_first=oldest_first,
        )
        return self._loop.run(work)


class Match:
    """A hosted match; see :class:`taflhall_client.async_client.Match`."""

    def __init__(self, loop: LoopThread, match: async_client.Match) -> None:
        self._loop: Final = loop
        self._match: Final = match

    @property
    def match_id(self) -> str:
        """The match's id."""
        return self._match.match_id

    @property
    def secret(self) -> str | None:
        """The credential of the seats, or of the right to start."""
        return self._match.secret

    @property
    def seats(self) -> list[int]:
        """The seats taken by :meth:`join`."""
        return self._match.seats

    def join(self, name: str, seats: Iterable[int] = (), kind: SeatKind = SeatKind.PERSON) -> Match:
        """Take *seats*, or the lowest free one; return the match as seen from there."""
        return Match(self._loop, self._loop.run(self._match.join(name, seats, kind)))

    @property
    def join_code(self) -> str:
        """The code with which anybody may join the match; only its creator gets it."""
        return self._match.join_code

    def invite(self, account: str, seat: int | None = None) -> MatchInfo:
        """Reserve *seat*, or the lowest free one, for an account; for the match's creator."""
        return self._loop.run(self._match.invite(account, seat))

    def decline(self) -> None:
        """Give back the seats that are reserved for our account."""
        self._loop.run(self._match.decline())

    def remove(self, seat: int) -> MatchInfo:
        """Free a seat before the start, whoever holds it; for the match's creator."""
        return self._loop.run(self._match.remove(seat))

    def add_bot(self, bot: str, seat: int | None = None, name: str = "") -> MatchInfo:
        """Let a bot of the server take *seat*, or the lowest free one; for the match's creator."""
        return self._loop.run(self._match.add_bot(bot, seat, name))

    def rematch(self) -> Match:
        """Sit down at the rematch of this match, which is over; return it as seen from there."""
        return Match(self._loop, self._loop.run(self._match.rematch()))

    def react(self, reaction: Reaction, seat: int | None = None) -> None:
        """Show a reaction of *seat*, or the lowest of ours, to those who follow the match now."""
        self._loop.run(self._match.react(reaction, seat))

    def start(self) -> MatchInfo:
        """Start the match; every seat must be taken."""
        return self._loop.run(self._match.start())

    def get(
        self,
        *,
        view: bool = False,
        options: bool = False,
        seat: int | None = None,
        presence: bool = False,
        decision_id: str = "",
    ) -> State:
        """Return the match as it is, or in the middle of an answer."""
        work = self._match.get(
            view=view, options=options, seat=seat, presence=presence, decision_id=decision_id
        )
        return self._loop.run(work)

    def decision(self, seat: int | None = None, *, again: bool = False) -> Decision | None:
        """Return the pending decision, or the next step of an answer that was begun."""
        return self._loop.run(self._match.decision(seat, again=again))

    def submit(
        self,
        choice: Choice | Iterable[Choice],
        decision: Decision | str | None = None,
        *,
        request_id: str | None = None,
    ) -> Submitted:
        """Answer a decision: by an option's index, a command, or a list of either."""
        return self._loop.run(self._match.submit(choice, decision, request_id=request_id))

    def explain(self, command: Command[Any], seat: int | None = None) -> Explained:
        """Return whether *command* would be legal now, and why not; nothing changes."""
        return self._loop.run(self._match.explain(command, seat))

    def watch(
        self,
        *,
        view: bool = True,
        options: bool = True,
        seat: int | None = None,
        resume_token: str = "",
        patience: float = 300.0,
        presence: bool = False,
        reactions: bool = False,
    ) -> Generator[Update, None, None]:
        """Yield what happens until the match is over; reconnect after a failure."""
        updates = self._match.watch(
            view=view,
            options=options,
            seat=seat,
            resume_token=resume_token,
            patience=patience,
            presence=presence,
            reactions=reactions,
        )
        yield from self._loop.iterate(updates)

    def play(
        self,
        bot: Bot,
        *,
        on_failure: OnFailure = "raise",
        patience: float = 300.0,
        proposals: Proposals = "leave",
        events: bool = False,
    ) -> MatchInfo:
        """Let *bot* answer every decision of our seats until the match is over."""
        work = self._match.play(
            bot,
            on_failure=on_failure,
            in_thread=True,
            patience=patience,
            proposals=proposals,
            events=events,
        )
        return self._loop.run(work)

    def resign(self, seat: int | None = None) -> MatchInfo:
        """Resign *seat*, or the lowest of ours."""
        return self._loop.run(self._match.resign(seat))

    def leave(self, seat: int | None = None) -> MatchInfo:
        """Leave *seat*, or all of ours, before the match starts."""
        return self._loop.run(self._match.leave(seat))

    def delegate(
        self,
        name: str,
        seat: int | None = None,
        kind: SeatKind = SeatKind.PERSON,
        *,
        permanent: bool = False,
    ) -> Match:
        """Let a deputy act for *seat*; return the match as the deputy sees it."""
        work = self._match.delegate(name, seat, kind, permanent=permanent)
        return Match(self._loop, self._loop.run(work))

    def reclaim(self, seat: int | None = None) -> MatchInfo:
        """Reclaim *seat*: its deputy or stand-in stops."""
        return self._loop.run(self._match.reclaim(seat))

    def undo(self, seat: int | None = None, to_revision: int | None = None) -> MatchInfo:
        """Propose to take answers back, by default to before the latest of *seat*."""
        return self._loop.run(self._match.undo(seat, to_revision))

    def abandon(self, seat: int | None = None) -> MatchInfo:
        """End the match without a winner, or propose it to the others who play."""
        return self._loop.run(self._match.abandon(seat))

    def respond(self, agree: bool = True, proposal: Proposal | str = "") -> MatchInfo:
        """Agree to *proposal* (default: the current one) for all our seats, or refuse it."""
        return self._loop.run(self._match.respond(agree, proposal))

    def record(self) -> dict[str, Any]:
        """Return the record of a match that is over as plain data."""
        return self._loop.run(self._match.record())

    def view_at(self, revision: int, seat: int | None = None) -> PastView:
        """Return what *seat* could know after *revision* commands."""
        return self._loop.run(self._match.view_at(revision, seat))

    def history(
        self, first: int = 1, last: int | None = None, seat: int | None = None
    ) -> Generator[RevisionEvents, None, None]:
        """Yield what *seat* may know of the revisions *first* to *last* (the newest), in order."""
        yield from self._loop.iterate(self._match.history(first, last, seat))
