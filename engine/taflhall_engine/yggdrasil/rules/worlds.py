"""YG-7.1 to YG-7.8 The actions of the worlds, but for Niflheim and Vanaheim."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.yggdrasil.effects import (
    clean_bag,
    fill_bag,
    forge_weapon,
    move_valkyries,
    search_bag,
    take_elf,
)
from taflhall_engine.yggdrasil.names import (
    ALFHEIM,
    ASGARD,
    ENEMY_COUNT,
    FIRST_GIANT,
    GIANT_COUNT,
    HEIMDALL,
    HELHEIM,
    HIDDEN,
    ISLAND_COUNT,
    JOTUNHEIM,
    MIDGARD,
    MUSPELLHEIM,
    NIDAVELLIR,
    NONE,
    WEAPON_LEVELS,
    WHIRLPOOL,
)
from taflhall_engine.yggdrasil.rules.answers import Action, has_power
from taflhall_engine.yggdrasil.rules.battle import BattleVikings
from taflhall_engine.yggdrasil.rules.use import barred, use_world
from taflhall_engine.yggdrasil.table import YggdrasilTable

NO_BATTLE: Final = Refusal(
    "YG-7.1",
    "invalid_target",
    "only an enemy on space 2 or beyond can be attacked",
    "nur ein Feind ab Feld 2 kann angegriffen werden",
)


@final
class Asgard(Action):
    """YG-7.1 Fight *enemy*, which stands on space 2 or beyond. The Vikings are asked next."""

    RULE = "YG-7.1"

    def __init__(self, enemy: int) -> None:
        self.enemy: Final = enemy

    def malformed(self) -> bool:
        return self.enemy < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, ASGARD)
        if reason is not None:
            return reason
        if self.enemy >= ENEMY_COUNT or s.enemies[self.enemy] <= s.box.start_space:
            return NO_BATTLE
        return None

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        s.agenda.append(BattleVikings(seat, self.enemy))


# ---------------------------------------------------------------- Midgard

NOTHING_ASKED: Final = Refusal(
    "YG-7.2",
    "no_effect",
    "the Valkyries should move, search, or both",
    "die Walküren sollen ziehen, suchen oder beides",
)
NO_ISLAND: Final = Refusal(
    "YG-7.2a", "invalid_target", "there is no such island", "diese Insel gibt es nicht"
)
NOT_ADJACENT: Final = Refusal(
    "YG-7.2a",
    "island_not_adjacent",
    "the Valkyries move to a neighbouring island",
    "die Walküren ziehen auf eine Nachbarinsel",
)
INTO_WHIRLPOOL: Final = Refusal(
    "YG-9.3",
    "whirlpool",
    "the whirlpool lets nobody onto the submerged island",
    "der Strudel lässt niemanden auf die versunkene Insel",
)
NO_SEARCH: Final = Refusal(
    "YG-7.2b",
    "search_forbidden",
    "neither rainbow nor the submerged island can be searched",
    "auf Regenbogen und auf der versunkenen Insel wird nicht gesucht",
)
BAG_EMPTY: Final = Refusal("YG-7.2b", "bag_empty", "the bag is empty", "der Beutel ist leer")


def refuse_move(s: YggdrasilTable, island: int) -> Refusal | None:
    """YG-7.2a Return why the Valkyries may not move to *island*."""
    if island >= ISLAND_COUNT:
        return NO_ISLAND
    if island not in s.box.neighbours[s.valkyries]:
        return NOT_ADJACENT
    if island == s.sunken and s.hindrance & WHIRLPOOL:
        return INTO_WHIRLPOOL
    return None


def refuse_search(s: YggdrasilTable, island: int) -> Refusal | None:
    """YG-7.2b Return why the Valkyries may not search on *island*."""
    if island == s.sunken or island not in s.box.coloured:
        return NO_SEARCH
    if not has_tokens(s, island):
        return BAG_EMPTY
    return None


def has_tokens(s: YggdrasilTable, island: int) -> bool:
    """Return whether the bag of *island* holds anything."""
    return s.bag_vikings[island] + s.bag_giants[island] > 0


@final
class Midgard(Action):
    """YG-7.2 Move the Valkyries to *move_to* (unless none), then *search* (if yes)."""

    RULE = "YG-7.2"

    def __init__(self, move_to: int, search: bool) -> None:
        self.move_to: Final = move_to
        self.search: Final = search

    def malformed(self) -> bool:
        return self.move_to < NONE

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, MIDGARD)
        if reason is not None:
            return reason
        if self.move_to < 0 and not self.search:
            return NOTHING_ASKED
        if self.move_to >= 0:
            reason = refuse_move(s, self.move_to)
            if reason is not None:
                return reason
        if self.search:
            return refuse_search(s, self.move_to if self.move_to >= 0 else s.valkyries)
        return None

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_world(s, MIDGARD)
        if self.move_to >= 0:
            move_valkyries(s, "YG-7.2a", self.move_to)
        if self.search:
            search_bag(s, "YG-7.2b", seat, s.valkyries, search_tokens(s, seat))


def search_tokens(s: YggdrasilTable, seat: int) -> int:
    """YG-7.2b, YG-10.4 A search draws three tokens, Heimdall's four."""
    return s.box.heimdall_tokens if has_power(s, seat, HEIMDALL) else s.box.search_tokens


# ---------------------------------------------------------------- Nidavellir, Alfheim

