"""A person at a hosted table: answers, proposes, agrees, and lets a bot play meanwhile."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from taflhall_client import bots, errors, terminal
from taflhall_client.bot import Decision, Resign
from taflhall_client.cli.output import console, say
from taflhall_client.printable import names_of
from taflhall_client.results import Proposal, SeatKind, Status, Update
from taflhall_client.terminal.clocks import clocks_text
from taflhall_client.terminal.line_input import Overtaken, read_line
from taflhall_client.terminal.person import Left, Person, SideCommand
from taflhall_client.terminal.proposals_text import proposal_text
from taflhall_client.terminal.words import words
from taflhall_engine.kernel.agenda import SPECTATOR, Command, Event, Refusal
from taflhall_engine.kernel.game import Game, View

if TYPE_CHECKING:
    from taflhall_client.sync import Match

SIDE_COMMANDS = ("undo", "abandon", "bot")


def print_events(game: Game, events: list[Any], names: list[str], language: str) -> None:
    """Print what happened, as far as it is worth a line."""
    for event in events:
        line = terminal.event_text(game, event, names, language)
        if line is not None:
            say(f"  {line}")


class InteractiveSession:
    """A person at a hosted table, until the match is over.

    *seats* are the person's, if they are known; *shared* if several people use this screen.
    """

    def __init__(
        self, match: Match, game: Game, language: str, seats: list[int], shared: bool
    ) -> None:
        self._match = match
        self._game = game
        self._language = language
        self._seats = seats
        self._shared = shared
        self._names: list[str] = []
        self._person: Person | None = None
        self._proposed: Proposal | None = None
        self._delegated: set[int] = set()
        self._revision = 0
        """The revision up to which what happened has been printed."""
        self._pending: set[str] = set()
        """The ids of the decisions that are pending there."""
        self._answering = ""
        """The id of the decision that the person is asked."""

    def run(self) -> None:
        """Play to the end; the first Ctrl-C takes the seat back from a bot that plays it."""
        while True:
            try:
                self._follow()
                return
            except KeyboardInterrupt:
                if not self._delegated:
                    raise
                for seat in self._delegated:
                    self._match.reclaim(seat)
                self._delegated.clear()
                self._say("taken_back")

    def _follow(self) -> None:
        """Answer what is asked, while another thread prints what happens as it comes."""
        updates: SimpleQueue[Update | BaseException | None] = SimpleQueue()
        threading.Thread(target=self._watch, args=(updates,), daemon=True).start()
        while (update := updates.get()) is not None:
            if isinstance(update, BaseException):
                raise update
            if update.match is not None:
                self._show_proposal(update.match.proposal)
            if update.revision >= self._revision:
                self._answer(update)

    def _watch(self, updates: SimpleQueue[Update | BaseException | None]) -> None:
        try:
            for update in self._match.watch(view=False, options=True):
                self._see(update)
                updates.put(update)
            updates.put(None)
        except BaseException as error:
            updates.put(error)

    def _see(self, update: Update) -> None:
        self._revision = update.revision
        self._pending = {decision.decision_id for decision in update.decisions}
        print_events(self._game, self._fit(update.events), self._names, self._language)
        if update.match is not None:
            self._names = names_of(update.match)
            if update.status is Status.OPEN:
                self._say("open", names=", ".join(name or "-" for name in self._names))
            if update.match.result is not None:
                end = update.match.result
                for line in terminal.result_lines(self._game, self._names, end, self._language):
                    say(line)

    def _show_proposal(self, proposal: Proposal | None) -> None:
        """Print the proposal, and answer it if the person's consent is needed."""
        before, self._proposed = self._proposed, proposal
        if proposal is None:
            if before is not None:
                self._say("proposal_over")
            return
        if before is None or before.proposal_id != proposal.proposal_id:
            say(proposal_text(proposal, self._names, self._language))
        if not set(self._mine()) & set(proposal.wanted):
            return
        agree = self._asked()
        try:
            self._match.respond(agree, proposal)
        except errors.NoSuchProposal:
            self._say("proposal_over")
        self._proposed = None

    def _asked(self) -> bool:
        while True:
            try:
                line = read_line(words("agree", self._language) + " ").strip().lower()
            except EOFError:
                raise Left from None
            if line in ("y", "yes", "j", "ja"):
                return True
            if line in ("n", "no", "nein"):
                return False

    def _mine(self) -> list[int]:
        if not self._seats:
            view = self._match.get(view=True).view
            self._seats = [] if view is None or view.seat == SPECTATOR else [view.seat]
        return self._seats

    def _answer(self, update: Update) -> None:
        mine = [d for d in update.decisions if d.options and d.seat not in self._delegated]
        if not mine:
            return
        decision = mine[0]
        state = self._match.get(view=True, seat=decision.seat)
        still = [d for d in state.decisions if d.decision_id == decision.decision_id]
        if not still or state.view is None:
            return
        if state.match.clocks:
            say(clocks_text(state.match.clocks, self._names, self._language))
        person = self._sit()
        view = state.view
        while True:
            self._answering = decision.decision_id.partition(".")[0]
            try:
                submitted = self._match.submit(person.choose(view, decision), decision)
                further = submitted.decision
                if further is None or not further.decision_id.startswith(f"{self._answering}."):
                    return
                seat, identity = decision.seat, further.decision_id
                drafted = self._match.get(view=True, seat=seat, decision_id=identity)
                decision, view = further, drafted.view or view
                continue
            except Overtaken:
                self._say("stale")
            except SideCommand as side:
                if not self._side_command(side, decision.seat):
                    continue
            except Resign:
                self._match.resign(decision.seat)
            except errors.StaleDecision:
                self._say("stale")
            except errors.IllegalCommand as error:
                person.refuse(Refusal(error.rule, error.refusal))
            return

    def _side_command(self, side: SideCommand, seat: int) -> bool:
        """Carry out the person's input; return whether to wait for its result."""
        try:
            if side.word == "bot":
                self._delegate(seat, side.rest)
                return True
            match = self._match
            info = match.undo(seat) if side.word == "undo" else match.abandon(seat)
        except errors.Refused as error:
            say(error.text(self._language))
            return False
        except bots.UnknownBot as error:
            say(error)
            return False
        if info.proposal is not None:
            self._say("waiting")
        return True

    def _delegate(self, seat: int, name: str) -> None:
        """Let a bot play in this process, until its seat is taken back."""
        bot = bots.load(name, self._game) if name else bots.best(self._game)
        called = f"{self._names[seat][:50]}'s bot"
        deputy = self._match.delegate(called, seat, SeatKind.BOT)
        self._delegated.add(seat)
        self._say("bot_plays", name=called)

        def play() -> None:
            try:
                deputy.play(bot)
            except errors.TaflhallError as error:
                if not isinstance(error, errors.Replaced):
                    say(error)

        threading.Thread(target=play, name="taflhall-bot", daemon=True).start()

    def _fit(self, events: list[Event]) -> list[Event]:
        """Return what may be shown on a screen that several people look at."""
        if not self._shared:
            return events
        seen = [event.seen_by(SPECTATOR) for event in events]
        return [event for event in seen if event is not None]

    def _sit(self) -> Person:
        if self._person is None:
            self._person = Person(
                self._game,
                console(),
                self._names,
                self._language,
                shared_screen=self._shared,
                explain=self._explain,
                side_commands=SIDE_COMMANDS,
                overtaken=lambda: self._answering not in self._pending,
            )
        return self._person

    def _explain(self, view: View, decision: Decision, command: Command[Any]) -> Refusal | None:
        return self._match.explain(command, decision.seat).refusal

    def _say(self, key: str, **values: object) -> None:
        say(words(key, self._language, **values))
