"""The verbs of the game: the only code that changes the table *and* emits the events.

Each verb names the rule that caused it. Whether and how much is for the rules to say.
"""

from __future__ import annotations

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.ids import (
    ABILITY_COUNT,
    FACTION_COUNT,
    FIGURE_COUNT,
    M_FACTOR,
    NONE,
    PAIR_FIRST,
    PAIR_SECOND,
    REGION_COUNT,
    REPUTATION_FLOOR,
    STOCK,
    VUKO_TOKEN,
    ZERO,
)
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.shared_lists import replaced, without

# ---------------------------------------------------------------- resources


def gain(s: IceGardenTable, rule: str, faction: int, kind: int, count: int) -> int:
    """IG-1.13 Take resources from the supply, as far as it goes; return how many."""
    count = min(count, s.bank[kind])
    if count > 0:
        s.bank[kind] -= count
        s.stock[faction * STOCK + kind] += count
        if s.journal is not None:
            s.journal.append(events.Gained(rule, faction, kind, count))
    return count


def spend(s: IceGardenTable, rule: str, faction: int, kind: int, count: int) -> None:
    """IG-2.9 Pay resources into the supply, M-factor from level 0."""
    if kind == M_FACTOR:
        spend_factor(s, rule, faction, 0, count)
    elif count > 0:
        s.stock[faction * STOCK + kind] -= count
        s.bank[kind] += count
        if s.journal is not None:
            s.journal.append(events.Spent(rule, faction, kind, 0, count))


def spend_factor(s: IceGardenTable, rule: str, faction: int, level: int, count: int) -> None:
    """IG-2.9 Pay M-factor from a level into the supply."""
    if count > 0:
        s.stock[faction * STOCK + M_FACTOR + level] -= count
        s.bank[M_FACTOR] += count
        if s.journal is not None:
            s.journal.append(events.Spent(rule, faction, M_FACTOR, level, count))


def shift_factor(s: IceGardenTable, rule: str, faction: int, level: int, to_level: int) -> None:
    s.stock[faction * STOCK + M_FACTOR + level] -= 1
    s.stock[faction * STOCK + M_FACTOR + to_level] += 1
    if s.journal is not None:
        s.journal.append(events.FactorShifted(rule, faction, level, to_level))


def plunder(s: IceGardenTable, rule: str, faction: int, victim: int, kind: int, level: int) -> None:
    """IG-9.8 Take a resource from another player; M-factor goes to level 0."""
    s.stock[victim * STOCK + kind + (level if kind == M_FACTOR else 0)] -= 1
    s.stock[faction * STOCK + kind] += 1
    if s.journal is not None:
        s.journal.append(events.Plundered(rule, faction, victim, kind, level))


def score(s: IceGardenTable, rule: str, faction: int, count: int) -> None:
    if count > 0:
        s.vp[faction] += count
        if s.journal is not None:
            s.journal.append(events.Scored(rule, faction, count))


# ---------------------------------------------------------------- influence markers


def place_influence(s: IceGardenTable, rule: str, faction: int, region: int) -> None:
    """Put a marker from the personal supply into a region."""
    s.supply[faction] -= 1
    s.influence[faction * REGION_COUNT + region] += 1
    if s.journal is not None:
        s.journal.append(events.InfluencePlaced(rule, faction, region))


def move_influence(s: IceGardenTable, rule: str, faction: int, region: int, to: int) -> None:
    """IG-8.14 Move a marker; controlled ones leave first and are free where they arrive."""
    controlled = _leave(s, faction, region, 1)
    s.influence[faction * REGION_COUNT + to] += 1
    if s.journal is not None:
        s.journal.append(events.InfluenceMoved(rule, faction, region, to, controlled > 0))


def return_influence(s: IceGardenTable, rule: str, faction: int, region: int, count: int) -> None:
    """IG-8.14 Return markers to their owner's supply, controlled ones first."""
    if count > 0:
        controlled = _leave(s, faction, region, count)
        s.supply[faction] += count
        if s.journal is not None:
            s.journal.append(events.InfluenceReturned(rule, faction, region, count, controlled))


def return_chosen(
    s: IceGardenTable, rule: str, faction: int, region: int, controlled: bool
) -> None:
    """Return one marker, free or controlled as named, to its owner's supply."""
    _take_out(s, faction, region, controlled)
    s.supply[faction] += 1
    if s.journal is not None:
        s.journal.append(events.InfluenceReturned(rule, faction, region, 1, 1 if controlled else 0))


