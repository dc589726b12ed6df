"""The rules, module by module; start at :mod:`~taflhall_engine.yggdrasil.rules.turn`.

The module that carries out each rule, from the folder of the game. Those under *tests* follow
from the others, and only tests and cases name them. Numbers that are missing need no code;
``data/rulebook.toml`` says why.

- ``components``: YG-0.4, 1.3, 1.5, 1.7
- ``ids``: YG-1.1, 1.2, 1.8, 1.9, 2.9
- ``rules.giants``: YG-1.4, 9.4 to 9.8, 12.1
- ``rules.dice``: YG-1.6, 4.9, 10.5
- ``invariants``: YG-1.10, 9.1, 9.2, 15.1 to 15.5
- ``setup``: YG-2.1 to 2.8, 13.4
- ``rules.base``: YG-3.1, 10.7, 14.1, 14.4, 14.9
- ``rules.actions``: YG-3.2, 3.4, 6.6, 6.8, 14.2
- ``rules.turn``: YG-3.3, 3.5, 4.1 to 4.6, 4.8, 5.6, 5.9, 10.1, 11.1 to 11.4, 13.7, 16.33
- ``observe``: YG-3.6, 14.6
- ``rules.powers``: YG-4.7, 5.1 to 5.5, 5.7, 16.4
- ``rules.use``: YG-6.1 to 6.5, 6.7, 10.3, 10.6
- ``rules.worlds``: YG-7.1, 7.3, 7.4, 7.6 to 7.8
- ``rules.midgard``: YG-7.2 to 7.2b, 10.4
- ``rules.exchange``: YG-7.5
- ``rules.vanaheim``: YG-7.9, 7.9a, 7.9c, 7.9d, 7.9f, 7.9g, 16.35
- ``rules.vanir``: YG-7.9b
- ``rules.peek``: YG-7.9e
- ``rules.battle``: YG-8.1 to 8.3, 8.5 to 8.8
- ``describe``: YG-9.3
- ``game``: YG-11.6, 14.8
- ``events``: YG-13.1, 14.7
- ``view``: YG-13.2
- ``imagine``: YG-13.3
- ``taflhall_engine.conformance.yggdrasil.position``: YG-17.2, 17.3
- *tests*: YG-5.8, 5.10, 8.4, 9.9, 10.2, 10.8, 11.5, 12.2, 12.3, 13.5, 13.6, 14.3, 14.5, 16.1 to
  16.3, 16.5 to 16.32, 16.34, 16.36, 17.1, 17.4 to 17.6
"""

from __future__ import annotations

from typing import Final

from taflhall_engine.yggdrasil.rules import (
    actions,
    battle,
    dice,
    exchange,
    giants,
    midgard,
    peek,
    powers,
    turn,
    vanaheim,
    worlds,
)

MODULES: Final = (
    actions,
    battle,
    dice,
    exchange,
    giants,
    midgard,
    peek,
    powers,
    turn,
    vanaheim,
    worlds,
)
"""The modules whose classes an agenda or a snapshot may name."""
