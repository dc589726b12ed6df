"""The words of The Lord of the Ice Garden for people, in English and German."""

from __future__ import annotations

from typing import Final

from taflhall_engine.ice_garden import ids
from taflhall_engine.kernel.game import Game

NEUTRAL: Final = ("a neutral marker", "ein neutraler Marker")
MARKER: Final = ("an influence marker", "ein Einflussmarker")
KINDS: Final = (("population", "gold", "M-factor"), ("Bevölkerung", "Gold", "M-Faktor"))
SIDES: Final = (("arrow", "stage"), ("Pfeil", "Etappe"))
POWERS: Final = (
    ("torment", "enchant", "pillage", "piping", "recruitment", "the tower", "moving the reserves"),
    ("Qual", "Verzaubern", "Plündern", "Flötenspiel", "Rekrutierung", "den Turm", "die Reserven"),
)
REASONS: Final = (
    ("", "the Dead Snow", "an individual goal", "points"),
    ("", "den Toten Schnee", "ein individuelles Ziel", "Punkte"),
)
STATES: Final = (
    (
        "set-up: tiles",
        "set-up: the Thorn",
        "set-up: influence",
        "catch-up",
        "initiative",
        "turn order",
        "order tokens",
        "planning",
        "Viper Gorge",
        "action fields",
        "activation",
        "Vuko Drakkainen",
        "domination",
        "end of the round",
    ),
    (
        "Aufbau: Tafeln",
        "Aufbau: der Dorn",
        "Aufbau: Einfluss",
        "Aufholen",
        "Initiative",
        "Spielerreihenfolge",
        "Reihenfolgemarker",
        "Planung",
        "Schlangenhals",
        "Aktionsfelder",
        "Aktivierung",
        "Vuko Drakkainen",
        "Dominanz",
        "Rundenende",
    ),
)
_TEXTS: Final[dict[str, tuple[str, str]]] = {
    "round": ("Round {round}, {state}", "Runde {round}, {state}"),
    "order": ("turn order: {order}", "Reihenfolge: {order}"),
    "scoring": ("this round scores x{factor}", "diese Runde wertet x{factor}"),
    "snow": ("Dead Snow {snow} of {limit}", "Toter Schnee {snow} von {limit}"),
    "vuko": ("Vuko: {region}", "Vuko: {region}"),
    "thorn": ("Thorn: {region}", "Dorn: {region}"),
    "off_map": ("off the map", "nicht auf der Karte"),
    "ended": ("The match is over by {reason}: {winners}", "Ende durch {reason}: {winners}"),
    "map": ("Map", "Karte"),
    "regions": ("Regions", "Regionen"),
    "region": ("region", "Region"),
    "tile": ("tile", "Tafel"),
    "goods": ("pop gold M", "Bev Gold M"),
    "points": ("points", "Punkte"),
    "neutral": ("neutral", "neutral"),
    "influence": ("influence (behind Vuko)", "Einfluss (hinter Vuko)"),
    "units": ("units", "Einheiten"),
    "tokens": ("lies there", "liegt dort"),
    "near": ("next to", "neben"),
    "face_down": ("?", "?"),
    "reserve_up": ("reserve", "Reserve"),
    "reserve_down": ("reserve face down", "Reserve verdeckt"),
    "nightmare": ("nightmare token", "Albtraummarker"),
    "tower": ("red tower", "Roter Turm"),
    "locked": ("locked", "eingeschlossen"),
    "attack": ("{count} attack points left", "noch {count} Angriffspunkte"),
    "tracks": ("Tracks", "Leisten"),
    "helms": ("helm ship/cubes", "Helm Schiff/Würfel"),
    "red": ("red ship", "rotes Schiff"),
    "reputation": ("reputation", "Ansehen"),
    "safe": ("safe", "sicher"),
    "fields": ("Action fields", "Aktionsfelder"),
    "field": ("field", "Feld"),
    "token": ("order", "Folge"),
    "markers": ("markers (slot 1 first)", "Marker (Feld 1 zuerst)"),
    "slots": ("{used} of {slots}", "{used} von {slots}"),
    "tiles": ("Vuko tiles", "Vuko-Tafeln"),
    "active": ("active", "aktiv"),
    "supply": ("Supply", "Vorrat"),
    "supply_line": (
        (
            "{population} population, {gold} gold, {m_factor} M-factor, {vuko_tokens} Vuko tokens, "
            "{red_towers} towers, upgrades {upgrades}"
        ),
        (
            "{population} Bevölkerung, {gold} Gold, {m_factor} M-Faktor, "
            "{vuko_tokens} Vuko-Marker, "
            "{red_towers} Türme, Aufwertungen {upgrades}"
        ),
    ),
    "sheets": ("Sheets", "Charaktertafeln"),
    "player": ("player", "Spieler"),
    "npc": ("NPC", "NPC"),
    "seat": ("seat {seat}", "Platz {seat}"),
    "you": ("you", "du"),
    "vp": ("points", "Punkte"),
    "factor": ("M-factor 0 1 2 3", "M-Faktor 0 1 2 3"),
    "vuko_tokens": ("Vuko", "Vuko"),
    "in_supply": ("markers", "Marker"),
    "to_plan": ("actions", "Aktionen"),
    "gorge": ("gorge", "Schlund"),
    "goal": ("goal", "Ziel"),
    "symbols": ("unit: symbols, figures", "Einheit: Symbole, Figuren"),
    "free": ("{count} free", "{count} frei"),
    "spy": ("spy {symbols}", "Spion {symbols}"),
    "home": ("home", "zu Hause"),
    "fallen": ("fallen", "gefallen"),
    "damage": ("{count} damage", "{count} Schaden"),
    "steps": ("{count} steps", "{count} Schritte"),
}


