"""A bot that plays at random. Usage: bot.py HOST:PORT MATCH [NAME]"""

import sys

from taflhall_client.bots.random import Random
from taflhall_client.results import SeatKind
from taflhall_client.sync import Client

name = (*sys.argv, "Munin")[3]
with Client(sys.argv[1]) as client:
    seat = client.match(sys.argv[2]).join(name, kind=SeatKind.BOT)
    game = client.game(seat.get().match.game)
    end = seat.play(Random(game))
    print(end.status.name, end.result)