def capture(s: IceGardenTable, rule: str, faction: int, region: int, controlled: bool) -> None:
    """IG-9.6 Bring one marker, free or controlled as named, to the Ice Garden."""
    _take_out(s, faction, region, controlled)
    s.ice_garden = replaced(s.ice_garden, faction, s.ice_garden[faction] + 1)
    if s.journal is not None:
        s.journal.append(events.InfluenceCaptured(rule, faction, region, controlled))


def feed_gorge(s: IceGardenTable, rule: str, faction: int) -> None:
    """IG-5.5 Lay influence markers on Viper Gorge."""
    s.supply[faction] -= s.components.gorge_markers
    s.viper = replaced(s.viper, faction, s.viper[faction] + s.components.gorge_markers)
    if s.journal is not None:
        s.journal.append(events.GorgeFed(rule, faction))


def remove_neutral(s: IceGardenTable, rule: str, region: int, count: int) -> None:
    """IG-2.10 Neutral markers leave the game."""
    if count > 0:
        s.neutral[region] -= count
        if s.journal is not None:
            s.journal.append(events.NeutralLeft(rule, region, count))


def move_neutral(s: IceGardenTable, rule: str, region: int, to: int) -> None:
    count = s.neutral[region]
    if count > 0:
        s.neutral[region] = 0
        s.neutral[to] += count
        if s.journal is not None:
            s.journal.append(events.NeutralMoved(rule, region, to, count))


def _leave(s: IceGardenTable, faction: int, region: int, count: int) -> int:
    """IG-8.14 Take markers out, controlled ones first; return how many of them were."""
    place = faction * REGION_COUNT + region
    controlled = min(count, s.controlled[place])
    s.influence[place] -= count
    s.controlled[place] -= controlled
    return controlled


def _take_out(s: IceGardenTable, faction: int, region: int, controlled: bool) -> None:
    place = faction * REGION_COUNT + region
    s.influence[place] -= 1
    if controlled:
        s.controlled[place] -= 1


# ---------------------------------------------------------------- figures


def place_unit(s: IceGardenTable, rule: str, figure: int, region: int) -> None:
    s.figure_at[figure] = region
    if s.journal is not None:
        s.journal.append(events.UnitPlaced(rule, figure, region))


def move_unit(s: IceGardenTable, rule: str, figure: int, to: int) -> None:
    region = s.figure_at[figure]
    s.figure_at[figure] = to
    if s.journal is not None:
        s.journal.append(events.UnitMoved(rule, figure, region, to))


def return_unit(s: IceGardenTable, rule: str, figure: int) -> None:
    """Give a figure back to its owner; upgrades stay on the sheet."""
    region = s.figure_at[figure]
    s.figure_at[figure] = NONE
    if s.journal is not None:
        s.journal.append(events.UnitReturned(rule, figure, region))


def damage(s: IceGardenTable, rule: str, figure: int, count: int) -> None:
    s.damage[figure] += count
    if s.journal is not None:
        s.journal.append(events.UnitDamaged(rule, figure, s.damage[figure]))


def defeat(s: IceGardenTable, rule: str, figure: int, attacker: int) -> None:
    """IG-7.17 Lay a figure on its side."""
    s.defeated |= 1 << figure
    if s.journal is not None:
        s.journal.append(events.UnitDefeated(rule, figure, attacker))


def remove_damage(s: IceGardenTable, rule: str) -> None:
    """IG-7.15 All damage disappears."""
    if any(s.damage) and s.journal is not None:
        s.journal.append(events.DamageRemoved(rule))
    s.damage = [0] * FIGURE_COUNT
    s.defeated = 0


def lay_upgrade(s: IceGardenTable, rule: str, unit: int, ability: int, replaced: int) -> None:
    """IG-6.20 Lay an upgrade marker on a sheet; the replaced one returns to the supply."""
    s.upgrade_bank[ability] -= 1
    s.upgrades[unit * ABILITY_COUNT + ability] += 1
    if replaced != NONE:
        s.upgrades[unit * ABILITY_COUNT + replaced] -= 1
        s.upgrade_bank[replaced] += 1
    if s.journal is not None:
        s.journal.append(events.UpgradeLaid(rule, unit, ability, replaced))


def assign_spy(s: IceGardenTable, rule: str, pair: int) -> None:
    """IG-7.4 The markers on the spy slots return, then the new ones are taken."""
    if s.spy != NONE:
        s.upgrade_bank[PAIR_FIRST[s.spy]] += 1
        s.upgrade_bank[PAIR_SECOND[s.spy]] += 1
    s.spy = pair
    s.upgrade_bank[PAIR_FIRST[pair]] -= 1
    s.upgrade_bank[PAIR_SECOND[pair]] -= 1
    if s.journal is not None:
        s.journal.append(events.SpyAssigned(rule, PAIR_FIRST[pair], PAIR_SECOND[pair]))


