"""The rules, module by module; start at :mod:`~taflhall_engine.champions.rules.rounds`.

==================== ============= =====================================================
Rules                Module        What they are about
==================== ============= =====================================================
CM-3.8 to 4.4        rounds        leaders, starting kit, destinies; rounds, preparation
CM-5.1, 5.2          placement     placing workers in turn
CM-5.3               answers       what placements share
CM-5.4 to 5.7, 5.9,  spaces        stocks, Longhouse, merchant ship, Runesmith, Stave
5.15 to 5.17, 5.19                 Church, Worker Huts, Hunting Grounds, begging
CM-5.8               market        the Market
CM-5.10              sage          the Sage's Hut; CM-14.11 True Vision
CM-5.11, 5.13, 5.14  ships         the Shipwright and the longships
CM-5.12              stalls        the market stalls
CM-5.20              warriors      room for warriors
CM-6                 assignment    warriors and food for fights and ships
CM-7, 8.3            rolling       hunts; rerolls, CM-14.8 Potential, CM-14.9 Reaction
CM-8                 combat        fights and rewards; CM-14.4 Glory
CM-8.7               casualties    who is lost; CM-14.5 Healing
CM-9                 shores        voyages; CM-14.6 Journey
CM-10                blame         the troll's blame
CM-11                cleanup       the clean-up
CM-12                ending        the final window and the scoring
CM-14.2, 14.3, 14.7, runes         the free runes
14.10, 14.12
CM-14.2, 17.6        base          free runes at a decision; answers in several steps
==================== ============= =====================================================
"""

from __future__ import annotations

from types import ModuleType
from typing import Final

from taflhall_engine.champions.rules import (
    assignment,
    blame,
    casualties,
    cleanup,
    combat,
    ending,
    market,
    placement,
    rolling,
    rounds,
    runes,
    sage,
    ships,
    shores,
    spaces,
    stalls,
    warriors,
)

MODULES: Final[tuple[ModuleType, ...]] = (
    rounds,
    placement,
    spaces,
    market,
    sage,
    ships,
    stalls,
    warriors,
    assignment,
    rolling,
    combat,
    casualties,
    shores,
    blame,
    cleanup,
    ending,
    runes,
)
"""All modules whose classes a stored match may name."""
