"""YG-14.7 The events of the table's changes. All of them are public (YG-13.1)."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Event


@final
class TurnStarted(Event):
    """The turn of *seat* begins; it is turn number *turn*."""

    def __init__(self, rule: str, seat: int, turn: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.turn: Final = turn


@final
class DrawSkipped(Event):
    """No enemy card is drawn; *daeg* more turns will be without one."""

    def __init__(self, rule: str, seat: int, daeg: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.daeg: Final = daeg


@final
class CardDrawn(Event):
    """*seat* takes the top *card* off the enemy deck to resolve it."""

    def __init__(self, rule: str, seat: int, card: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.card: Final = card


@final
class CardsShown(Event):
    """*seat* shows the top cards of the enemy deck, the top one first; they stay there."""

    def __init__(self, rule: str, seat: int, cards: list[int]) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.cards: Final = cards


@final
class CardPutUnder(Event):
    """Odin puts *card*, one of those just shown, under the enemy deck."""

    def __init__(self, rule: str, card: int) -> None:
        self.rule: Final = rule
        self.card: Final = card


@final
class CardDiscarded(Event):
    """*card* goes to the discard pile."""

    def __init__(self, rule: str, card: int) -> None:
        self.rule: Final = rule
        self.card: Final = card


@final
class EnemyMoved(Event):
    """*enemy* goes from space *origin* to space *space*; *rule* is the cause."""

    def __init__(self, rule: str, enemy: int, origin: int, space: int) -> None:
        self.rule: Final = rule
        self.enemy: Final = enemy
        self.origin: Final = origin
        self.space: Final = space


@final
class DieRolled(Event):
    """*seat* rolls the die, once or (Tyr) twice, to read its value or its colour."""

    def __init__(self, rule: str, seat: int, aspect: int, faces: list[int]) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.aspect: Final = aspect
        self.faces: Final = faces


@final
class DieChosen(Event):
    """*seat* (Tyr) has picked *face* of the two just rolled to read *aspect* of it."""

    def __init__(self, rule: str, seat: int, aspect: int, face: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.aspect: Final = aspect
        self.face: Final = face


@final
class ActionTaken(Event):
    """*seat* has used an action in *world*; an appeasement uses no world (-1)."""

    def __init__(self, rule: str, seat: int, world: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.world: Final = world


@final
class VikingsLost(Event):
    """Hel takes *vikings* from the bag of *island* to Helheim."""

    def __init__(self, rule: str, island: int, vikings: int) -> None:
        self.rule: Final = rule
        self.island: Final = island
        self.vikings: Final = vikings


@final
class FireGiantsSent(Event):
    """Surt puts *fire_giants* from Muspellheim into the bag of *island*."""

    def __init__(self, rule: str, island: int, fire_giants: int) -> None:
        self.rule: Final = rule
        self.island: Final = island
        self.fire_giants: Final = fire_giants


@final
class IslandSunk(Event):
    """The submerged tile lies on *island* now."""

    def __init__(self, rule: str, island: int) -> None:
        self.rule: Final = rule
        self.island: Final = island


@final
class ValkyriesMoved(Event):
    """The Valkyries stand on *island* now."""

    def __init__(self, rule: str, island: int) -> None:
        self.rule: Final = rule
        self.island: Final = island


@final
class GiantRevealed(Event):
    """*giant* becomes active."""

    def __init__(self, rule: str, giant: int) -> None:
        self.rule: Final = rule
        self.giant: Final = giant


@final
class FenrirAngered(Event):
    """Fenrir is angry; *card* stays face up."""

    def __init__(self, rule: str, card: int) -> None:
        self.rule: Final = rule
        self.card: Final = card


@final
class FenrirCalmed(Event):
    """*seat* has calmed Fenrir."""

    def __init__(self, rule: str, seat: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat


@final
class BagSearched(Event):
    """The Valkyries draw from the bag of *island*: *seat* keeps the *vikings*."""

    def __init__(self, rule: str, seat: int, island: int, vikings: int, fire_giants: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.island: Final = island
        self.vikings: Final = vikings
        self.fire_giants: Final = fire_giants


@final
class BagCleaned(Event):
    """Tokens are drawn from the bag of *island*: the *fire_giants* go to Muspellheim."""

    def __init__(self, rule: str, seat: int, island: int, vikings: int, fire_giants: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.island: Final = island
        self.vikings: Final = vikings
        self.fire_giants: Final = fire_giants


@final
class BagFilled(Event):
    """*vikings* go from Helheim into the bag of *island*."""

    def __init__(self, rule: str, island: int, vikings: int) -> None:
        self.rule: Final = rule
        self.island: Final = island
        self.vikings: Final = vikings


@final
class VikingsSpent(Event):
    """*seat* sends *vikings* to Helheim in a battle."""

    def __init__(self, rule: str, seat: int, vikings: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.vikings: Final = vikings


@final
class VikingsTaken(Event):
    """*seat* gets *vikings* from Helheim."""

    def __init__(self, rule: str, seat: int, vikings: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.vikings: Final = vikings


@final
class ElvesSpent(Event):
    """*seat* sends *elves* home to Alfheim in a battle."""

    def __init__(self, rule: str, seat: int, elves: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.elves: Final = elves


@final
class ElfTaken(Event):
    """*seat* takes an elf from Alfheim."""

    def __init__(self, rule: str, seat: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat


@final
class WeaponForged(Event):
    """*seat* holds the weapon of *level* against *enemy* now."""

    def __init__(self, rule: str, seat: int, enemy: int, level: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.enemy: Final = enemy
        self.level: Final = level


@final
class Exchanged(Event):
    """*seat* and *partner* have exchanged Vikings and elves."""

    def __init__(
        self,
        rule: str,
        seat: int,
        partner: int,
        give_vikings: int,
        take_vikings: int,
        give_elves: int,
        take_elves: int,
    ) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.partner: Final = partner
        self.give_vikings: Final = give_vikings
        self.take_vikings: Final = take_vikings
        self.give_elves: Final = give_elves
        self.take_elves: Final = take_elves


@final
class BattleFought(Event):
    """The battle of *seat* against *opponent* is decided: won if *total* reaches *strength*."""

    def __init__(
        self, rule: str, seat: int, opponent: int, total: int, strength: int, won: bool
    ) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.opponent: Final = opponent
        self.total: Final = total
        self.strength: Final = strength
        self.won: Final = won


@final
class GiantDefeated(Event):
    """*giant* is laid aside; its effect has ended."""

    def __init__(self, rule: str, giant: int) -> None:
        self.rule: Final = rule
        self.giant: Final = giant


@final
class GiantsShuffled(Event):
    """The giant deck has been shuffled."""

    def __init__(self, rule: str) -> None:
        self.rule: Final = rule


@final
class RuneCompleted(Event):
    """The fourth giant of *rune* is defeated."""

    def __init__(self, rule: str, rune: int) -> None:
        self.rule: Final = rule
        self.rune: Final = rune


@final
class DrawsSuspended(Event):
    """*daeg* turns without an enemy card are to come."""

    def __init__(self, rule: str, daeg: int) -> None:
        self.rule: Final = rule
        self.daeg: Final = daeg


@final
class VanirMoved(Event):
    """The Vanir stands on *space* of its track now."""

    def __init__(self, rule: str, space: int) -> None:
        self.rule: Final = rule
        self.space: Final = space


@final
class CardsReordered(Event):
    """The top cards of the enemy deck lie in this order now, the top one first."""

    def __init__(self, rule: str, seat: int, cards: list[int]) -> None:
        self.rule: Final = rule
        self.seat: Final = seat
        self.cards: Final = cards


@final
class TurnEnded(Event):
    """The turn of *seat* is over."""

    def __init__(self, rule: str, seat: int) -> None:
        self.rule: Final = rule
        self.seat: Final = seat


@final
class MatchEnded(Event):
    """The match is over; *reasons* say why it was lost."""

    def __init__(self, rule: str, outcome: int, reasons: list[int]) -> None:
        self.rule: Final = rule
        self.outcome: Final = outcome
        self.reasons: Final = reasons
