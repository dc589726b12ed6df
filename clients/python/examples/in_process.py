"""Play matches in this process, without a server, and prove one of them."""

from taflhall_client.bots.random import Random
from taflhall_client.local import play
from taflhall_engine import registry
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.replay import replay

game = registry.game("yggdrasil")
setup = setups.from_text(game, ["seats=3", "furious=1"])

matches = [
    play(game, [Random(game, seed=10 * number + seat) for seat in range(3)], setup)
    for number in range(10)
]
print(sum(all(match.result.won) for match in matches), "of 10 matches won")

record = matches[0].record(["Ask", "Embla", "Vidar"])
found = replay(game, record)
print(f"{len(found.moves)} commands replayed:", ", ".join(found.result.reasons))
