"""CM-20 Runs one conformance case: builds its position, gives its answers, compares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from taflhall_engine.champions.components_loader import read_components
from taflhall_engine.champions.events import Rolled
from taflhall_engine.champions.game import Champions
from taflhall_engine.champions.ids import FACES, JOURNEYS, LABELS
from taflhall_engine.champions.rules.rounds import NextRound
from taflhall_engine.conformance.cases import CaseError, Keys, check_step, differ, whole_list
from taflhall_engine.conformance.champions.answers import Answerer
from taflhall_engine.conformance.champions.arguments import Refused, faces_of
from taflhall_engine.conformance.champions.expectations import Found
from taflhall_engine.conformance.champions.position import Position
from taflhall_engine.conformance.champions.units import lay_out
from taflhall_engine.kernel.agenda import Event, advance
from taflhall_engine.kernel.chance import ChanceExhausted, ScriptedChance

INVALID_SETUP: Final = "INVALID_SETUP"
FIRST_ROLLS: Final = ("CM-7.2", "CM-8.2")


def run_case(game: Champions, case: dict[str, Any]) -> list[str]:
    """Run *case* of *game*; return what differs."""
    keys = Keys("case", case)
    for name in ("id", "title", "rules"):
        keys.take(name)
    unit = keys.need("unit")
    given = Keys("given", keys.need("given"))
    entries = [Keys(f"when[{i}]", entry) for i, entry in enumerate(keys.take("when", []))]
    then = Keys("then", keys.need("then"))
    keys.finish()
    run = Run(game.tables, unit, given, entries)
    differences = run.play(entries, then)
    if not differences:
        then.finish()
    return differences


class Run:
    """A case at work."""

    def __init__(
        self, tables: Mapping[str, Any], unit: str, given: Keys, entries: list[Keys]
    ) -> None:
        self.chance = ScriptedChance([], [], [])
        self.rolls: list[int] = []
        """How many dice each roll of the case fixes."""
        self.unit = unit
        self.position = Position(read_components(tables), given, self.chance)
        self.s = self.position.s
        self.events: list[Event] = []
        self.seen = 0
        self.answerer = Answerer(self.s, self.position.components.ship_ids)
        self._luck(entries)
        if not self.position.invalid:
            lay_out(self.position, unit)

    def _luck(self, entries: list[Keys]) -> None:
        for keys in entries:
            if "chance" not in keys:
                continue
            kind = keys.take("chance")
            if kind == "roll":
                faces = faces_of(keys, FACES)
                self.rolls.append(len(faces))
                self.chance.numbers.extend(faces)
            elif kind == "shuffle":
                self.chance.orders.append([JOURNEYS.index(name) for name in keys.need("order")])
            else:
                raise CaseError(f"unknown chance {kind!r}")
            keys.finish()

    def play(self, entries: list[Keys], then: Keys) -> list[str]:
        """Give the answers and return what differs from *then*."""
        error = then.take("error")
        if self.position.invalid:
            return differ("error", error, INVALID_SETUP)
        self.s.journal = self.events
        advance(self.s)
        if self.unit == "cleanup":
            NextRound().run(self.s)
        self._note_rolls()
        differences = self._answer([keys for keys in entries if "command" in keys], error)
        if differences:
            return differences
        differences = differ("random numbers left over", 0, self.chance.left())
        if "options" in then:
            differences += whole_list(self.s, then.take("options"), LABELS)
        differences += self._check_rolls()
        for name in ("legal", "illegal"):
            for index, data in enumerate(then.take(name, [])):
                keys = Keys(f"then.{name}[{index}]", data)
                differences += self._try(f"{name}[{index}]", keys, name == "legal")
        return differences + Found(self.position, self.unit, self.events).check(then)

    def _answer(self, answers: list[Keys], error: str | None) -> list[str]:
        """Give *answers*; the last one has to be refused with *error*, if that is given."""
        if error is not None and not answers:
            return [f"error: expected {error}, but the case gives no answer"]
        self._check()
        for number, keys in enumerate(answers):
            last = number == len(answers) - 1
            try:
                self.answerer.answer(keys)
            except Refused as refused:
                if error is not None and last:
                    return differ("error", error, code_of(refused))
                return [f"answer {number + 1} is refused: {code_of(refused)}"]
            self._note_rolls()
            self._check()
        if error is not None:
            return [f"error: expected {error}, but the answer is accepted"]
        return []

    def _check(self) -> None:
        if self.unit != "cleanup":  # which ends between two decisions
            check_step(self.s)

    def _try(self, place: str, keys: Keys, legal: bool) -> list[str]:
        """Give an answer on a copy of the table and compare the refusal with its ``error``."""
        expected = keys.take("error")
        twin = Answerer(self.s.copy(), self.position.components.ship_ids)
        twin.dice = [die[:] for die in self.answerer.dice]
        found = None
        try:
            twin.answer(keys)
        except Refused as refused:
            found = code_of(refused)
        except ChanceExhausted:
            pass  # it was accepted, and needs random numbers that the case does not give
        if not legal and expected is None and found is not None:
            return []
        return differ(place, expected if legal or expected else "a refusal", found)

    def _note_rolls(self) -> None:
        for event in self.events[self.seen :]:
            if isinstance(event, Rolled):
                again = event.rule not in FIRST_ROLLS
                self.answerer.rolled(event.warriors, event.faces, again)
        self.seen = len(self.events)

    def _check_rolls(self) -> list[str]:
        rolled = [len(event.faces) for event in self.events if isinstance(event, Rolled)]
        return differ("dice in each roll", self.rolls, rolled)


def code_of(refused: Refused) -> str:
    """CM-17.4 Return the specification's error code of a refusal."""
    code = refused.reason.code
    if code in ("game_over", "not_your_decision", "not_offered"):
        return "NOT_PENDING"
    return code.upper()
