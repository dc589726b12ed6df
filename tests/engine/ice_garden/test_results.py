"""IG-14.6 How a match ended, the NPC included; how a refusal names its rule."""

from taflhall_engine.ice_garden.ids import CALLO, FREIHOFF, GOAL, POINTS
from taflhall_engine.ice_garden.rules.making import Upgrade, UpgradeChoice
from taflhall_engine.ice_garden.setup import Setup
from taflhall_engine.kernel.agenda import refusal
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import NpcResult
from tests.engine.ice_garden.tables import GAME


def ended(**fields):
    """Return a solo match of Callo against Freihoff that has ended so."""
    s = GAME.new(Setup(factions=[CALLO], npc=FREIHOFF, solo_level=1), FastChance(1))
    s.agenda.clear()
    for name, value in fields.items():
        setattr(s, name, value)
    return s


def test_ig_14_6_the_points_of_the_npc_belong_to_the_result():
    end = GAME.result(ended(reason=GOAL, winners=[FREIHOFF], vp=[31, 0, 12, 0]))
    assert (end.won, end.places, end.scores) == ([False], [2], [12])
    assert end.npc == NpcResult("freihoff", True, 31)


def test_ig_16_19_a_result_can_name_a_victory_shared_with_the_npc():
    end = GAME.result(ended(reason=POINTS, winners=[FREIHOFF, CALLO], vp=[50, 0, 50, 0]))
    assert (end.won, end.places, end.scores) == ([True], [1], [50])
    assert end.npc == NpcResult("freihoff", True, 50)


def test_ig_14_6_there_is_no_npc_with_two_players():
    s = GAME.new(Setup(factions=[CALLO, FREIHOFF]), FastChance(1))
    s.agenda.clear()
    s.reason, s.winners = GOAL, [CALLO]
    assert GAME.result(s).npc is None


def test_e_13_edition_1_refuses_to_replace_an_upgrade_whether_a_slot_is_free_or_not():
    for slots_filled in (0, 1):
        s = GAME.new(Setup(factions=[CALLO, FREIHOFF], edition=1), FastChance(1))
        unit = CALLO * 3
        s.upgrades[unit * 4 + 1] = slots_filled * s.components.free_slots[unit]
        s.stock[CALLO * 6 : CALLO * 6 + 3] = [9, 9, 9]
        s.agenda.append(UpgradeChoice(0))
        found = refusal(s, 0, Upgrade(unit, 0, 1))
        assert found is not None
        assert (found.rule, found.code) == ("E-13", "no_replacing")
