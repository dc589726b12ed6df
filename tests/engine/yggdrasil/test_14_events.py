"""YG-14.7 Every change has an event: folding the events of a match gives its view."""

from typing import Any

import pytest

from taflhall_engine.kernel.agenda import apply, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.value import field_names
from taflhall_engine.kernel.vocabulary import events_of
from taflhall_engine.yggdrasil.observe import public
from taflhall_engine.yggdrasil.view import PublicView
from tests.engine.every_game import setups
from tests.engine.yggdrasil.folding import HANDLERS, Folding
from tests.engine.yggdrasil.position import GAME, at, do


def shown(s) -> dict[str, Any]:
    view = public(s)
    return {name: getattr(view, name) for name in field_names(PublicView) if name != "agenda"}


def follow(s, folding):
    for event in s.journal:
        assert event.seen_by(-1) == event, "YG-13.1 everything that happens is open"
        folding.follow(event)
    s.journal = []
    assert folding.view() == shown(s)


@pytest.mark.parametrize("giant", ["bergelmir", "greip", "thjazi", "suttung"])
def test_14_7_the_events_of_runes_folded_give_the_view(giant):
    runes = [GAME.components.giant_rune[g] for g in range(16)]
    names = setups.game("yggdrasil").labels["giant"]
    rune = runes[names.index(giant)]
    others = [names[g] for g in range(16) if runes[g] == rune and names[g] != giant]
    enemies = {"hel": 2, "loki": 5, "surt": 2, "fenrir": 3, "nidhogg": 4}
    s = at(giants_defeated=others, vanir=5, enemies=enemies)
    folding = Folding(GAME.components, public(s))
    s.journal = []
    do(s, "vanaheim", mode="use", space=5, giant=giant)
    follow(s, folding)
    s.chance, rng = FastChance(1), FastChance(2)
    for _ in range(40):
        listed = options(s, s.active)
        if listed:
            apply(s, s.active, listed[rng.below(len(listed))])
            follow(s, folding)


def test_14_7_every_event_is_folded():
    assert {*events_of(GAME.types).values()} <= HANDLERS.keys()
