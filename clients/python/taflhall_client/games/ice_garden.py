"""The types of The Lord of the Ice Garden: views, decisions and commands."""

from __future__ import annotations

from typing import TypeAlias, cast

from taflhall_client import bot
from taflhall_client.games import TypedView, check_type
from taflhall_engine.ice_garden.rules.abilities import (
    Invoke,
)
from taflhall_engine.ice_garden.rules.answers import (
    Done,
    Forgo,
)
from taflhall_engine.ice_garden.rules.attack import (
    Attack,
    Hit,
)
from taflhall_engine.ice_garden.rules.crossing import (
    Cross,
)
from taflhall_engine.ice_garden.rules.domination import (
    Claim,
)
from taflhall_engine.ice_garden.rules.fields import (
    DiscardVuko,
    PlaceMarker,
    RaiseReputation,
)
from taflhall_engine.ice_garden.rules.gorge import (
    TakeGood,
    Trade,
)
from taflhall_engine.ice_garden.rules.locking import (
    Redistribute,
)
from taflhall_engine.ice_garden.rules.making import (
    BeginSummon,
    BuyUpgrade,
    MoveFactor,
    ShiftFactor,
    Upgrade,
)
from taflhall_engine.ice_garden.rules.moving import (
    Carry,
    Feed,
    MovePiece,
)
from taflhall_engine.ice_garden.rules.planning import (
    LayToken,
    Plan,
)
from taflhall_engine.ice_garden.rules.prey import (
    EnchantMarker,
    PillageGood,
    Recruit,
)
from taflhall_engine.ice_garden.rules.rounds import (
    Advance,
    CatchUp,
)
from taflhall_engine.ice_garden.rules.setup import (
    LayTile,
    RaiseThorn,
    Settle,
)
from taflhall_engine.ice_garden.rules.speed import (
    Run,
)
from taflhall_engine.ice_garden.rules.spy import (
    AssignSpy,
    KeepSpy,
)
from taflhall_engine.ice_garden.rules.summoning import (
    PlaceUnit,
    Summon,
)
from taflhall_engine.ice_garden.rules.visit import (
    Flee,
    YieldUnit,
)
from taflhall_engine.ice_garden.view import (
    PrivateView,
    PublicView,
)
from taflhall_engine.kernel import game

__all__ = [
    "Command",
    "Decision",
    "PrivateView",
    "PublicView",
    "View",
    "Advance",
    "AssignSpy",
    "Attack",
    "BeginSummon",
    "BuyUpgrade",
    "Carry",
    "CatchUp",
    "Claim",
    "Cross",
    "DiscardVuko",
    "Done",
    "EnchantMarker",
    "Feed",
    "Flee",
    "Forgo",
    "Hit",
    "Invoke",
    "KeepSpy",
    "LayTile",
    "LayToken",
    "MoveFactor",
    "MovePiece",
    "PillageGood",
    "PlaceMarker",
    "PlaceUnit",
    "Plan",
    "RaiseReputation",
    "RaiseThorn",
    "Recruit",
    "Redistribute",
    "Run",
    "Settle",
    "ShiftFactor",
    "Summon",
    "TakeGood",
    "Trade",
    "Upgrade",
    "YieldUnit",
    "typed",
]

View: TypeAlias = TypedView[PublicView, PrivateView]
"""A seat's view."""

Command: TypeAlias = (
    Advance
    | AssignSpy
    | Attack
    | BeginSummon
    | BuyUpgrade
    | Carry
    | CatchUp
    | Claim
    | Cross
    | DiscardVuko
    | Done
    | EnchantMarker
    | Feed
    | Flee
    | Forgo
    | Hit
    | Invoke
    | KeepSpy
    | LayTile
    | LayToken
    | MoveFactor
    | MovePiece
    | PillageGood
    | PlaceMarker
    | PlaceUnit
    | Plan
    | RaiseReputation
    | RaiseThorn
    | Recruit
    | Redistribute
    | Run
    | Settle
    | ShiftFactor
    | Summon
    | TakeGood
    | Trade
    | Upgrade
    | YieldUnit
)
"""Every command."""

Decision: TypeAlias = bot.Decision[Command]
"""A decision, with the commands that answer it."""


def typed(view: game.View) -> View:
    """Return *view* with its type, or raise ``TypeError`` if it is of another game."""
    check_type(view, PublicView)
    return cast("View", view)
