"""Tables on which single refusals of Champions are tested (CM-17.4)."""

from copy import copy

import pytest

from taflhall_engine.champions.ids import (
    COINS,
    DRAUGR_RIGHT,
    EFFECTS,
    FOOD,
    GIFTS,
    GLORY,
    HUNTING_GROUNDS,
    KNOWLEDGE,
    LEADERS,
    LONGHOUSE,
    RUNES,
    SAGES_HUT,
    SHIP_PRIVATE,
    SHIP_SMALL,
    STALL_1,
    SUCCESS,
    TROLL_SPACE,
    WEALTH,
    WOOD,
)
from taflhall_engine.champions.rules.assignment import AssignWarriors, LoadFood, SendWarriors
from taflhall_engine.champions.rules.blame import Blame, TrollBlame
from taflhall_engine.champions.rules.casualties import Casualties, Lose, UseHealing
from taflhall_engine.champions.rules.combat import GloryRune, UseGloryRune
from taflhall_engine.champions.rules.market import ExchangeGoods, MarketExchange, VisitMarket
from taflhall_engine.champions.rules.placement import PlaceWorker
from taflhall_engine.champions.rules.rolling import PickDie, PickFurther, PostRoll, Reroll, UsePotential, UseReaction
from taflhall_engine.champions.rules.setup import ChooseLeader, TakeLeader
from taflhall_engine.champions.rules.runes import ActivateGifts, ActivateRune, ActivateSuccess
from taflhall_engine.champions.rules.sage import (
    KeepCard,
    KeepDestiny,
    TrueVision,
    UseTrueVision,
    VisitSagesHut,
)
from taflhall_engine.champions.rules.ships import Sail, VisitShipwright
from taflhall_engine.champions.rules.shores import (
    JourneyLoss,
    JourneyRune,
    LoseOnBoard,
    Starvation,
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
from taflhall_engine.champions.rules.stalls import SWAPS, SwapWarriors, VisitStall, swaps_up_to
from taflhall_engine.champions.rules.warriors import Keep, KeepWarriors
from taflhall_engine.kernel.agenda import apply, options, refusal
from tests.engine.champions.tables import GAME, new, started


def at(decision, seats=2):
    """A match of round 1 in which seat 0 has to answer *decision* and owns nothing."""
    s = started(seats=seats, start_seat=0)
    s.agenda = [decision]
    s.legal = None
    clan = s.clans[0]
    clan.goods, clan.favour, clan.warriors, clan.runes = [0, 0, 0], 0, [0, 0, 0], 0
    clan.destinies = []
    return s


def code(s, command):
    """Return the code that *command* of seat 0 is refused with; empty if it is legal.

    A command is listed exactly if it is not refused.
    """
    s.legal = None
    reason = refusal(s, 0, command)
    assert (command in options(s, 0)) == (reason is None)
    return "" if reason is None else reason.code


def rule(s, command):
    """Return the rule that forbids *command* to seat 0."""
    reason = refusal(s, 0, command)
    assert reason is not None
    return reason.rule
