"""A bot that plays at random. Usage: bot HOST:PORT MATCH [NAME]"""

import sys

from taflhall_client.bots.random import Random
from taflhall_client.results import SeatKind
from taflhall_client.sync import Client

if len(sys.argv) < 3:
    print("usage: bot HOST:PORT MATCH [NAME]", file=sys.stderr)
    sys.exit(2)
name = (*sys.argv, "Munin")[3]
with Client(sys.argv[1]) as client:
    seat = client.match(sys.argv[2]).join(name, kind=SeatKind.BOT)
    game = client.game(seat.get().match.game)
    end = seat.play(Random(game))
    for number, place in enumerate(end.result.places if end.result else ()):
        print(f"seat {number}: place {place}")
