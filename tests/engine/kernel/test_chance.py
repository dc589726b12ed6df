"""Luck: specified, fair, reproducible, or written down."""

from collections import Counter
from hashlib import blake2b
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taflhall_engine.kernel.chance import (
    Chance,
    ChanceExhausted,
    FastChance,
    KeyedChance,
    ScriptedChance,
)

SECRET = bytes(range(32))
WORDS = [
    0x80088FB394A9BA20,
    0x84BC6321C674194B,
    0x1FC21E01259A46EE,
    0x99110D9152750D30,
    0xEDA5115C8A3F3035,
    0xAACDD7BF9BB2D605,
]
"""The first words under SECRET; computed with `b2sum`'s algorithm, not with the engine."""

SOURCES = [KeyedChance(SECRET), FastChance(7)]
names = pytest.mark.parametrize("source", SOURCES, ids=["keyed", "cheap"])


# ---------------------------------------------------------------- keyed


def test_keyed_luck_is_blake2b_over_a_counter():
    for n in (2, 6, 1000, 2**32):
        chance = KeyedChance(SECRET)
        assert [chance.below(n) for _ in WORDS] == [word % n for word in WORDS]
        assert chance.draws == len(WORDS)


def test_keyed_luck_follows_its_specification_for_any_secret():
    secret = bytes.fromhex("ff" * 32)
    chance = KeyedChance(secret)
    for k in range(50):
        digest = blake2b(k.to_bytes(8, "big"), digest_size=8, key=secret).digest()
        assert chance.below(256) == digest[-1]


