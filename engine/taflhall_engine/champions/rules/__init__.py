"""The rules, module by module; start at :mod:`~taflhall_engine.champions.rules.rounds`.

The module that carries out each rule, from the folder of the game. Those under *tests* follow
from the others, and only tests and cases name them. Numbers that are missing need no code;
``data/rulebook.toml`` says why.

- ``setup``: CM-1.6, 2.5, 3.1 to 3.7
- ``components_loader``: CM-2.1
- ``components``: CM-2.3, 2.4
- ``rules.setup``: CM-3.8 to 3.12
- ``rules.rounds``: CM-4.1 to 4.2.7, 7.5, 11.6, 15.2
- ``rules.base``: CM-4.3, 17.1, 17.4, 17.6
- ``rules.placement``: CM-4.4, 5.1, 5.2
- ``observe``: CM-4.5
- ``rules.spaces``: CM-4.6, 5.5 to 5.7, 5.9, 5.15 to 5.19, 13.3
- ``rules.answers``: CM-5.3, 5.4, 17.2
- ``rules.market``: CM-5.8
- ``rules.sage``: CM-5.10, 13.2, 14.11
- ``rules.ships``: CM-5.11, 5.13, 5.14, 9.1
- ``rules.stalls``: CM-5.12
- ``rules.warriors``: CM-5.20
- ``rules.assignment``: CM-6.1 to 6.5
- ``rules.hunts``: CM-6.6, 7.1, 7.2
- ``rules.rolling``: CM-8.3, 8.6, 13.4, 14.8, 14.9
- ``rules.combat``: CM-7.3, 7.4, 8.1, 8.2, 8.4, 8.5, 8.8 to 8.11, 9.6, 13.5, 14.4
- ``rules.casualties``: CM-8.7, 14.5
- ``view``: CM-8.12, 16.3, 16.5
- ``rules.shores``: CM-9.2 to 9.5, 9.7, 14.6
- ``rules.blame``: CM-10.1, 10.2, 10.4
- ``rules.cleanup``: CM-10.3, 11.1 to 11.5
- ``rules.ending``: CM-12.1, 12.4 to 12.9
- ``scoring``: CM-12.2, 12.3
- ``rules.runes``: CM-14.1 to 14.3, 14.7, 14.10, 14.12
- ``effects``: CM-15.5
- ``table``: CM-16.1
- ``neutral``: CM-17.7
- ``invariants``: CM-19.1 to 19.3, 19.5 to 19.7, 19.9
- *tests*: CM-1.4, 2.2, 2.6, 6.7, 6.8, 9.8, 9.9, 12.10, 13.1, 15.1, 15.3, 15.4, 15.6, 16.2, 16.4,
  17.3; A-01 to 51; CM-19.4, 19.8, 19.10, 20.1 to 20.5
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
    hunts,
    market,
    placement,
    rolling,
    rounds,
    runes,
    sage,
    setup,
    ships,
    shores,
    spaces,
    stalls,
    warriors,
)

MODULES: Final[tuple[ModuleType, ...]] = (
    setup,
    rounds,
    placement,
    spaces,
    market,
    sage,
    ships,
    stalls,
    warriors,
    assignment,
    hunts,
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
