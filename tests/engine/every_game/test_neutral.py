"""The neutral answer for an absent seat never costs where a free answer exists."""

from collections.abc import Callable
from typing import Any

from taflhall_engine.ice_garden.ids import FIGURES_EACH, NONE, REGION_COUNT, STOCK
from taflhall_engine.kernel.agenda import asked, options
from taflhall_engine.kernel.drafts import unfinished
from tests.engine.every_game import walk


def quay(s, seat):
    player = s.players[seat]
    return [player.coins, player.favours]


def champions(s, seat):
    clan = s.clans[seat]
    return [*clan.goods, clan.favour, *clan.warriors, clan.runes.bit_count()]


def ice_garden(s, seat):
    faction = s.options.factions[seat]
    figures = s.figure_at[faction * FIGURES_EACH : (faction + 1) * FIGURES_EACH]
    influence = s.influence[faction * REGION_COUNT : (faction + 1) * REGION_COUNT]
    stock = s.stock[faction * STOCK : (faction + 1) * STOCK]
    markers = s.supply[faction] + sum(influence)
    return [sum(stock), markers, len(figures) - figures.count(NONE), -s.reputation[faction]]


def yggdrasil(s, seat):
    return [sum(s.vikings), sum(s.elves), sum(s.weapons)]


HOLDINGS: dict[str, Callable[[Any, int], list[int]]] = {
    "quay": quay,
    "champions": champions,
    "ice_garden": ice_garden,
    "yggdrasil": yggdrasil,
}
"""By game: what a seat (or its team) has that an answer can cost."""


def costs(p, seat, command):
    """Return whether the answer alone, before anything follows from it, takes something away."""
    after = p.s.copy()
    top = after.agenda.pop()
    top.resolve(after, seat, command)
    holdings = HOLDINGS[p.name]
    return any(b < a for a, b in zip(holdings(p.s, seat), holdings(after, seat), strict=True))


def test_a_neutral_answer_costs_nothing_where_a_free_one_exists(name):
    def law(p):
        if unfinished(p.s):
            return  # who is away has given no answer
        for seat in asked(p.s):
            if costs(p, seat, p.game.neutral(p.s, seat)):
                assert all(costs(p, seat, other) for other in options(p.s, seat)), p.top

    walk.hold(name, law, rounds=3)
