"""Every change has an event: folding the events that a viewer gets gives its view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from taflhall_engine.kernel.agenda import Event, Table, apply, asked, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.value import field_names
from tests.engine.champions import folding as champions
from tests.engine.every_game import setups
from tests.engine.ice_garden import folding as ice_garden
from tests.engine.yggdrasil import folding as yggdrasil

SEEDS = 3


class Folding(Protocol):
    """A view that follows the events of a match."""

    def follow(self, event: Event) -> None: ...


class Folded(NamedTuple):
    """How a game's view is folded, and compared with the true one."""

    begin: Callable[[Any, Any], Folding]
    """Of the components and a public view."""
    found: Callable[[Any], Any]
    """The state of a folding."""
    true: Callable[[Any], Any]
    """The same of a public view."""
    secrets: bool = False
    """Some events show less to other seats than to their own."""


FOLDED = {
    "champions": Folded(
        champions.Folding,
        lambda folding: folding.view,
        lambda view: {n: champions.plain(getattr(view, n)) for n in champions.FOLLOWED},
        secrets=True,
    ),
    "ice_garden": Folded(ice_garden.Folding, lambda folding: folding.v, ice_garden.thawed),
    "yggdrasil": Folded(
        yggdrasil.Folding,
        lambda folding: folding.view(),
        lambda view: {n: getattr(view, n) for n in field_names(type(view)) if n != "agenda"},
    ),
}


def test_cm_16_3_ig_20_5_yg_14_7_the_events_folded_give_the_view_at_every_decision(registered):
    game, folded = setups.game(registered), FOLDED[registered]
    for setup in setups.trial(registered).usual:
        for seed in range(SEEDS):
            for viewer in (-1, 0) if folded.secrets else (-1,):
                s = game.new(game.setup_kind(**setup), FastChance(seed))
                follow_to_the_end(game, folded, s, viewer, FastChance(seed))


def follow_to_the_end(game: Any, folded: Folded, s: Table, viewer: int, rng: FastChance) -> None:
    folding = folded.begin(game.components, game.public(s))
    while s.agenda:
        seat = asked(s)[0]
        listed = options(s, seat)
        s.journal = []
        apply(s, seat, listed[rng.below(len(listed))])
        for event in s.journal:
            seen = event.seen_by(viewer)
            assert folded.secrets or seen == event, "everything that happens is open"
            if seen is not None:
                folding.follow(seen)
        assert folded.found(folding) == folded.true(game.public(s)), s.journal
