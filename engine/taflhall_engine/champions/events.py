"""The events of a match of Champions of Midgard.

Every seat sees everything but the secrets of CM-16.1: which journey a seat looks at and
which destinies it draws and keeps.
"""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.champions.ids import NONE
from taflhall_engine.kernel.agenda import Event


@final
class RoundBegan(Event):
    """CM-4.1 A round began."""

    def __init__(self, rule: str, round: int) -> None:
        self.rule: Final = rule
        self.round: Final = round


@final
class EnemyAppeared(Event):
    """CM-4.2 An enemy card was turned up at a post; *card* is its number among its kind."""

    def __init__(self, rule: str, post: int, kind: int, card: int) -> None:
        self.rule: Final = rule
        self.post: Final = post
        self.kind: Final = kind
        self.card: Final = card


@final
class JourneyDealt(Event):
    """CM-4.2.3 A journey card was dealt face down to a shore."""

    def __init__(self, rule: str, shore: int) -> None:
        self.rule: Final = rule
        self.shore: Final = shore


@final
class JourneysShuffled(Event):
    """CM-15.5 The journey discard pile was shuffled into a new deck."""

    def __init__(self, rule: str, cards: int) -> None:
        self.rule: Final = rule
        self.cards: Final = cards


@final
class MerchantArrived(Event):
    """CM-4.2.5 A merchant ship card was turned up."""

    def __init__(self, rule: str, merchant: int) -> None:
        self.rule: Final = rule
        self.merchant: Final = merchant


@final
class Stocked(Event):
    """CM-4.2.6 Dice and food were put on the stocked spaces."""

    def __init__(self, rule: str, swordsmen: int, spearmen: int, axemen: int, food: int) -> None:
        self.rule: Final = rule
        self.swordsmen: Final = swordsmen
        self.spearmen: Final = spearmen
        self.axemen: Final = axemen
        self.food: Final = food


@final
class RuneTurnedUp(Event):
    """CM-4.2.7 A rune card joined the row."""

    def __init__(self, rule: str, rune: int) -> None:
        self.rule: Final = rule
        self.rune: Final = rune


