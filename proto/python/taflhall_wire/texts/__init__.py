"""Texts for people: options, decisions, events, refusals, results and names of every game.

All texts are in ``data/texts.toml`` of a game's package and of the kernel's, as Fluent
patterns by language; the names of cards, places and figures in the component data. Nothing
here knows a game. :class:`Texts` is the one way to a text for the service and for clients::

    texts = Texts(game, "de-AT")
    texts.option(command, view)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from taflhall_engine.kernel.agenda import Answered, Command, Event, Refusal, Waiting
from taflhall_engine.kernel.components import Component
from taflhall_engine.kernel.game import Fault, Game, NpcResult, Result, View
from taflhall_engine.kernel.value import Value
from taflhall_wire.texts.arguments import Arguments, count
from taflhall_wire.texts.localization import (
    Localization,
    MissingArgument,
    languages_of,
    lookup,
    name_of,
    text_file,
)

__all__ = ["MissingArgument", "Texts", "languages_of", "lookup", "texts_for"]

MAX_WRITTEN: Final = 4096
"""How many texts are remembered: options and events recur from decision to decision."""


class Texts:
    """Writes the texts of *game* in *language*, a BCP 47 tag; English where it has none.

    *seats* are the names of those who sit at the table. A *strict* one raises
    :exc:`MissingArgument` where a pattern lacks an argument; otherwise its name is shown.
    """

    def __init__(
        self, game: Game, language: str = "en", seats: Sequence[str] = (), *, strict: bool = False
    ) -> None:
        self.game: Final = game
        self.language: Final = lookup(language, languages_of(game))
        self._strict: Final = strict
        self._localization: Final = _localization(game, self.language)
        self._written: Final[dict[tuple[Any, ...], str]] = {}
        self._arguments: Final = Arguments(game, self._localization, tuple(seats))

    def title(self) -> str:
        """Return the name of the game."""
        return self._format("title", {})

    def bot(self, bot: str) -> str:
        """Return how a bot of the server plays."""
        return self._format(f"bot.{bot}", {})

    def component(self, component: Component) -> str:
        """Return the name of a component."""
        return name_of(component, self._localization.languages)

    def card(self, component: Component) -> str:
        """Return the values that are printed on a component; empty if its rules say it all."""
        for key in (f"card.{component.kind}.{component.id}", f"card.{component.kind}"):
            if key in self._localization:
                return self._format(key, self._arguments.printed(component))
        return ""

    def card_rules(self, component: Component) -> list[str]:
        """Return the numbers of the rules about a component, the most telling one first."""
        rules = self._localization.file.card_rules.get(component.kind, [])
        return rules.get(component.id, []) if isinstance(rules, dict) else rules

    def option(self, command: Command[Any], view: View | None = None) -> str:
        """Return the meaning of *command*, with its costs and gains if *view* is given."""
        return self._of("option", command, view)

    def decision(self, decision: Waiting[Any], view: View | None = None) -> str:
        """Return the text of a decision."""
        return self._of("decision", decision, view)

    def event(self, event: Event) -> str:
        """Return what happened."""
        if isinstance(event, Answered):
            answer = "" if event.command is None else self.option(event.command)
            return self._format(
                "event.Answered" if answer else "event.Answered.hidden",
                {
                    "seat": self._arguments.seat(event.seat),
                    "answer": self._arguments.text(answer),
                },
            )
        return self._of("event", event, None)

    def refusal(self, refusal: Refusal) -> str:
        """Return why a command is refused; a code that a newer server knows is its own text."""
        for key in (f"refusal.{refusal.code}.{refusal.rule}", f"refusal.{refusal.code}"):
            if key in self._localization:
                return self._format(key, {})
        return refusal.code.replace("_", " ")

    def fault(self, fault: Fault) -> str:
        """Return what would be right in a setup, and what was found instead."""
        keys = (f"fault.{fault.field}.{fault.code}", f"fault.{fault.field}", f"fault.{fault.code}")
        key = next((key for key in keys if key in self._localization), None)
        right = fault.code.replace("_", " ")
        if key is not None:
            right = self._format(key, {"allowed": self._arguments.text(fault.allowed)})
        if not fault.found:
            return right
        text = self._arguments.text
        return self._format("fault_found", {"right": text(right), "found": text(fault.found)})

    def result_line(self, result: Result, seat: int) -> str:
        """Return how the match ended for *seat*."""
        if not result.places:
            return self._format("result_line.abandoned", {"seat": self._arguments.seat(seat)})
        scored = seat < len(result.scores)
        arguments = {
            "seat": self._arguments.seat(seat),
            "won": "yes" if result.won[seat] else "no",
            "place": count(result.places[seat]),
            "score": count(result.scores[seat]) if scored else "",
        }
        return self._format("result_line.scored" if scored else "result_line", arguments)

    def result_reason(self, reason: str) -> str:
        """Return why the match ended, for one of the reasons of a result."""
        return self._format(f"result.{reason}", {})

    def result_lines(self, result: Result) -> list[str]:
        """Return how the match ended, one line for each seat, the best first, then the reasons.

        A match that was abandoned has no places: there is only the reason.
        """
        seats = sorted(range(len(result.places)), key=lambda seat: result.places[seat])
        lines = [self.result_line(result, seat) for seat in seats]
        if result.npc is not None:
            lines.append(self.npc_line(result.npc))
        if result.reasons:
            reasons = ", ".join(self.result_reason(reason) for reason in result.reasons)
            lines.append(self._shown("result_reasons", {"reasons": reasons}))
        return lines

    def npc_line(self, npc: NpcResult) -> str:
        """Return how a solo game ended for the automatic opponent."""
        name = next(one for one in self._arguments.names("npc") if one.id == npc.name)
        arguments = {"npc": name, "won": "yes" if npc.won else "no", "score": count(npc.score)}
        return self._format("result_line.npc", arguments)

    def score_line(self, line: str, points: int = 0) -> str:
        """Return the text of a part of a score, which may depend on its *points*."""
        return self._format(f"score.{line}", {"count": count(points)})

    def setup_field(self, field: str) -> str:
        """Return the text of a setup field; its name if it has no text."""
        key = f"setup.{field}"
        return self._format(key, {}) if key in self._localization else field

    def label(self, vocabulary: str, number: int) -> str:
        """Return the name of a number, such as ``label("rune", 3)``; a dash for none (-1)."""
        names = self._arguments.names(vocabulary)
        return names[number].name if 0 <= number < len(names) else self._format("none", {})

    def seat(self, seat: int) -> str:
        """Return the player at *seat*."""
        return self._arguments.seat(seat).name

    def rule(self, number: str) -> str:
        """Return the text of rule *number*; empty if it does not exist."""
        return self.game.rulebook.text(number, self.language)

    def amounts(self, counts: Mapping[str, int]) -> str:
        """Return counts of things as a list in words: ``2 wood, 1 coin``."""
        return self._arguments.amounts(counts).name

    def part(self, name: str, **arguments: Any) -> str:
        """Return a text that several others share: ``[part.NAME]``."""
        return self._shown(f"part.{name}", arguments)

    def words(self, key: str, **arguments: Any) -> str:
        """Return a text of a drawn table: ``[table.KEY]``."""
        return self._shown(f"table.{key}", arguments)

    def _shown(self, key: str, arguments: Mapping[str, Any]) -> str:
        shown = {name: self._arguments.one(name, value) for name, value in arguments.items()}
        return self._format(key, shown)

    def _of(self, section: str, value: Value, view: View | None) -> str:
        details = self.game.details(value, view)
        key = (section, type(value), _frozen(value.fields()), _frozen(details.items()))
        text = self._written.get(key)
        if text is None:
            if len(self._written) >= MAX_WRITTEN:
                self._written.clear()
            arguments = self._arguments.of(value, details)
            text = self._format(f"{section}.{type(value).__name__}", arguments)
            self._written[key] = text
        return text

    def _format(self, key: str, arguments: dict[str, Any]) -> str:
        return self._localization.format(key, arguments, strict=self._strict)


def texts_for(game: Game, language: str) -> Texts:
    """Return the texts of *game* in *language* without names of seats, the same for all."""
    return _texts(game, lookup(language, languages_of(game)))


@cache
def _texts(game: Game, language: str) -> Texts:
    return Texts(game, language)


def _frozen(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return *values* with everything in them that could change as a tuple."""
    return tuple(
        [
            _frozen(one.items() if isinstance(one, dict) else one)
            if isinstance(one, (list, dict, tuple))
            else one
            for one in values
        ]
    )


@cache
def _localization(game: Game, language: str) -> Localization:
    return Localization(text_file(game), language, game.catalog)
