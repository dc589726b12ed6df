"""CM-3 to CM-12 What single steps do to the table, where no case can say it."""

from copy import copy

import pytest

from taflhall_engine.champions.events import (
    DestiniesDrawn,
    JourneySeen,
    NoFight,
    RoundFought,
    Stocked,
)
from taflhall_engine.champions.ids import (
    EFFECTS,
    GLORY,
    KNOWLEDGE,
    SHIP_LARGE,
    SHIP_SMALL,
    SHORE_0,
    TRUE_VISION,
)
from taflhall_engine.champions.rules.cleanup import recall_workers
from taflhall_engine.champions.rules.combat import (
    ApplyHits,
    Fight,
    GloryRune,
    ResolveRound,
    Reward,
)
from taflhall_engine.champions.rules.hunts import BringHome, Hunt
from taflhall_engine.champions.rules.placement import PlaceWorker
from taflhall_engine.champions.rules.rounds import restock
from taflhall_engine.champions.rules.runes import ActivateRune
from taflhall_engine.champions.rules.sage import DrawDestinies, TrueVision, VisitSagesHut
from taflhall_engine.champions.rules.setup import StartingKit
from taflhall_engine.champions.rules.ships import fee_of
from taflhall_engine.champions.rules.shores import JourneyEffect, LoseOnBoard, RemoveBanned
from taflhall_engine.champions.rules.spaces import hut_price, pay_cost
from taflhall_engine.champions.scoring import destiny_scores
from taflhall_engine.kernel.agenda import apply, asked
from taflhall_engine.kernel.chance import FastChance
from tests.engine.champions.tables import GAME, new, play, started


def with_components(s, **values):
    """Give *s* components of its own with these *values*."""
    s.components = copy(s.components)
    for name, value in values.items():
        setattr(s.components, name, value)
    return s


def test_3_9_the_kit_of_the_data_goes_to_every_seat_and_its_warriors_leave_the_supply():
    s = with_components(new(seats=3), kit=[2, 3, 4, 5, 6, 7, 1, 2, 3])
    s.supply = [12, 12, 10]
    StartingKit().run(s)
    for clan in s.clans:
        assert clan.goods == [2, 3, 4]
        assert (clan.favour, clan.blame, clan.glory) == (5, 6, 7)
        assert clan.warriors == [1, 2, 3]
        assert clan.workers == 3
    assert s.supply == [9, 6, 1]


def test_4_2_6_the_stock_grows_by_what_the_supply_has_in_a_public_event():
    s = with_components(started(), restock=[1, 2, 3, 4])
    s.supply, s.stock, s.journal = [5, 2, 0], [1, 1, 1, 1], []
    restock(s)
    assert s.stock == [2, 3, 1, 5]
    assert s.supply == [4, 0, 0]
    assert s.journal == [Stocked("CM-4.2.6", 1, 2, 0, 4)]


def test_5_10_nothing_is_drawn_from_an_empty_destiny_deck():
    s = started(seats=2, start_seat=0)
    s.destiny_deck, s.journal, log = [], [], list(s.destiny_log)
    apply(s, 0, VisitSagesHut(2))
    assert asked(s) == [1]
    assert not [event for event in s.journal if isinstance(event, DestiniesDrawn)]
    assert s.destiny_log == log
    assert isinstance(s.agenda[-1], PlaceWorker)


@pytest.mark.parametrize("cost", [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 2, 3], [0, 0, 0]])
def test_4_6_a_price_is_paid_in_every_kind_of_goods(cost):
    s = started()
    s.clans[0].goods = [5, 5, 5]
    pay_cost(s, 0, cost, "CM-5.12")
    assert s.clans[0].goods == [5 - n for n in cost]


def test_5_13_each_public_longship_has_its_own_fee():
    s = with_components(started(), public_fee=[1, 2])
    assert [fee_of(s, 0, SHIP_SMALL), fee_of(s, 0, SHIP_LARGE)] == [1, 2]


def test_5_16_the_price_is_the_last_one_when_all_workers_are_sold():
    s = started(seats=4)
    prices = []
    for sold in range(5):
        s.huts_sold = sold
        prices.append(hut_price(s))
    assert prices == [5, 4, 3, 2, 2]


def test_7_2_a_hunt_is_at_no_post_and_leaves_no_roll_behind():
    s = started(seats=2)
    s.clans[0].warriors, s.post = [0, 0, 2], 3
    Hunt(0).run(s)
    assert s.post == -1
    assert sum(s.roll) == 2
    s.roll, s.reaction, food = [0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0], True, s.clans[0].goods[0]
    s.clans[0].leader = 0
    BringHome(0).run(s)
    assert s.clans[0].goods[0] == food + 4
    assert s.roll == [0] * 12
    assert not s.reaction


@pytest.mark.parametrize("hunters", [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]])
def test_7_2_warriors_of_any_type_hunt(hunters):
    s = started(seats=2)
    s.clans[0].warriors = hunters
    Hunt(0).run(s)
    assert sum(s.roll) == sum(hunters)


def fighting(post, crew):
    """Seat 0 fights at *post* with this crew."""
    s = started(seats=2)
    s.post_seat[post], s.post = 0, post
    s.crew[3 * post : 3 * post + 3] = crew
    s.clans[0].warriors = list(crew)
    s.enemy, s.damage, s.journal = -1, 3, []
    return s


def test_8_1_damage_starts_at_0():
    s = fighting(0, [1, 0, 0])
    Fight(0).run(s)
    assert (s.enemy, s.damage) == (s.troll, 0)