NO_WEAPON: Final = Refusal(
    "YG-7.3", "invalid_target", "there is no such enemy", "diesen Feind gibt es nicht"
)
WEAPON_AT_MAXIMUM: Final = Refusal(
    "YG-7.3",
    "weapon_at_maximum",
    "you hold the best weapon against this enemy",
    "du hast schon die beste Waffe gegen diesen Feind",
)
WEAPON_UNAVAILABLE: Final = Refusal(
    "YG-7.3",
    "weapon_unavailable",
    "another god holds the weapon that comes next",
    "ein anderer Gott hat die Waffe, die an der Reihe ist",
)


@final
class Nidavellir(Action):
    """YG-7.3 Take the first weapon against *enemy*, or exchange it for the next level."""

    RULE = "YG-7.3"

    def __init__(self, enemy: int) -> None:
        self.enemy: Final = enemy

    def malformed(self) -> bool:
        return self.enemy < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, NIDAVELLIR)
        if reason is not None:
            return reason
        if self.enemy >= ENEMY_COUNT:
            return NO_WEAPON
        level = s.weapons[seat * ENEMY_COUNT + self.enemy]
        if level >= WEAPON_LEVELS:
            return WEAPON_AT_MAXIMUM
        if not s.forge >> (self.enemy * WEAPON_LEVELS + level) & 1:
            return WEAPON_UNAVAILABLE
        return None

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_world(s, NIDAVELLIR)
        forge_weapon(s, self.RULE, seat, self.enemy)


NO_ELF: Final = Refusal(
    "YG-7.4", "no_elf_available", "Alfheim holds no elf", "in Alfheim ist keine Elfe mehr"
)


@final
class Alfheim(Action):
    """YG-7.4 Take an elf."""

    RULE = "YG-7.4"

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, ALFHEIM)
        if reason is not None:
            return reason
        return None if s.alfheim else NO_ELF

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_world(s, ALFHEIM)
        take_elf(s, self.RULE, seat)


# ---------------------------------------------------------------- Helheim, Muspellheim

NO_BAG: Final = Refusal(
    "YG-7.6", "invalid_target", "this island has no bag", "diese Insel hat keinen Beutel"
)
HELHEIM_EMPTY: Final = Refusal(
    "YG-7.6", "no_effect", "Helheim holds no Viking", "im Totenreich ist kein Wikinger"
)
BAG_CLEAN: Final = Refusal("YG-7.7", "bag_empty", "the bag is empty", "der Beutel ist leer")


@final
class Helheim(Action):
    """YG-7.6 Put five Vikings from Helheim into the bag of *island*, or all if there are fewer."""

    RULE = "YG-7.6"

    def __init__(self, island: int) -> None:
        self.island: Final = island

    def malformed(self) -> bool:
        return self.island < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, HELHEIM)
        if reason is not None:
            return reason
        if self.island not in s.box.coloured:
            return NO_BAG
        return None if s.helheim else HELHEIM_EMPTY

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_world(s, HELHEIM)
        fill_bag(s, self.RULE, self.island, min(s.box.helheim_vikings, s.helheim))


@final
class Muspellheim(Action):
    """YG-7.7 Draw five tokens from the bag of *island*: fire giants leave it, Vikings return."""

    RULE = "YG-7.7"

    def __init__(self, island: int) -> None:
        self.island: Final = island

    def malformed(self) -> bool:
        return self.island < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, MUSPELLHEIM)
        if reason is not None:
            return reason
        if self.island not in s.box.coloured:
            return NO_BAG
        return None if has_tokens(s, self.island) else BAG_CLEAN

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_world(s, MUSPELLHEIM)
        clean_bag(s, self.RULE, seat, self.island, s.box.muspellheim_tokens)


# ---------------------------------------------------------------- Jotunheim

NOT_ACTIVE: Final = Refusal(
    "YG-7.8", "invalid_target", "this giant is not active", "dieser Riese ist nicht aktiv"
)
NO_HIDDEN: Final = Refusal(
    "YG-7.8", "invalid_target", "the giant deck is empty", "der Riesenstapel ist leer"
)


@final
class Jotunheim(Action):
    """YG-7.8 Fight the active *giant*. The Vikings are asked next."""

    RULE = "YG-7.8"

    def __init__(self, giant: int) -> None:
        self.giant: Final = giant

    def malformed(self) -> bool:
        return self.giant < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, JOTUNHEIM)
        if reason is not None:
            return reason
        return None if self.giant in s.giants_active else NOT_ACTIVE

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        s.agenda.append(BattleVikings(seat, FIRST_GIANT + self.giant))


@final
class JotunheimHidden(Action):
    """YG-7.8 Fight the top giant of the deck, face down as it is."""

    RULE = "YG-7.8"

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, JOTUNHEIM)
        if reason is not None:
            return reason
        return None if s.giant_deck else NO_HIDDEN

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        s.agenda.append(BattleVikings(seat, HIDDEN))


def _midgard() -> list[Midgard]:
    found: list[Midgard] = []
    for move_to in range(NONE, ISLAND_COUNT):
        found.append(Midgard(move_to, False))
        found.append(Midgard(move_to, True))
    return found


ASGARDS: Final = [Asgard(enemy) for enemy in range(ENEMY_COUNT)]
MIDGARDS: Final = _midgard()
"""``MIDGARDS[(move_to + 1) * 2 + search]``."""
NIDAVELLIRS: Final = [Nidavellir(enemy) for enemy in range(ENEMY_COUNT)]
ALFHEIM_ACTION: Final = Alfheim()
HELHEIMS: Final = [Helheim(island) for island in range(ISLAND_COUNT)]
MUSPELLHEIMS: Final = [Muspellheim(island) for island in range(ISLAND_COUNT)]
JOTUNHEIMS: Final = [Jotunheim(giant) for giant in range(GIANT_COUNT)]
JOTUNHEIM_HIDDEN: Final = JotunheimHidden()
