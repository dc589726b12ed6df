"""Carries out what the player types, chooses and clicks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from taflhall_client import errors
from taflhall_client.bot import Decision
from taflhall_client.channel import new_request_id
from taflhall_client.results import PastView, Reaction
from taflhall_client.terminal.play import cards
from taflhall_client.terminal.play.offers import Offer
from taflhall_client.terminal.play.screen import Detail, Screen
from taflhall_client.terminal.play.session import Choice, Impossible, Session
from taflhall_client.terminal.play.typed import COMMAND, NUMBER, Typed, rule_number, understand
from taflhall_engine.kernel import notation
from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.kernel.vocabulary import commands_of

AGAIN_SECONDS: Final = 1.0
"""How long to wait before an answer whose outcome is unknown is sent again."""
MOST_PAST: Final = 64
"""How many earlier tables are remembered."""


class Controller:
    """Turns the player's wishes into calls of *session*, and their results into *screen*."""

    def __init__(
        self,
        session: Session,
        screen: Screen,
        changed: Callable[[], None] = lambda: None,
        *,
        again_seconds: float = AGAIN_SECONDS,
    ) -> None:
        self._session: Final = session
        self._screen: Final = screen
        self._changed: Final = changed
        self._again_seconds: Final = again_seconds
        self._past: Final[dict[int, PastView]] = {}
        self.wants_to_leave = False

    async def enter(self, line: str) -> None:
        """Carry out a line; an empty one chooses the offer that is looked at."""
        screen = self._screen
        if screen.covered:
            screen.covered = False
            return
        screen.notice = ""
        if not line:
            if screen.selected is not None:
                await self.choose(screen.selected)
            return
        typed = understand(line)
        if typed.word in ("yes", "no"):
            await self._reply(typed.word == "yes")
            return
        screen.asks_to_resign = False
        try:
            await self._carry_out(typed)
        except Impossible as error:
            screen.notice = str(error)

    async def choose(self, number: int) -> None:
        """Answer with an offer, or explain why that is impossible now."""
        screen = self._screen
        offer = screen.offer(number)
        if offer is None or screen.decision is None:
            key = "no_number" if screen.decision is not None else "not_asked"
            screen.notice = screen.words(key, number=number)
        elif offer.refusal is not None:
            screen.select(number)
        else:
            await self._answer(screen.decision, offer)

    async def _answer(self, decision: Decision, offer: Offer) -> None:
        screen = self._screen
        if screen.answering == decision.decision_id:
            return
        screen.answering, screen.past = decision.decision_id, None
        request_id = new_request_id()
        screen.steps.append(offer.text)
        try:
            await self._send(decision, offer.choice, request_id)
            return
        except errors.IllegalCommand as error:
            self._refuse(Refusal(error.rule, error.refusal))
        except errors.StaleDecision:
            screen.notice = screen.words("stale")
        except errors.TaflhallError as error:
            screen.notice = error.text(screen.language)
        except Impossible as error:
            screen.notice = str(error)
        if screen.decision is decision:
            screen.answering = ""
            screen.steps.pop()

    async def _send(self, decision: Decision, choice: Choice, request_id: str) -> None:
        """Send the answer until its outcome is known: always with the same request id."""
        while True:
            try:
                return await self._session.answer(decision, choice, request_id)
            except errors.Uncertain as error:
                if self._screen.decision is not decision:
                    return None  # what is reported shows that it has been taken
                self._screen.notice = error.text(self._screen.language)
                self._changed()
                await asyncio.sleep(self._again_seconds)

    async def _reply(self, yes: bool) -> None:
        screen = self._screen
        proposal = screen.proposal
        try:
            if screen.asks_to_resign:
                screen.asks_to_resign = False
                if yes:
                    seat = self._seat()
                    await self._session.resign(seat)
            elif proposal is not None:
                await self._session.respond(yes, proposal)
            else:
                screen.notice = screen.words("no_question")
        except Impossible as error:
            screen.notice = str(error)

    async def _carry_out(self, typed: Typed) -> None:
        explained: dict[str, Callable[[], None]] = {
            "rule": lambda: self._rule(typed.rest),
            "rules": lambda: self._rules(typed.rest),
            "card": lambda: self._card(typed.rest),
            "score": self._score,
            "help": self.help,
            "now": self._return,
            "quit": self._leave,
        }
        if typed.word in explained:
            explained[typed.word]()
        elif typed.word == NUMBER:
            await self.choose(int(typed.rest))
        elif typed.word == COMMAND:
            await self._command(typed.rest, dry=False)
        elif typed.word == "why":
            await self._why(typed.rest)
        else:
            await self._wish(typed)

    def _return(self) -> None:
        self._screen.past = None

    def _leave(self) -> None:
        self.wants_to_leave = True

    async def _wish(self, typed: Typed) -> None:
        """Carry out what concerns the match, as far as it is possible here."""
        screen, session = self._screen, self._session
        wishes = session.wishes
        match typed.word:
            case "resign" if "resign" in wishes:
                screen.asks_to_resign = True
            case "undo" | "abandon" as wish if wish in wishes:
                asked = await getattr(session, wish)(self._seat())
                screen.notice = screen.words("waiting") if asked else ""
            case "again" if screen.decision is not None and screen.steps:
                await session.again(screen.decision)
            case "bot" if "bot" in wishes:
                await self._let_bot_play(typed.rest)
            case "back" if "bot" in wishes:
                await session.take_back()
                screen.delegated.clear()
                screen.notice = screen.words("taken_back")
            case "save" if "save" in wishes:
                file = await session.save(typed.rest)
                screen.notice = screen.words("saved", file=file)
            case "say" if "say" in wishes:
                await self._say(typed.rest)
            case word:
                raise Impossible(screen.words("not_here", word=word))

    def _seat(self) -> int:
        decision = self._screen.decision
        if decision is not None:
            return decision.seat
        return self._session.seats[0] if self._session.seats else 0

    async def _let_bot_play(self, name: str) -> None:
        screen, seat = self._screen, self._seat()
        await self._session.let_bot_play(seat, name)
        screen.delegated.add(seat)
        screen.decision, screen.offers = None, []
        screen.notice = screen.words("bot_plays_on", name=name or "bot")

    async def _say(self, name: str) -> None:
        known = {one.name.lower(): one for one in Reaction if one is not Reaction.UNKNOWN}
        reaction = known.get(name.replace(" ", "_"))
        if reaction is None:
            raise Impossible(", ".join(known))
        await self._session.react(reaction)

    # ---------------------------------------------------------------- explanations

    def help(self) -> None:
        """Show the help."""
        screen = self._screen
        lines = screen.words("help_app").splitlines()
        lines += [
            screen.words(f"help_{wish}")
            for wish in ("undo", "abandon", "resign", "bot", "save", "say")
            if wish in self._session.wishes
        ]
        screen.detail = Detail(screen.words("help_title"), [*lines, "", self._notation()])

    def _notation(self) -> str:
        """Describe the notation by the commands that are offered now."""
        screen = self._screen
        examples: dict[type, str] = {}
        for option in [] if screen.decision is None else screen.decision.options:
            examples.setdefault(type(option), notation.write(option, screen.game.labels))
        shown = "; ".join(list(examples.values())[:6])
        return screen.words("notation", examples=shown or "-")

    async def _command(self, text: str, *, dry: bool) -> None:
        screen = self._screen
        game, decision, view = screen.game, screen.decision, screen.view
        try:
            command = notation.read(text, commands_of(game.types), game.labels)
        except notation.NotationError as error:
            raise Impossible(str(error)) from None
        if decision is None or view is None:
            raise Impossible(screen.words("not_asked"))
        for offer in screen.offers:
            if offer.choice == command and offer.refusal is None:
                if dry:
                    screen.select(offer.number)
                    screen.notice = screen.words("legal")
                else:
                    await self._answer(decision, offer)
                return
        reason = await self._session.explain(view, decision, command)
        if reason is None:
            screen.notice = screen.words("legal")
        else:
            self._refuse(reason)

    async def _why(self, rest: str) -> None:
        screen = self._screen
        if not rest.isdecimal():
            await self._command(rest, dry=True)
            return
        offer = screen.offer(int(rest))
        if offer is None:
            raise Impossible(screen.words("no_number", number=rest))
        screen.select(offer.number)
        screen.notice = screen.words("legal") if offer.refusal is None else ""

    def _refuse(self, reason: Refusal) -> None:
        screen = self._screen
        text = screen.texts.refusal(reason)
        screen.notice = screen.words("illegal", rule=reason.rule or "-", reason=text)
        screen.show_rule(reason.rule)

    def _rule(self, text: str) -> None:
        screen = self._screen
        number = rule_number(text, list(screen.game.rulebook.rules))
        if not screen.show_rule(number):
            raise Impossible(screen.words("no_rule", rule=text))

    def _rules(self, wanted: str) -> None:
        """Show the rules whose number or text has *wanted*, all of them without it."""
        screen = self._screen
        rules = [(number, screen.texts.rule(number)) for number in screen.game.rulebook.rules]
        found = [
            f"{n}: {text}" for n, text in rules if wanted.casefold() in f"{n} {text}".casefold()
        ]
        if not found:
            raise Impossible(screen.words("no_rule", rule=wanted))
        screen.detail = Detail(screen.words("rules_title"), found)

    def _card(self, name: str) -> None:
        screen = self._screen
        found = cards.find(screen.texts, name)
        if not found:
            raise Impossible(screen.words("no_card", name=name))
        screen.detail = Detail(name, [], found)

    def _score(self) -> None:
        screen = self._screen
        if screen.shown is None:
            raise Impossible(screen.words("not_begun"))
        screen.detail = Detail(screen.words("score_title"), screen.projection(screen.shown))

    # ---------------------------------------------------------------- earlier tables

    async def step(self, by: int) -> None:
        """Look at the table *by* revisions later; beyond the last it is the present one."""
        await self.look_at(self._screen.shown_revision + by)

    async def look_at(self, revision: int) -> None:
        """Look at the table as it was at *revision*."""
        screen = self._screen
        if revision >= screen.revision:
            screen.past = None
            return
        at = max(revision, 0)
        try:
            past = self._past.get(at) or await self._session.past(at)
        except Impossible as error:
            screen.notice = str(error)
            return
        if len(self._past) >= MOST_PAST:
            self._past.pop(next(iter(self._past)))
        self._past[at] = screen.past = past
