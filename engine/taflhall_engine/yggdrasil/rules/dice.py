"""YG-1.6, YG-10.5 Rolling the die, and Tyr's second roll."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Command
from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.events import DieChosen, DieRolled
from taflhall_engine.yggdrasil.ids import TYR, VALUE
from taflhall_engine.yggdrasil.rules.base import YggdrasilDecision, has_power
from taflhall_engine.yggdrasil.table import YggdrasilTable


def read_face(components: Components, face: int, aspect: int) -> int:
    """YG-1.6 Return the value or the colour that *face* shows."""
    return components.face_value[face] if aspect == VALUE else components.face_colour[face]


def roll(s: YggdrasilTable, rule: str, seat: int, aspect: int) -> None:
    """YG-4.9, YG-10.5 Roll the die for *seat*; Tyr rolls twice and picks if it matters.

    The step on top of the agenda reads the result from ``s.die``.
    """
    face = s.chance.below(len(s.components.face_value))
    faces = [face]
    if has_power(s, seat, TYR):
        faces.append(s.chance.below(len(s.components.face_value)))
    s.die = face
    if s.journal is not None:
        s.journal.append(DieRolled(rule, seat, aspect, faces))
    shown = [read_face(s.components, face, aspect) for face in faces]
    if shown[0] != shown[-1]:
        s.agenda.append(TyrChoice(seat, aspect, faces[0], faces[1]))


@final
class ChooseDie(Command[YggdrasilTable]):
    """YG-10.5 Take the first (0) or the second (1) of the two results."""

    RULE = "YG-10.5"

    def __init__(self, index: int) -> None:
        self.index: Final = index

    def malformed(self) -> bool:
        return self.index < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        pass


CHOOSE_DIE: Final = [ChooseDie(0), ChooseDie(1)]


@final
class TyrChoice(YggdrasilDecision):
    """YG-10.5 Tyr has rolled twice and picks one of two results that differ."""

    RULE = "YG-10.5"
    answers_with = (ChooseDie,)

    def __init__(self, seat: int, aspect: int, first_face: int, second_face: int) -> None:
        super().__init__(seat)
        self.aspect: Final = aspect
        self.first_face: Final = first_face
        self.second_face: Final = second_face

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return [CHOOSE_DIE[0], CHOOSE_DIE[1]]

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, ChooseDie)
        s.die = self.second_face if command.index else self.first_face
        if s.journal is not None:
            s.journal.append(DieChosen(self.RULE, seat, self.aspect, s.die))