def test_a_keyed_shuffle_is_fisher_yates_from_the_end():
    items = list(range(6))
    expected = items[:]
    for i, word in zip(range(5, 0, -1), WORDS, strict=False):
        j = word % (i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    KeyedChance(SECRET).shuffle(items)
    assert items == expected


def test_a_keyed_draw_takes_token_by_token():
    counts = [3, 0, 5]
    bag = [0, 0, 0, 2, 2, 2, 2, 2]
    drawn = [0, 0, 0]
    for word in WORDS[:4]:
        drawn[bag.pop(word % len(bag))] += 1
    assert KeyedChance(SECRET).draw(counts, 4) == drawn
    assert counts == [3, 0, 5]


def test_keyed_chance_continues_from_its_counter():
    one = KeyedChance(SECRET)
    for _ in range(3):
        one.below(6)
    other = KeyedChance(SECRET, one.draws)
    assert [one.below(100) for _ in range(5)] == [other.below(100) for _ in range(5)]


@pytest.mark.parametrize("size", [0, 16, 31, 33, 64])
def test_a_secret_has_256_bits(size):
    with pytest.raises(ValueError, match=f"32 bytes, this one has {size}"):
        KeyedChance(bytes(size))


# ---------------------------------------------------------------- every source


@names
def test_each_number_is_equally_likely(source):
    chance = source.copy()
    for n in (2, 6, 7, 52):
        counts = Counter(chance.below(n) for _ in range(n * 600))
        assert set(counts) == set(range(n))
        chi_square = sum((count - 600) ** 2 / 600 for count in counts.values())
        # mean n-1, deviation sqrt(2(n-1)); five deviations and a little for few degrees
        assert chi_square < (n - 1) + 5 * (2 * (n - 1)) ** 0.5 + 10


@names
def test_each_order_is_equally_likely(source):
    chance = source.copy()
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(24 * 300):
        items = [0, 1, 2, 3]
        chance.shuffle(items)
        counts[tuple(items)] += 1
    assert set(counts) == set(permutations(range(4)))
    assert sum((count - 300) ** 2 / 300 for count in counts.values()) < 23 + 5 * 46**0.5 + 10


@names
def test_consecutive_numbers_are_independent(source):
    chance = source.copy()
    pairs = Counter((chance.below(6), chance.below(6)) for _ in range(36 * 300))
    assert len(pairs) == 36
    assert sum((count - 300) ** 2 / 300 for count in pairs.values()) < 35 + 5 * 70**0.5 + 10


@names
def test_a_copy_draws_the_same_numbers_independently(source):
    chance = source.copy()
    twin = chance.copy()
    expected = [chance.below(1000) for _ in range(20)]
    assert [twin.below(1000) for _ in range(20)] == expected
    assert [source.copy().below(1000) for _ in range(3)] == [source.copy().below(1000)] * 3


@names
@given(counts=st.lists(st.integers(0, 5), min_size=1, max_size=6), data=st.data())
def test_a_draw_never_takes_more_than_there_is(source, counts, data):
    m = data.draw(st.integers(0, sum(counts)))
    before = counts[:]
    drawn = source.copy().draw(counts, m)
    assert sum(drawn) == m
    assert all(0 <= n <= count for n, count in zip(drawn, counts, strict=True))
    assert counts == before


@names
@given(st.integers(1, 2**32))
def test_numbers_are_below(source, n):
    chance = source.copy()
    assert all(0 <= chance.below(n) < n for _ in range(5))


@names
def test_nothing_to_choose_from_is_nothing(source):
    chance = source.copy()
    items: list[int] = []
    chance.shuffle(items)
    assert items == []
    assert chance.below(1) == 0
    assert chance.draw([0, 0], 0) == [0, 0]


# ---------------------------------------------------------------- cheap


def test_cheap_luck_is_the_same_everywhere():
    chance = FastChance(2026)
    assert [chance.below(1000) for _ in range(8)] == CHEAP


CHEAP = [529, 207, 415, 322, 588, 424, 226, 525]


def test_seeds_next_to_each_other_give_different_luck():
    firsts = Counter(FastChance(seed).below(6) for seed in range(1200))
    assert sum((firsts[n] - 200) ** 2 / 200 for n in range(6)) < 30
    pairs = {(FastChance(n).below(1000), FastChance(n + 1).below(1000)) for n in range(100)}
    assert len({abs(a - b) for a, b in pairs}) > 50


@pytest.mark.parametrize("seed", [0, 1, 2**31 - 86, 2**31, 2**63, 10**30])
def test_any_seed_will_do(seed):
    chance = FastChance(seed)
    assert {chance.below(6) for _ in range(200)} == set(range(6))


# ---------------------------------------------------------------- scripted


def test_scripted_luck_is_what_is_written_down():
    chance = ScriptedChance([2, 0], [[1, 1]], [[3, 1, 2]])
    items = [1, 2, 3]
    chance.shuffle(items)
    assert items == [3, 1, 2]
    assert chance.draw([1, 4], 2) == [1, 1]
    assert [chance.below(3), chance.below(1)] == [2, 0]
    assert chance.left() == 0


def test_a_shuffle_that_is_not_written_down_changes_nothing():
    items = [3, 1, 2]
    ScriptedChance([], [], []).shuffle(items)
    assert items == [3, 1, 2]


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda c: c.below(3), "3 is written down"),
        (lambda c: c.draw([0, 5], 2), r"the bag holds \[0, 5\]"),
        (lambda c: c.draw([5, 5], 3), "but 3 tokens are drawn"),
        (lambda c: c.shuffle([1, 2, 4]), "are shuffled"),
    ],
)
def test_luck_that_does_not_fit_is_an_error(question, message):
    chance = ScriptedChance([3], [[1, 1]], [[1, 2, 3]])
    with pytest.raises(ChanceExhausted, match=message):
        question(chance)


@pytest.mark.parametrize("question", [lambda c: c.below(3), lambda c: c.draw([1], 1)])
def test_luck_that_runs_out_is_an_error(question):
    with pytest.raises(ChanceExhausted, match="is left"):
        question(ScriptedChance([], [], []))


def test_a_copy_of_scripted_luck_is_independent():
    chance = ScriptedChance([1, 2], [[1]], [[0]])
    twin = chance.copy()
    assert isinstance(twin, ScriptedChance)
    twin.below(5)
    twin.draw([1], 1)
    twin.shuffle([0])
    assert chance.left() == 4
    assert twin.left() == 1


# ---------------------------------------------------------------- at the limits


def test_a_word_beyond_the_greatest_multiple_is_passed_over():
    chance = KeyedChance(SECRET)
    assert chance.below(WORDS[0]) == WORDS[2]
    assert chance.draws == 3
    chance = KeyedChance(SECRET)
    assert chance.below(WORDS[0] + 1) == WORDS[0]
    assert chance.draws == 1


