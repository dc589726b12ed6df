"""Tools for the tests of others: laws for authors of games, a server for authors of clients.

* :mod:`taflhall_testing.laws`: what must be true of every game at every decision;
* :class:`taflhall_testing.Trial`: which setups of a game are tried, and how often;
* :mod:`taflhall_testing.server`: a server in the process of the test.

``docs/testing.md`` shows both. The suites of Taflhall itself use the same.
"""

from taflhall_testing.trials import Position, Trial

__all__ = ["Position", "Trial"]
