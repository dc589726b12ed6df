"""``taflhall rule``: a rule's text, and its places in the code, the tests and the cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from taflhall_client.cli.common import Language, UsageError, language_of
from taflhall_client.cli.output import say

if TYPE_CHECKING:
    from taflhall_client.rule_index import Place, RulePlaces


def rule(
    number: Annotated[str, typer.Argument(help="For example YG-7.2; any spelling is understood.")],
    language: Language = "en",
) -> None:
    """Print the sentence of a rule, and every line of code, tests and cases that names it.

    Tests and cases are listed in a checkout of the repository; an installed engine has its code.
    """
    from taflhall_client.rule_index import checkout_folder, find_rule

    language_of(language)
    checkout = checkout_folder()
    found = find_rule(number, checkout)
    if not found:
        raise UsageError(f"no game has a rule {number}")
    for places in found:
        _print(places, language, checkout)


def _print(places: RulePlaces, language: str, checkout: Path | None) -> None:
    number = places.rule.number
    shared = len(number.partition("-")[0]) == 1  # several games have an A-01
    head = f"{number} ({places.game.id})" if shared else number
    say(f"{head}  {places.game.rulebook.text(number, language)}")
    if places.rule.nothing_to_do:
        say(f"  no code: {places.rule.nothing_to_do}")
    elif not places.code and (places.tests or places.cases):
        say("  no code of its own: it follows from other rules, as these show")
    for place in (*places.code, *places.tests):
        say(f"  {_where(place, checkout)}  {place.text}")
    for case, place in places.cases.items():
        say(f"  {_where(place, checkout)}  case {case}")


def _where(place: Place, checkout: Path | None) -> str:
    file = place.file.resolve()
    inside = checkout is not None and file.is_relative_to(checkout)
    shown = file.relative_to(checkout) if inside and checkout is not None else file
    return f"{shown}:{place.line}"
