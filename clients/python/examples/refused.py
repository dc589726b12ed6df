"""Gives a command that the rules forbid, and says why. Usage: refused.py HOST:PORT"""

import sys

from taflhall_client import errors
from taflhall_client.games.yggdrasil import Helheim
from taflhall_client.sync import Client

with Client(sys.argv[1]) as client:
    match = client.create("yggdrasil", {"seats": 1}, start_when_full=True)
    ann = match.join("Ann")
    explained = ann.explain(Helheim(island=0))
    print(f"explained: {explained.refusal} ({explained.rule_text})")
    try:
        ann.submit(Helheim(island=0))
    except errors.IllegalCommand as error:
        print(f"refused: {error.text()} ({error.rule}: {error.refusal})")
