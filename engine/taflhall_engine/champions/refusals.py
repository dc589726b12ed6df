"""CM-17.4 Why an answer is refused: the codes of the specification in lower case, in its order.

Every ``refuse`` checks in the order of this list, so the first that applies is reported.
"""

from __future__ import annotations

from typing import Final

from taflhall_engine.kernel.agenda import Refusal

NOT_PENDING: Final = Refusal(
    "CM-17.1",
    "not_pending",
    "no decision of this kind is pending",
    "eine solche Entscheidung steht nicht an",
)

BAD_ARGUMENT: Final = Refusal(
    "CM-17.4", "bad_argument", "an argument makes no sense here", "eine Angabe passt hier nicht"
)
NO_SUCH_SHORE: Final = Refusal(
    "CM-9.1", "bad_argument", "that shore is not in play", "diese Küste ist nicht im Spiel"
)
NOT_IN_THE_ROW: Final = Refusal(
    "CM-5.9", "bad_argument", "that rune does not lie in the row", "diese Rune liegt nicht aus"
)
NOT_ON_OFFER: Final = Refusal(
    "CM-5.11", "bad_argument", "that ship is not on offer", "dieses Schiff steht nicht zum Verkauf"
)
NO_TIER: Final = Refusal(
    "CM-5.15", "bad_argument", "the church takes exactly 1, 3, 6 or 10 coins",
    "die Kirche nimmt genau 1, 3, 6 oder 10 Münzen",
)  # fmt: skip
UNEQUAL: Final = Refusal(
    "CM-5.8", "bad_argument", "as much must be given as taken, and no kind both ways",
    "es wird gleich viel gegeben wie genommen, keine Art in beide Richtungen",
)  # fmt: skip
WRONG_TOTAL: Final = Refusal(
    "CM-17.2", "bad_argument", "the total is wrong", "die Summe stimmt nicht"
)
NOT_OFFERED_WARRIOR: Final = Refusal(
    "CM-5.20", "bad_argument", "those warriors were not offered",
    "diese Krieger wurden nicht angeboten",
)  # fmt: skip
NOT_DRAWN: Final = Refusal(
    "CM-5.10", "bad_argument", "that card was not drawn", "diese Karte wurde nicht gezogen"
)
WRONG_KIND: Final = Refusal(
    "CM-9.3", "bad_argument", "the journey does not take that kind",
    "die Reise nimmt diese Art nicht",
)  # fmt: skip
ONESELF: Final = Refusal(
    "CM-10.2", "bad_argument", "nobody accuses himself", "niemand beschuldigt sich selbst"
)

SPACE_NOT_IN_PLAY: Final = Refusal(
    "CM-5.4", "space_not_in_play", "there is no such space", "diesen Ort gibt es nicht"
)
NO_TILE: Final = Refusal(
    "CM-3.3", "space_not_in_play", "no stall lies on this space", "hier liegt kein Marktstand"
)

LEADER_TAKEN: Final = Refusal(
    "CM-3.8", "not_eligible", "that leader is taken", "dieser Anführer ist vergeben"
)
HAS_SHIP: Final = Refusal(
    "CM-5.11", "not_eligible", "you own a private longship already",
    "du besitzt schon ein privates Langschiff",
)  # fmt: skip
HAS_NO_SHIP: Final = Refusal(
    "CM-5.14", "not_eligible", "you own no private longship",
    "du besitzt kein privates Langschiff",
)  # fmt: skip
HUT_USED: Final = Refusal(
    "CM-5.16", "not_eligible", "you have bought your worker already",
    "du hast deinen Arbeiter schon angeworben",
)  # fmt: skip
ONE_HUNTER: Final = Refusal(
    "CM-5.17", "not_eligible", "one hunting worker per seat", "nur ein Jäger je Platz"
)
NO_WORKER_THERE: Final = Refusal(
    "CM-6.3", "not_eligible", "you have no worker there", "du hast dort keinen Arbeiter"
)

SPACE_OCCUPIED: Final = Refusal(
    "CM-5.3", "space_occupied", "the space is taken", "der Ort ist besetzt"
)

STOCK_EMPTY: Final = Refusal(
    "CM-5.5", "stock_empty", "nothing lies there", "dort liegt nichts"
)  # fmt: skip
DECK_EMPTY: Final = Refusal(
    "CM-5.9", "stock_empty", "the rune deck is empty", "der Runenstapel ist leer"
)
SUPPLY_LACKS: Final = Refusal(
    "CM-5.12", "stock_empty", "the supply lacks those warriors",
    "der Vorrat hat diese Krieger nicht",
)  # fmt: skip

CANNOT_PAY: Final = Refusal(
    "CM-5.4", "cannot_pay", "you cannot pay it", "du kannst es nicht zahlen"
)
NO_FAVOUR: Final = Refusal(
    "CM-8.3", "cannot_pay", "you have no favour to spend", "du hast keine Gunst"
)

NO_HARBOUR: Final = Refusal("CM-9.1", "no_harbour", "the harbour is taken", "der Hafen ist besetzt")

NOT_OWNED: Final = Refusal(
    "CM-6.3", "not_owned", "you do not have that much", "so viel hast du nicht"
)
NOT_THERE: Final = Refusal(
    "CM-8.7", "not_owned", "that much is not there", "so viel ist nicht dabei"
)
NO_BLAME: Final = Refusal(
    "CM-10.2", "not_owned", "you have no blame to put back", "du hast keine Schuld abzuwerfen"
)
NOT_YOUR_DESTINY: Final = Refusal(
    "CM-14.10", "not_owned", "you do not own that destiny", "dieses Schicksal hast du nicht"
)

BANNED_WEAPON: Final = Refusal(
    "CM-6.3", "banned_weapon", "this enemy admits no such warrior",
    "dieser Gegner lässt solche Krieger nicht zu",
)  # fmt: skip
OVER_CAPACITY: Final = Refusal(
    "CM-6.3", "over_capacity", "the ship cannot carry that much",
    "so viel fasst das Schiff nicht",
)  # fmt: skip

RUNE_UNAVAILABLE: Final = Refusal(
    "CM-14.1", "rune_unavailable", "you have no such unused rune",
    "diese Rune hast du nicht oder nicht mehr",
)  # fmt: skip

WRONG_WINDOW: Final = Refusal(
    "CM-14.2", "wrong_window", "this rune cannot be used now",
    "diese Rune ist jetzt nicht nutzbar",
)  # fmt: skip
