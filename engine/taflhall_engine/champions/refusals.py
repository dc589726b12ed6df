"""CM-17.4 Why an answer is refused: the codes of the specification in lower case, in its order.

Every ``refuse`` checks in the order of this list, so the first that applies is reported.
"""

from __future__ import annotations

from typing import Final

from taflhall_engine.kernel.agenda import Refusal

NOT_PENDING: Final = Refusal("CM-17.1", "not_pending")

BAD_ARGUMENT: Final = Refusal("CM-17.4", "bad_argument")
ANOTHER_STEP: Final = Refusal("CM-17.6", "bad_argument")
NO_DIE: Final = Refusal("CM-8.3", "bad_argument")
NO_SUCH_SHORE: Final = Refusal("CM-9.1", "bad_argument")
NOT_IN_THE_ROW: Final = Refusal("CM-5.9", "bad_argument")
NOT_ON_OFFER: Final = Refusal("CM-5.11", "bad_argument")
NO_TIER: Final = Refusal("CM-5.15", "bad_argument")
UNEQUAL: Final = Refusal("CM-5.8", "bad_argument")
WRONG_TOTAL: Final = Refusal("CM-17.2", "bad_argument")
NOT_OFFERED_WARRIOR: Final = Refusal("CM-5.20", "bad_argument")
NOT_DRAWN: Final = Refusal("CM-5.10", "bad_argument")
WRONG_KIND: Final = Refusal("CM-9.3", "bad_argument")
ONESELF: Final = Refusal("CM-10.2", "bad_argument")

SPACE_NOT_IN_PLAY: Final = Refusal("CM-5.4", "space_not_in_play")
NO_TILE: Final = Refusal("CM-3.3", "space_not_in_play")

LEADER_TAKEN: Final = Refusal("CM-3.8", "not_eligible")
HAS_SHIP: Final = Refusal("CM-5.11", "not_eligible")
HAS_NO_SHIP: Final = Refusal("CM-5.14", "not_eligible")
HUT_USED: Final = Refusal("CM-5.16", "not_eligible")
ONE_HUNTER: Final = Refusal("CM-5.17", "not_eligible")
NO_WORKER_THERE: Final = Refusal("CM-6.3", "not_eligible")

SPACE_OCCUPIED: Final = Refusal("CM-5.3", "space_occupied")

STOCK_EMPTY: Final = Refusal("CM-5.5", "stock_empty")
DECK_EMPTY: Final = Refusal("CM-5.9", "stock_empty")
SUPPLY_LACKS: Final = Refusal("CM-5.12", "stock_empty")

CANNOT_PAY: Final = Refusal("CM-5.4", "cannot_pay")
NO_FAVOUR: Final = Refusal("CM-8.3", "cannot_pay")

NO_HARBOUR: Final = Refusal("CM-9.1", "no_harbour")

NOT_OWNED: Final = Refusal("CM-6.3", "not_owned")
NOT_THERE: Final = Refusal("CM-8.7", "not_owned")
NO_BLAME: Final = Refusal("CM-10.2", "not_owned")
NOT_YOUR_DESTINY: Final = Refusal("CM-14.10", "not_owned")

BANNED_WEAPON: Final = Refusal("CM-6.3", "banned_weapon")
OVER_CAPACITY: Final = Refusal("CM-6.3", "over_capacity")

RUNE_UNAVAILABLE: Final = Refusal("CM-14.1", "rune_unavailable")

WRONG_WINDOW: Final = Refusal("CM-14.2", "wrong_window")