@final
class DestinyDealt(Event):
    """CM-3.11 A destiny card was dealt to a seat; only the seat knows which."""

    def __init__(self, rule: str, seat: int, destiny: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.destiny: Final = destiny

    def seen_by(self, seat: int) -> Event | None:
        return self if seat == self.seat else DestinyDealt(self.rule, self.seat, NONE)


@final
class LeaderJoined(Event):
    """CM-3.8 A seat has its leader."""

    def __init__(self, rule: str, seat: int, leader: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.leader: Final = leader


@final
class WorkerPlaced(Event):
    """CM-5.3 A worker was placed; *shore* is where its longship goes, or none (-1)."""

    def __init__(self, rule: str, seat: int, location: int, shore: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.location: Final = location
        self.shore: Final = shore


@final
class Gained(Event):
    """A seat gained goods or tokens; what it paid or lost is negative."""

    def __init__(
        self,
        rule: str,
        seat: int,
        food: int,
        wood: int,
        coins: int,
        favour: int,
        blame: int,
        glory: int,
    ) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.food: Final = food
        self.wood: Final = wood
        self.coins: Final = coins
        self.favour: Final = favour
        self.blame: Final = blame
        self.glory: Final = glory


@final
class WarriorsGained(Event):
    """A seat gained warriors; those it lost or gave are negative."""

    def __init__(self, rule: str, seat: int, swordsmen: int, spearmen: int, axemen: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.swordsmen: Final = swordsmen
        self.spearmen: Final = spearmen
        self.axemen: Final = axemen


@final
class WarriorsOffered(Event):
    """CM-5.20 A seat has no room for these warriors, and chooses which of them it keeps."""

    def __init__(self, rule: str, seat: int, swordsmen: int, spearmen: int, axemen: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.swordsmen: Final = swordsmen
        self.spearmen: Final = spearmen
        self.axemen: Final = axemen


@final
class MarkerMoved(Event):
    """CM-5.6 The start-player marker moved to a seat."""

    def __init__(self, rule: str, seat: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat


@final
class RuneDrawn(Event):
    """CM-5.9 A seat took the top rune card of the deck."""

    def __init__(self, rule: str, seat: int, rune: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.rune: Final = rune


@final
class RuneTaken(Event):
    """CM-5.9 A seat took a rune card of the row."""

    def __init__(self, rule: str, seat: int, rune: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.rune: Final = rune


@final
class RuneUsed(Event):
    """CM-14.1 A seat used a rune card."""

    def __init__(self, rule: str, seat: int, rune: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.rune: Final = rune


@final
class JourneySeen(Event):
    """CM-16.1 A seat looked at the face-down journey card of a shore."""

    def __init__(self, rule: str, seat: int, shore: int, journey: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.shore: Final = shore
        self.journey: Final = journey

    def seen_by(self, seat: int) -> Event | None:
        return self if seat == self.seat else JourneySeen(self.rule, self.seat, self.shore, NONE)


@final
class DestiniesDrawn(Event):
    """CM-5.10 A seat drew destiny cards to keep one of them."""

    def __init__(self, rule: str, seat: int, count: int, destinies: list[int]) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.count: Final = count
        self.destinies: Final = destinies

    def seen_by(self, seat: int) -> Event | None:
        return self if seat == self.seat else DestiniesDrawn(self.rule, self.seat, self.count, [])


@final
class DestinyKept(Event):
    """CM-5.10 A seat kept a destiny card and put *returned* others under the deck."""

    def __init__(self, rule: str, seat: int, destiny: int, returned: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.destiny: Final = destiny
        self.returned: Final = returned

    def seen_by(self, seat: int) -> Event | None:
        if seat == self.seat:
            return self
        return DestinyKept(self.rule, self.seat, NONE, self.returned)


@final
class DestinyShown(Event):
    """CM-14.10 A seat turned a destiny card face up."""

    def __init__(self, rule: str, seat: int, destiny: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.destiny: Final = destiny


@final
class ShipBought(Event):
    """CM-5.11 A seat bought a private longship."""

    def __init__(self, rule: str, seat: int, ship: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.ship: Final = ship


@final
class WarriorsSent(Event):
    """CM-6.2 A seat committed warriors, and food on a longship, to a post."""

    def __init__(
        self,
        rule: str,
        seat: int,
        post: int,
        swordsmen: int,
        spearmen: int,
        axemen: int,
        food: int,
    ) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.post: Final = post
        self.swordsmen: Final = swordsmen
        self.spearmen: Final = spearmen
        self.axemen: Final = axemen
        self.food: Final = food


@final
class Rolled(Event):
    """CM-8.2 Dice were rolled or rerolled: the type and the face of each.

    *replaced* are the faces that rerolled dice showed before, in the same order of types; empty
    for a new roll.
    """

    def __init__(
        self, rule: str, seat: int, warriors: list[int], faces: list[int], replaced: list[int]
    ) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.warriors: Final = warriors
        self.faces: Final = faces
        self.replaced: Final = replaced


@final
class DiceTakenBack(Event):
    """CM-8.9 The roll has been used; its dice are warriors again."""

    def __init__(self, rule: str, seat: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat


@final
class RoundFought(Event):
    """CM-8.4 A combat round was fought: its hits, the damage so far, the losses to take."""

    def __init__(
        self, rule: str, seat: int, post: int, kind: int, hits: int, damage: int, losses: int
    ) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.post: Final = post
        self.kind: Final = kind
        self.hits: Final = hits
        self.damage: Final = damage
        self.losses: Final = losses


@final
class FightEnded(Event):
    """CM-8.9 A fight was won or lost; *card* is the enemy's number among its kind."""

    def __init__(self, rule: str, seat: int, post: int, kind: int, card: int, won: bool) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.post: Final = post
        self.kind: Final = kind
        self.card: Final = card
        self.won: Final = won


@final
class NoFight(Event):
    """CM-8.1 Nobody was there to fight."""

    def __init__(self, rule: str, seat: int, post: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.post: Final = post


@final
class JourneyRevealed(Event):
    """CM-9.2 The journey card of a ship was revealed."""

    def __init__(self, rule: str, seat: int, shore: int, journey: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.shore: Final = shore
        self.journey: Final = journey


@final
class CargoLost(Event):
    """CM-9.3 Food on board was lost or eaten."""

    def __init__(self, rule: str, seat: int, shore: int, food: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.shore: Final = shore
        self.food: Final = food


@final
class BountyLaid(Event):
    """CM-11.5 A coin was laid on a monster; *coins* lie there now."""

    def __init__(self, rule: str, shore: int, coins: int) -> None:
        self.rule: Final = rule
        self.shore: Final = shore
        self.coins: Final = coins


@final
class BoardCleared(Event):
    """CM-11.1 Workers and ships came home, and the cards of the round were discarded."""

    def __init__(self, rule: str) -> None:
        self.rule: Final = rule


@final
class Scored(Event):
    """CM-12 The final score of a seat, part by part."""

    def __init__(
        self,
        rule: str,
        seat: int,
        glory: int,
        destinies_score: int,
        sets: int,
        runes_score: int,
        longship: int,
        favour: int,
        coins: int,
        blame: int,
        total: int,
        enemies: int,
    ) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.glory: Final = glory
        self.destinies_score: Final = destinies_score
        self.sets: Final = sets
        self.runes_score: Final = runes_score
        self.longship: Final = longship
        self.favour: Final = favour
        self.coins: Final = coins
        self.blame: Final = blame
        self.total: Final = total
        self.enemies: Final = enemies
