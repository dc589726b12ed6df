"""YG-13.2 Imagined tables are as likely as the true ones, given all that everybody has seen."""

from collections import Counter
from copy import copy

import pytest

from taflhall_engine.kernel.agenda import SPECTATOR, advance, apply, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.yggdrasil.ids import CLOSED, ENEMIES, FURIOUS, GIANTS
from taflhall_engine.yggdrasil.observe import public
from taflhall_engine.yggdrasil.rules.actions import END_TURN, ChooseAction
from taflhall_engine.yggdrasil.rules.turn import OdinChoice, OdinDraw
from taflhall_engine.yggdrasil.setup import Setup, lay_out
from tests.engine import brute_force
from tests.engine.yggdrasil.position import GAME, at, do

# ---------------------------------------------------------------- small cases


def small(rng, plain, gods=(1,), vanir=5, **setup):
    """Return a match with a deck of a few cards, at its first decision."""
    components = copy(GAME.components)
    components.plain_cards = [plain.get(enemy, 0) for enemy in ENEMIES]
    s = lay_out(components, Setup(gods=list(gods), **setup), rng)
    s.vanir = vanir
    s.journal = []
    advance(s)
    return s


def finish_turn(s, pick=0):
    """End the turn; every other decision, and Odin's of the next turn, is answered with *pick*."""
    turn = s.turn
    while s.agenda and (s.turn == turn or not isinstance(s.agenda[-1], ChooseAction)):
        ends = isinstance(s.agenda[-1], ChooseAction)
        odin = isinstance(s.agenda[-1], OdinDraw | OdinChoice)
        listed = options(s, s.active)
        apply(s, s.active, END_TURN if ends and END_TURN in listed else listed[odin and pick])
    return s


def nothing_seen(rng):
    s = small(rng, {"loki": 2, "surt": 1, "hel": 1}, gods=[0], furious_enemies=[1, 5])
    assert isinstance(s.agenda[-1], OdinDraw)
    return s


def first_card(rng):
    return small(rng, {"loki": 2, "surt": 1, "hel": 2}, furious_enemies=[1, 5])


def three_cards(rng):
    s = small(rng, {"loki": 3, "surt": 2, "hel": 1}, furious_enemies=[1, 5])
    return finish_turn(finish_turn(s))


def four_cards_of_uneven_piles(rng):
    s = small(rng, {"loki": 5, "surt": 2}, furious_enemies=[3, 5])
    for _ in range(3):
        finish_turn(s)
    return s


def three_piles(rng):
    s = small(rng, {"loki": 2, "surt": 2, "hel": 2}, furious_enemies=[1, 3, 5])
    return finish_turn(s)


def ragnarok_and_furious(rng):
    return finish_turn(small(rng, {"loki": 4, "surt": 2}, furious_enemies=[5], ragnarok=1))


def shuffled_together(rng):
    deck = {"loki": 3, "surt": 2, "hel": 1}
    return finish_turn(small(rng, deck, furious_enemies=[1, 5], spread_evenly=False))


def without_specials(rng):
    return finish_turn(small(rng, {"loki": 2, "surt": 2, "hel": 2}))


def one_special(rng):
    return finish_turn(small(rng, {"loki": 3, "surt": 3}, furious_enemies=[5]))


def peek_into_the_second_pile(rng):
    s = small(rng, {"loki": 7, "surt": 3}, furious_enemies=[3, 5], vanir=3)
    do(s, "vanaheim", mode="use", space=3)
    while not isinstance(s.agenda[-1], ChooseAction):
        apply(s, 0, options(s, 0)[-1])
    return finish_turn(s)


def peek_half_answered(rng):
    s = small(rng, {"loki": 6, "surt": 3}, furious_enemies=[3, 5], vanir=3)
    do(s, "vanaheim", mode="use", space=3)
    if not isinstance(s.agenda[-1], ChooseAction):
        apply(s, 0, options(s, 0)[-1])
    return s


def odin_rejects_the_first(rng):
    s = small(rng, {"loki": 3, "surt": 3, "hel": 1}, gods=[0], furious_enemies=[3, 5])
    return finish_turn(s, 1)


def odin_chooses(rng):
    s = small(rng, {"loki": 3, "surt": 3}, gods=[0], furious_enemies=[3, 5])
    apply(s, 0, options(s, 0)[1])
    return s


def odin_rejects_a_card_and_a_turn_goes_by(rng):
    s = small(rng, {"loki": 3, "surt": 3}, gods=[0, 1], furious_enemies=[3, 5])
    return finish_turn(s, 1)


def tyr_rolls_for_the_card(rng):
    return small(rng, {"surt": 3, "loki": 3}, gods=[4], furious_enemies=[3, 5])


SIGEL = ["bergelmir", "greip", "hrym", "thrym"]


def giants(rng, **given):
    """Return a table with four giants in a deck that has just been shuffled."""
    deck = [giant for giant in GIANTS if giant in SIGEL]
    s = at(giants_deck=deck, giants_defeated=[g for g in GIANTS if g not in deck], **given)
    rng.shuffle(s.giant_deck)
    s.chance = rng
    return s


def giants_revealed(rng):
    s = giants(rng, gods=["thor"], deck=["loki"] * 3)
    return finish_turn(s)


