"""Plays wherever its account is invited, until it is stopped. Usage: serve.py HOST:PORT KEY"""

import sys

from taflhall_client.bots.random import Random
from taflhall_client.play_all_loop import BotOffer
from taflhall_client.sync import Client

with Client(sys.argv[1], key=sys.argv[2]) as client:
    offer = BotOffer(max_matches=8)
    for played in client.play_all(lambda match: Random(client.game(match.game)), offer=offer):
        print(played.match_id, "entered" if played.entered else f"left: {played.failure or 'over'}")
