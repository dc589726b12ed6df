"""The kernel that all games share; it depends on no game.

Start at :mod:`~taflhall_engine.kernel.agenda` (steps, decisions, commands, refusals) and
:mod:`~taflhall_engine.kernel.game` (the interface of a game); then ``chance`` (random numbers),
``snapshot`` (a table as data), ``notation`` and ``setups`` (commands and setups as text),
``record`` and ``replay`` (how a match runs, is written down and checked), ``components``
and ``rulebook`` (data), ``rollout`` (random play).
"""

from __future__ import annotations

from taflhall_engine.kernel import agenda

COMPILED: bool = not str(agenda.__file__).endswith(".py")
"""Whether this engine has been compiled by mypyc."""
