"""YG-2 Setup."""

from itertools import pairwise

import pytest

from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import InvalidSetup
from taflhall_engine.yggdrasil.ids import FURIOUS, RAGNAROK
from taflhall_engine.yggdrasil.setup import Setup, lay_out, pile_sizes
from tests.engine.yggdrasil.position import GAME


def laid_out(seed=1, **setup):
    return lay_out(GAME.components, Setup(**setup), FastChance(seed))


@pytest.mark.parametrize(
    ("setup", "fields"),
    [
        ({}, ["gods"]),
        ({"gods": [0], "seats": 0}, ["gods"]),
        ({"seats": 0}, ["seats"]),
        ({"gods": [0, 1], "seats": 2}, ["gods"]),
        ({"gods": [0, 0]}, ["gods"]),
        ({"gods": [6]}, ["gods"]),
        ({"gods": [-1]}, ["gods"]),
        ({"gods": [0, 1, 2, 3, 4, 5, 0]}, ["gods"]),
        ({"seats": 7}, ["seats"]),
        ({"seats": -1}, ["seats"]),
        ({"seats": 2, "furious": 7}, ["furious"]),
        ({"seats": 2, "furious": -1}, ["furious"]),
        ({"seats": 2, "furious_enemies": [1, 1]}, ["furious_enemies"]),
        ({"seats": 2, "furious_enemies": [6]}, ["furious_enemies"]),
        ({"seats": 2, "furious": 1, "furious_enemies": [1, 2]}, ["furious"]),
        ({"seats": 2, "ragnarok": 5}, ["ragnarok"]),
        ({"seats": 2, "ragnarok": -1}, ["ragnarok"]),
        ({"seats": 2, "bag_inspection": 2}, ["bag_inspection"]),
        (
            {"seats": 9, "furious": 9, "ragnarok": 9, "bag_inspection": 9},
            ["seats", "furious", "ragnarok", "bag_inspection"],
        ),
    ],
)
def test_2_1_every_fault_of_a_setup_is_named_at_once(setup, fields):
    with pytest.raises(InvalidSetup) as caught:
        GAME.new(Setup(**setup), FastChance(1))
    assert [fault.field for fault in caught.value.faults] == fields
    assert all(fault.found and fault.code for fault in caught.value.faults)


def test_2_3_random_gods_are_different_and_all_are_possible():
    firsts = set()
    for seed in range(60):
        gods = laid_out(seed, seats=3).gods
        assert len(set(gods)) == 3
        firsts.add(gods[0])
    assert firsts == {0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize("seats", range(1, 7))
def test_2_4_elves_are_one_more_than_the_gods_and_everything_else_is_fixed(seats):
    s = laid_out(seats=seats)
    assert s.alfheim == seats + 1
    assert (s.helheim, s.muspellheim, s.vanir) == (5, 12, 1)
    assert s.bag_vikings == [0, 6, 9, 12, 15]
    assert s.bag_giants == [0, 12, 9, 6, 3]
    assert s.enemies == [1] * 6
    assert (s.valkyries, s.sunken, s.fenrir_card) == (0, 4, -1)
    assert s.vikings == s.elves == [0] * seats
    assert s.forge == (1 << 18) - 1
    assert sorted(s.giant_deck) == list(range(16))
    assert s.giants_active == s.giants_defeated == []


@pytest.mark.parametrize(("furious", "ragnarok"), [(0, 0), (3, 0), (6, 0), (6, 4), (0, 2)])
def test_2_5_furious_cards_replace_plain_ones_and_ragnarok_cards_are_added(furious, ragnarok):
    s = laid_out(seats=1, furious=furious, ragnarok=ragnarok)
    assert len(s.deck) == 42 + ragnarok
    for enemy in range(6):
        assert s.composition[enemy] + s.composition[FURIOUS + enemy] == 7
    assert sum(s.composition[FURIOUS:RAGNAROK]) == furious
    assert sum(s.composition[RAGNAROK:]) == ragnarok
    assert max(s.composition[FURIOUS:]) <= 1
    assert [s.deck.count(card) for card in range(16)] == s.composition


def test_2_5_furious_enemies_can_be_named():
    s = laid_out(seats=1, furious_enemies=[1, 4])
    assert [enemy for enemy in range(6) if s.composition[FURIOUS + enemy]] == [1, 4]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("furious", "ragnarok"), [(1, 0), (4, 3), (6, 4)])
def test_2_6_each_pile_holds_one_special_card(seed, furious, ragnarok):
    s = laid_out(seed, seats=1, furious=furious, ragnarok=ragnarok)
    deck = s.deck[::-1]
    sizes = pile_sizes(42 - furious, furious + ragnarok, True)
    assert sum(sizes) == len(deck)
    for size in sizes:
        pile, deck = deck[:size], deck[size:]
        assert sum(card >= FURIOUS for card in pile) == 1


def test_2_6_upper_piles_are_larger():
    assert pile_sizes(40, 6, True) == [8, 8, 8, 8, 7, 7]
    assert pile_sizes(36, 6, True) == [7] * 6


def test_2_6_without_spreading_two_special_cards_may_lie_together():
    def together(seed):
        deck = laid_out(seed, seats=1, furious=6, ragnarok=4, spread_evenly=False).deck
        return any(a >= FURIOUS and b >= FURIOUS for a, b in pairwise(deck))

    assert any(together(seed) for seed in range(20))


def test_2_8_seat_0_begins():
    s = GAME.new(Setup(gods=[1, 3]), FastChance(1))
    assert (s.active, s.turn) == (0, 1)


def test_13_4_gods_given_by_name_use_no_luck_for_gods():
    one = laid_out(5, gods=[1, 2])
    two = laid_out(5, gods=[3, 4])
    assert one.deck == two.deck
    assert one.giant_deck == two.giant_deck
