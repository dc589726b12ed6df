"""The view of Champions as its events alone change it: what a client that folds events shows.

Followed is what every seat owns, what lies on the board, what can be taken, and the present
roll. The present fight, and what is left of the decks, come with the decision.
"""

from typing import Any

from taflhall_engine.champions import events as e
from taflhall_engine.champions.components import Components
from taflhall_engine.champions.ids import (
    BEG,
    DRAUGR,
    HUNTING_GROUNDS,
    KRAKEN,
    MONSTER,
    NONE,
    POST_LEFT,
    POST_RIGHT,
    POST_TROLL,
    SHIP_PRIVATE,
    SHORE_0,
    SMOKEHOUSE,
    TROLL,
    WORKER_HUTS,
)
from taflhall_engine.kernel.agenda import Event
from taflhall_engine.kernel.value import Value, field_names

FOLLOWED = (
    "round",
    "marker",
    "seats",
    "ships",
    "huts_sold",
    "merchant",
    "merchant_pool",
    "rune_row",
    "rune_pool",
    "troll",
    "troll_pool",
    "draugr",
    "draugr_pool",
    "monsters",
    "monster_pool",
    "bounties",
    "discarded_trolls",
    "discarded_draugr",
    "workers_at",
    "supply",
    "stock",
    "smoked_food",
    "offer",
    "dice",
)
"""The fields of the public view that follow from its events."""

GOODS = ("food", "wood", "coins", "favour", "blame", "glory")
WARRIORS = ("swordsmen", "spearmen", "axemen")
COLORS = ("yellow", "red", "blue")


def plain(value: Any) -> Any:
    """Return a view as dictionaries and lists."""
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, Value):
        return {name: plain(getattr(value, name)) for name in field_names(type(value))}
    return value