def test_9_6_damage_to_the_kraken_starts_at_0():
    s = fighting(SHORE_0 + 2, [1, 0, 0])
    s.journeys[1] = s.components.journey_effect.index(EFFECTS.index("fight_kraken"))
    JourneyEffect().run(s)
    assert (s.enemy, s.damage) == (s.components.kraken, 0)


def test_8_6_more_shields_than_the_attack_lose_nobody():
    s = fighting(0, [2, 2, 0])
    s.enemy = s.troll
    with_components(s, attack=[1] * len(s.components.attack))
    s.roll = [0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0]
    ApplyHits().run(s)
    [event] = [event for event in s.journal if isinstance(event, RoundFought)]
    assert event.losses == 0
    assert type(s.agenda[-1]).__name__ == "ResolveRound"


def test_8_1_without_an_enemy_there_is_no_fight():
    s = fighting(0, [1, 0, 0])
    s.troll, agenda = -1, list(s.agenda)
    Fight(0).run(s)
    assert s.agenda == agenda
    assert s.journal == [NoFight("CM-8.1", 0, 0)]


@pytest.mark.parametrize("held", [False, True])
def test_14_4_the_window_for_glory_opens_only_with_the_rune(held):
    s = fighting(0, [1, 0, 0])
    s.enemy, s.damage = s.troll, 20
    s.clans[0].runes = (1 << GLORY) * held
    ResolveRound().run(s)
    assert isinstance(s.agenda[-1], GloryRune if held else Reward)


@pytest.mark.parametrize("held", [False, True])
def test_14_11_the_window_for_true_vision_opens_only_with_the_rune(held):
    s = started(seats=2, start_seat=0)
    s.clans[0].runes = (1 << TRUE_VISION) * held
    VisitSagesHut(2).perform(s, 0)
    assert isinstance(s.agenda[-1], TrueVision if held else DrawDestinies)


def test_14_7_knowledge_shows_the_face_down_cards_of_the_shores_in_play():
    s = started(seats=4, start_seat=0)
    s.clans[0].runes, s.revealed, s.journal = 1 << KNOWLEDGE, 0b0100, []
    ActivateRune(KNOWLEDGE).perform(s, 0)
    assert s.clans[0].knows == 0b1010
    assert [e.shore for e in s.journal if isinstance(e, JourneySeen)] == [2, 4]


@pytest.mark.parametrize("lost", [(0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (2, 0, 0, 0)])
def test_9_4_what_the_journey_takes_goes_to_the_supply(lost):
    s = fighting(SHORE_0 + 2, [2, 2, 2])
    s.rations[s.post], supply = 3, list(s.supply)
    LoseOnBoard(*lost).perform(s, 0)
    assert s.rations[s.post] == 3 - lost[0]
    assert s.crew[3 * s.post : 3 * s.post + 3] == [2 - n for n in lost[1:]]
    assert s.clans[0].warriors == [2 - n for n in lost[1:]]
    assert s.supply == [n + m for n, m in zip(supply, lost[1:], strict=True)]


@pytest.mark.parametrize("banned", [0, 1, 2])
def test_9_7_every_warrior_of_the_one_banned_type_leaves_and_nobody_else(banned):
    s = fighting(SHORE_0 + 2, [2, 2, 2])
    with_components(s, bans=[1 << banned] * len(s.components.bans))
    before = list(s.supply)
    RemoveBanned().run(s)
    left = [0 if warrior == banned else 2 for warrior in range(3)]
    assert s.crew[3 * s.post : 3 * s.post + 3] == s.clans[0].warriors == left
    assert [now - then for now, then in zip(s.supply, before, strict=True)] == [2 - n for n in left]


def test_11_1_no_crew_and_no_food_stays_on_a_ship():
    s = fighting(SHORE_0 + 2, [1, 2, 3])
    s.rations[s.post], s.post_ship[s.post] = 2, SHIP_SMALL
    recall_workers(s)
    assert s.crew == [0] * 21
    assert s.rations == [0] * 7
    assert s.post_seat == s.post_ship == [-1] * 7
    assert s.post == -1


def test_12_9_the_lines_of_the_score_add_up_to_the_total_and_name_their_rules():
    s = started(5, seats=3)
    assert GAME.score_lines(s) == []
    play(s, FastChance(5))
    lines = GAME.score_lines(s)
    assert [sum(line.points for line in seat) for seat in lines] == [x.total for x in s.scores]
    assert [line.rule for line in lines[0]] == [f"CM-12.{n}" for n in (9, 2, 3, 4, 5, 6, 7, 8)]


def test_12_2_a_projected_score_counts_the_destinies_that_the_viewer_knows():
    s = started(5, seats=3)
    clan = s.clans[0]

    def worth_of_hidden(s):
        hidden = [d for d in clan.destinies if not clan.shown >> d & 1]
        given = [destiny_scores(s, 0, destiny) for destiny in hidden]
        return [sum(points) for points in zip(*given, strict=True)]

    play(s, FastChance(5), stop=lambda s: any(worth_of_hidden(s)))
    worth = worth_of_hidden(s)

    def destinies(viewer):
        lines = GAME.projected_lines(GAME.view(s, viewer))
        return [line.points for seat in lines for line in seat if line.id == "destinies_score"]

    assert sum(worth) > 0
    assert destinies(0) == [mine + given for mine, given in zip(destinies(-1), worth, strict=True)]
