"""YG-7 The nine worlds."""

import itertools

import pytest

from taflhall_engine.kernel.agenda import apply, options, refusal
from taflhall_engine.yggdrasil.ids import GIANTS
from taflhall_engine.yggdrasil.rules.exchange import Niflheim
from taflhall_engine.yggdrasil.rules.peek import PutNext
from taflhall_engine.yggdrasil.rules.worlds import Asgard
from tests.engine.yggdrasil.position import asked, at, code, do, emitted, listed, rng, spaces


def test_7_1_the_vikings_are_asked_after_the_enemy_and_nothing_changes_before():
    s = at(enemies={"hel": 3}, hold={"thor": {"vikings": 2}}, dice=["0"])
    before = (s.actions_used, s.used, s.vikings[:], s.helheim)
    apply(s, 0, Asgard(1))
    assert asked(s) == "BattleVikings"
    assert (s.actions_used, s.used, s.vikings, s.helheim) == before
    assert listed(s, "vikings") == [0, 1, 2]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "no_effect"),
        ({"search": False}, "no_effect"),
        ({"move_to": "atlantis"}, "invalid_target"),
        ({"move_to": "green"}, None),
        ({"move_to": "black"}, "island_not_adjacent"),
        ({"move_to": "blue"}, "island_not_adjacent"),
        ({"move_to": "white", "search": True}, "search_forbidden"),
        ({"move_to": "white"}, None),
        ({"search": True}, "bag_empty"),
        ({"move_to": "green", "search": True}, None),
    ],
)
def test_7_2_moving_and_searching(fields, expected):
    s = at(valkyries="blue", sunken="white", bags={"blue": [0, 0]})
    assert code(s, "midgard", **fields) == expected


def test_7_2a_the_whirlpool_holds_nobody_back():
    s = at(valkyries="green", sunken="green", giants_active=["thjazi"])
    assert code(s, "midgard", move_to="blue") is None
    assert code(s, "midgard", search=True) == "search_forbidden"
    s = at(valkyries="blue", sunken="green", giants_active=["thjazi"])
    assert code(s, "midgard", move_to="green", search=True) == "whirlpool"


def test_7_2b_a_search_takes_all_of_a_small_bag():
    draws = [{"bag": "white", "vikings": 1, "fire_giants": 1}]
    s = at(valkyries="white", bags={"white": [1, 1]}, draws=draws)
    do(s, "midgard", search=True)
    assert (s.vikings[0], s.bag_vikings[1], s.bag_giants[1]) == (1, 0, 1)


def test_7_3_a_forged_weapon_returns_the_lower_one():
    s = at(hold={"thor": {"weapons": {"loki": 1}}})
    do(s, "nidavellir", enemy="loki")
    assert s.weapons[3] == 2
    assert s.forge >> 9 & 7 == 0b101
    assert emitted(s, "WeaponForged") == [(0, 3, 2)]


def test_7_4_no_elf_is_left():
    s = at(gods=["thor"], hold={"thor": {"elves": 2}})
    assert code(s, "alfheim") == "no_elf_available"


# ---------------------------------------------------------------- YG-7.5

STOCKS = [
    (0, 0, 0, 0),
    (1, 0, 0, 0),
    (0, 0, 2, 0),
    (0, 0, 0, 1),
    (1, 0, 1, 0),
    (2, 0, 2, 0),
    (0, 1, 0, 1),
    (1, 1, 1, 1),
    (2, 1, 1, 0),
    (0, 2, 1, 0),
    (2, 0, 1, 1),
]


def exchange_table(stock):
    own_vikings, own_elves, vikings, elves = stock
    hold = {
        "thor": {"vikings": own_vikings, "elves": own_elves},
        "frey": {"vikings": vikings, "elves": elves},
    }
    return at(hold=hold, bags={"white": [1, 12]})


def reached(s):
    """Return every outcome of the exchange's steps: what each god holds afterwards."""
    if asked(s) == "ChooseAction":
        return [(s.vikings[0], s.elves[0], s.vikings[1], s.elves[1])]
    found = []
    listed = options(s, 0)
    assert len(listed) >= 2
    for option in listed:
        twin = s.copy()
        apply(twin, 0, option)
        found += reached(twin)
    return found


