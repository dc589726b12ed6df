"""The rules. Which module holds which rule:

| Rules | Module |
| --- | --- |
| IG-3, IG-16.1, IG-16.3 | ``setup`` |
| IG-4 | ``rounds`` |
| IG-5 | ``planning`` |
| IG-6.1, 6.2, 6.6, 6.7, 6.14 to 6.16 | ``fields`` (Influence, Raven Shadow) |
| IG-6.3 to 6.5 | ``gorge`` |
| IG-6.8 to 6.13 | ``moving`` (Move, Voracious Mountain) |
| IG-6.17 to 6.22, 6.27 to 6.30 | ``making``; ``sheet`` says what a sheet may carry |
| IG-6.23 to 6.26 | ``summoning`` |
| IG-7.1 | ``activation`` |
| IG-7.2 to 7.5 | ``spy`` |
| IG-7.6 to 7.8, IG-16.11 | ``crossing`` |
| IG-7.9, 7.10 | ``speed`` |
| IG-7.11 to 7.20, IG-16.10 | ``attack`` |
| IG-8, IG-15.5 to 15.13 | ``visit``; ``tiles`` says which Vuko tiles are active |
| IG-9.1 to 9.4, 9.12 to 9.17 | ``domination`` |
| IG-9.5, 9.7, 9.9, 9.11, IG-17 (E-02, E-03) | ``abilities``; ``powers`` says what has an effect |
| IG-9.6, 9.8, 9.10, IG-16.14, 16.15 | ``prey`` (recruitment, pillage, enchant) |
| IG-10.9 to 10.21 | ``locking`` |
| IG-12, IG-13.7, IG-14 | ``ending`` |
| IG-15.1 to 15.4 | ``setup`` (layout), ``rounds`` (activation) |
| IG-16.4 to 16.9, 16.16 to 16.18 | ``solo`` |
| IG-20 | ``base``, ``answers`` |

IG-1, IG-9.2, IG-9.3 and IG-11 (presence, influence, dominance, reputation) are in
:mod:`taflhall_engine.ice_garden.influence`.
"""

from __future__ import annotations

from typing import Final

from taflhall_engine.ice_garden.rules import (
    abilities,
    activation,
    answers,
    attack,
    crossing,
    domination,
    ending,
    fields,
    gorge,
    locking,
    making,
    moving,
    planning,
    prey,
    rounds,
    setup,
    speed,
    spy,
    summoning,
    visit,
)

MODULES: Final = (
    abilities,
    activation,
    answers,
    attack,
    crossing,
    domination,
    ending,
    fields,
    gorge,
    locking,
    making,
    moving,
    planning,
    prey,
    rounds,
    setup,
    speed,
    spy,
    summoning,
    visit,
)
"""The modules whose classes an agenda or a snapshot may name."""
