"""Options and events of The Lord of the Ice Garden in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from taflhall_client.terminal.ice_garden_words import Words
from taflhall_engine.kernel.agenda import Answered, Command, Event
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.kernel.value import Value, field_names

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "Done": ("done", "fertig"),
    "Forgo": ("pass", "verzichten"),
    "LayTile": ("put the tile into {region}", "die Tafel in {region} legen"),
    "RaiseThorn": ("put the Thorn into {region}", "den Dorn in {region} stellen"),
    "Settle": ("start in {region}", "in {region} beginnen"),
    "CatchUp": ("put a marker into {region}", "einen Marker in {region} legen"),
    "Advance": ("move {helms} helm(s) forward", "{helms} Helm(e) vorrücken"),
    "LayToken": ("token {token} on {field}", "Marke {token} auf {field}"),
    "Plan": ("plan {field}", "{field} planen"),
    "TakeGood": ("take 1 {kind}", "1 {kind} nehmen"),
    "Trade": (
        "give 1 {kind} and 1 {other_kind}, take 1 {gained}",
        "1 {kind} und 1 {other_kind} geben, 1 {gained} nehmen",
    ),
    "PlaceMarker": ("put a marker into {region}", "einen Marker in {region} legen"),
    "DiscardVuko": (
        "return a Vuko token for 1 M-factor",
        "für 1 M-Faktor einen Vuko-Marker ablegen",
    ),
    "RaiseReputation": ("two fields of reputation up", "zwei Felder Ansehen hinauf"),
    "MovePiece": ("{piece}: {region} to {to}", "{piece}: {region} nach {to}"),
    "Feed": ("from {region} to {to}", "von {region} nach {to}"),
    "Carry": ("{piece} goes", "{piece} geht mit"),
    "MoveFactor": ("move M-factor", "M-Faktor bewegen"),
    "ShiftFactor": (
        "M-factor from level {level} to {to_level}",
        "M-Faktor von Stufe {level} auf {to_level}",
    ),
    "BuyUpgrade": ("buy an upgrade", "eine Aufwertung kaufen"),
    "Upgrade": (
        "{ability} for {unit} (replacing: {replaced})",
        "{ability} für {unit} (ersetzt: {replaced})",
    ),
    "BeginSummon": ("summon units", "Einheiten beschwören"),
    "Summon": ("summon {count} {unit}", "{count} {unit} beschwören"),
    "PlaceUnit": ("put it into {region}", "in {region} stellen"),
    "AssignSpy": ("spy: {ability} and {other_ability}", "Spion: {ability} und {other_ability}"),
    "KeepSpy": ("keep the spy's symbols", "die Symbole des Spions behalten"),
    "Cross": ("{piece} crosses from {region}", "{piece} überquert von {region}"),
    "Run": ("{figure} to {to}", "{figure} nach {to}"),
    "Attack": ("pay 2 gold and attack", "2 Gold zahlen und angreifen"),
    "Hit": ("hit {target} in {region}", "{target} in {region} treffen"),
    "YieldUnit": ("{figure} is killed", "{figure} wird getötet"),
    "Flee": ("{figure} flees to {to}", "{figure} flieht nach {to}"),
    "Claim": ("take {kind}", "{kind} nehmen"),
    "Invoke": ("use {power}: {used}", "{power} nutzen: {used}"),
    "Recruit": (
        "take a marker of {faction} (behind Vuko: {controlled})",
        "einen Marker von {faction} nehmen (hinter Vuko: {controlled})",
    ),
    "EnchantMarker": (
        "replace a marker of {faction} (behind Vuko: {controlled})",
        "einen Marker von {faction} ersetzen (hinter Vuko: {controlled})",
    ),
    "PillageGood": (
        "1 {kind} of {faction} (level {level})",
        "1 {kind} von {faction} (Stufe {level})",
    ),
    "Redistribute": ("a marker to {to}", "einen Marker nach {to}"),
}

EVENTS: Final[dict[str, tuple[str, str]]] = {
    "TileLaid": ("{faction} lays a tile in {region}", "{faction} legt eine Tafel in {region}"),
    "ThornPlaced": ("the Thorn stands in {region}", "der Dorn steht in {region}"),
    "ReservesPlaced": ("reserves lie in {reserves}", "Reserven liegen in {reserves}"),
    "TilesRevealed": ("the tiles are turned face up", "die Tafeln werden aufgedeckt"),
    "VukoTilesLaid": ("Vuko tiles: {tiles}", "Vuko-Tafeln: {tiles}"),
    "RoundBegan": ("round {round} begins", "Runde {round} beginnt"),
    "HelmReached": ("{faction} reaches helm {helm}", "{faction} erreicht Helm {helm}"),
    "OrderSet": (
        "turn order: {order}; scoring x{factor}",
        "Reihenfolge: {order}; Wertung x{factor}",
    ),
    "TileActivated": ("{tile} becomes active", "{tile} wird aktiv"),
    "TilesEnded": ("a Vuko tile ends with its stage", "eine Vuko-Tafel endet mit ihrer Etappe"),
    "TokenLaid": ("token {token} on {field}", "Marke {token} auf {field}"),
    "MarkerPlanned": ("{faction} plans {field}", "{faction} plant {field}"),
    "MarkersForfeited": (
        "{faction} forfeits {count} marker(s)",
        "{faction} verliert {count} Marker",
    ),
    "MarkerResolved": ("{faction} resolves {field}", "{faction} führt {field} aus"),
    "DieRolled": ("the die shows {result}", "der Würfel zeigt {result}"),
    "Gained": ("{faction} gains {count} {kind}", "{faction} erhält {count} {kind}"),
    "Spent": ("{faction} pays {count} {kind}", "{faction} zahlt {count} {kind}"),
    "Plundered": ("{faction} takes 1 {kind} of {victim}", "{faction} nimmt {victim} 1 {kind}"),
    "FactorShifted": (
        "{faction}: M-factor from level {level} to {to_level}",
        "{faction}: M-Faktor von Stufe {level} auf {to_level}",
    ),
    "InfluencePlaced": ("{faction} spreads to {region}", "{faction} breitet sich aus: {region}"),
    "InfluenceMoved": (
        "{faction}: a marker from {region} to {to}",
        "{faction}: ein Marker von {region} nach {to}",
    ),
    "InfluenceReturned": (
        "{faction} takes {count} marker(s) back from {region}",
        "{faction} nimmt {count} Marker aus {region} zurück",
    ),
    "InfluenceCaptured": (
        "a marker of {faction} goes from {region} to the Ice Garden",
        "ein Marker von {faction} geht von {region} in den Eisgarten",
    ),
    "GorgeFed": (
        "{faction} leaves a marker on Viper Gorge",
        "{faction} lässt einen Marker auf Schlangenhals",
    ),
    "NeutralLeft": (
        "{count} neutral marker(s) leave {region}",
        "{count} neutrale Marker verlassen {region}",
    ),
    "NeutralMoved": (
        "{count} neutral marker(s) follow Vuko to {to}",
        "{count} neutrale Marker folgen Vuko nach {to}",
    ),
    "UnitPlaced": ("{figure} appears in {region}", "{figure} erscheint in {region}"),
    "UnitMoved": ("{figure} goes from {region} to {to}", "{figure} geht von {region} nach {to}"),
    "UnitReturned": ("{figure} leaves {region}", "{figure} verlässt {region}"),
    "UnitDamaged": ("{figure} has {count} damage", "{figure} hat {count} Schaden"),
    "UnitDefeated": ("{faction} defeats {figure}", "{faction} besiegt {figure}"),
    "UpgradeLaid": ("{unit} gets {ability}", "{unit} erhält {ability}"),
    "SpyAssigned": ("the spy: {ability}, {other_ability}", "der Spion: {ability}, {other_ability}"),
    "Scored": ("{faction} scores {count}", "{faction} erhält {count} Punkte"),
    "SnowFell": ("the Dead Snow reaches {snow}", "der Tote Schnee erreicht {snow}"),
    "ReputationMoved": ("{faction}: reputation {place}", "{faction}: Ansehen {place}"),
    "VukoMoved": ("Vuko: {region}", "Vuko: {region}"),
    "VukoTokenTaken": ("{faction} takes a Vuko token", "{faction} nimmt einen Vuko-Marker"),
    "VukoTokensReturned": (
        "{faction} returns {count} Vuko token(s)",
        "{faction} legt {count} Vuko-Marker ab",
    ),
    "ControlTaken": (
        "{count} marker(s) of {faction} are behind Vuko in {region}",
        "{count} Marker von {faction} stehen in {region} hinter Vuko",
    ),
    "ControlReleased": ("Vuko releases {region}", "Vuko gibt {region} frei"),
    "TokensTakenOff": ("all order tokens are taken off", "alle Reihenfolgemarker gehen ab"),
    "DamageRemoved": ("all damage is removed", "aller Schaden wird entfernt"),
    "RegionRanked": ("{region}: {order}", "{region}: {order}"),
    "ReservesAbsorbed": ("the Thorn absorbs {count}", "der Dorn absorbiert {count}"),
    "ReservesMoved": (
        "{count} reserve(s) from {region} to {to}",
        "{count} Reserve(n) von {region} nach {to}",
    ),
    "ReservesRevealed": ("reserves are turned face up", "Reserven werden aufgedeckt"),
    "NightmareLaid": ("a nightmare token in {region}", "ein Albtraummarker in {region}"),
    "RegionLocked": ("{region} is locked", "{region} wird eingeschlossen"),
    "TowerBuilt": ("a red tower in {region}", "ein Roter Turm in {region}"),
    "GoalFulfilled": ("{faction} has fulfilled the goal", "{faction} hat das Ziel erfüllt"),
    "MatchEnded": ("the end by {reason}: {winners}", "Ende durch {reason}: {winners}"),
}
"""Events that are worth a line."""


def option_text(game: Game, view: View, command: Command[Any], language: str) -> str:
    """Return an option in words."""
    return _text(Words(game, language), COMMANDS, command)


def event_text(game: Game, event: Event, language: str) -> str | None:
    """Return what happened in words; ``None`` if it is not worth a line."""
    words = Words(game, language)
    if isinstance(event, Answered):
        return None if event.command is None else _text(words, COMMANDS, event.command)
    if type(event).__name__ not in EVENTS:
        return None
    return _text(words, EVENTS, event)


def _text(words: Words, texts: dict[str, tuple[str, str]], value: Value) -> str:
    kind = type(value)
    named = {name: _named(words, name, getattr(value, name)) for name in field_names(kind)}
    return texts[kind.__name__][words.german].format(**named)


def _named(words: Words, name: str, value: Any) -> str:
    if isinstance(value, bool):
        return ("ja" if value else "nein") if words.german else ("yes" if value else "no")
    if isinstance(value, list):
        return ", ".join(_named(words, name, one) for one in value) or "-"
    tell = _TELL.get(name)
    return str(value) if tell is None else tell(words, value)


_TELL: Final[dict[str, Callable[[Words, int], str]]] = {
    "faction": Words.faction,
    "victim": Words.faction,
    "order": Words.faction,
    "winners": Words.faction,
    "region": Words.region,
    "to": Words.region,
    "reserves": Words.region,
    "unit": Words.unit,
    "figure": Words.figure,
    "piece": Words.piece,
    "target": Words.target,
    "kind": Words.kind,
    "other_kind": Words.kind,
    "gained": Words.kind,
    "ability": Words.ability,
    "other_ability": Words.ability,
    "replaced": Words.ability,
    "field": Words.field,
    "tile": Words.tile,
    "tiles": Words.tile,
    "power": Words.power,
    "reason": Words.reason,
    "place": Words.place,
}
