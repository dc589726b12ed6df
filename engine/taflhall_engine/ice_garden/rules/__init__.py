"""The rules, module by module; start at :mod:`~taflhall_engine.ice_garden.rules.rounds`.

The module that carries out each rule, from the folder of the game. Those under *tests* follow
from the others, and only tests and cases name them. Numbers that are missing need no code;
``data/rulebook.toml`` says why.

- ``setup``: IG-1.5, 1.14, 3.1, 3.3
- ``influence``: IG-1.6 to 1.10, 9.2, 9.3, 11.2, 16.2, 16.5
- ``rules.powers``: IG-1.11; E-05
- ``effects``: IG-1.13, 2.9, 2.10, 8.14, 10.1, 11.3, 11.4, 11.6
- ``components``: IG-2.1, 2.3, 2.5 to 2.8
- ``invariants``: IG-2.2, 14.7
- ``rules.domination``: IG-2.4, 9.1, 9.4, 9.12 to 9.15, 10.5, 13.2, 13.5, 15.9, 16.13
- ``layout``: IG-3.2
- ``rules.setup``: IG-3.4 to 3.11, 15.1, 16.1
- ``rules.rounds``: IG-3.12, 4.1 to 4.10, 15.3, 15.4
- ``rules.planning``: IG-5.2 to 5.5, 5.7
- ``ids``: IG-5.6, 20.2
- ``rules.fields``: IG-6.1, 6.2, 6.6, 6.7, 6.14 to 6.16, 15.12, 16.9; E-01
- ``rules.gorge``: IG-6.3 to 6.5
- ``rules.moving``: IG-6.8 to 6.13, 10.18, 15.6; E-06; IG-20.1
- ``rules.making``: IG-6.17 to 6.21, 6.25, 6.27 to 6.30; E-13
- ``rules.sheet``: IG-6.22; E-14
- ``rules.summoning``: IG-6.23, 6.24, 6.26
- ``rules.activation``: IG-7.1
- ``rules.spy``: IG-7.2 to 7.5
- ``rules.crossing``: IG-7.6 to 7.8, 16.11
- ``rules.speed``: IG-7.9, 7.10
- ``rules.attack``: IG-7.11 to 7.18, 16.10
- ``rules.visit``: IG-8.1 to 8.10, 8.12, 15.5, 15.7, 15.8, 15.10, 16.12, 16.20
- ``rules.abilities``: IG-9.5, 9.7, 9.9, 9.11, 10.6, 16.15, 17; E-02, 03
- ``rules.prey``: IG-9.6, 9.8, 9.10, 10.3, 16.14
- ``rules.locking``: IG-10.7, 10.9 to 10.17, 10.19 to 10.21
- ``components_loader``: IG-11.1
- ``rules.ending``: IG-12.1 to 12.6, 13.7, 14.3 to 14.5, 16.19
- ``game``: IG-14.6
- ``rules.tiles``: IG-15.11, 15.13
- ``rules.solo``: IG-16.3, 16.4, 16.6 to 16.8, 16.16 to 16.18
- ``imagine``: IG-19.2
- ``view``: IG-19.3
- ``rules.base``: IG-19.4, 20
- *tests*: IG-1.1, 1.4, 1.12, 4.11, 4.12, 5.1, 7.19, 7.20, 8.11, 8.13, 9.16, 9.17, 10.2, 10.4,
  10.8, 11.5, 11.7, 13.1, 13.3, 13.4, 13.6, 14.1, 14.2, 15.2; E-04, 07 to 12, 15 to 36; A-01 to
  59; IG-19.1, 19.5; D-01 to 31; IG-20.5, 21
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
