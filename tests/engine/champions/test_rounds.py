"""CM-4 to CM-19: what a case cannot say, along whole matches."""

import pytest

from taflhall_engine.champions.ids import NONE, RUNES
from taflhall_engine.champions.rules.placement import PlaceWorker
from taflhall_engine.champions.rules.rounds import NextRound
from taflhall_engine.champions.rules.spaces import VISIT_LONGHOUSE
from taflhall_engine.kernel.agenda import Answered, apply, asked, check, options, waiting
from taflhall_engine.kernel.agenda import IllegalCommand as Illegal
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.snapshot import digest
from tests.engine.champions.tables import GAME, do, play, started

MATCHES = [(seed, 2 + seed % 3) for seed in range(9)]


@pytest.fixture(params=MATCHES, ids=[f"{n}-seats-{seed}" for seed, n in MATCHES])
def match(request):
    """A match, played at random command by command: yields after each."""
    seed, seats = request.param

    def run():
        s = started(seed, seats=seats, leftmost_shore=seed % 2, destiny_ties=seed % 2)
        rng = FastChance(seed)
        s.journal = []
        while s.agenda:
            yield s
            play(s, rng, 1)
        yield s

    return run


def test_4_1_eight_rounds(match):
    rounds = []
    for s in match():
        if s.round not in rounds:
            rounds.append(s.round)
    assert rounds == [1, 2, 3, 4, 5, 6, 7, 8]


def test_4_5_exactly_one_seat_decides(match):
    for s in match():
        assert len(asked(s)) == (1 if s.agenda else 0)


def test_5_1_every_worker_is_placed(match):
    for s in match():
        if s.agenda and not isinstance(s.agenda[-1], PlaceWorker) and NextRound() in s.agenda:
            held = sum(clan.workers for clan in s.clans)
            placing = any(type(step).__name__ == "Placement" for step in s.agenda)
            assert held == 0 or placing


def test_15_4_no_deck_but_that_of_journeys_and_destinies_runs_out(match):
    for s in match():
        assert len(s.troll_deck) == 16 - s.round
        assert len(s.draugr_deck) == 21 - 2 * s.round
        assert len(s.merchant_deck) == 8 - s.round
        assert len(s.monster_deck) >= 4
        assert len(s.rune_row) >= 1


def test_19_4_glory_never_falls_before_the_scoring(match):
    before: list[int] = []
    for s in match():
        now = [clan.glory for clan in s.clans]
        assert all(a <= b for a, b in zip(before, now, strict=False))
        before = now


def test_19_8_blame_by_the_troll(match):
    """n if it is not defeated; 0 or 1 if it is. Begging is the only other source."""
    *_, s = match()
    given: list[int] = []
    begun, put_back = False, 0
    for event in s.journal:
        name = type(event).__name__
        if name == "RoundBegan" or (name == "Scored" and begun):
            assert put_back <= 1
            if begun:
                assert len(given) in (0, 1) or sorted(given) == list(range(len(s.clans)))
            begun, given, put_back = name == "RoundBegan", [], 0
        elif name == "Gained" and event.blame and event.rule != "CM-5.19":
            assert event.rule in ("CM-10.2", "CM-10.3")
            if event.blame > 0:
                assert event.blame == 1
                given.append(event.seat)
            else:
                put_back += 1


def test_19_1_to_9_hold_in_every_state(match):
    for s in match():
        assert GAME.faults(s) == []


def test_19_10_asking_and_refused_commands_change_nothing(match):
    for number, s in enumerate(match()):
        if number % 7 or not s.agenda:
            continue
        before = digest(GAME, s)
        for seat in range(len(s.clans)):
            options(s, seat)
            GAME.view(s, seat)
            if seat not in asked(s):
                with pytest.raises(Illegal):
                    check(s, seat, VISIT_LONGHOUSE)
        assert digest(GAME, s) == before


def test_4_3_a_forced_answer_is_an_event_and_no_decision(match):
    *_, s = match()
    forced = [e for e in s.journal if isinstance(e, Answered) and e.forced]
    kinds = {type(event.command).__name__ for event in forced}
    assert "Stand" in kinds
    assert not kinds & {"TakeLeader", "Beg", "ActivateRune", "ActivateGifts", "ActivateSuccess"}


def test_16_3_collected_enemies_are_public(match):
    """CM-18 A-34 All fights are public, so nothing is hidden in effect."""
    *_, s = match()
    for seat, clan in enumerate(GAME.view(s, -1).public.seats):
        assert clan.trolls == s.clans[seat].trolls
        assert clan.monsters.red == s.clans[seat].monsters[1]


def test_13_1_to_5_every_match_has_different_leaders(match):
    for s in match():
        leaders = [clan.leader for clan in s.clans]
        assert len(set(leaders)) == len(leaders)
        assert NONE not in leaders


def test_14_1_no_rune_is_in_two_places(match):
    for s in match():
        places = s.rune_row + s.rune_deck
        for clan in s.clans:
            mask = clan.runes | clan.runes_used
            places = places + [rune for rune in range(len(RUNES)) if mask >> rune & 1]
        assert sorted(places) == list(range(len(RUNES)))


def test_4_4_the_marker_does_not_disturb_the_running_placement():
    s = started(seats=3, start_seat=0)
    do(s, VISIT_LONGHOUSE)
    assert s.marker == 1
    assert asked(s) == [1]


def test_12_9_the_result_names_places_and_scores():
    s = started(4, seats=3)
    play(s, FastChance(4))
    result = GAME.result(s)
    assert result is not None
    winners = [seat for seat in range(3) if result.won[seat]]
    assert {result.scores[seat] for seat in winners} == {max(result.scores)}
    assert min(result.places) == 1
    assert result.reasons == ["last_round"]


def test_17_7_the_neutral_answer_is_an_option_and_ends_every_match():
    for seed, seats in MATCHES:
        s = started(seed, seats=seats)
        rng = FastChance(seed)
        while s.agenda:
            [seat] = asked(s)
            neutral = GAME.neutral(s, seat)
            assert neutral in options(s, seat)
            apply(s, seat, neutral if rng.below(2) else options(s, seat)[-1])
        assert waiting(s) is None