class Folding:
    """A public view that follows the events of a match."""

    def __init__(self, components: Components, view: Value) -> None:
        self.components = components
        self.view = {name: plain(getattr(view, name)) for name in FOLLOWED}

    def follow(self, event: Event) -> None:
        """Change the view as *event* says."""
        handler = getattr(self, f"on_{type(event).__name__}", None)
        if handler is not None:
            handler(event)

    def seat(self, event: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.view["seats"][event.seat]
        return found

    def on_RoundBegan(self, event: e.RoundBegan) -> None:
        self.view["round"] = event.round

    def on_LeaderJoined(self, event: e.LeaderJoined) -> None:
        self.seat(event)["leader"] = event.leader

    def on_Gained(self, event: e.Gained) -> None:
        seat = self.seat(event)
        if event.rule == "CM-3.9":
            seat["workers"] = self.components.workers[len(self.view["seats"])]
        for name in GOODS:
            seat[name] += getattr(event, name)
        if event.rule == "CM-8.3":
            seat["favour_spent"] -= event.favour

    def on_Stocked(self, event: e.Stocked) -> None:
        for name in WARRIORS:
            self.view["supply"][name] -= getattr(event, name)
            self.view["stock"][name] += getattr(event, name)
        self.view["smoked_food"] += event.food

    def on_WarriorsGained(self, event: e.WarriorsGained) -> None:
        for name in WARRIORS:
            self.seat(event)["owned"][name] += getattr(event, name)
            self.view["supply"][name] -= getattr(event, name)
            if event.rule == "CM-5.20":
                self.view["supply"][name] += self.view["offer"][name]
                self.view["offer"][name] = 0

    def on_WarriorsOffered(self, event: e.WarriorsOffered) -> None:
        for name in WARRIORS:
            self.view["offer"][name] = getattr(event, name)
            self.view["supply"][name] -= getattr(event, name)

    def on_Rolled(self, event: e.Rolled) -> None:
        dice = self.view["dice"] if event.replaced else []
        for warrior, face in zip(event.warriors, event.replaced, strict=False):
            dice.remove({"warrior": warrior, "face": face})
        for warrior, face in zip(event.warriors, event.faces, strict=True):
            dice.append({"warrior": warrior, "face": face})
        self.view["dice"] = sorted(dice, key=lambda die: (die["warrior"], die["face"]))

    def on_DiceTakenBack(self, event: e.DiceTakenBack) -> None:
        self.view["dice"] = []

    def on_WorkerPlaced(self, event: e.WorkerPlaced) -> None:
        seat = self.seat(event)
        seat["workers"] -= 1
        if event.location == HUNTING_GROUNDS:
            seat["hunters"] += 1
        elif event.location == BEG:
            seat["beggars"] += 1
        elif event.location != SHIP_PRIVATE:
            self.view["workers_at"][event.location] = event.seat
        if event.location == SMOKEHOUSE:
            self.view["smoked_food"] = 0
        elif event.location < SMOKEHOUSE:  # a smith: its dice are set aside until a seat gains them
            name = WARRIORS[event.location]
            self.view["supply"][name] += self.view["stock"][name]
            self.view["stock"][name] = 0
        if event.location == WORKER_HUTS:
            seat["hut_bought"] = True
            seat["workers"] += 1
            self.view["huts_sold"] += 1

    def on_RuneTaken(self, event: e.RuneTaken) -> None:
        self.view["rune_row"].remove(event.rune)
        self.seat(event)["runes"] = sorted([*self.seat(event)["runes"], event.rune])

    def on_RuneDrawn(self, event: e.RuneDrawn) -> None:
        self.view["rune_pool"].remove(event.rune)
        self.seat(event)["runes"] = sorted([*self.seat(event)["runes"], event.rune])

    def on_RuneTurnedUp(self, event: e.RuneTurnedUp) -> None:
        self.view["rune_pool"].remove(event.rune)
        self.view["rune_row"].append(event.rune)

    def on_RuneUsed(self, event: e.RuneUsed) -> None:
        seat = self.seat(event)
        seat["runes"].remove(event.rune)
        seat["runes_used"] = sorted([*seat["runes_used"], event.rune])

    def on_DestinyDealt(self, event: e.DestinyDealt) -> None:
        self.seat(event)["destiny_count"] += 1

    def on_DestinyKept(self, event: e.DestinyKept) -> None:
        self.seat(event)["destiny_count"] += 1

    def on_DestinyShown(self, event: e.DestinyShown) -> None:
        seat = self.seat(event)
        seat["destinies_shown"] = sorted({*seat["destinies_shown"], event.destiny})

    def on_ShipBought(self, event: e.ShipBought) -> None:
        self.seat(event)["ship"] = event.ship
        self.view["ships"].remove(event.ship)

    def on_JourneySeen(self, event: e.JourneySeen) -> None:
        seat = self.seat(event)
        seat["shores_seen"] = sorted({*seat["shores_seen"], event.shore})

    def on_JourneyRevealed(self, event: e.JourneyRevealed) -> None:
        for seat in self.view["seats"]:
            if event.shore in seat["shores_seen"]:
                seat["shores_seen"].remove(event.shore)

    def on_MarkerMoved(self, event: e.MarkerMoved) -> None:
        self.view["marker"] = event.seat

    def on_MerchantArrived(self, event: e.MerchantArrived) -> None:
        self.view["merchant"] = event.merchant
        self.view["merchant_pool"].remove(event.merchant)

    def on_EnemyAppeared(self, event: e.EnemyAppeared) -> None:
        if event.kind == TROLL:
            self.view["troll"] = event.card
            self.view["troll_pool"].remove(event.card)
        elif event.kind == DRAUGR:
            self.view["draugr"][event.post - POST_LEFT] = event.card
            self.view["draugr_pool"].remove(event.card)
        else:
            self.view["monsters"][event.post - SHORE_0 - 1] = event.card
            self.view["monster_pool"].remove(event.card)

    def on_BountyLaid(self, event: e.BountyLaid) -> None:
        self.view["bounties"][event.shore - 1] = event.coins

    def on_FightEnded(self, event: e.FightEnded) -> None:
        if not event.won or event.kind == KRAKEN:
            return
        seat = self.seat(event)
        color = self.components.color[self.components.first[event.kind] + event.card]
        if event.post == POST_TROLL:
            seat["trolls"] += 1
            self.view["troll"] = NONE
        elif event.post <= POST_RIGHT:
            seat["draugr"][COLORS[color]] += 1
            self.view["draugr"][event.post - POST_LEFT] = NONE
        else:
            assert event.kind == MONSTER
            seat["monsters"][COLORS[color]] += 1
            self.view["monsters"][event.post - SHORE_0 - 1] = NONE
            self.view["bounties"][event.post - SHORE_0 - 1] = 0

    def on_WarriorsSent(self, event: e.WarriorsSent) -> None:
        self.seat(event)["food"] -= event.food

    def on_BoardCleared(self, event: e.BoardCleared) -> None:
        """CM-11.1 to CM-11.3."""
        for number, seat in enumerate(self.view["seats"]):
            there = self.view["workers_at"].count(number)
            hands = self.components.workers[len(self.view["seats"])] + seat["hut_bought"]
            assert seat["workers"] + there + seat["hunters"] + seat["beggars"] <= hands
            seat["workers"] = hands
            seat["hunters"] = seat["beggars"] = 0
        self.view["workers_at"] = [NONE for _ in self.view["workers_at"]]
        if self.view["troll"] != NONE:
            self.view["discarded_trolls"].append(self.view["troll"])
            self.view["troll"] = NONE
        self.view["discarded_draugr"] += [card for card in self.view["draugr"] if card != NONE]
        self.view["draugr"] = [NONE, NONE]