@pytest.mark.parametrize("seed", [0, 1, 7, 2147483561, 2147483562, 2**40 + 3, 2**61 + 5])
def test_cheap_luck_is_the_combined_generator_of_lecuyer(seed):
    m1, m2 = 2147483563, 2147483399
    one = pow(seed % (m1 - 1) + 1, 5, m1)
    two = (seed // (m1 - 1) * 7919 + 12345) % (m2 - 1) + 1
    chance = FastChance(seed)
    for n in (2, 6, 1000, 2**31):
        one, two = one * 40014 % m1, two * 40692 % m2
        assert chance.below(n) == (one - two) % (m1 - 1) * n // (m1 - 1)


def test_cheap_luck_of_two_seeds_is_that_of_neither():
    assert [FastChance(1, 5).other, FastChance(1, 1).other] == [6, 2]
    assert FastChance(1, 0).other == FastChance(1).other == FastChance(1, -3).other == 12346


@pytest.mark.parametrize("number", [-1, 6, 7])
def test_a_number_that_is_written_down_must_be_possible(number):
    with pytest.raises(ChanceExhausted, match=r"below\(6\)"):
        ScriptedChance([number], [], []).below(6)
    assert ScriptedChance([0, 5], [], []).below(6) == 0
    assert ScriptedChance([5], [], []).below(6) == 5


@pytest.mark.parametrize("drawn", [[-1, 3], [3, -1], [3, 0], [0, 3], [1, 0], [2, 2]])
def test_a_draw_that_is_written_down_must_be_possible(drawn):
    with pytest.raises(ChanceExhausted):
        ScriptedChance([], [drawn], []).draw([2, 2], 2)
    with pytest.raises(ChanceExhausted):
        ScriptedChance([], [[-1, 3]], []).draw([4, 4], 2)
    for fine in ([2, 0], [0, 2], [1, 1]):
        assert ScriptedChance([], [fine], []).draw([2, 2], 2) == fine


def test_a_shuffle_draws_one_word_less_than_there_are_items():
    for size, draws in ((0, 0), (1, 0), (2, 1), (6, 5)):
        chance = KeyedChance(SECRET)
        chance.shuffle(list(range(size)))
        assert chance.draws == draws


@given(st.integers(0, 1 << 62), st.integers(0, 60))
def test_cheap_luck_shuffles_as_any_luck_does(seed, size):
    fast, slow = FastChance(seed), FastChance(seed)
    items, others = list(range(size)), list(range(size))
    fast.shuffle(items)
    Chance.shuffle(slow, others)
    assert items == others
    assert fast.below(1 << 30) == slow.below(1 << 30)


M1, M2 = 2147483563, 2147483399
"""The moduli of cheap luck."""


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("next_one", [-1, 0, 1, (M1 - 1) // 2, (3 * M1 - 5) // 4, M1 - 3, M1 - 2])
def test_cheap_luck_shuffles_as_any_luck_does_at_the_limits_of_its_numbers(next_one, size):
    fast, slow = FastChance(0), FastChance(0)
    for chance in (fast, slow):  # the next difference of the two generators is that one
        one, two = max(0, next_one) + 1, max(0, -next_one) + 1
        chance.seed, chance.other = one * pow(40014, -1, M1) % M1, two * pow(40692, -1, M2) % M2
    items, others = list(range(size)), list(range(size))
    fast.shuffle(items)
    Chance.shuffle(slow, others)
    assert items == others


def test_a_draw_counts_the_kinds_in_their_order():
    for numbers, drawn in (([5, 0, 2, 3], [1, 0, 2, 1]), ([6, 1, 1, 1], [0, 2, 1, 1])):
        assert Chance.draw(ScriptedChance(numbers, [], []), [1, 2, 3, 1], 4) == drawn


def test_what_is_left_of_a_script_is_counted():
    chance = ScriptedChance([1, 2], [[1]], [[2, 1], [1], [3]])
    assert chance.left() == 6
    assert chance.copy() is not chance
    items = [1, 2]
    chance.shuffle(items)
    assert (items, chance.left()) == ([2, 1], 5)
