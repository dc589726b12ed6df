"""The words of Yggdrasil for people, in English and German."""

from __future__ import annotations

import re
from typing import Final

from taflhall_engine.kernel.game import Game
from taflhall_engine.yggdrasil import ids

_TEXTS: Final[dict[str, tuple[str, str]]] = {
    # the table
    "turn": ("Turn {turn}: {god} (seat {seat})", "Zug {turn}: {god} (Platz {seat})"),
    "actions": (", actions left: {left}", ", Aktionen übrig: {left}"),
    "used": (", used: {worlds}", ", genutzt: {worlds}"),
    "angry": ("Fenrir is angry (level {level})", "Fenrir ist zornig (Stufe {level})"),
    "daeg": ("Daeg: {turns} turns without a card", "Daeg: {turns} Züge ohne Karte"),
    "no_powers": ("The gods have lost their powers", "Die Götter haben ihre Kräfte verloren"),
    "no_die": ("Battles are fought without the die", "In Schlachten wird nicht gewürfelt"),
    "blocked": ("Blocked: {worlds}", "Versperrt: {worlds}"),
    "won": ("Yggdrasil is saved", "Yggdrasil ist gerettet"),
    "lost": ("The gods have lost: {reasons}", "Die Götter haben verloren: {reasons}"),
    "wall": ("wall", "Mauer"),
    "gate": ("gate", "Tor"),
    "residence": ("Odin", "Odin"),
    "strength": ("strength {strength}", "Stärke {strength}"),
    "start": ("start", "Start"),
    "gods": ("Gods", "Götter"),
    "god": ("god", "Gott"),
    "you": ("you", "du"),
    "vikings": ("Vikings", "Wikinger"),
    "elves": ("elves", "Elfen"),
    "weapons": ("weapons", "Waffen"),
    "island": ("island", "Insel"),
    "fire_giants": ("fire giants", "Feuerriesen"),
    "valkyries": ("Valkyries", "Walküren"),
    "sunken": ("submerged", "versunken"),
    "whirlpool": ("whirlpool", "Strudel"),
    "helheim": ("{count} Vikings in Helheim", "{count} Wikinger im Totenreich"),
    "muspellheim": ("{count} fire giants in Muspellheim", "{count} Feuerriesen im Feuerreich"),
    "alfheim": ("{count} elves in Alfheim", "{count} Elfen in Alfheim"),
    "effect": ("effect", "Wirkung"),
    "vanir_move_valkyries": ("move the Valkyries", "Walküren versetzen"),
    "vanir_take_vikings": ("two Vikings from Helheim", "zwei Wikinger aus dem Totenreich"),
    "vanir_peek_deck": ("look at six cards", "sechs Karten ansehen"),
    "vanir_push_enemy": ("push an enemy back", "einen Feind zurücksetzen"),
    "vanir_discard_giant": ("lay a giant aside", "einen Riesen ablegen"),
    "giant": ("giant", "Riese"),
    "rune": ("rune", "Rune"),
    "nobody": ("nobody", "niemand"),
    "giant_deck": ("deck: {count}; defeated: {runes}", "Stapel: {count}; besiegt: {runes}"),
    "deck": ("Enemy deck: {count} cards", "Feindstapel: {count} Karten"),
    "known": ("; seen: {cards}", "; gesehen: {cards}"),
    "to_come": ("Still to come: {cards}", "Noch im Stapel: {cards}"),
    # what giants do
    "block": ("blocks {world}", "versperrt {world}"),
    "plus": ("{enemy} +1", "{enemy} +1"),
    "no_powers_giant": ("no powers of the gods", "keine Kräfte der Götter"),
    "no_die_giant": ("no die in battles", "kein Würfel in Schlachten"),
    # cards and opponents
    "furious": ("furious {enemy}", "wütend: {enemy}"),
    "hidden": ("the hidden giant", "den verdeckten Riesen"),
    "reason_wall": ("five beyond the wall", "fünf jenseits der Mauer"),
    "reason_gate": ("three beyond the gate", "drei jenseits des Tors"),
    "reason_residence": ("an enemy in Odin's residence", "ein Feind in Odins Residenz"),
}


_SINGULAR: Final = {
    "1 Vikings fall": "1 Viking falls",
    "1 Vikings go": "1 Viking goes",
    "1 Vikings": "1 Viking",
    "1 elves go": "1 elf goes",
    "1 elves": "1 elf",
    "1 fire giants": "1 fire giant",
    "1 more turns": "1 more turn",
    "1 Wikinger fallen": "1 Wikinger fällt",
    "1 Wikinger kommen": "1 Wikinger kommt",
    "1 Elfen kehren": "1 Elfe kehrt",
    "1 Elfen": "1 Elfe",
}
_ONE: Final = re.compile(rf"\b(?:{'|'.join(_SINGULAR)})\b")


class Words:
    """Texts and names in one language."""

    def __init__(self, game: Game, language: str) -> None:
        self.german: Final = language == "de"
        self._names: Final[dict[str, dict[int, str]]] = {}
        for component in game.catalog:
            name = component.name_de if self.german else component.name
            self._names.setdefault(component.kind, {})[component.number] = name

    def __call__(self, key: str, **values: object) -> str:
        return self.of(_TEXTS[key], **values)

    def of(self, pair: tuple[str, str], **values: object) -> str:
        """Return the right one of an English and a German text, filled in."""
        text = pair[self.german].format(**values)
        return _ONE.sub(lambda found: _SINGULAR[found[0]], text)

    def name(self, kind: str, number: int) -> str:
        """Return the name of a component; its number if it has none."""
        return self._names.get(kind, {}).get(number, str(number))

    def god(self, god: int) -> str:
        return self.name("god", god)

    def enemy(self, enemy: int) -> str:
        return self.name("enemy", enemy)

    def island(self, island: int) -> str:
        return self.name("island", island)

    def giant(self, giant: int) -> str:
        return self.name("giant", giant)

    def rune(self, rune: int) -> str:
        return self.name("rune", rune)

    def world(self, world: int) -> str:
        return self.name("world", world)

    def card(self, card: int) -> str:
        """Return the name of an enemy card."""
        if card < ids.FURIOUS:
            return self.enemy(card)
        if card < ids.RAGNAROK:
            return self("furious", enemy=self.enemy(card - ids.FURIOUS))
        return self.name("ragnarok", card - ids.RAGNAROK)

    def cards(self, cards: list[int]) -> str:
        return ", ".join(self.card(card) for card in cards)

    def opponent(self, opponent: int) -> str:
        """Return the name of whom a battle is against."""
        if opponent < ids.FIRST_GIANT:
            return self.enemy(opponent)
        if opponent == ids.HIDDEN:
            return self("hidden")
        return self.giant(opponent - ids.FIRST_GIANT)

    def reason(self, reason: int) -> str:
        return self(f"reason_{ids.REASONS[reason]}")

    def effect(self, bits: int) -> str:
        """Return what a giant does while it is active."""
        if bits & ids.WHIRLPOOL:
            return self("whirlpool")
        if bits & ids.NO_POWERS:
            return self("no_powers_giant")
        if bits & ids.NO_DIE:
            return self("no_die_giant")
        number = bits.bit_length() - 1
        if number >= ids.PLUS_SHIFT:
            return self("plus", enemy=self.enemy(number - ids.PLUS_SHIFT))
        return self("block", world=self.world(number))
