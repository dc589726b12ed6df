"""Commands whose first argument, the server's address, may come from the environment.

The parser fills arguments from the left, so that ``taflhall match show MATCH`` would take the
match for the address. If the last argument is missing and the first is not an address, the
address was left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand

_ONE = r"(?:[^:,\s]+|\[[^\]]+\]):[0-9]+"
_ADDRESS = re.compile(rf"(?:dns|unix|ipv4|ipv6):.+|{_ONE}(?:,{_ONE})*")


class Addressed(TyperCommand):
    """A command that puts in the address where it is left out."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Parse *args*, after the address if they do not have it."""
        return super().parse_args(ctx, [*self._left_out(ctx, args), *args])

    def _left_out(self, ctx: typer.Context, args: list[str]) -> list[str]:
        places = [param for param in self.params if param.param_type_name == "argument"]
        if len(places) < 2 or places[0].name != "address":
            return []
        address = os.environ.get(str(places[0].envvar))
        if not address or any(arg in ctx.help_option_names for arg in args):
            return []
        given, rest, _ = self.make_parser(ctx).parse_args(list(args))
        first = given.get("address")
        last = given.get(str(places[-1].name))
        if rest or not isinstance(first, str) or isinstance(last, str) or _ADDRESS.fullmatch(first):
            return []
        return [address]


class Commands(typer.Typer):
    """A group of commands, each of which may begin with an address."""

    def command(self, name: str | None = None, **how: Any) -> Callable[[Any], Any]:
        """Return what makes a function a command, as Typer does."""
        how.setdefault("cls", Addressed)
        return super().command(name, **how)
