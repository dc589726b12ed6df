"""The view of Yggdrasil as its events alone change it: what a client that folds events shows.

The agenda comes with the decision and is left out. What follows from the rest (strengths, blocked
worlds, actions left) is derived from the components.
"""

from collections.abc import Callable
from typing import Any

from taflhall_engine.kernel.agenda import Answered, Event
from taflhall_engine.kernel.value import field_names
from taflhall_engine.yggdrasil import events
from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.ids import (
    FENRIR,
    FREY,
    NO_DIE,
    NO_POWERS,
    NONE,
    PLUS_SHIFT,
    RUNES,
    WHIRLPOOL,
    WORLDS,
)
from taflhall_engine.yggdrasil.view import Bag, Holding, PublicView, Weapon

DERIVED = {
    "actions_left",
    "strengths",
    "fenrir_level",
    "empty_bags",
    "whirlpool",
    "giants_deck",
    "runes",
    "blocked_worlds",
    "powers_active",
    "die_blocked",
}


class Folding:
    """A view that follows the events of a match."""

    def __init__(self, components: Components, view: PublicView) -> None:
        self.components = components
        self.fields: dict[str, Any] = {}
        for name in field_names(PublicView):
            value = getattr(view, name)
            self.fields[name] = value[:] if isinstance(value, list) else value

    def follow(self, event: Event) -> None:
        """Change the view as *event* says; every kind of event must be known."""
        HANDLERS[type(event)](self, event)

    def __getitem__(self, name: str) -> Any:
        assert name not in DERIVED
        return self.fields[name]

    def __setitem__(self, name: str, value: Any) -> None:
        assert name not in DERIVED
        self.fields[name] = value

    def view(self) -> dict[str, Any]:
        """Return the view, without the agenda."""
        found = {name: value for name, value in self.fields.items() if name != "agenda"}
        components, bits = self.components, 0
        for giant in found["giants_active"]:
            bits |= components.giant_bits[giant]
        frey = found["holdings"][found["active"]].god == FREY and not bits & NO_POWERS
        allowance = components.frey_actions if frey else components.actions
        found["actions_left"] = max(0, allowance - found["actions_used"])
        strengths = [components.space_strength[space] for space in found["enemies"]]
        found["strengths"] = [
            strength + (strength > 0) * (bits >> (PLUS_SHIFT + enemy) & 1)
            for enemy, strength in enumerate(strengths)
        ]
        space = found["enemies"][FENRIR]
        level = components.space_level[space]
        found["fenrir_level"] = 3 if space == components.residence else level
        runes = [components.giant_rune[giant] for giant in found["giants_defeated"]]
        found["runes"] = [runes.count(rune) for rune in range(len(RUNES))]
        out = len(found["giants_active"]) + len(found["giants_defeated"])
        found["giants_deck"] = len(components.giant_rune) - out
        found["blocked_worlds"] = [world for world in range(len(WORLDS)) if bits >> world & 1]
        found["whirlpool"] = bool(bits & WHIRLPOOL)
        found["powers_active"] = not bits & NO_POWERS
        found["die_blocked"] = bool(bits & NO_DIE)
        found["empty_bags"] = [
            bag.island for bag in self.bags() if bag.vikings + bag.fire_giants == 0
        ]
        return found

    def bags(self) -> list[Bag]:
        """Return what the bags hold; closed ones are counted from what was seen."""
        c = self.components
        changed = [
            Bag(
                bag.island,
                bag.vikings + c.bag_vikings[bag.island],
                bag.fire_giants + c.bag_giants[bag.island],
            )
            for bag in self["bag_changes"]
        ]
        return self["bags"] or changed

    def put_into_bag(self, island: int, vikings: int, fire_giants: int) -> None:
        name = "bags" if self["bags"] else "bag_changes"
        self[name] = [
            Bag(bag.island, bag.vikings + vikings, bag.fire_giants + fire_giants)
            if bag.island == island
            else bag
            for bag in self[name]
        ]

    def gain(self, seat: int, vikings: int = 0, elves: int = 0) -> None:
        held = self["holdings"][seat]
        self["holdings"][seat] = Holding(
            held.god, held.vikings + vikings, held.elves + elves, held.weapons
        )


def known(folding: Folding, event: Event) -> None:
    """The event changes nothing in the view, or later events give the change."""


def turn_started(f: Folding, e: events.TurnStarted) -> None:
    f["turn"], f["active"], f["actions_used"], f["worlds_used"] = e.turn, e.seat, 0, []


def counted(f: Folding, e: events.DrawSkipped | events.DrawsSuspended) -> None:
    f["daeg"] = e.daeg


def card_drawn(f: Folding, e: events.CardDrawn) -> None:
    assert f["deck"].pop(0) in (e.card, NONE)


def cards_shown(f: Folding, e: events.CardsShown | events.CardsReordered) -> None:
    f["deck"][: len(e.cards)] = e.cards


def card_put_under(f: Folding, e: events.CardPutUnder) -> None:
    f["deck"].remove(e.card)
    f["deck"].append(e.card)


def card_discarded(f: Folding, e: events.CardDiscarded) -> None:
    f["discard"].append(e.card)


def enemy_moved(f: Folding, e: events.EnemyMoved) -> None:
    assert f["enemies"][e.enemy] == e.origin
    f["enemies"][e.enemy] = e.space


def die_rolled(f: Folding, e: events.DieRolled) -> None:
    f["die"] = e.faces[0]


