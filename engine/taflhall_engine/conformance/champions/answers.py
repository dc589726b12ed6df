"""CM-17 and CM-20.4 Turns the logical answers of a case into the engine's steps.

An answer that the engine takes in several steps (CM-17.6) is given step by step; the first step
that is refused says why. Steps without a choice answer themselves. Only answers that the
engine's steps cannot express are judged here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from taflhall_engine.champions.ids import (
    BEG,
    DESTINIES,
    FOOD,
    GIFTS,
    GOODS,
    HUNTING_GROUNDS,
    LEADERS,
    LOCATIONS,
    LONGHOUSE,
    MARKET,
    MERCHANT_SHIP,
    NONE,
    POSTS,
    RUNES,
    RUNESMITH,
    SAGES_HUT,
    SHIP_PRIVATE,
    SHIP_SMALL,
    SHIPWRIGHT,
    SHORE_0,
    SMOKEHOUSE,
    STALL_1,
    STAVE_CHURCH,
    SUCCESS,
    TROLL_SPACE,
    TYPES,
    WARRIORS,
    WOOD,
    WORKER_HUTS,
)
from taflhall_engine.champions.rules.answers import BAD_ARGUMENT, SPACE_NOT_IN_PLAY
from taflhall_engine.champions.rules.assignment import (
    AssignFurther,
    LoadFood,
    SendWarriors,
    own_posts,
)
from taflhall_engine.champions.rules.base import NOT_PENDING
from taflhall_engine.champions.rules.blame import Blame
from taflhall_engine.champions.rules.casualties import Lose, UseHealing
from taflhall_engine.champions.rules.combat import UseGloryRune
from taflhall_engine.champions.rules.ending import FINISH_RUNES
from taflhall_engine.champions.rules.market import (
    UNEQUAL,
    VISIT_MARKET,
    ExchangeGoods,
    MarketExchange,
)
from taflhall_engine.champions.rules.rolling import (
    REROLL,
    STAND,
    USE_POTENTIAL,
    USE_REACTION,
    PickDie,
    PickFurther,
)
from taflhall_engine.champions.rules.runes import ActivateGifts, ActivateRune, ActivateSuccess
from taflhall_engine.champions.rules.sage import KeepCard, UseTrueVision, VisitSagesHut
from taflhall_engine.champions.rules.setup import TakeLeader
from taflhall_engine.champions.rules.ships import Sail, VisitShipwright
from taflhall_engine.champions.rules.shores import LoseOnBoard, Starve, UseJourneyRune
from taflhall_engine.champions.rules.spaces import (
    BEG_COMMAND,
    VISIT_HUNTING_GROUNDS,
    VISIT_LONGHOUSE,
    VISIT_MERCHANT_SHIP,
    VISIT_WORKER_HUTS,
    ReserveFight,
    TakeStock,
    VisitRunesmith,
    VisitStaveChurch,
)
from taflhall_engine.champions.rules.stalls import SwapWarriors, VisitStall
from taflhall_engine.champions.rules.warriors import Keep
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.conformance.cases import Keys
from taflhall_engine.conformance.champions.arguments import ARGUMENTS, Arguments, Refused
from taflhall_engine.kernel.agenda import Command, apply, asked, options, refusal, waiting
from taflhall_engine.kernel.notation import snake


class Answerer:
    """Gives the answers of a case at a table."""

    def __init__(self, s: ChampionsTable, ship_ids: Sequence[str]) -> None:
        self.s = s
        self.ship_ids = ship_ids
        self.dice: list[list[int]] = []
        """CM-16.5 The present roll as the case numbers it: type and face of each die."""

    def answer(self, keys: Keys) -> None:
        """Carry out the answer in *keys*, or raise :exc:`Refused` and change nothing."""
        seat = keys.need("seat")
        kind = str(keys.need("command"))
        read = READERS.get(kind)
        for name in ARGUMENTS:
            keys.take(name)
        keys.finish()
        top = waiting(self.s)
        if top is None or asked(self.s) != [seat] or read is None:
            raise Refused(NOT_PENDING)
        if kind not in (snake(type(top).__name__), "activate_rune"):
            raise Refused(NOT_PENDING)
        begun = self.s
        self.s = begun.copy()  # a half-given answer that is refused has changed nothing
        self.s.journal = None
        try:
            read(self, seat, Arguments(keys))
        finally:
            self.s = begun
        read(self, seat, Arguments(keys))

    def give(self, seat: int, command: Command[Any]) -> None:
        """Give one command."""
        reason = refusal(self.s, seat, command)
        if reason is not None:
            raise Refused(reason)
        apply(self.s, seat, command)

    def exchange(self, seat: int, give: list[int], take: list[int]) -> None:
        """CM-5.8 Exchange at the Market, good by good."""
        if sum(give) != sum(take) or any(g and t for g, t in zip(give, take, strict=True)):
            raise Refused(UNEQUAL)  # no steps say such a thing
        self.give(seat, VISIT_MARKET)
        for good in (FOOD, WOOD):
            if isinstance(waiting(self.s), MarketExchange):  # else its answer was forced
                self.give(seat, ExchangeGoods(good, take[good] - give[good]))

    def assign(self, seat: int, groups: dict[int, list[int]]) -> None:
        """CM-6.2 Assign warriors, group by group and type by type."""
        by_post = {post_of(self.s, seat, location): g for location, g in groups.items()}
        steps: list[SendWarriors | LoadFood] = []
        for post in sorted(by_post.keys() | own_posts(self.s, seat)):
            group = by_post.get(post, NOBODY)
            steps.extend(SendWarriors(post, warrior, group[warrior]) for warrior in range(TYPES))
            steps.append(LoadFood(post, group[TYPES]))
        begun: ChampionsTable | None = None
        for step in steps:
            if step.count or step.post == NONE or step in options(self.s, seat):
                if begun is not None and not isinstance(waiting(self.s), AssignFurther):
                    raise Refused(step.refuse(begun, seat) or NOT_PENDING)  # nothing was left
                begun = self.s.copy()
                self.give(seat, step)
                step.perform(begun, seat)

    def reroll(self, seat: int, indices: list[int]) -> None:
        """CM-8.3 Spend favour on the dice with these numbers."""
        if len(set(indices)) != len(indices):
            raise Refused(BAD_ARGUMENT)  # no steps say such a thing
        dice = [self.dice[i] if 0 <= i < len(self.dice) else [NONE, NONE] for i in indices]
        self.rerolled = sorted(indices)
        for warrior, face in sorted(dice):
            self.give(seat, PickDie(warrior, face))
        if not dice or isinstance(waiting(self.s), PickFurther):
            self.give(seat, REROLL)

    rerolled: list[int]
    """The numbers of the dice that were rerolled last."""

    def rolled(self, types: list[int], faces: list[int], again: bool) -> None:
        """Note a roll, or a reroll, as the case numbers its dice."""
        thrown = [[types[i], faces[i]] for i in range(len(types))]
        if not again:
            self.dice = thrown
            return
        for index, die in zip(self.rerolled, thrown, strict=True):
            self.dice[index] = die


NOBODY: Final = [0, 0, 0, 0]


def post_of(s: ChampionsTable, seat: int, location: int) -> int:
    """Return the post that a case means by *location*; one of no or another seat if need be."""
    if TROLL_SPACE <= location < SHIP_SMALL:
        return location - TROLL_SPACE
    if not SHIP_SMALL <= location <= SHIP_PRIVATE:
        return NONE
    harbours = range(SHORE_0 + 1, POSTS)
    own = [post for post in harbours if s.post_seat[post] == seat]
    ships = [post for post in own if s.post_ship[post] == location]
    return ships[0] if ships else next(post for post in harbours if post not in own)


# ---------------------------------------------------------------- place_worker


def _place(a: Answerer, seat: int, args: Arguments) -> None:
    location = args.word("location", LOCATIONS, SPACE_NOT_IN_PLAY)
    if location == MARKET:
        a.exchange(seat, args.counts("give", GOODS, 1), args.counts("take", GOODS, 1))
    elif location >= STALL_1:
        a.give(seat, _stall(a, location, args))
    else:
        a.give(seat, _placing(a, location, args))


def _placing(a: Answerer, location: int, args: Arguments) -> Command[Any]:
    if location in PLAIN:
        return PLAIN[location]
    if location <= SMOKEHOUSE:
        return TakeStock(location)
    if location == RUNESMITH:
        take = args.word("take", [*RUNES, "deck"])
        return VisitRunesmith(take if take < len(RUNES) else NONE)
    if location == SAGES_HUT:
        return VisitSagesHut(args.number("peek_shore"))
    if location == SHIPWRIGHT:
        return VisitShipwright(args.word("ship", a.ship_ids))
    if location == STAVE_CHURCH:
        return VisitStaveChurch(args.number("coins"))
    if SHIP_SMALL <= location <= SHIP_PRIVATE:
        return Sail(location, args.number("shore"))
    assert TROLL_SPACE <= location < SHIP_SMALL
    return ReserveFight(location)


PLAIN: Final[dict[int, Command[Any]]] = {
    LONGHOUSE: VISIT_LONGHOUSE,
    MERCHANT_SHIP: VISIT_MERCHANT_SHIP,
    WORKER_HUTS: VISIT_WORKER_HUTS,
    HUNTING_GROUNDS: VISIT_HUNTING_GROUNDS,
    BEG: BEG_COMMAND,
}


def _stall(a: Answerer, location: int, args: Arguments) -> Command[Any]:
    k = location - STALL_1
    if k >= len(a.s.stalls) or not a.s.components.tile_swaps[a.s.stalls[k]]:
        return VisitStall(location)
    give = args.counts("give", WARRIORS)
    take = args.counts("take", WARRIORS)
    if any(give[w] and take[w] for w in range(TYPES)):
        raise Refused(BAD_ARGUMENT)
    return SwapWarriors(location, take[0] - give[0], take[1] - give[1], take[2] - give[2])


# ---------------------------------------------------------------- the other decisions


def _choose_leader(a: Answerer, seat: int, args: Arguments) -> None:
    a.give(seat, TakeLeader(args.word("leader", LEADERS)))


def _keep_warriors(a: Answerer, seat: int, args: Arguments) -> None:
    a.give(seat, Keep(*args.counts("keep", WARRIORS)))


def _true_vision(a: Answerer, seat: int, args: Arguments) -> None:
    a.give(seat, UseTrueVision(args.flag("use")))


def _keep_destiny(a: Answerer, seat: int, args: Arguments) -> None:
    a.give(seat, KeepCard(args.word("card", DESTINIES)))


def _assign(a: Answerer, seat: int, args: Arguments) -> None:
    a.assign(seat, args.groups())


def _post_roll(a: Answerer, seat: int, args: Arguments) -> None:
    action = args.word("action", ["stand", "favour", "potential", "reaction"])
    if action == 1:
        a.reroll(seat, args.numbers("dice"))
    elif action == 2:
        a.rerolled = [i for i, die in enumerate(a.dice) if die[1] == 0]
        a.give(seat, USE_POTENTIAL)
    else:
        a.give(seat, STAND if action == 0 else USE_REACTION)


def _casualties(a: Answerer, seat: int, args: Arguments) -> None:
    healing = "healing" in args and args.flag("healing")
    if healing == ("lose" in args):
        raise Refused(BAD_ARGUMENT)
    if healing:
        a.give(seat, UseHealing())
    else:
        a.give(seat, Lose(*args.counts("lose", WARRIORS)))


def _glory_rune(a: Answerer, seat: int, args: Arguments) -> None:
    a.give(seat, UseGloryRune(args.flag("use")))


def _troll_blame(a: Answerer, seat: int, args: Arguments) -> None:
    a.give(seat, Blame(args.flag("discard"), args.number("target")))


def _journey_rune(a: Answerer, seat: int, args: Arguments) -> None:
    a.give(seat, UseJourneyRune(args.flag("use")))


def _journey_loss(a: Answerer, seat: int, args: Arguments) -> None:
    a.give(seat, LoseOnBoard(args.number("food"), *args.counts("warriors", WARRIORS)))


def _starvation(a: Answerer, seat: int, args: Arguments) -> None:
    a.give(seat, Starve(*args.counts("lose", WARRIORS)))


def _final_runes(a: Answerer, seat: int, args: Arguments) -> None:
    del args
    a.give(seat, FINISH_RUNES)


def _activate_rune(a: Answerer, seat: int, args: Arguments) -> None:
    rune = args.word("rune", RUNES)
    if rune == GIFTS:
        a.give(seat, ActivateGifts(*[args.number(good) for good in GOODS]))
    elif rune == SUCCESS:
        a.give(seat, ActivateSuccess(args.word("destiny", DESTINIES)))
    else:
        a.give(seat, ActivateRune(rune))


Reader = Callable[[Answerer, int, Arguments], None]

READERS: Final[dict[str, Reader]] = {
    "choose_leader": _choose_leader,
    "place_worker": _place,
    "keep_warriors": _keep_warriors,
    "true_vision": _true_vision,
    "keep_destiny": _keep_destiny,
    "assign_warriors": _assign,
    "post_roll": _post_roll,
    "casualties": _casualties,
    "glory_rune": _glory_rune,
    "troll_blame": _troll_blame,
    "journey_rune": _journey_rune,
    "journey_loss": _journey_loss,
    "starvation": _starvation,
    "final_runes": _final_runes,
    "activate_rune": _activate_rune,
}
