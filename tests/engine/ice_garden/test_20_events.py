"""IG-20.5 Every change has an event: folding the events of a match gives its view."""

import pytest

from taflhall_engine.conformance.cases import CaseError
from taflhall_engine.conformance.ice_garden.positions import position
from taflhall_engine.ice_garden.events import ControlReleased, DamageRemoved, TokensTakenOff
from taflhall_engine.ice_garden.ids import CALLO, FREIHOFF, NONE
from taflhall_engine.ice_garden.rules import attack, locking
from taflhall_engine.ice_garden.rules.planning import TokensPhase
from taflhall_engine.ice_garden.setup import Setup
from taflhall_engine.kernel.agenda import Answered, advance, apply, asked, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.meta_commands import NO_WITHDRAWALS, RESIGN, apply_move
from taflhall_engine.kernel.vocabulary import events_of
from tests.engine.ice_garden.folding import HANDLERS, Folding, thawed
from tests.engine.ice_garden.tables import GAME
from tests.engine.ice_garden.test_cases import CASES


def follow(s, folding, events):
    for event in events:
        seen = event.seen_by(-1)
        assert seen == event, "IG-19.3 everything is open"
        folding.follow(seen)
    assert folding.v == thawed(GAME.public(s))


@pytest.mark.parametrize("part", range(8))
def test_ig_20_5_the_events_folded_give_the_view_from_the_position_of_every_case_on(part):
    kinds = set()
    for number, case in enumerate(CASES[part::8]):
        rng = FastChance(number)
        try:
            s = position(GAME.components, GAME.tables, case["given"])
        except CaseError:
            continue
        s.chance = FastChance(number + 1)
        s.journal = []
        folding = Folding(s.components, GAME.public(s))
        advance(s)
        for _ in range(30):
            kinds |= {type(event) for event in s.journal}
            follow(s, folding, s.journal)
            if not s.agenda:
                break
            legal = options(s, asked(s)[0])
            s.journal = []
            apply(s, asked(s)[0], legal[rng.below(len(legal))])
    assert len(kinds) > 40


def test_every_event_is_folded():
    assert set(HANDLERS) >= set(events_of(GAME.types).values()) | {Answered}


def table(**fields):
    s = GAME.new(Setup(factions=[CALLO, FREIHOFF], **fields), FastChance(1))
    while s.round == 0:
        seat = asked(s)[0]
        apply(s, seat, options(s, seat)[-1])
    s.journal = []
    return s


def test_ig_10_12_the_end_of_control_by_a_lock_is_an_event():
    s = table()
    region = next(r for r in range(8) if s.tile[r])
    s.influence[FREIHOFF * 8 + region] = 2
    s.controlled[FREIHOFF * 8 + region] = 1
    folding = Folding(GAME.components, GAME.public(s))
    locking.lock(s, region)
    assert ControlReleased("IG-10.12", region) in s.journal
    follow(s, folding, s.journal)


def test_ig_7_18_the_end_of_damage_is_one_event_and_only_if_there_is_any():
    s = table()
    region = next(r for r in range(8) if s.tile[r])
    s.figure_at[CALLO * 6] = region
    attack.RemoveDefeated().run(s)
    assert s.journal == []
    s.damage[CALLO * 6] = 1
    folding = Folding(GAME.components, GAME.public(s))
    attack.RemoveDefeated().run(s)
    assert s.journal == [DamageRemoved("IG-7.18")]
    follow(s, folding, s.journal)


def test_ig_5_2_an_event_names_the_order_tokens_taken_off():
    s = table(advanced_order_tokens=True)
    folding = Folding(GAME.components, GAME.public(s))
    s.round = folding.v.round = 2
    TokensPhase().run(s)
    assert s.journal == [TokensTakenOff("IG-5.2")]
    follow(s, folding, s.journal)
    assert s.vuko == NONE


def test_ig_13_7_an_event_names_who_gave_the_match_up():
    s = table()
    folding = Folding(GAME.components, GAME.public(s))
    apply_move(GAME, s, 1, RESIGN, NO_WITHDRAWALS)
    follow(s, folding, s.journal)
    assert [player.withdrawn for player in folding.v.players] == [False, True]
