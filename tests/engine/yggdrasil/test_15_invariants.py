"""YG-15 The invariants hold in random play, and each notices when it is broken."""

import pytest

from taflhall_engine.kernel.agenda import apply, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.rollout import rollout
from taflhall_engine.yggdrasil.setup import Setup
from tests.engine.yggdrasil.position import GAME


def fresh(seed=1, **setup):
    s = GAME.new(Setup(**(setup or {"seats": 3})), FastChance(seed))
    s.journal = []
    return s


@pytest.mark.parametrize("seats", range(1, 7))
def test_15_random_matches_are_sound_at_every_decision(seats):
    for seed in range(6):
        s = fresh(seed, seats=seats, furious=seed, ragnarok=seed % 5, bag_inspection=seed % 2)
        rng = FastChance(seed)
        while s.agenda:
            assert GAME.faults(s) == []
            listed = options(s, s.active)
            top = s.agenda[-1]
            by_rule = [o for o in top.offers(s, s.active) if o.refuse(s, s.active) is None]
            assert listed == by_rule
            assert listed == [
                o for o in top.offers(s, s.active) if top.refusal(s, s.active, o) is None
            ]
            assert len(set(map(repr, listed))) == len(listed) <= 256
            apply(s, s.active, listed[rng.below(len(listed))])
        assert GAME.faults(s) == []
        assert GAME.result(s) is not None


def test_15_5_a_match_that_is_not_lost_lasts_as_long_as_its_deck():
    """Without any danger each card is one turn, and Daeg spares three."""
    s = fresh(4, seats=2)
    s.components = GAME.components
    rng = FastChance(9)
    while s.agenda:
        s.enemies = [min(space, 3) for space in s.enemies]
        listed = options(s, s.active)
        apply(s, s.active, listed[rng.below(len(listed))])
    spared = 3 if s.turn > 42 else 0
    assert s.outcome == 2
    assert s.turn == 42 + spared - s.daeg
    assert GAME.faults(s) == []


def broken(change):
    s = fresh()
    rollout(s, FastChance(3), 12)
    assert s.agenda
    assert GAME.faults(s) == []
    change(s)
    return GAME.faults(s)


def add(name, place=None, by=1):
    def change(s):
        if place is None:
            setattr(s, name, getattr(s, name) + by)
        else:
            getattr(s, name)[place] += by

    return change


def assign(name, value):
    return lambda s: setattr(s, name, value)


@pytest.mark.parametrize(
    ("change", "number"),
    [
        (add("helheim"), "YG-15.1"),
        (add("vikings", 0), "YG-15.1"),
        (add("bag_vikings", 2), "YG-15.1"),
        (add("bag_giants", 2), "YG-15.1"),
        (add("muspellheim"), "YG-15.1"),
        (add("alfheim"), "YG-15.1"),
        (add("elves", 1), "YG-15.1"),
        (lambda s: (add("elves", 1, -9)(s), add("alfheim", None, 9)(s)), "YG-15.1"),
        (lambda s: (add("bag_vikings", 0)(s), add("bag_vikings", 4, -1)(s)), "YG-15.1"),
        (assign("forge", 0), "YG-15.1"),
        (add("weapons", 3), "YG-15.1"),
        (lambda s: s.giant_deck.pop(), "YG-15.1"),
        (lambda s: s.giants_defeated.append(s.giant_deck[0]), "YG-15.1"),
        (assign("hindrance", 1 << 4), "YG-9.2"),
        (add("enemies", 0, 9), "YG-15.2"),
        (add("enemies", 0, -9), "YG-15.2"),
        (assign("vanir", 0), "YG-15.2"),
        (assign("vanir", 6), "YG-15.2"),
        (assign("valkyries", 5), "YG-15.2"),
        (assign("sunken", 0), "YG-15.2"),
        (lambda s: s.deck.pop(), "YG-15.3"),
        (lambda s: s.discard.append(1), "YG-15.3"),
        (assign("fenrir_card", 3), "YG-15.3"),
        (assign("known", 1 << 60), "YG-13.7"),
        (lambda s: s.agenda.clear(), "YG-15.4"),
        (assign("outcome", 2), "YG-15.4"),
        (lambda s: setattr(s, "active", (s.active + 1) % 3), "YG-15.4"),
        (assign("actions_used", 5), "YG-15.4"),
        (add("turn"), "YG-15.5"),
        (add("daeg"), "YG-15.5"),
    ],
)
def test_15_what_is_broken_is_noticed(change, number):
    assert any(fault.startswith(number) for fault in broken(change))


def test_15_4_an_action_that_nobody_has_left_is_noticed():
    s = fresh(gods=[1])
    s.actions_used = 3
    assert GAME.faults(s) == ["YG-15.4: an action is asked for, but none is left"]


def test_15_3_the_card_being_resolved_counts():
    for seed in range(40):
        s = fresh(seed, gods=[4])
        rng = FastChance(seed)
        while s.agenda and type(s.agenda[-1]).__name__ != "TyrChoice":
            listed = options(s, 0)
            apply(s, 0, listed[rng.below(len(listed))])
        if s.agenda and type(s.agenda[-3]).__name__ == "PutAway":
            assert GAME.faults(s) == []
            del s.agenda[-3]
            assert GAME.faults(s)[0].startswith("YG-15.3")
            return
    raise AssertionError("no roll for an enemy was found")