@pytest.mark.parametrize("stock", STOCKS)
def test_7_5_the_steps_admit_exactly_the_exchanges_of_the_rule(stock):
    s = exchange_table(stock)
    answers = [
        dict(zip(("give_vikings", "give_elves", "take_vikings", "take_elves"), n, strict=True))
        for n in itertools.product(range(4), repeat=4)
    ]
    legal = [a for a in answers if code(s, "niflheim", partner="frey", **a) is None]
    by_rule = [
        a
        for a in answers
        if sum(a.values()) > 0
        and a["give_vikings"] <= stock[0]
        and a["give_elves"] <= stock[1]
        and a["take_vikings"] <= stock[2]
        and a["take_elves"] <= stock[3]
    ]
    assert legal == by_rule
    if not by_rule:
        assert Niflheim(1) not in options(s, 0)
        return
    twin = s.copy()
    apply(twin, 0, Niflheim(1))
    held = [
        (
            stock[0] - a["give_vikings"] + a["take_vikings"],
            stock[1] - a["give_elves"] + a["take_elves"],
            stock[2] + a["give_vikings"] - a["take_vikings"],
            stock[3] + a["give_elves"] - a["take_elves"],
        )
        for a in by_rule
    ]
    assert sorted(reached(twin)) == sorted(held)
    for answer, after in zip(by_rule, held, strict=True):
        done = do(s.copy(), "niflheim", partner="frey", **answer)
        assert (done.vikings[0], done.elves[0], done.vikings[1], done.elves[1]) == after
        assert done.used == 1 << 4


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"give_elves": 9, "take_vikings": 9}, "not_enough_vikings"),
        ({"give_elves": 9}, "not_enough_elves"),
        ({"take_elves": 9}, "not_enough_elves"),
        ({}, "no_effect"),
    ],
)
def test_7_5_vikings_are_checked_before_elves_of_either_side(fields, expected):
    s = exchange_table((1, 1, 0, 0))
    assert code(s, "niflheim", partner="frey", **fields) == expected


def test_7_5_half_an_exchange_changes_nothing():
    s = exchange_table((2, 1, 1, 0))
    apply(s, 0, Niflheim(1))
    for _ in range(2):
        apply(s, 0, options(s, 0)[-1])
        assert asked(s) != "ChooseAction"
        assert (s.vikings, s.elves, s.actions_used, s.used) == ([2, 1], [1, 0], 0, 0)


def test_7_5_one_god_has_nobody_to_exchange_with():
    s = at(gods=["thor"], hold={"thor": {"vikings": 2}})
    assert code(s, "niflheim", partner="thor", give_vikings=1) == "invalid_partner"
    assert not [option for option in options(s, 0) if isinstance(option, Niflheim)]


# ---------------------------------------------------------------- YG-7.6 to YG-7.9


def test_7_6_an_empty_helheim_has_no_effect():
    s = at(bags={"white": [11, 12]})
    assert s.helheim == 0
    assert code(s, "helheim", island="white") == "no_effect"
    assert code(s, "vanaheim", mode="use", space=2) == "effect_not_reached"


def test_7_7_muspellheim_draws_five_tokens():
    draws = [{"bag": "white", "vikings": 2, "fire_giants": 3}]
    s = at(draws=draws)
    do(s, "muspellheim", island="white")
    assert (s.bag_vikings[1], s.bag_giants[1], s.muspellheim) == (6, 9, 15)
    assert emitted(s, "BagCleaned") == [(0, 1, 2, 3)]


def test_7_8_a_hidden_giant_that_wins_is_neither_shown_nor_moved():
    s = at(gods=["frey"], dice=["0"])
    top = s.giant_deck[-1]
    do(s, "jotunheim", target="hidden")
    assert s.giant_deck[-1] == top
    assert len(s.giant_deck) == 16
    assert emitted(s, "GiantDefeated") == emitted(s, "GiantRevealed") == []
    assert emitted(s, "BattleFought") == [(0, 22, 0, 3, False)]


def test_7_9a_the_vanir_advances_to_the_last_space_and_no_further():
    s = at(vanir=4)
    do(s, "vanaheim", mode="advance")
    assert s.vanir == 5
    assert code(at(vanir=5), "vanaheim", mode="advance") == "vanir_at_end"


@pytest.mark.parametrize("space", range(1, 6))
@pytest.mark.parametrize("vanir", range(1, 6))
def test_7_9b_only_spaces_up_to_the_vanir_can_be_used(space, vanir):
    s = at(vanir=vanir, enemies={"hel": 2})
    fields = {"move_to": "white", "enemy": "hel", "giant": "gjalp"}
    found = code(s, "vanaheim", mode="use", space=space, **fields)
    assert found == (None if space <= vanir else "effect_not_reached")


def test_7_9b_there_are_no_other_spaces():
    s = at(vanir=5)
    assert code(s, "vanaheim", mode="use", space=0) == "invalid_target"
    assert code(s, "vanaheim", mode="use", space=6) == "invalid_target"
    blocked = at(vanir=5, giants_active=["suttung"])
    assert code(blocked, "vanaheim", mode="use", space=6) == "world_blocked"


def test_7_9c_the_valkyries_move_one_step():
    s = at(valkyries="blue", vanir=3)
    assert code(s, "vanaheim", mode="use", space=1, move_to="black") == "island_not_adjacent"
    do(s, "vanaheim", mode="use", space=1, move_to="green")
    assert (s.valkyries, s.vanir) == (3, 1)


