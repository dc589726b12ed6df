"""IG-2.2 and the other invariants: each fault that is planted is noticed."""

import pytest

from taflhall_engine.ice_garden.ids import CALLO, FREIHOFF
from taflhall_engine.ice_garden.setup import Setup
from taflhall_engine.kernel.agenda import apply, asked, options
from taflhall_engine.kernel.chance import FastChance
from tests.engine.ice_garden.tables import GAME, matches


def planning():
    """Return a table of four players at their first action marker."""
    s = GAME.new(Setup(factions=[0, 1, 2, 3]), FastChance(5))
    while s.round == 0:
        seat = asked(s)[0]
        apply(s, seat, options(s, seat)[-1])
    return s


def test_a_sound_table_has_no_faults():
    assert GAME.faults(planning()) == []
    for s, _, _ in matches(8, seed=11):
        assert GAME.faults(s) == []


def _away(s):
    own = s.influence[CALLO * 8 : CALLO * 8 + 8]
    s.controlled[CALLO * 8 + own.index(1)] = 1


def _duplicate(s):
    s.upgrades[1] = 1
    s.upgrade_bank[1] -= 1


def _add(name, index, count):
    return lambda s: getattr(s, name).__setitem__(index, getattr(s, name)[index] + count)


def _set(name, value):
    return lambda s: setattr(s, name, value)


PLANTED = {
    "IG-2.2 there are 25 population": _add("stock", FREIHOFF * 6, 1),
    "IG-2.2 there are 17 m_factor": _add("stock", CALLO * 6 + 4, 1),
    "IG-2.2 markers of callo": _add("supply", CALLO, -1),
    "IG-2.2 a count is negative": _add("bank", 1, -99),
    "IG-2.1 Vuko tokens": _add("vuko_tokens", CALLO, 1),
    "IG-2.1 towers": _add("tower", 0, 1),
    "IG-10.5 reserves": _add("reserves_up", 0, 1),
    "IG-8.9 more markers": _add("controlled", CALLO * 8, 99),
    "IG-8.14 callo": _away,
    "IG-2.4 the tile numbers": lambda s: s.tile.__setitem__(0, s.tile[1]),
    "IG-10.7 the Thorn's region": lambda s: s.locked.__setitem__(s.thorn, 1),
    "IG-7.18": _set("defeated", 1),
    "IG-2.1 upgrades": _add("upgrades", 0, 1),
    "IG-6.22": _duplicate,
    "IG-3.3": lambda s: s.initiative.pop(),
    "IG-4.4": _add("helm", CALLO, 10),
    "IG-5.4": lambda s: s.fields.__setitem__(5, [CALLO] * 6),
    "IG-5.2": lambda s: s.tokens.__setitem__(0, 2),
    "IG-14.6": _set("winners", [CALLO]),
    "IG-12.2": _set("snow", 30),
    "IG-9.9": _add("nightmares", 0, 3),
    "IG-14.7": _set("round", 11),
}
"""A fault, by the beginning of its message."""


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_noticed(fault):
    s = planning()
    PLANTED[fault](s)
    assert any(fault.startswith(fault) for fault in GAME.faults(s)), GAME.faults(s)
