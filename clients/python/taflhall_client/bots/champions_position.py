"""A view of Champions of Midgard as the bot looks at it."""

from __future__ import annotations

from typing import Any, Final

from taflhall_client.bots.champions_odds import FightOdds
from taflhall_client.bots.champions_plan import Planner
from taflhall_engine.champions.components import Components
from taflhall_engine.champions.view import PublicView
from taflhall_engine.kernel.game import View


class Position:
    """The public view, the seat that decides, and its planner."""

    def __init__(
        self, components: Components, view: View, seat: int, step: Any, odds: FightOdds
    ) -> None:
        public = view.public
        assert isinstance(public, PublicView)
        self.components: Final = components
        self.p: Final = public
        self.seat: Final = seat
        self.step: Final = step
        self.own: Final = public.seats[seat]
        self.odds: Final = odds
        self.planner: Final = Planner(components, public, seat, odds)
