"""IG-7.1 Activation (field 6): its five steps in order."""

from __future__ import annotations

from typing import final

from taflhall_engine.ice_garden.ids import (
    ACTIVATION,
)
from taflhall_engine.ice_garden.rules.attack import AttackStep
from taflhall_engine.ice_garden.rules.base import Phase
from taflhall_engine.ice_garden.rules.crossing import IceCrossingStep
from taflhall_engine.ice_garden.rules.speed import SpeedStep
from taflhall_engine.ice_garden.rules.spy import MakerSpy
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import schedule


@final
class ActivationPhase(Phase):
    """IG-7.1 Maker-Spy, ice crossing, speed, attack, removal; each finished for all players."""

    RULE = "IG-7.1"
    STATE = ACTIVATION

    def enter(self, s: IceGardenTable) -> None:
        schedule(s, [MakerSpy(), IceCrossingStep(), SpeedStep(), AttackStep()])
