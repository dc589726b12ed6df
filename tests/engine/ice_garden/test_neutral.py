"""The neutral answer of Ice Garden: it spends nothing that can be kept, and wins nothing."""

import pytest

from taflhall_engine.ice_garden.ids import FIGURES_EACH, NONE, REGION_COUNT, STOCK, VIPER_GORGE
from taflhall_engine.ice_garden.rules.abilities import Invoke, UseAbility
from taflhall_engine.ice_garden.rules.planning import Plan
from taflhall_engine.ice_garden.rules.spy import KeepSpy, SpyAssign
from taflhall_engine.ice_garden.setup import Setup
from taflhall_engine.kernel.agenda import apply, asked, options
from taflhall_engine.kernel.chance import FastChance, KeyedChance
from taflhall_engine.kernel.meta_commands import NO_WITHDRAWALS, answer, pending, resign
from tests.engine.ice_garden.tables import GAME, matches, setup_of


def holdings(s, seat):
    """Return what a seat can lose: goods, markers, figures on the map, reputation, doubles."""
    faction = s.options.factions[seat]
    figures = s.figure_at[faction * FIGURES_EACH : (faction + 1) * FIGURES_EACH]
    influence = s.influence[faction * REGION_COUNT : (faction + 1) * REGION_COUNT]
    return [
        sum(s.stock[faction * STOCK : (faction + 1) * STOCK]),
        s.supply[faction] + sum(influence),
        len(figures) - figures.count(NONE),
        -s.reputation[faction],
        -s.vuko_tokens[faction],
        -s.doubles[faction].bit_count(),
        -s.snow,
        sum(s.upgrade_bank),
    ]


def costs(s, seat, command):
    """Return whether the answer alone takes something from the seat."""
    after = s.copy()
    top = after.agenda.pop()
    top.resolve(after, seat, command)
    return any(b < a for a, b in zip(holdings(s, seat), holdings(after, seat), strict=True))


def test_a_neutral_answer_costs_nothing_where_a_free_one_exists():
    seen = set()
    for s, seat, legal in matches(60, seed=5):
        if not legal:
            continue
        command = GAME.neutral(s, seat)
        if costs(s, seat, command):
            assert all(costs(s, seat, other) for other in legal), (s.agenda[-1], command)
        seen.add(type(s.agenda[-1]))
    assert len(seen) > 24


def test_ig_5_5_a_neutral_marker_goes_to_viper_gorge_only_if_nothing_else_is_free():
    planned = 0
    for s, seat, legal in matches(30, seed=2):
        if legal and isinstance(legal[0], Plan):
            planned += 1
            chosen = GAME.neutral(s, seat)
            assert chosen.field != VIPER_GORGE or legal == [chosen]
    assert planned > 100


def test_ig_7_3_and_ig_17_the_spy_is_kept_and_no_ability_is_used():
    seen = set()
    for s, seat, legal in matches(120, seed=9):
        if not legal or not isinstance(s.agenda[-1], SpyAssign | UseAbility):
            continue
        chosen = GAME.neutral(s, seat)
        seen.add(type(chosen))
        assert isinstance(chosen, KeepSpy) or not chosen.used
    assert seen == {KeepSpy, Invoke}


@pytest.mark.parametrize("seed", range(12))
def test_ig_13_7_who_gave_the_match_up_gets_no_bonus(seed):
    rng = FastChance(seed)
    s = GAME.new(Setup(seats=3, edition=1 + seed % 2), KeyedChance(bytes([seed]) * 32))
    s.journal = []
    withdrawn = NO_WITHDRAWALS
    gone = seed % 3
    while seats := pending(GAME, s, withdrawn):
        seat = seats[0]
        if s.round == 1 and seat == gone and not withdrawn.seats:
            s.viper[s.options.factions[gone]] += 9  # it led on Viper Gorge before
            s.supply[s.options.factions[gone]] -= 9
            withdrawn = resign(GAME, s, seat, withdrawn)
            continue
        legal = options(s, seat)
        answer(GAME, s, seat, legal[rng.below(len(legal))], withdrawn)
    bonus = [e.faction for e in s.journal if getattr(e, "rule", "") == "IG-13.7"]
    assert s.options.factions[gone] not in bonus
    assert GAME.faults(s) == []


def test_a_seat_that_everybody_answers_for_spends_no_influence_marker_on_viper_gorge():
    """Regression: 18 markers of the absent seat lay there, and it took the bonus."""
    for seed in range(20):
        rng = FastChance(seed)
        s = GAME.new(setup_of(rng), FastChance(seed))
        if s.options.npc != NONE:
            continue
        forced = 0
        while s.agenda:
            seat = asked(s)[0]
            legal = options(s, seat)
            chosen = GAME.neutral(s, seat) if seat == 0 else legal[rng.below(len(legal))]
            apply(s, seat, chosen)
            forced = s.viper[s.options.factions[0]]
        assert forced <= 2