# ---------------------------------------------------------------- reputation and Vuko


def lose_reputation(s: IceGardenTable, rule: str, faction: int, count: int) -> None:
    """IG-11.3, IG-11.6 Move a marker down; it is put on top. Solo has no track (IG-16.2)."""
    if s.options.npc == NONE and count > 0:
        s.reputation[faction] = min(s.reputation[faction] + count, REPUTATION_FLOOR)
        s.standing = [faction, *without(s.standing, faction)]
        _tell_reputation(s, rule, faction)


def raise_reputation(s: IceGardenTable, rule: str, faction: int, count: int) -> None:
    """IG-11.4 Move a marker up, at most to 0; it is put at the bottom."""
    s.reputation[faction] = max(s.reputation[faction] - count, ZERO)
    s.standing = [*without(s.standing, faction), faction]
    _tell_reputation(s, rule, faction)


def _tell_reputation(s: IceGardenTable, rule: str, faction: int) -> None:
    if s.journal is not None:
        s.journal.append(events.ReputationMoved(rule, faction, s.reputation[faction]))


def take_vuko_token(s: IceGardenTable, rule: str, faction: int) -> bool:
    """IG-8.7 Take a Vuko token, if one is left; return whether one was."""
    if s.bank[VUKO_TOKEN] == 0:
        return False
    s.bank[VUKO_TOKEN] -= 1
    s.vuko_tokens[faction] += 1
    if s.journal is not None:
        s.journal.append(events.VukoTokenTaken(rule, faction))
    return True


def return_vuko_tokens(s: IceGardenTable, rule: str, faction: int, count: int) -> None:
    s.vuko_tokens[faction] -= count
    s.bank[VUKO_TOKEN] += count
    if s.journal is not None:
        s.journal.append(events.VukoTokensReturned(rule, faction, count))


def move_vuko(s: IceGardenTable, rule: str, region: int) -> None:
    """Move Vuko to a region, or off the map."""
    s.vuko = region
    if s.journal is not None:
        s.journal.append(events.VukoMoved(rule, region))


def take_control(s: IceGardenTable, rule: str, faction: int, region: int, count: int) -> None:
    """IG-8.9 Put markers behind Vuko."""
    if count > 0:
        s.controlled[faction * REGION_COUNT + region] = count
        if s.journal is not None:
            s.journal.append(events.ControlTaken(rule, faction, region, count))


def release_control(s: IceGardenTable, rule: str) -> None:
    """IG-8.2 All markers behind Vuko are normal markers again."""
    for region in range(REGION_COUNT):
        release_region(s, rule, region)


def release_region(s: IceGardenTable, rule: str, region: int) -> None:
    """IG-10.12 The markers behind Vuko in *region* are normal markers again."""
    found = False
    for place in range(region, FACTION_COUNT * REGION_COUNT, REGION_COUNT):
        found = found or s.controlled[place] > 0
        s.controlled[place] = 0
    if found and s.journal is not None:
        s.journal.append(events.ControlReleased(rule, region))


# ---------------------------------------------------------------- reserves, goals


def move_reserves(s: IceGardenTable, rule: str, region: int, to: int, face_down: bool) -> None:
    """Move all reserves of a region (face down), or one of them (face up)."""
    count = s.reserves_up[region] + s.reserves_down[region] if face_down else 1
    if face_down:
        s.reserves_up[region] = 0
        s.reserves_down[region] = 0
        s.reserves_down[to] += count
    else:
        if s.reserves_up[region] > 0:
            s.reserves_up[region] -= 1
        else:
            s.reserves_down[region] -= 1
        s.reserves_up[to] += 1
    if s.journal is not None:
        s.journal.append(events.ReservesMoved(rule, region, to, count, not face_down))


def fulfil(s: IceGardenTable, rule: str, faction: int) -> None:
    """IG-10.1 A goal is fulfilled, and stays so."""
    if s.goals >> faction & 1 == 0:
        s.goals |= 1 << faction
        if s.journal is not None:
            s.journal.append(events.GoalFulfilled(rule, faction))


def plan(s: IceGardenTable, rule: str, faction: int, field: int) -> None:
    """IG-5.4 Put an action marker on a field's free slot with the lowest number."""
    s.markers[faction] -= 1
    s.fields[field] = [*s.fields[field], faction]
    if s.journal is not None:
        s.journal.append(events.MarkerPlanned(rule, faction, field))
