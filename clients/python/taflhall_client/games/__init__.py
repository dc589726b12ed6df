"""The types of each game for editors and type checkers: ``games.yggdrasil`` and so on.

A module has the types that a bot for its game declares::

    from taflhall_client.games import yggdrasil

    class Mine:
        def choose(
            self, view: yggdrasil.View, decision: yggdrasil.Decision
        ) -> yggdrasil.Command:
            if view.public.fenrir_level > 2: ...

* ``View``: a seat's view, with ``public`` and ``private``;
* ``Decision``: a decision whose options are commands of the game;
* ``Command``: any command; each class is also available by name (``yggdrasil.Asgard``);
* ``typed(view)``: the same view with its type, for programs that are not bots.

``taflhall vocabulary GAME`` prints every class with its fields. Nothing here exists at run time
but names: the objects are the engine's.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from taflhall_engine.kernel.game import View

Public_co = TypeVar("Public_co", covariant=True)
Private_co = TypeVar("Private_co", covariant=True)


class TypedView(Protocol[Public_co, Private_co]):
    """A view whose parts have the types of one game."""

    @property
    def seat(self) -> int:
        """Whose view it is; -1 for spectators."""
        ...

    @property
    def public(self) -> Public_co:
        """Public information."""
        ...

    @property
    def private(self) -> Private_co:
        """Private information of the seat."""
        ...


def check_type(view: View, public: type[Any]) -> None:
    """Raise ``TypeError`` if the public part of *view* is not a *public*."""
    if not isinstance(view.public, public):
        found = type(view.public)
        raise TypeError(f"expected a view of {public.__module__}, found one of {found.__module__}")