def hidden_giant_beaten(rng):
    s = giants(rng, hold={"thor": {"vikings": 3}})
    return do(s, "jotunheim", target="hidden", vikings=3)


def hidden_giant_wins(rng):
    return do(giants(rng), "jotunheim", target="hidden")


def giant_discarded(rng):
    s = giants(rng, vanir=5, deck=["loki"] * 3)
    return finish_turn(do(s, "vanaheim", mode="use", space=5, giant="hrym"))


def closed_bags(rng):
    deck = {"loki": 2, "surt": 2, "hel": 2}
    return finish_turn(small(rng, deck, bag_inspection=CLOSED))


def closed_bag_searched(rng):
    s = small(rng, {"loki": 2, "surt": 2}, gods=[3], bag_inspection=CLOSED)
    do(s, "midgard", move_to="white", search=True)
    do(s, "muspellheim", island="white")
    return do(s, "helheim", island="blue")


CASES = [
    nothing_seen,
    first_card,
    three_cards,
    four_cards_of_uneven_piles,
    three_piles,
    ragnarok_and_furious,
    shuffled_together,
    without_specials,
    one_special,
    peek_into_the_second_pile,
    peek_half_answered,
    odin_rejects_the_first,
    odin_chooses,
    odin_rejects_a_card_and_a_turn_goes_by,
    tyr_rolls_for_the_card,
    giants_revealed,
    hidden_giant_beaten,
    hidden_giant_wins,
    giant_discarded,
    closed_bags,
    closed_bag_searched,
]


def world(s):
    """Return what is hidden; the order of all sixteen giants is not played through."""
    order = tuple(s.giant_deck) if len(s.giant_deck) < 5 else ()
    return tuple(s.deck), order, tuple(s.bag_vikings), tuple(s.bag_giants)


class Case:
    """A case played with every random outcome: worlds and table by what can be seen."""

    def __init__(self, reach):
        self.tables = {}
        self.worlds = brute_force.worlds(lambda rng: self.look(reach(rng)))

    def look(self, s):
        public = [event.seen_by(SPECTATOR) for event in s.journal]
        seen = repr(public) + repr(GAME.view(s, SPECTATOR))
        self.tables.setdefault(seen, s)
        return seen, world(s)

    def imagine(self, seen, game=GAME):
        s = self.tables[seen]
        view, rng = GAME.view(s, SPECTATOR), FastChance(len(self.worlds))
        return lambda: world(game.imagine(view, rng))


@brute_force.needs_plain
@pytest.mark.parametrize("reach", CASES, ids=lambda reach: reach.__name__)
def test_13_2_imagined_tables_are_as_likely_as_the_true_ones(reach):
    case = Case(reach)
    by_size = sorted(case.worlds, key=lambda seen: len(case.worlds[seen]))
    assert len(case.worlds[by_size[-1]]) > 1, "nothing is hidden"
    for seen in {by_size[0], by_size[-1]}:
        brute_force.hold(case.worlds[seen], case.imagine(seen))


@brute_force.needs_plain
def test_13_2_cards_dealt_anywhere_are_noticed():
    case = Case(first_card)

    class Careless:
        def imagine(self, view, rng):
            view.public.pile_sizes[:] = [sum(view.public.pile_sizes)]
            return GAME.imagine(view, rng)

    for seen, true in case.worlds.items():
        assert brute_force.difference(true, [case.imagine(seen, Careless())() for _ in range(999)])


# ---------------------------------------------------------------- whole decks


def next_is_special(s, draws=3000):
    view, rng = GAME.view(s, SPECTATOR), FastChance(7)
    return sum(GAME.imagine(view, rng).deck[-1] >= FURIOUS for _ in range(draws)) / draws


def drawn(kinds):
    """Return a match with ten special cards whose first cards are plain or special as said."""
    for seed in range(10_000):
        s = lay_out(GAME.components, Setup(gods=[1], furious=6, ragnarok=4), FastChance(seed))
        if [card >= FURIOUS for card in s.deck[: -len(kinds) - 1 : -1]] == kinds:
            for _ in kinds:
                s.discard.append(s.deck.pop())
            return s
    raise AssertionError("no such deck")


@pytest.mark.parametrize(
    ("kinds", "likely"),
    [
        ([], 1 / 5),
        ([False] * 3, 1 / 2),
        ([False] * 4, 1),
        ([True], 0),
        ([True, False, False, False], 0),
        ([True, False, False, False, False], 1 / 5),
    ],
)
def test_2_6_each_pile_is_imagined_with_one_special_card(kinds, likely):
    assert next_is_special(drawn(kinds)) == pytest.approx(likely, abs=0.03)


def test_13_3_closed_bags_are_imagined_as_everybody_has_counted_them():
    rng = FastChance(1)
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in range(12):
        s = GAME.new(Setup(seats=2, bag_inspection=CLOSED), FastChance(seed))
        while s.agenda:
            view = GAME.view(s, SPECTATOR)
            assert public(s).bags == []
            twin = GAME.imagine(view, rng)
            assert (twin.bag_vikings, twin.bag_giants) == (s.bag_vikings, s.bag_giants)
            seen[tuple(s.bag_vikings)] += 1
            listed = options(s, s.active)
            apply(s, s.active, listed[rng.below(len(listed))])
    assert len(seen) > 20
