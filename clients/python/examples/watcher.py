"""Prints what happens in a match, and how it ends. Usage: watcher HOST:PORT MATCH"""

import sys

from taflhall_client.sync import Client
from taflhall_client.terminal import event_text

if len(sys.argv) < 3:
    print("usage: watcher HOST:PORT MATCH", file=sys.stderr)
    sys.exit(2)
with Client(sys.argv[1]) as client:
    match = client.match(sys.argv[2])
    game = client.game(match.get().match.game)
    names: list[str] = []
    for update in match.watch(view=False, options=False):
        if update.match is not None:
            names = [seat.name for seat in update.match.seats]
        if update.match is not None and update.match.result is None:
            print(update.revision, "snapshot")
        for event in update.events:
            print(update.revision, event_text(game, event, names, "en") or "")
        if update.match is not None and update.match.result is not None:
            for number, place in enumerate(update.match.result.places):
                print(f"seat {number}: place {place}")
