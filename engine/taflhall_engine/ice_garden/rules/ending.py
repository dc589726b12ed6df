"""IG-12, IG-14 How a match ends."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.effects import score, take_vuko_token
from taflhall_engine.ice_garden.ids import (
    DEAD_SNOW,
    FACTION_COUNT,
    GOAL,
    NONE,
    POINTS,
    ROUND_END,
    UNDECIDED,
)
from taflhall_engine.ice_garden.influence import acting, better, human
from taflhall_engine.ice_garden.rules.base import Phase
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.game import ScoreLine

REASON_RULES: Final = {
    "dead_snow": "IG-12.2",
    "goal": "IG-14.4",
    "points": "IG-14.5",
    "last_helm": "IG-14.5",
}
"""The rule that ends a match for each reason."""


def fall_snow(s: IceGardenTable, rule: str, steps: int, trigger: int) -> bool:
    """IG-12.1, IG-12.2 Move the Dead Snow marker; return whether the match continues.

    At the limit it ends at once. *trigger* is the player whose Making moved the marker,
    ``NONE`` for Both Bears and the NPC.
    """
    s.snow += steps
    if s.journal is not None:
        s.journal.append(events.SnowFell(rule, s.snow))
    if s.snow < s.components.snow_limit[s.options.players]:
        return True
    _dead_snow(s, trigger)
    return False


def _dead_snow(s: IceGardenTable, trigger: int) -> None:
    """IG-12.3 to IG-12.6 The best reputation wins; in the solo game the NPC."""
    extra = NONE
    if (
        trigger != NONE
        and not s.options.first_edition
        and not take_vuko_token(s, "IG-12.3", trigger)
    ):
        extra = trigger
    if s.options.npc != NONE:
        _end(s, "IG-16.19", DEAD_SNOW, [s.options.npc])
        return
    if s.options.first_edition:
        winner = _physical(s, trigger)
        rule = "IG-12.6"
    else:
        winner = _deducted(s, extra)
        rule = "IG-12.5"
    _end(s, rule, DEAD_SNOW, [winner])


def _deducted(s: IceGardenTable, extra: int) -> int:
    """IG-12.4, IG-12.5 The values after the deduction; ties by the reputation before it."""
    final = [0] * FACTION_COUNT
    winner = s.order[0]
    for faction in s.order:
        tokens = s.vuko_tokens[faction] + (1 if faction == extra else 0)
        value = s.components.reputation[s.reputation[faction]]
        final[faction] = value - s.components.reputation_per_token * tokens
    for faction in s.order:
        if final[faction] > final[winner] or (
            final[faction] == final[winner] and better(s, faction, winner)
        ):
            winner = faction
    s.final_reputation = final
    return winner


def _physical(s: IceGardenTable, trigger: int) -> int:
    """IG-12.6 The markers are moved one after another and land on top; no floor."""
    final = [0] * FACTION_COUNT
    for faction in s.order:
        final[faction] = s.components.reputation[s.reputation[faction]]
    stacks = s.standing[:]
    if trigger != NONE:
        final[trigger] -= s.components.reputation_per_token
        stacks.remove(trigger)
        stacks.insert(0, trigger)
    for faction in s.order:
        if s.vuko_tokens[faction] > 0:
            final[faction] -= s.components.reputation_per_token * s.vuko_tokens[faction]
            stacks.remove(faction)
            stacks.insert(0, faction)
    s.final_reputation = final
    winner = stacks[0]
    for faction in stacks:
        if final[faction] >= final[winner]:
            winner = faction
    return winner


def _end(s: IceGardenTable, rule: str, reason: int, winners: list[int]) -> None:
    s.reason = reason
    s.winners = winners
    s.agenda.clear()
    if s.journal is not None:
        s.journal.append(events.MatchEnded(rule, reason, winners, s.final_reputation[:]))


@final
class RoundEnd(Phase):
    """IG-14.3 Goals come before points; otherwise the next round follows."""

    RULE = "IG-14.3"
    STATE = ROUND_END

    def enter(self, s: IceGardenTable) -> None:
        if s.goals != 0:
            _give_bonus(s)
            _end(s, "IG-14.4", GOAL, _most_points(s, s.goals))
        elif last_helm(s) or _enough_points(s):
            _give_bonus(s)
            players = 0
            for faction in acting(s):
                players |= 1 << faction
            _end(s, "IG-14.5", POINTS, _most_points(s, players))


def last_helm(s: IceGardenTable) -> bool:
    """IG-4.9 Return whether the last helm, and so the fourth red ship, has been reached."""
    return s.ships >= s.components.red_ship_count or max(s.helm) >= s.components.helms


def _enough_points(s: IceGardenTable) -> bool:
    return any(s.vp[faction] >= s.components.points_to_end for faction in acting(s))


def _give_bonus(s: IceGardenTable) -> None:
    """IG-13.7 Give the bonus of Viper Gorge."""
    faction = gorge_winner(s)
    if faction != NONE:
        score(s, "IG-13.7", faction, s.components.gorge_bonus)


def gorge_winner(s: IceGardenTable) -> int:
    """IG-13.7, IG-16.19 Return who has most markers on Viper Gorge, none (-1) if nobody has one.

    A tie goes to the better reputation; a player who has resigned gets nothing.
    """
    if s.options.npc != NONE:
        return human(s) if s.viper[human(s)] > 0 else NONE
    best = NONE
    for faction in s.order:
        if s.viper[faction] == 0 or s.withdrawn >> faction & 1:
            continue
        if (
            best == NONE
            or s.viper[faction] > s.viper[best]
            or (s.viper[faction] == s.viper[best] and better(s, faction, best))
        ):
            best = faction
    return best


def score_lines(s: IceGardenTable) -> list[list[ScoreLine]]:
    """IG-14.6 Return the parts of each seat's victory points, and what decided the Dead Snow."""
    return [] if s.reason == UNDECIDED else projected_lines(s)


def projected_lines(s: IceGardenTable) -> list[list[ScoreLine]]:
    """IG-14.6 Return the parts of each seat's victory points if the match ended now by points."""
    bonus, winner = 0, NONE
    if s.reason != DEAD_SNOW:
        bonus, winner = s.components.gorge_bonus, gorge_winner(s)
    found: list[list[ScoreLine]] = []
    for faction in s.options.factions:
        extra = bonus if faction == winner else 0
        given = 0 if s.reason == UNDECIDED else extra  # the bonus is given at the end
        lines = [
            ScoreLine("victory_points", "IG-13.2", s.vp[faction] - given),
            ScoreLine("viper_gorge", "IG-13.7", extra),
        ]
        if s.final_reputation:
            lines.append(ScoreLine("final_reputation", "IG-12.4", s.final_reputation[faction]))
        found.append(lines)
    return found


def _most_points(s: IceGardenTable, among: int) -> list[int]:
    """IG-14.4, IG-14.5 Equal points share the victory."""
    winners: list[int] = []
    for faction in acting(s):
        if among >> faction & 1:
            if winners and s.vp[faction] > s.vp[winners[0]]:
                winners = []
            if not winners or s.vp[faction] == s.vp[winners[0]]:
                winners.append(faction)
    return winners