def test_7_9d_the_last_viking_of_helheim():
    s = at(vanir=2, bags={"white": [10, 12]})
    do(s, "vanaheim", mode="use", space=2)
    assert (s.vikings[0], s.helheim) == (1, 0)
    empty = at(vanir=2, bags={"white": [11, 12]})
    assert code(empty, "vanaheim", mode="use", space=2) == "no_effect"


def test_7_9e_a_peek_at_one_card_asks_nothing_but_is_known():
    s = at(vanir=3, deck=["surt"])
    do(s, "vanaheim", mode="use", space=3)
    assert asked(s) == "ChooseAction"
    assert s.known == 1
    assert code(at(vanir=3, deck=[]), "vanaheim", mode="use", space=3) == "no_effect"


def test_7_9e_every_order_of_the_shown_cards_can_be_given_and_nothing_moves_before():
    deck = ["fenrir", "hel", "loki", "surt"]
    s = at(vanir=3, deck=[*deck, "nidhogg"][:4])
    do(s, "vanaheim", mode="use", space=3)
    assert asked(s) == "PeekReorder"
    for order in itertools.permutations(range(4)):
        twin = do(s.copy(), "reorder", order=list(order))
        assert twin.deck[::-1] == [[0, 1, 3, 5][i] for i in order]
    apply(s, 0, PutNext(3))
    apply(s, 0, PutNext(1))
    assert s.deck[::-1] == [0, 1, 3, 5]


def orders(s):
    """Return every deck, top card first, that the steps of a peek lead to."""
    if asked(s) not in ("PeekReorder", "PeekFurther"):
        return [tuple(s.deck[::-1])]
    listed = options(s, 0)
    assert len(listed) >= 2
    found = []
    for option in listed:
        twin = s.copy()
        apply(twin, 0, option)
        found += orders(twin)
    return found


def test_3_5_equal_cards_of_a_peek_are_one_answer_and_the_last_ones_none():
    s = at(vanir=3, deck=["hel", "surt", "hel", "hel", "loki", "hel", "fenrir"])
    do(s, "vanaheim", mode="use", space=3)
    assert listed(s, "card") == [1, 5, 3]
    reached = orders(s)
    assert len(reached) == len(set(reached)) == 30  # 6! / 4!
    assert {tuple(sorted(deck)) for deck in reached} == {(0, 1, 1, 1, 1, 3, 5)}
    apply(s, 0, PutNext(5))
    apply(s, 0, PutNext(3))
    assert asked(s) == "ChooseAction"
    assert s.deck[::-1] == [5, 3, 1, 1, 1, 1, 0]
    assert emitted(s, "CardsReordered") == [(0, [5, 3, 1, 1, 1, 1])]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_3_5_places_of_equal_cards_are_given_either_way(order):
    s = at(vanir=3, deck=["hel", "surt", "hel"])
    do(s, "vanaheim", mode="use", space=3)
    do(s, "reorder", order=list(order))
    assert s.deck[::-1] == [[1, 5, 1][place] for place in order]


def test_7_9e_a_card_that_is_not_left_cannot_come_next():
    s = at(vanir=3, deck=["hel", "surt", "loki"])
    do(s, "vanaheim", mode="use", space=3)
    for card, expected in ((0, "invalid_order"), (-1, "bad_request"), (1, None)):
        reason = refusal(s, 0, PutNext(card))
        assert (reason and reason.code) == expected
    apply(s, 0, PutNext(1))
    reason = refusal(s, 0, PutNext(1))
    assert reason is not None
    assert (reason.rule, reason.code) == ("YG-7.9e", "invalid_order")


@pytest.mark.parametrize("order", [[0, 1], [0, 0, 1, 2], [0, 1, 2, 4], [0, 1, 2, 3, 4], []])
def test_7_9e_another_order_is_refused(order):
    s = at(vanir=3, deck=["fenrir", "hel", "loki", "surt"])
    do(s, "vanaheim", mode="use", space=3)
    assert code(s, "reorder", order=order) == "invalid_order"


def test_7_9f_a_push_needs_no_battle():
    s = at(vanir=4, enemies={"fenrir": 8})
    do(s, "vanaheim", mode="use", space=4, enemy="fenrir")
    assert spaces(s) == {"fenrir": 7}
    assert emitted(s, "BattleFought") == []


def test_7_9g_any_giant_active_or_in_the_deck_and_then_the_deck_is_shuffled():
    s = at(vanir=5, giants_active=["gjalp"], giants_defeated=["hymir"])
    for giant in GIANTS:
        expected = "invalid_target" if giant == "hymir" else None
        assert code(s, "vanaheim", mode="use", space=5, giant=giant) == expected
    assert code(s, "vanaheim", mode="use", space=5, giant="odin") == "invalid_target"
    rng(s).orders.append(sorted(s.giant_deck))
    do(s, "vanaheim", mode="use", space=5, giant="gjalp")
    assert s.giant_deck == sorted(s.giant_deck)
    assert s.hindrance == 0
    assert emitted(s, "GiantsShuffled") == [()]
