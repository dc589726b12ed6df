"""A bot for one game, with the types of that game.

Seat it at a match: taflhall bot HOST:PORT MATCH --join Thrall --bot typed_bot:Builder
"""

from taflhall_client.games import yggdrasil
from taflhall_engine.kernel.game import Game


class Builder:
    """Sends few Vikings and keeps the strongest enemy back; a type checker knows every field."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game, self.seed = game, seed

    def choose(self, view: yggdrasil.View, decision: yggdrasil.Decision) -> yggdrasil.Command:
        """Return an attack on the enemy that is furthest ahead, if there is one."""
        enemies = view.public.enemies
        attacks = [o for o in decision.options if isinstance(o, yggdrasil.Asgard)]
        if attacks:
            return max(attacks, key=lambda attack: enemies[attack.enemy])
        return decision.options[0]
