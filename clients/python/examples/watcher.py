"""Prints what happens in a match. Usage: watcher.py HOST:PORT MATCH"""

import sys

from taflhall_client.sync import Client
from taflhall_client.terminal import event_text

with Client(sys.argv[1]) as client:
    match = client.match(sys.argv[2])
    game = client.game(match.get().match.game)
    names: list[str] = []
    for update in match.watch(view=False, options=False):
        if update.match is not None:
            names = [seat.name for seat in update.match.seats]
            print(update.revision, update.status.name)
        for event in update.events:
            print(update.revision, event_text(game, event, names, "en") or "")
