"""IG-19.1 to IG-19.3: what is drawn by chance, hidden (IG-19.2) until it is revealed, or open."""

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.ids import SETUP_INFLUENCE
from taflhall_engine.ice_garden.setup import Setup
from taflhall_engine.kernel.agenda import apply, asked, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.snapshot import dump_table
from tests.engine.ice_garden.tables import GAME, matches


def face_down(seed, **fields):
    """Return a table on which all tiles lie face down and the Thorn is still to come."""
    s = GAME.new(Setup(factions=[0, 1, 2, 3], **fields), FastChance(seed))
    s.journal = []
    while s.tile_stack:
        seat = asked(s)[0]
        apply(s, seat, options(s, seat)[0])
    return s


def test_ig_19_2_nobody_sees_the_face_of_a_tile_before_all_are_turned():
    one, other = face_down(1), face_down(2)
    assert one.tile != other.tile
    for seat in (-1, 0, 1, 2, 3):
        view = GAME.view(one, seat).public
        assert [region.tile for region in view.regions] == [-1] * 8
        assert all(region.points == [] for region in view.regions)
        assert all(region.gold == region.population == 0 for region in view.regions)


def test_ig_19_2_two_layouts_look_the_same_while_they_are_face_down():
    one = face_down(1, start_order=[0, 1, 2, 3])
    other = face_down(2, start_order=[0, 1, 2, 3])
    assert one.tile != other.tile
    assert GAME.view(one, 0) == GAME.view(other, 0)
    assert one.journal == other.journal
    laid = [event for event in one.journal if isinstance(event, events.TileLaid)]
    assert len(laid) == 8


def test_ig_3_7_everything_is_revealed_at_once_before_the_start_influence():
    s = face_down(3)
    seat = asked(s)[0]
    apply(s, seat, options(s, seat)[4])
    assert s.state == SETUP_INFLUENCE
    view = GAME.view(s, -1).public
    assert sorted(region.tile for region in view.regions) == list(range(1, 9))
    assert sum(region.reserves_up for region in view.regions) == 4
    assert view.regions[s.thorn].reserves_up == 0
    kinds = [type(event) for event in s.journal]
    assert kinds.index(events.ReservesPlaced) < kinds.index(events.TilesRevealed)


def test_ig_19_1_tiles_and_reserves_are_shuffled():
    places = {tuple(face_down(seed).tile) for seed in range(10)}
    assert len(places) == 10
    found = set()
    for seed in range(10):
        s = face_down(seed)
        seat = asked(s)[0]
        apply(s, seat, options(s, seat)[0])
        found.add(tuple(s.reserves_up))
    assert len(found) > 4


def test_ig_19_3_everything_else_is_open():
    for s, _, _ in matches(6, seed=3):
        if not s.revealed:
            continue
        imagined = GAME.imagine(GAME.view(s, -1), FastChance(0))
        assert dump_table(GAME, imagined) == dump_table(GAME, s)


def test_ig_16_1_the_npc_lays_tiles_in_random_regions_and_rolls_for_its_thorn():
    thorns, regions = set(), set()
    for seed in range(40):
        setup = Setup(factions=[2], solo_level=1, npc=1)
        s = GAME.new(setup, FastChance(seed))
        apply(s, 0, options(s, 0)[0])
        assert len(s.tile_stack) == 4
        regions |= {r for r in range(1, 8) if s.tile[r]}
        while not s.revealed:
            apply(s, 0, options(s, 0)[0])
        thorns.add(s.tile[s.thorn])
        assert s.reserves_up[s.thorn] == 0
    assert thorns == {1, 2, 3, 4, 5, 6}
    assert len(regions) == 7
