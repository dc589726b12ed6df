"""Plays wherever its account is invited or sits, over one stream. Usage: serve HOST:PORT API_KEY"""

import sys

from taflhall_client.bots.random import Random
from taflhall_client.play_all_loop import BotOffer
from taflhall_client.sync import Client

if len(sys.argv) < 3:
    print("usage: serve HOST:PORT API_KEY", file=sys.stderr)
    sys.exit(2)
with Client(sys.argv[1], key=sys.argv[2]) as client:
    offer = BotOffer(max_matches=8)
    for played in client.play_all(lambda match: Random(client.game(match.game)), offer=offer):
        if played.entered:
            print(played.match_id, "entered")
        elif played.failure is None:
            print(played.match_id, "is over")
        else:
            print(played.match_id, f"left: {played.failure}")
