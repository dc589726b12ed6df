"""What a player sees of a match: the state of the screen, without a toolkit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from taflhall_client.bot import Decision
from taflhall_client.clocks import SeatClock
from taflhall_client.results import PastView, Proposal
from taflhall_client.terminal import event_line, seat_name, texts_of
from taflhall_client.terminal.play.cards import Card, cards_of
from taflhall_client.terminal.play.input_line import InputLine
from taflhall_client.terminal.play.offers import Offer, offers_of
from taflhall_client.terminal.play.session import Report, TableInfo
from taflhall_client.terminal.proposals_text import proposal_text
from taflhall_client.terminal.words import words
from taflhall_engine.kernel.agenda import SPECTATOR, Command, Event
from taflhall_engine.kernel.game import Game, View
from taflhall_wire.texts import Texts


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log: what happened at a revision, and the rule that made it happen."""

    revision: int
    text: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    """A closer look: at an offer, a rule, a card or the help."""

    title: str
    paragraphs: list[str] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)


class Screen:
    """The state of the screen of one player, or of several who share it, or of a spectator."""

    def __init__(
        self, game: Game, language: str, seats: tuple[int, ...] = (), *, shared: bool = False
    ) -> None:
        self.game: Final = game
        self.language: Final = language
        self.seats: Final = seats
        self.info = TableInfo([])
        self.view: View | None = None
        self.revision = 0
        self.decision: Decision | None = None
        """Our decision that is pending, if there is one."""
        self.deciding: list[int] = []
        """The seats that decide."""
        self.offers: list[Offer] = []
        self.selected: int | None = None
        """The number of the offer that is looked at."""
        self.steps: list[str] = []
        """What has been chosen of an answer that is given in several steps."""
        self.answering = ""
        """The id of the decision whose answer is under way."""
        self.clocks: list[SeatClock] = []
        self.present: set[int] | None = None
        """The seats whose players are there; ``None`` if that is unknown."""
        self.log: list[LogLine] = []
        self.notice = ""
        """A message to the player about what they or others did."""
        self.detail: Detail | None = None
        self.asks_to_resign = False
        self.delegated: set[int] = set()
        """Our seats that a bot plays."""
        self.past: PastView | None = None
        """The earlier table that is looked at; ``None``: the present one."""
        self.covered = False
        """The screen is covered until the next of several players has taken the seat."""
        self.input: Final = InputLine()
        self._shared: Final = shared
        self._last_seat = -1
        self._first_step = ""

    # ---------------------------------------------------------------- what is reported

    def apply(self, report: Report) -> None:
        """Take in what is reported."""
        if report.revision < self.revision and not report.rewound and report.decisions is not None:
            return
        if report.rewound:
            self.log = [line for line in self.log if line.revision <= report.revision]
        if report.info is not None:
            self.info = report.info
        for event in report.events:
            self._record(report.revision, event)
        if report.clocks:
            self.clocks = report.clocks
        if report.presence:
            self._see_who_is_there(report)
        if report.reaction is not None:
            key = f"reaction.{report.reaction.reaction.name.lower()}"
            self._add(report.revision, f"{self.name(report.reaction.seat)}: {self.words(key)}")
        if report.presence or report.reaction is not None:
            return
        self.revision = report.revision
        if report.view is not None:
            self.view = report.view
        if report.decisions is not None:
            self._decide(report.decisions, again=report.rewound)

    def _record(self, revision: int, event: Event) -> None:
        shown = event.seen_by(SPECTATOR) if self._shared else event
        line = None if shown is None else event_line(self.texts, shown)
        if line is not None:
            self.log.append(LogLine(revision, *line))

    def _add(self, revision: int, text: str) -> None:
        self.log.append(LogLine(revision, text))

    def _see_who_is_there(self, report: Report) -> None:
        there = {seat.seat for seat in report.presence if seat.connected}
        before = self.present
        self.present = there
        for seat in sorted(there ^ before if before is not None else ()):
            if seat not in self.seats and seat < len(self.info.names):
                key = "there" if seat in there else "away"
                self._add(report.revision, self.words(key, name=self.name(seat)))

    def _decide(self, decisions: list[Decision], *, again: bool) -> None:
        self.deciding = [decision.seat for decision in decisions]
        mine = [
            decision
            for decision in decisions
            if (decision.options or decision.unknown_options)
            and decision.seat in self.seats
            and decision.seat not in self.delegated
        ]
        old, new = self.decision, mine[0] if mine else None
        if old is not None and new is not None and not again:
            if old.decision_id.startswith(f"{new.decision_id}."):
                return  # we are in the middle of this answer
            if old.decision_id == new.decision_id:
                return
        if old is not None and old.decision_id != self.answering and not again:
            self.notice = self.words("stale")
        self.answering = ""
        self.decision = new
        self.selected, self.asks_to_resign = None, False
        identity = "" if new is None else new.decision_id
        if not (self._first_step and identity.startswith(f"{self._first_step}.")):
            self.steps, self._first_step = [], identity
        self.input.show(identity)
        self.offers = []
        if new is not None:
            self.detail = None
            self._uncover(new.seat)
            if self.view is not None:
                self.offers = offers_of(self.texts, self.view, new)

    def _uncover(self, seat: int) -> None:
        if self._shared and seat != self._last_seat:
            self.covered = True
        self._last_seat = seat

    # ---------------------------------------------------------------- what is shown

    @property
    def texts(self) -> Texts:
        """The texts of this match, with the names of those who sit at the table."""
        return texts_of(self.game, self.info.names, self.language)

    def words(self, key: str, **values: object) -> str:
        """Return a text of the terminal itself."""
        return words(key, self.language, **values)

    def name(self, seat: int) -> str:
        """Return the name of the player at *seat*."""
        return seat_name(self.info.names, seat, self.language)

    @property
    def shown(self) -> View | None:
        """The view that is drawn: the present one, or the earlier one that is looked at."""
        return self.view if self.past is None else self.past.view

    @property
    def shown_revision(self) -> int:
        """The revision of the table that is drawn."""
        return self.revision if self.past is None else self.past.revision

    @property
    def proposal(self) -> Proposal | None:
        """The proposal that waits for our consent, if there is one."""
        proposal = self.info.proposal
        wanted = proposal is not None and set(proposal.wanted) & set(self.seats)
        return proposal if wanted else None

    @property
    def status(self) -> str:
        """Say what the match waits for."""
        if self.past is not None:
            return self.words("looking_back", revision=self.past.revision, last=self.revision)
        if self.info.over:
            return self.words("over")
        if self.decision is not None:
            text = ""
            if self.decision.step is not None and self.view is not None:
                text = self.texts.decision(self.decision.step, self.view)
            name = self.name(self.decision.seat)
            return self.words("decides", name=name, rule=self.decision.rule, text=text)
        if any(not name for name in self.info.names):
            return self.words("open", names=", ".join(name or "-" for name in self.info.names))
        if self.deciding:
            names = ", ".join(dict.fromkeys(self.name(seat) for seat in self.deciding))
            return self.words("waits_for", names=names)
        return ""

    @property
    def question(self) -> str:
        """The question that is to be answered by yes or no; empty without one."""
        if self.asks_to_resign:
            return self.words("resign_really")
        if self.info.proposal is not None:
            text = proposal_text(self.info.proposal, self.info.names, self.language)
            return f"{text} {self.words('agree')}" if self.proposal is not None else text
        return ""

    @property
    def result(self) -> list[str]:
        """How the match ended, with the parts of each score and their rules."""
        if self.info.result is None:
            return []
        return self.texts.result_lines(self.info.result)

    def projection(self, view: View) -> list[str]:
        """Return the score of each seat if the match ended now, by line with rules.

        In a game without points: the rules by which it is decided.
        """
        texts, game = self.texts, self.game
        found = []
        for seat, lines in enumerate(game.projected_lines(view)):
            found.append(f"{self.name(seat)}: {sum(line.points for line in lines)}")
            found += [
                f"  {texts.score_line(line.id, line.points)}: {line.points} ({line.rule})"
                for line in lines
                if line.points
            ]
        if not found:
            rules = {game.reason_rule(reason) for reason in game.labels.get("reasons", [])}
            found.append(self.words("no_points"))
            found += [f"{rule}: {texts.rule(rule)}" for rule in sorted(rules) if rule]
        return found

    # ---------------------------------------------------------------- what is looked at

    def offer(self, number: int) -> Offer | None:
        """Return the offer with *number*, if there is one."""
        return self.offers[number - 1] if 1 <= number <= len(self.offers) else None

    def select(self, number: int) -> None:
        """Look at an offer: what it means, its rule, and the cards of what it is about."""
        offer = self.offer(number)
        if offer is not None:
            self.selected = number
            self.detail = self.detail_of(offer)

    def move_selection(self, by: int) -> None:
        """Look at the offer that is *by* places further."""
        if self.offers:
            start = (0 if by > 0 else len(self.offers) + 1) if self.selected is None else None
            at = (start if start is not None else self.selected or 0) + by
            self.select(min(max(at, 1), len(self.offers)))

    def detail_of(self, offer: Offer) -> Detail:
        """Return the closer look at an offer."""
        paragraphs: list[str] = []
        cards: list[Card] = []
        if offer.refusal is not None:
            reason = self.texts.refusal(offer.refusal)
            rule = offer.refusal.rule or "-"
            paragraphs += [self.words("illegal", rule=rule, reason=reason), *self._rule(rule)]
        if isinstance(offer.choice, Command):
            if offer.refusal is None or offer.refusal.rule != offer.choice.RULE:
                paragraphs += self._rule(offer.choice.RULE)
            cards = cards_of(self.texts, offer.choice, self.view)
        return Detail(offer.text, paragraphs, cards)

    def show_rule(self, number: str) -> bool:
        """Show the text of a rule; return whether there is one."""
        text = self._rule(number)
        if text:
            self.detail = Detail(number, text)
        return bool(text)

    def _rule(self, number: str) -> list[str]:
        text = self.texts.rule(number)
        return [f"{number}: {text}"] if text else []
