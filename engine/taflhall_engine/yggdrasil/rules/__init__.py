"""The rules. Which module holds which rule:

| Rules | Module |
| --- | --- |
| YG-3.1 to 3.4, 3.6, YG-4, YG-10.1, YG-11 | ``turn`` (from the card to the check at the end) |
| YG-3.2, 3.4, YG-6.6, YG-14.2 | ``actions`` (which action) |
| YG-5 | ``powers`` (the six enemies, appeasing Fenrir) |
| YG-1.6, YG-4.9, YG-10.5 | ``dice`` |
| YG-6.1 to 6.5, 6.7, YG-10.3, 10.6 | ``use`` (actions left, worlds that may be used) |
| YG-7.1, 7.3, 7.4, 7.6 to 7.8 | ``worlds`` |
| YG-7.2, YG-10.4 | ``midgard`` |
| YG-7.5 | ``exchange`` |
| YG-7.9 | ``vanaheim``, ``vanir`` (7.9b), ``peek`` (7.9e) |
| YG-8, YG-10.2 | ``battle`` |
| YG-9.4 to 9.9 | ``giants`` |
| YG-6.8, YG-10.7, YG-14.4, 14.9 | ``base`` (the order of checks, whether gods have powers) |

Outside the rules are ``setup`` (YG-2), ``effects`` (YG-9.1 to 9.3), ``observe`` and ``imagine``
(YG-13, YG-14.6), ``events`` (YG-14.7), ``game`` (YG-14.8) and ``invariants`` (YG-15).
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
