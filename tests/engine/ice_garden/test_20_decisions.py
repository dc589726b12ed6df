"""IG-20 The catalogue of decisions, in random play."""

from collections import Counter

from taflhall_engine.ice_garden.rules import (
    abilities,
    attack,
    crossing,
    domination,
    fields,
    gorge,
    locking,
    making,
    moving,
    planning,
    prey,
    rounds,
    setup,
    speed,
    spy,
    summoning,
    visit,
)
from taflhall_engine.kernel.agenda import Waiting, asked
from taflhall_engine.kernel.vocabulary import decisions_of
from tests.engine.ice_garden.tables import GAME, matches

CATALOGUE: dict[str, tuple[type, int]] = {
    "D-01": (setup.SetupTile, 8),
    "D-02": (setup.SetupThorn, 8),
    "D-03": (setup.SetupInfluence, 8),
    "D-04": (rounds.CatchUpPlace, 9),
    "D-05": (rounds.InitiativeMove, 2),
    "D-06": (planning.OrderToken, 25),
    "D-07": (planning.PlanMarker, 6),
    "D-08": (gorge.ViperGorge, 13),
    "D-09": (fields.InfluencePlace, 9),
    "D-10": (moving.MoveStep, 65),
    "D-11": (moving.MountainRoute, 57),
    "D-12": (moving.MountainPiece, 5),
    "D-13": (fields.RavenShadow, 3),
    "D-14": (making.MakingMenu, 4),
    "D-15": (making.MStep, 7),
    "D-16": (making.UpgradeChoice, 24),
    "D-17": (summoning.SummonChoice, 6),
    "D-18": (summoning.SummonPlace, 8),
    "D-19": (spy.SpyAssign, 7),
    "D-20": (crossing.IceCrossing, 6),
    "D-21": (speed.SpeedMove, 31),
    "D-22": (attack.AttackDeclare, 2),
    "D-23": (attack.AttackHit, 43),
    "D-24": (visit.VukoKill, 3),
    "D-25": (abilities.UseAbility, 2),
    "D-26": (prey.RecruitTarget, 6),
    "D-27": (prey.EnchantTarget, 6),
    "D-28": (prey.PillageChoice, 18),
    "D-29": (domination.ResourceChoice, 3),
    "D-30": (locking.LockRedistribute, 5),
    "D-31": (visit.SnakeFightMove, 15),
}
"""By number: the engine's decision and the most options it may have."""


def test_every_decision_is_in_the_catalogue():
    assert set(decisions_of(GAME.types).values()) == {kind for kind, _ in CATALOGUE.values()}
    assert all(issubclass(kind, Waiting) for kind, _ in CATALOGUE.values())


def test_ig_20_no_decision_has_more_options_than_the_catalogue_says():
    most = dict(CATALOGUE.values())
    longest: Counter[type] = Counter()
    for s, seat, legal in matches(120):
        if not s.agenda:
            continue
        top = s.agenda[-1]
        assert asked(s) == [seat], "IG-19.4 at most one player has a pending decision"
        assert 2 <= len(legal) <= most[type(top)]
        assert len(set(map(repr, legal))) == len(legal)
        assert not top.secret(s)
        assert all(isinstance(command, top.answers_with) for command in top.offers(s, seat))
        longest[type(top)] = max(longest[type(top)], len(legal))
    rare: set[type] = {prey.RecruitTarget, prey.EnchantTarget, locking.LockRedistribute}
    rare |= {visit.SnakeFightMove, prey.PillageChoice, crossing.IceCrossing}
    assert set(most) - set(longest) <= rare


def test_ig_14_7_a_match_has_at_most_ten_rounds():
    rounds_played = {s.round for s, _, legal in matches(60, seed=7) if not legal}
    assert max(rounds_played) <= 10
    assert min(rounds_played) >= 1
