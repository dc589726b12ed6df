"""The types of Champions of Midgard: views, decisions and commands."""

from __future__ import annotations

from typing import TypeAlias, cast

from taflhall_client import bot
from taflhall_client.games import TypedView, check_type
from taflhall_engine.champions.rules.assignment import (
    LoadFood,
    SendWarriors,
)
from taflhall_engine.champions.rules.blame import (
    Blame,
)
from taflhall_engine.champions.rules.casualties import (
    Lose,
    UseHealing,
)
from taflhall_engine.champions.rules.combat import (
    UseGloryRune,
)
from taflhall_engine.champions.rules.ending import (
    FinishRunes,
)
from taflhall_engine.champions.rules.market import (
    ExchangeGoods,
    VisitMarket,
)
from taflhall_engine.champions.rules.rolling import (
    PickDie,
    Reroll,
    Stand,
    UsePotential,
    UseReaction,
)
from taflhall_engine.champions.rules.runes import (
    ActivateGifts,
    ActivateRune,
    ActivateSuccess,
)
from taflhall_engine.champions.rules.sage import (
    KeepCard,
    UseTrueVision,
    VisitSagesHut,
)
from taflhall_engine.champions.rules.setup import TakeLeader
from taflhall_engine.champions.rules.ships import (
    Sail,
    VisitShipwright,
)
from taflhall_engine.champions.rules.shores import (
    LoseOnBoard,
    Starve,
    UseJourneyRune,
)
from taflhall_engine.champions.rules.spaces import (
    Beg,
    ReserveFight,
    TakeStock,
    VisitHuntingGrounds,
    VisitLonghouse,
    VisitMerchantShip,
    VisitRunesmith,
    VisitStaveChurch,
    VisitWorkerHuts,
)
from taflhall_engine.champions.rules.stalls import (
    SwapWarriors,
    VisitStall,
)
from taflhall_engine.champions.rules.warriors import (
    Keep,
)
from taflhall_engine.champions.view import (
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
    "ActivateGifts",
    "ActivateRune",
    "ActivateSuccess",
    "Beg",
    "Blame",
    "ExchangeGoods",
    "FinishRunes",
    "Keep",
    "KeepCard",
    "LoadFood",
    "Lose",
    "LoseOnBoard",
    "PickDie",
    "Reroll",
    "ReserveFight",
    "Sail",
    "SendWarriors",
    "Stand",
    "Starve",
    "SwapWarriors",
    "TakeLeader",
    "TakeStock",
    "UseGloryRune",
    "UseHealing",
    "UseJourneyRune",
    "UsePotential",
    "UseReaction",
    "UseTrueVision",
    "VisitHuntingGrounds",
    "VisitLonghouse",
    "VisitMarket",
    "VisitMerchantShip",
    "VisitRunesmith",
    "VisitSagesHut",
    "VisitShipwright",
    "VisitStall",
    "VisitStaveChurch",
    "VisitWorkerHuts",
    "typed",
]

View: TypeAlias = TypedView[PublicView, PrivateView]
"""A seat's view."""

Command: TypeAlias = (
    ActivateGifts
    | ActivateRune
    | ActivateSuccess
    | Beg
    | Blame
    | ExchangeGoods
    | FinishRunes
    | Keep
    | KeepCard
    | LoadFood
    | Lose
    | LoseOnBoard
    | PickDie
    | Reroll
    | ReserveFight
    | Sail
    | SendWarriors
    | Stand
    | Starve
    | SwapWarriors
    | TakeLeader
    | TakeStock
    | UseGloryRune
    | UseHealing
    | UseJourneyRune
    | UsePotential
    | UseReaction
    | UseTrueVision
    | VisitHuntingGrounds
    | VisitLonghouse
    | VisitMarket
    | VisitMerchantShip
    | VisitRunesmith
    | VisitSagesHut
    | VisitShipwright
    | VisitStall
    | VisitStaveChurch
    | VisitWorkerHuts
)
"""Every command."""

Decision: TypeAlias = bot.Decision[Command]
"""A decision, with the commands that answer it."""


def typed(view: game.View) -> View:
    """Return *view* with its type, or raise ``TypeError`` if it is of another game."""
    check_type(view, PublicView)
    return cast("View", view)
