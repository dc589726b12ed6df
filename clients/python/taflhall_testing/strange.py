"""Commands that nobody offered: those of other decisions, and ones with impossible fields."""

from __future__ import annotations

from typing import Any

from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.notation import write
from taflhall_engine.kernel.value import field_names
from taflhall_engine.kernel.vocabulary import commands_of
from taflhall_testing.trials import Position, Trial, play_on, walk

IMPOSSIBLE = (-1, 0, 1, 2, 5, 17, 99, 10**9, -(10**9))


def strange_commands(p: Position, listed: list[Any], n: int) -> list[Command[Any]]:
    """Return *n* commands met elsewhere, and *n* options or others with a field exchanged."""
    pool = met(p.trial)
    found: list[Command[Any]] = []
    for _ in range(n):
        found.append(pool[p.rng.below(len(pool))])
        base = listed if listed and p.rng.below(2) else pool
        found.append(mutated(base[p.rng.below(len(base))], p))
    return found


def mutated(command: Command[Any], p: Position) -> Command[Any]:
    """Return *command* with one of its fields exchanged for a value of the same kind."""
    names = field_names(type(command))
    if not names:
        return command
    values = list(command.fields())
    k = p.rng.below(len(names))
    values[k] = other(values[k], p)
    changed: Command[Any] = type(command)(*values)
    return changed


def other(value: Any, p: Position) -> Any:
    """Return another value of the same kind, mostly an impossible one."""
    number = IMPOSSIBLE[p.rng.below(len(IMPOSSIBLE))]
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return [[], [number], [*value, number], value * 2, value[1:]][p.rng.below(5)]
    return number


def met(trial: Trial) -> list[Command[Any]]:
    """Return one of each few commands met in some random matches, and one of every class."""
    known = _MET.get(id(trial.game))
    if known is None:
        known = _MET[id(trial.game)] = _met(trial)
    return known


_MET: dict[int, list[Command[Any]]] = {}


def _met(trial: Trial) -> list[Command[Any]]:
    found: dict[str, Command[Any]] = {}
    game = trial.game
    for seed in range(3 + len(trial.usual)):
        s = next(walk(trial, seed, seed)).s
        for _, command in play_on(s, FastChance(seed), 150):
            found.setdefault(write(command, game.labels), command)
    commands = list(found.values())
    classes = {type(command) for command in commands}
    for kind in commands_of(game.types).values():
        if kind not in classes:
            try:
                commands.append(kind(*[0] * len(field_names(kind))))
            except TypeError:  # a compiled class that wants something else than numbers
                continue
    return commands
