"""CM-7.3, 7.4, CM-8 and CM-10.2 The combat loop, the same for every enemy.

A combat round is rolled (:class:`CombatRound`), then comes the window of CM-8.3, then hits
and losses (:class:`ApplyHits`), casualties, and finally :class:`ResolveRound` decides what follows.
"""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.effects import clear_roll, gain, roll_dice, use_rune
from taflhall_engine.champions.events import FightEnded, NoFight, RoundFought
from taflhall_engine.champions.ids import (
    AXEMAN,
    DOUBLE,
    GLORY,
    GLORY_FOR_DOUBLE,
    KRAKEN,
    MONSTER,
    NONE,
    POST_LEFT,
    POST_RIGHT,
    POST_TROLL,
    SHORE_0,
    SPEARMAN,
    SWORDSMAN,
    TROLL,
    TYPES,
)
from taflhall_engine.champions.rules.answers import FreeRune
from taflhall_engine.champions.rules.assignment import enemy_at
from taflhall_engine.champions.rules.base import ChampionsDecision
from taflhall_engine.champions.rules.blame import TrollBlame
from taflhall_engine.champions.rules.casualties import Casualties
from taflhall_engine.champions.rules.rolling import PostRoll, hits_of, shields_of, shown
from taflhall_engine.champions.rules.runes import RUNE_UNAVAILABLE
from taflhall_engine.champions.table import ChampionsTable, crew_size
from taflhall_engine.kernel.agenda import Command, Refusal, Step
from taflhall_engine.kernel.shared_lists import replaced


@final
class Fight(Step[ChampionsTable]):
    """CM-8.1 The warriors committed at a post fight the enemy there; without any, nothing happens.

    CM-7.3, CM-7.4 The troll comes first, then draugr 1, then draugr 2.
    """

    RULE = "CM-8.1"

    def __init__(self, post: int) -> None:
        self.post: Final = post

    def run(self, s: ChampionsTable) -> None:
        seat = s.post_seat[self.post]
        if seat < 0:
            return
        s.post = self.post
        enemy = enemy_at(s, self.post)
        if enemy != NONE and crew_size(s, self.post):
            s.enemy = enemy
            s.damage = 0
            s.agenda.append(CombatRound())
        elif s.journal is not None:
            s.journal.append(NoFight(self.RULE, seat, self.post))


@final
class CombatRound(Step[ChampionsTable]):
    """CM-8.2 Roll every committed warrior still in the fight."""

    RULE = "CM-8.2"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        seat = s.post_seat[s.post]
        i = s.post * TYPES
        roll_dice(s, seat, self.RULE, s.crew[i], s.crew[i + 1], s.crew[i + 2])
        s.agenda.append(ApplyHits())
        s.agenda.append(PostRoll(seat))


@final
class ApplyHits(Step[ChampionsTable]):
    """CM-8.4 Add the hits to the damage; CM-8.5 Ullr's glory; CM-8.6 count the losses.

    CM-8.8 Both happen at once: a dying enemy still inflicts its losses.
    """

    RULE = "CM-8.4"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        seat = s.post_seat[s.post]
        hits = hits_of(s, seat)
        s.damage += hits
        if s.components.ability[s.clans[seat].leader] == GLORY_FOR_DOUBLE and shown(s, DOUBLE):
            gain(s, seat, "CM-13.5", glory=1)
        losses = s.components.attack[s.enemy] - shields_of(s)
        losses = max(0, min(losses, crew_size(s, s.post)))
        if s.journal is not None:
            s.journal.append(
                RoundFought(
                    self.RULE, seat, s.post, s.components.kind[s.enemy], hits, s.damage, losses
                )
            )
        s.agenda.append(ResolveRound())
        if losses:
            s.agenda.append(Casualties(seat, losses))


