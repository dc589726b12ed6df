"""CM-12.2 What a destiny compares, and who scores it. Shared by Success and the final scoring."""

from __future__ import annotations

from taflhall_engine.champions.ids import (
    ALL_TIED,
    COINS,
    FOOD,
    METRIC_COINS,
    METRIC_DRAUGR,
    METRIC_FAVOUR,
    METRIC_FOOD,
    METRIC_MONSTERS,
    METRIC_RUNES,
    METRIC_TROLLS,
    METRIC_WARRIORS,
    METRIC_WOOD,
    TYPES,
    WOOD,
)
from taflhall_engine.champions.table import ChampionsTable, Clan, warriors_owned


def bits(mask: int) -> int:
    """Return how many bits of *mask* are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def metric_of(clan: Clan, metric: int) -> int:
    """CM-12.2 Return what *clan* has of a metric (a number of ``ids.METRICS``)."""
    if metric < METRIC_FOOD:
        return clan.draugr[metric] + clan.monsters[metric]
    if metric == METRIC_FOOD:
        return clan.goods[FOOD]
    if metric == METRIC_WOOD:
        return clan.goods[WOOD]
    if metric == METRIC_COINS:
        return clan.goods[COINS]
    if metric == METRIC_FAVOUR:
        return clan.favour
    if metric == METRIC_WARRIORS:
        return warriors_owned(clan)
    if metric == METRIC_RUNES:
        return bits(clan.runes | clan.runes_used)
    if metric == METRIC_TROLLS:
        return clan.trolls
    if metric == METRIC_DRAUGR:
        return sum(clan.draugr)
    assert metric == METRIC_MONSTERS
    return sum(clan.monsters)


def destiny_scores(s: ChampionsTable, seat: int, destiny: int) -> list[int]:
    """CM-12.2 Return what each seat scores for a destiny card that *seat* owns.

    The owner alone at the top scores the exclusive value, tied the shared value (with
    ``destiny_ties = all`` so do those tied with it); a top of 0 scores nothing.
    """
    metric = s.components.metric[destiny]
    amounts = [metric_of(clan, metric) for clan in s.clans]
    scores = [0] * len(amounts)
    own = amounts[seat]
    if own == 0 or own < max(amounts):
        return scores
    tied = 0
    for amount in amounts:
        if amount == own:
            tied += 1
    if tied == 1:
        scores[seat] = s.components.exclusive[destiny]
        return scores
    for other in range(len(amounts)):
        if other == seat or (s.destiny_ties == ALL_TIED and amounts[other] == own):
            scores[other] = s.components.shared[destiny]
    return scores


def sets_of(clan: Clan) -> int:
    """CM-12.3 Return the number of complete sets of one yellow, red and blue enemy."""
    least = clan.draugr[0] + clan.monsters[0]
    for color in range(1, TYPES):
        count = clan.draugr[color] + clan.monsters[color]
        least = min(least, count)
    return least


def enemies_of(clan: Clan) -> int:
    """CM-12.9 Return how many enemy cards *clan* has, trolls included."""
    return clan.trolls + sum(clan.draugr) + sum(clan.monsters)
