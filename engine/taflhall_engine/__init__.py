"""The rules engine: stateless rules over plain tables. It imports the standard library only.

Start reading at :mod:`taflhall_engine.kernel.agenda` (how a match moves), then at the
package of a game (what its rules say). :mod:`taflhall_engine.registry` lists the games.
"""