@final
class ResolveRound(Step[ChampionsTable]):
    """CM-8.9 Damage has reached the defence: the enemy is defeated, even without survivors.

    CM-8.10 Otherwise the next combat round, if warriors are left; there is no retreat.
    CM-8.11 Otherwise the fight is lost and the damage removed.
    """

    RULE = "CM-8.9"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        seat = s.post_seat[s.post]
        clear_roll(s, seat, self.RULE)
        if s.damage >= s.components.defence[s.enemy]:
            s.agenda.append(Reward())
            if s.clans[seat].holds(GLORY) and s.components.kind[s.enemy] != KRAKEN:
                s.agenda.append(GloryRune(seat))
        elif crew_size(s, s.post):
            s.agenda.append(CombatRound())
        else:
            end_fight(s, seat, False)


def end_fight(s: ChampionsTable, seat: int, won: bool) -> None:
    """Emit the result of the fight; its damage is removed and survivors return home.

    After Kraken they sail on (CM-9.6).
    """
    kind = s.components.kind[s.enemy]
    if kind != KRAKEN:
        for warrior in range(TYPES):
            s.crew[s.post * TYPES + warrior] = 0
    if s.journal is not None:
        card = s.enemy - s.components.first[kind]
        rule = "CM-8.9" if won else "CM-8.11"
        s.journal.append(FightEnded(rule, seat, s.post, kind, card, won))
    s.damage = 0
    s.enemy = NONE


@final
class UseGloryRune(Command[ChampionsTable]):
    """CM-14.4 Glory: gain half of the defeated card's printed glory, rounded down; or not."""

    RULE = "CM-14.4"

    def __init__(self, use: bool) -> None:
        self.use: Final = use

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if self.use and not s.clans[seat].holds(GLORY):
            return RUNE_UNAVAILABLE
        return None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        if self.use:
            use_rune(s, seat, GLORY, self.RULE)
            gain(s, seat, self.RULE, glory=s.components.glory[s.enemy] // 2)


@final
class GloryRune(ChampionsDecision):
    """CM-14.4 Whether to use Glory on the enemy just defeated."""

    RULE = "CM-14.4"
    answers_with = (UseGloryRune, FreeRune)

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        return USE_GLORY[:] if s.clans[seat].holds(GLORY) else USE_GLORY[:1]


USE_GLORY: Final[list[Command[Any]]] = [UseGloryRune(False), UseGloryRune(True)]


@final
class Reward(Step[ChampionsTable]):
    """CM-8.9 Take the reward: glory, coins, favour, and the coins lying on a monster.

    CM-8.12 The card is the seat's, except Kraken's (CM-9.6). After a troll comes its blame.
    """

    RULE = "CM-8.9"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        seat = s.post_seat[s.post]
        components = s.components
        enemy = s.enemy
        kind = components.kind[enemy]
        coins = components.coins[enemy]
        if kind == MONSTER:
            coins += s.bounties[s.post - SHORE_0 - 1]
        gain(
            s,
            seat,
            self.RULE,
            coins=coins,
            favour=components.favour[enemy],
            glory=components.glory[enemy],
        )
        end_fight(s, seat, True)
        if kind != KRAKEN:
            self._collect(s, seat, enemy)
        if kind == TROLL:
            s.agenda.append(TrollBlame(seat))

    def _collect(self, s: ChampionsTable, seat: int, enemy: int) -> None:
        clan = s.clans[seat]
        color = s.components.color[enemy]
        if s.post == POST_TROLL:
            clan.trolls += 1
            s.troll = NONE
        elif s.post <= POST_RIGHT:
            clan.draugr = replaced(clan.draugr, color, clan.draugr[color] + 1)
            s.draugr[s.post - POST_LEFT] = NONE
        else:
            clan.monsters = replaced(clan.monsters, color, clan.monsters[color] + 1)
            s.monsters = replaced(s.monsters, s.post - SHORE_0 - 1, NONE)
            s.bounties[s.post - SHORE_0 - 1] = 0


def banned_crew(s: ChampionsTable) -> list[int]:
    """CM-9.7 Return the warriors on board whom the present monster bans, by type."""
    found = [0] * TYPES
    enemy = enemy_at(s, s.post)
    if enemy != NONE:
        for warrior in (SWORDSMAN, SPEARMAN, AXEMAN):
            if s.components.bans[enemy] >> warrior & 1:
                found[warrior] = s.crew[s.post * TYPES + warrior]
    return found
