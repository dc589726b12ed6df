"""Options and events of Yggdrasil in words, in English and German."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from taflhall_client.terminal.yggdrasil_words import Words
from taflhall_engine.kernel.agenda import Answered, Command, Event
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.kernel.value import field_names
from taflhall_engine.yggdrasil import ids
from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.view import PublicView


def option_text(game: Game, view: View, command: Command[Any], language: str) -> str:
    """Return an option in words; the decision on top of the agenda says what a number means."""
    words = Words(game, language)
    v = view.public
    assert isinstance(v, PublicView)
    step = v.agenda[-1] if v.agenda else None
    detail = DETAILS.get(type(command).__name__)
    text = command_text(words, command, step)
    if detail is not None and step is not None:
        components: Components = game.components  # type: ignore[attr-defined]
        text += detail(words, v, components, command, step)
    return text


def command_text(words: Words, command: Command[Any], step: Any = None) -> str:
    """Return a command in words."""
    name = type(command).__name__
    key = name
    if name == "Amount" and step is not None:
        key = type(step).__name__
    if name == "Midgard":
        move, search = getattr(command, "move_to", ids.NONE), getattr(command, "search", False)
        key = "Midgard_" + ("move" if move >= 0 else "") + ("search" if search else "")
    return words.of(COMMANDS[key], **filled(words, command))


def filled(words: Words, value: Any) -> dict[str, Any]:
    """Return the fields of a command or an event, numbers with a name as names."""
    named: dict[str, Callable[[Any], str]] = {
        "enemy": words.enemy,
        "island": words.island,
        "move_to": lambda island: words.island(island) if island >= 0 else "",
        "giant": words.giant,
        "rune": words.rune,
        "card": words.card,
        "cards": words.cards,
        "opponent": words.opponent,
        "reasons": lambda reasons: ", ".join(words.reason(reason) for reason in reasons),
    }
    found = {}
    for field in field_names(type(value)):
        raw = getattr(value, field)
        found[field] = named[field](raw) if field in named else raw
    return found


COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "Appease": ("appease Fenrir", "Fenrir beruhigen"),
    "Asgard": ("Asgard: fight {enemy}", "Asgard: gegen {enemy} kämpfen"),
    "Midgard_move": ("Midgard: Valkyries to {move_to}", "Midgard: Walküren nach {move_to}"),
    "Midgard_search": ("Midgard: search here", "Midgard: hier suchen"),
    "Midgard_movesearch": (
        "Midgard: Valkyries to {move_to}, search there",
        "Midgard: Walküren nach {move_to}, dort suchen",
    ),
    "Midgard_": ("Midgard: nothing", "Midgard: nichts"),
    "Nidavellir": ("Nidavellir: weapon against {enemy}", "Zwergenschmieden: Waffe gegen {enemy}"),
    "Alfheim": ("Alfheim: take an elf", "Heimstatt der Elfen: eine Elfe nehmen"),
    "Niflheim": (
        "Niflheim: exchange with seat {partner}",
        "Niflheim: mit Platz {partner} tauschen",
    ),
    "Helheim": (
        "Helheim: Vikings into the bag of {island}",
        "Totenreich: Wikinger in Beutel {island}",
    ),
    "Muspellheim": (
        "Muspellheim: clean the bag of {island}",
        "Feuerreich: Beutel {island} säubern",
    ),
    "Jotunheim": ("Jotunheim: fight {giant}", "Eisfestung: gegen {giant} kämpfen"),
    "JotunheimHidden": (
        "Jotunheim: fight the hidden giant",
        "Eisfestung: gegen den verdeckten Riesen kämpfen",
    ),
    "VanirAdvance": ("Vanaheim: advance the Vanir", "Vanaheim: den Vanen vorziehen"),
    "VanirMoveValkyries": (
        "Vanaheim: Valkyries to {move_to}",
        "Vanaheim: Walküren nach {move_to}",
    ),
    "VanirTakeVikings": (
        "Vanaheim: take two Vikings from Helheim",
        "Vanaheim: zwei Wikinger aus dem Totenreich",
    ),
    "VanirPeek": ("Vanaheim: look at six cards", "Vanaheim: sechs Karten ansehen"),
    "VanirPushEnemy": ("Vanaheim: push {enemy} back", "Vanaheim: {enemy} zurücksetzen"),
    "VanirDiscardGiant": ("Vanaheim: lay {giant} aside", "Vanaheim: {giant} ablegen"),
    "EndTurn": ("end the turn", "den Zug beenden"),
    "DrawCards": ("enemy cards to draw: {count}", "Feindkarten ziehen: {count}"),
    "ChooseCard": ("card {index}", "Karte {index}"),
    "ChooseDie": ("result {index}", "Ergebnis {index}"),
    "ChoosePulled": ("{enemy} is pulled", "{enemy} wird gezogen"),
    "SendVikings": ("{vikings} Vikings", "{vikings} Wikinger"),
    "CommitElves": ("{elves} elves", "{elves} Elfen"),
    "Amount": ("{count}", "{count}"),
    "GiveVikings": ("give {count} Vikings", "{count} Wikinger geben"),
    "TakeVikings": ("take {count} Vikings", "{count} Wikinger nehmen"),
    "GiveElves": ("give {count} elves", "{count} Elfen geben"),
    "TakeElves": ("take {count} elves", "{count} Elfen nehmen"),
    "Distribute": ("{vikings} Vikings", "{vikings} Wikinger"),
    "ChooseMann": ("{enemy} three spaces back", "{enemy} drei Felder zurück"),
    "ChooseTiwaz": ("{enemy} one space back", "{enemy} ein Feld zurück"),
    "PutNext": ("card {index} next", "Karte {index} als nächste"),
}

SILENT: Final = frozenset({"Amount", "Distribute", "ChooseTiwaz", "PutNext"})
"""Steps of one answer: the event that follows the last one tells it whole."""

Detail = Callable[[Words, PublicView, Components, Any, Any], str]


def fight_detail(
    words: Words, v: PublicView, components: Components, command: Any, step: Any
) -> str:
    strength = v.strengths[command.enemy]
    weapon = v.holdings[step.seat].weapons[command.enemy]
    return words.of(
        (
            " (strength {strength}, own weapon {weapon})",
            " (Stärke {strength}, eigene Waffe {weapon})",
        ),
        strength=strength,
        weapon=weapon,
    )


def giant_detail(
    words: Words, v: PublicView, components: Components, command: Any, step: Any
) -> str:
    rune = words.rune(components.giant_rune[command.giant])
    if command.giant in v.giants_active:
        return f" ({words.effect(components.giant_bits[command.giant])}; {rune})"
    return f" ({rune})"


def weapon_detail(
    words: Words, v: PublicView, components: Components, command: Any, step: Any
) -> str:
    level = v.holdings[step.seat].weapons[command.enemy] + 1
    return words.of((", level {level}", ", Stufe {level}"), level=level)


def partner_detail(
    words: Words, v: PublicView, components: Components, command: Any, step: Any
) -> str:
    holding = v.holdings[command.partner]
    return words.of(
        (
            " ({god}: {vikings} Vikings, {elves} elves)",
            " ({god}: {vikings} Wikinger, {elves} Elfen)",
        ),
        god=words.god(holding.god),
        vikings=holding.vikings,
        elves=holding.elves,
    )


def odin_detail(
    words: Words, v: PublicView, components: Components, command: Any, step: Any
) -> str:
    card = step.second_card if command.index else step.first_card
    return f": {words.card(card)}"


def tyr_detail(words: Words, v: PublicView, components: Components, command: Any, step: Any) -> str:
    face = step.second_face if command.index else step.first_face
    if step.aspect == ids.VALUE:
        return f": {components.face_value[face]}"
    return f": {words.island(components.face_colour[face])}"


def elves_detail(
    words: Words, v: PublicView, components: Components, command: Any, step: Any
) -> str:
    total = step.total + command.elves
    won = total >= step.strength
    return words.of(
        (
            " ({total} against {strength}: {won})",
            " ({total} gegen {strength}: {won})",
        ),
        total=total,
        strength=step.strength,
        won=words.of(("won", "gewonnen") if won else ("lost", "verloren")),
    )


def vikings_detail(
    words: Words, v: PublicView, components: Components, command: Any, step: Any
) -> str:
    if step.opponent < ids.FIRST_GIANT:
        strength = v.strengths[step.opponent]
        weapon = v.holdings[step.seat].weapons[step.opponent]
    else:
        strength, weapon = components.giant_strength, 0
    need = max(0, strength - weapon - command.vikings)
    return words.of((" ({need} more needed)", " (dann fehlen {need})"), need=need)


def share_detail(
    words: Words, v: PublicView, components: Components, command: Any, step: Any
) -> str:
    god = words.god(v.holdings[len(step.given)].god)
    return words.of((" to {god}", " an {god}"), god=god)


def next_detail(
    words: Words, v: PublicView, components: Components, command: Any, step: Any
) -> str:
    return f": {words.card(step.cards[command.index])}"


DETAILS: Final[dict[str, Detail]] = {
    "Asgard": fight_detail,
    "Jotunheim": giant_detail,
    "VanirDiscardGiant": giant_detail,
    "Nidavellir": weapon_detail,
    "Niflheim": partner_detail,
    "ChooseCard": odin_detail,
    "ChooseDie": tyr_detail,
    "CommitElves": elves_detail,
    "SendVikings": vikings_detail,
    "Distribute": share_detail,
    "PutNext": next_detail,
}
"""What a number of an option means, from the decision that it answers."""


# ---------------------------------------------------------------- events


def event_text(game: Game, event: Event, language: str) -> str | None:
    """Return an event in words; ``None`` if it says nothing that others do not say."""
    words = Words(game, language)
    if isinstance(event, Answered):
        if event.command is None or event.forced or type(event.command).__name__ in SILENT:
            return None
        return command_text(words, event.command)
    pair = EVENTS.get(type(event).__name__)
    if pair is None:
        return None
    values = filled(words, event)
    for field in ("faces", "won", "aspect", "outcome"):
        if field in values:
            values[field] = FORMS[field](game, words, event)
    return words.of(pair, **values)


def faces_form(game: Game, words: Words, event: Any) -> str:
    components: Components = game.components  # type: ignore[attr-defined]
    if event.aspect == ids.VALUE:
        return ", ".join(str(components.face_value[face]) for face in event.faces)
    return ", ".join(words.island(components.face_colour[face]) for face in event.faces)


def won_form(game: Game, words: Words, event: Any) -> str:
    return words.of(("won", "gewonnen") if event.won else ("lost", "verloren"))


def outcome_form(game: Game, words: Words, event: Any) -> str:
    if event.outcome == ids.VICTORY:
        return words("won")
    return words("lost", reasons=", ".join(words.reason(reason) for reason in event.reasons))


def aspect_form(game: Game, words: Words, event: Any) -> str:
    return ""


FORMS: Final[dict[str, Callable[[Game, Words, Any], str]]] = {
    "faces": faces_form,
    "won": won_form,
    "outcome": outcome_form,
    "aspect": aspect_form,
}

EVENTS: Final[dict[str, tuple[str, str]]] = {
    "TurnStarted": ("── turn {turn}, seat {seat}", "── Zug {turn}, Platz {seat}"),
    "DrawSkipped": (
        "no enemy card; {daeg} more turns without one",
        "keine Feindkarte; noch {daeg} Züge ohne",
    ),
    "CardsRevealed": ("revealed: {cards}", "aufgedeckt: {cards}"),
    "CardPutUnder": ("{card} goes under the deck", "{card} kommt unter den Stapel"),
    "EnemyMoved": ("{enemy}: space {origin} → {space}", "{enemy}: Feld {origin} → {space}"),
    "DieRolled": ("the die: {faces}", "gewürfelt: {faces}"),
    "VikingsLost": (
        "Hel takes {vikings} Vikings from the bag of {island}",
        "Hel holt {vikings} Wikinger aus Beutel {island}",
    ),
    "FireGiantsSent": (
        "Surt puts {fire_giants} fire giants into the bag of {island}",
        "Surt legt {fire_giants} Feuerriesen in Beutel {island}",
    ),
    "IslandSunk": ("{island} is submerged", "{island} ist versunken"),
    "ValkyriesMoved": ("the Valkyries are on {island}", "die Walküren sind auf {island}"),
    "GiantRevealed": ("{giant} becomes active", "{giant} wird aktiv"),
    "FenrirAngered": ("Fenrir is angry", "Fenrir ist zornig"),
    "FenrirCalmed": ("Fenrir is calm again", "Fenrir ist beruhigt"),
    "BagSearched": (
        "drawn from {island}: {vikings} Vikings (kept), {fire_giants} fire giants",
        "gezogen aus {island}: {vikings} Wikinger (behalten), {fire_giants} Feuerriesen",
    ),
    "BagCleaned": (
        "drawn from {island}: {fire_giants} fire giants (removed), {vikings} Vikings",
        "gezogen aus {island}: {fire_giants} Feuerriesen (entfernt), {vikings} Wikinger",
    ),
    "BagFilled": (
        "{vikings} Vikings go into the bag of {island}",
        "{vikings} Wikinger kommen in Beutel {island}",
    ),
    "VikingsSpent": ("{vikings} Vikings fall", "{vikings} Wikinger fallen"),
    "VikingsTaken": (
        "seat {seat} gets {vikings} Vikings from Helheim",
        "Platz {seat} bekommt {vikings} Wikinger aus dem Totenreich",
    ),
    "ElvesSpent": ("{elves} elves go home", "{elves} Elfen kehren heim"),
    "ElfTaken": ("seat {seat} has one more elf", "Platz {seat} hat eine Elfe mehr"),
    "WeaponForged": (
        "seat {seat}: weapon of level {level} against {enemy}",
        "Platz {seat}: Waffe der Stufe {level} gegen {enemy}",
    ),
    "Exchanged": (
        "{seat}⇄{partner}: Vikings {give_vikings}:{take_vikings}, elves {give_elves}:{take_elves}",
        "{seat}⇄{partner}: Wikinger {give_vikings}:{take_vikings}, Elfen {give_elves}:{take_elves}",
    ),
    "BattleFought": (
        "battle against {opponent}: {total} to {strength}, {won}",
        "Schlacht gegen {opponent}: {total} zu {strength}, {won}",
    ),
    "GiantDefeated": ("{giant} is defeated", "{giant} ist besiegt"),
    "GiantsShuffled": ("the giants are shuffled", "die Riesen werden gemischt"),
    "RuneCompleted": ("the rune {rune} works", "die Rune {rune} wirkt"),
    "VanirMoved": ("the Vanir is on space {space}", "der Vane steht auf Feld {space}"),
    "CardsReordered": ("new order: {cards}", "neue Reihenfolge: {cards}"),
    "MatchEnded": ("{outcome}", "{outcome}"),
}
"""``CardDiscarded`` and ``TurnEnded`` say nothing new."""
