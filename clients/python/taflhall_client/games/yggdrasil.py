"""The types of Yggdrasil: views, decisions and commands."""

from __future__ import annotations

from typing import TypeAlias, cast

from taflhall_client import bot
from taflhall_client.games import TypedView, check_type
from taflhall_engine.kernel import game
from taflhall_engine.yggdrasil.rules.actions import (
    EndTurn,
)
from taflhall_engine.yggdrasil.rules.battle import (
    CommitElves,
    SendVikings,
)
from taflhall_engine.yggdrasil.rules.dice import (
    ChooseDie,
)
from taflhall_engine.yggdrasil.rules.exchange import (
    Amount,
    Niflheim,
)
from taflhall_engine.yggdrasil.rules.giants import (
    ChooseMann,
    ChooseTiwaz,
    Distribute,
)
from taflhall_engine.yggdrasil.rules.midgard import (
    Midgard,
)
from taflhall_engine.yggdrasil.rules.peek import PutNext, VanirPeek
from taflhall_engine.yggdrasil.rules.powers import (
    Appease,
    ChoosePulled,
)
from taflhall_engine.yggdrasil.rules.turn import (
    ChooseCard,
    DrawCards,
)
from taflhall_engine.yggdrasil.rules.vanaheim import (
    VanirAdvance,
    VanirDiscardGiant,
    VanirMoveValkyries,
    VanirPushEnemy,
    VanirTakeVikings,
)
from taflhall_engine.yggdrasil.rules.worlds import (
    Alfheim,
    Asgard,
    Helheim,
    Jotunheim,
    JotunheimHidden,
    Muspellheim,
    Nidavellir,
)
from taflhall_engine.yggdrasil.view import (
    PrivateView,
    PublicView,
)

__all__ = [
    "Command",
    "Decision",
    "PrivateView",
    "PublicView",
    "View",
    "Alfheim",
    "Amount",
    "Appease",
    "Asgard",
    "ChooseCard",
    "ChooseDie",
    "ChooseMann",
    "ChoosePulled",
    "ChooseTiwaz",
    "CommitElves",
    "Distribute",
    "DrawCards",
    "EndTurn",
    "Helheim",
    "Jotunheim",
    "JotunheimHidden",
    "Midgard",
    "Muspellheim",
    "Nidavellir",
    "Niflheim",
    "PutNext",
    "SendVikings",
    "VanirAdvance",
    "VanirDiscardGiant",
    "VanirMoveValkyries",
    "VanirPeek",
    "VanirPushEnemy",
    "VanirTakeVikings",
    "typed",
]

View: TypeAlias = TypedView[PublicView, PrivateView]
"""A seat's view."""

Command: TypeAlias = (
    Alfheim
    | Amount
    | Appease
    | Asgard
    | ChooseCard
    | ChooseDie
    | ChooseMann
    | ChoosePulled
    | ChooseTiwaz
    | CommitElves
    | Distribute
    | DrawCards
    | EndTurn
    | Helheim
    | Jotunheim
    | JotunheimHidden
    | Midgard
    | Muspellheim
    | Nidavellir
    | Niflheim
    | PutNext
    | SendVikings
    | VanirAdvance
    | VanirDiscardGiant
    | VanirMoveValkyries
    | VanirPeek
    | VanirPushEnemy
    | VanirTakeVikings
)
"""Every command."""

Decision: TypeAlias = bot.Decision[Command]
"""A decision, with the commands that answer it."""


def typed(view: game.View) -> View:
    """Return *view* with its type, or raise ``TypeError`` if it is of another game."""
    check_type(view, PublicView)
    return cast("View", view)
