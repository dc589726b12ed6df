"""How often the heuristic bot saves Yggdrasil, by gods and difficulty.

Run ``python -m tests.benchmarks.yggdrasil_bot [--matches N] [--setting NAME ...] [--tuned]``:
random gods, one bot for all of them; it plays with the weights of the search if ``--tuned``. For
each setting it prints the share of matches won with its standard error, why matches were lost, how
many turns and decisions they took and how long a decision is.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import Any, Final

from taflhall_client.bot import Decision
from taflhall_client.bots.yggdrasil import Heuristic
from taflhall_client.bots.yggdrasil_weights import TUNED, WEIGHTS
from taflhall_engine import registry
from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import apply, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.yggdrasil.ids import REASONS, VICTORY
from tests.benchmarks.report import table, write_section

SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "1 god": {"seats": 1},
    "2 gods": {"seats": 2},
    "3 gods": {"seats": 3},
    "4 gods": {"seats": 4},
    "6 gods": {"seats": 6},
    "3 gods, 3 furious": {"seats": 3, "furious": 3},
    "1 god, 3 furious": {"seats": 1, "furious": 3},
    "1 god, 6 furious": {"seats": 1, "furious": 6},
    "1 god, 6 furious, 4 Ragnarok": {"seats": 1, "furious": 6, "ragnarok": 4},
    "2 gods, closed bags": {"seats": 2, "bag_inspection": 1},
}
"""The first three are those for which a simple sensible bot won 33, 9 and 3 %."""
INTRO: Final = """\
One bot answers for all gods, who are drawn at random; seeds 0, 1, 2 and so on. A simple, sensible
bot won 33, 9 and 3 % with 1, 2 and 3 gods on the plain deck, random play never wins."""


def measure(matches: int, setup: dict[str, Any], weights: dict[str, float]) -> list[str]:
    """Play *matches* with the seeds 0, 1, ...; return the row of the table."""
    game = registry.game("yggdrasil")
    bot = Heuristic(game, weights=weights)
    reasons: Counter[str] = Counter()
    won = decisions = turns = 0
    thinking = 0.0
    for seed in range(matches):
        s: Any = game.new(game.setup_kind(**setup), FastChance(seed))
        while s.agenda:
            decision = Decision.of(s.active, s.agenda[-1], options(s, s.active))
            view = game.view(s, s.active)
            began = time.perf_counter()
            command = bot.choose(view, decision)
            thinking += time.perf_counter() - began
            apply(s, s.active, command)
            decisions += 1
        won += s.outcome == VICTORY
        turns += s.turn
        reasons.update(REASONS[reason] for reason in s.reasons)
    share = won / matches
    error = (share * (1 - share) / matches) ** 0.5
    return [
        f"{100 * share:.1f} % ± {100 * error:.1f}",
        ", ".join(f"{reason} {count}" for reason, count in reasons.most_common()),
        f"{turns / matches:.1f}",
        f"{decisions / matches:.0f}",
        f"{1000 * thinking / decisions:.2f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000, help="matches of each setting")
    parser.add_argument("--setting", choices=list(SETTINGS), action="append")
    parser.add_argument("--tuned", action="store_true", help="with the weights of the search")
    parser.add_argument("--write", action="store_true", help="write docs/measurements.md too")
    given = parser.parse_args()
    print(f"{given.matches} matches a setting, engine {'compiled' if COMPILED else 'plain'}")
    weights = TUNED if given.tuned else WEIGHTS
    rows = []
    for setting in given.setting or SETTINGS:
        rows.append([setting, *measure(given.matches, SETTINGS[setting], weights)])
        print("  ".join(rows[-1]), flush=True)
    head = ["setting", "won", "lost by", "turns", "decisions", "ms a decision"]
    text = table(head, rows)
    print(text)
    if given.write:
        command = f"python -m tests.benchmarks.yggdrasil_bot --matches {given.matches}"
        name, title = "yggdrasil-bot", "Yggdrasil's bot"
        if given.tuned:
            name, title, command = "yggdrasil-tuned", f"{title}, tuned", f"{command} --tuned"
        write_section(name, title, command, f"{INTRO}\n\n{text}")


if __name__ == "__main__":
    main()