class Words:
    """Names and texts in one language."""

    def __init__(self, game: Game, language: str) -> None:
        self.german: Final = language == "de"
        self._names: Final[dict[str, list[str]]] = {}
        for component in game.catalog:
            name = component.name_de if self.german else component.name
            self._names.setdefault(component.kind, []).append(name)

    def __call__(self, key: str, **values: object) -> str:
        return _TEXTS[key][self.german].format(**values)

    def faction(self, faction: int) -> str:
        """Return a short name: Freihoff, van Dyken, Callo, Fjollsfinn."""
        return "-" if faction < 0 else self._names["faction"][faction].split(" ", 1)[1]

    def region(self, region: int) -> str:
        if region < 0:
            return self("off_map")
        return f"{ids.REGIONS[region]} {self._names['region'][region]}"

    def unit(self, unit: int) -> str:
        return self._names["unit"][unit]

    def figure(self, figure: int) -> str:
        number = ids.FIGURES[figure].rsplit("-", 1)[1]
        return f"{self.unit(ids.FIGURE_UNIT[figure])} {number}"

    def piece(self, piece: int) -> str:
        return MARKER[self.german] if piece == ids.MARKER else self.figure(piece - 1)

    def target(self, target: int) -> str:
        if target == ids.NEUTRAL:
            return NEUTRAL[self.german]
        if target < ids.FIRST_TARGET:
            owner = self.faction(target - ids.FIRST_MARKER)
            return f"{MARKER[self.german]} ({owner})"
        return self.figure(target - ids.FIRST_TARGET)

    def kind(self, kind: int) -> str:
        return KINDS[self.german][kind]

    def ability(self, ability: int) -> str:
        return "-" if ability < 0 else self._names["upgrade"][ability]

    def field(self, field: int) -> str:
        return self._names["action_field"][field]

    def tile(self, number: int) -> str:
        return self._names["vuko_tile"][number - 1]

    def side(self, side: int) -> str:
        return SIDES[self.german][side]

    def power(self, power: int) -> str:
        return POWERS[self.german][power]

    def state(self, state: int) -> str:
        return STATES[self.german][state]

    def reason(self, reason: int) -> str:
        return REASONS[self.german][reason]

    def place(self, place: int) -> str:
        """Return a field of the reputation track."""
        return self("safe") if place == 0 else str(1 - place)