def die_chosen(f: Folding, e: events.DieChosen) -> None:
    f["die"] = e.face


def action_taken(f: Folding, e: events.ActionTaken) -> None:
    f["actions_used"] += 1
    if e.world != NONE:
        f["worlds_used"] = sorted([*f["worlds_used"], e.world])


def vikings_lost(f: Folding, e: events.VikingsLost) -> None:
    f.put_into_bag(e.island, -e.vikings, 0)
    f["helheim"] += e.vikings


def fire_giants_sent(f: Folding, e: events.FireGiantsSent) -> None:
    f.put_into_bag(e.island, 0, e.fire_giants)
    f["muspellheim"] -= e.fire_giants


def island_sunk(f: Folding, e: events.IslandSunk) -> None:
    f["sunken"] = e.island


def valkyries_moved(f: Folding, e: events.ValkyriesMoved) -> None:
    f["valkyries"] = e.island


def giant_revealed(f: Folding, e: events.GiantRevealed) -> None:
    f["giants_active"].append(e.giant)


def fenrir_angered(f: Folding, e: events.FenrirAngered) -> None:
    f["fenrir_card"] = e.card


def fenrir_calmed(f: Folding, e: events.FenrirCalmed) -> None:
    f["fenrir_card"] = NONE


def bag_searched(f: Folding, e: events.BagSearched) -> None:
    f.put_into_bag(e.island, -e.vikings, 0)
    f.gain(e.seat, e.vikings)


def bag_cleaned(f: Folding, e: events.BagCleaned) -> None:
    f.put_into_bag(e.island, 0, -e.fire_giants)
    f["muspellheim"] += e.fire_giants


def bag_filled(f: Folding, e: events.BagFilled) -> None:
    f.put_into_bag(e.island, e.vikings, 0)
    f["helheim"] -= e.vikings


def vikings_spent(f: Folding, e: events.VikingsSpent) -> None:
    f.gain(e.seat, -e.vikings)
    f["helheim"] += e.vikings


def vikings_taken(f: Folding, e: events.VikingsTaken) -> None:
    f.gain(e.seat, e.vikings)
    f["helheim"] -= e.vikings


def elves_spent(f: Folding, e: events.ElvesSpent) -> None:
    f.gain(e.seat, elves=-e.elves)
    f["alfheim"] += e.elves


def elf_taken(f: Folding, e: events.ElfTaken) -> None:
    f.gain(e.seat, elves=1)
    f["alfheim"] -= 1


def weapon_forged(f: Folding, e: events.WeaponForged) -> None:
    held = f["holdings"][e.seat]
    weapons = held.weapons[:]
    weapons[e.enemy] = e.level
    f["holdings"][e.seat] = Holding(held.god, held.vikings, held.elves, weapons)
    forge = [weapon for weapon in f["forge"] if weapon != Weapon(e.enemy, e.level)]
    if e.level > 1:
        forge.append(Weapon(e.enemy, e.level - 1))
    f["forge"] = sorted(forge, key=lambda weapon: (weapon.enemy, weapon.level))


def exchanged(f: Folding, e: events.Exchanged) -> None:
    vikings, elves = e.take_vikings - e.give_vikings, e.take_elves - e.give_elves
    f.gain(e.seat, vikings, elves)
    f.gain(e.partner, -vikings, -elves)


def giant_defeated(f: Folding, e: events.GiantDefeated) -> None:
    if e.giant in f["giants_active"]:
        f["giants_active"].remove(e.giant)
    f["giants_defeated"].append(e.giant)


def vanir_moved(f: Folding, e: events.VanirMoved) -> None:
    f["vanir"] = e.space


def match_ended(f: Folding, e: events.MatchEnded) -> None:
    f["outcome"], f["reasons"] = e.outcome, e.reasons


HANDLERS: dict[type, Callable[[Folding, Any], None]] = {
    Answered: known,
    events.TurnStarted: turn_started,
    events.DrawSkipped: counted,
    events.DrawsSuspended: counted,
    events.CardDrawn: card_drawn,
    events.CardsShown: cards_shown,
    events.CardsReordered: cards_shown,
    events.CardPutUnder: card_put_under,
    events.CardDiscarded: card_discarded,
    events.EnemyMoved: enemy_moved,
    events.DieRolled: die_rolled,
    events.DieChosen: die_chosen,
    events.ActionTaken: action_taken,
    events.VikingsLost: vikings_lost,
    events.FireGiantsSent: fire_giants_sent,
    events.IslandSunk: island_sunk,
    events.ValkyriesMoved: valkyries_moved,
    events.GiantRevealed: giant_revealed,
    events.FenrirAngered: fenrir_angered,
    events.FenrirCalmed: fenrir_calmed,
    events.BagSearched: bag_searched,
    events.BagCleaned: bag_cleaned,
    events.BagFilled: bag_filled,
    events.VikingsSpent: vikings_spent,
    events.VikingsTaken: vikings_taken,
    events.ElvesSpent: elves_spent,
    events.ElfTaken: elf_taken,
    events.WeaponForged: weapon_forged,
    events.Exchanged: exchanged,
    events.BattleFought: known,
    events.GiantDefeated: giant_defeated,
    events.GiantsShuffled: known,
    events.RuneCompleted: known,
    events.VanirMoved: vanir_moved,
    events.TurnEnded: known,
    events.MatchEnded: match_ended,
}
