"""Asks for what the server refuses, and shows why, and what is legal. Usage: refused HOST:PORT"""

import sys

from taflhall_client import errors
from taflhall_client.games.champions import TakeLeader
from taflhall_client.sync import Client
from taflhall_wire.texts import texts_for

if len(sys.argv) < 2:
    print("usage: refused HOST:PORT", file=sys.stderr)
    sys.exit(2)
with Client(sys.argv[1]) as client:
    try:
        client.create("champions", {"seats": 99})
    except errors.InvalidSetup as error:
        for fault in error.violations:
            print(f"reason: {error.reason}\nfield: {fault.field}\ntext: {fault.text()}")

    match = client.create("champions", {"seats": 2}, start_when_full=True)
    ann = match.join("Ann", [0, 1])
    asmundr = TakeLeader(leader=0)
    decision = ann.submit(asmundr).decision
    try:
        ann.submit(asmundr)  # the next seat wants the same leader
    except errors.IllegalCommand as error:
        print(f"reason: {error.reason}\nrule: {error.rule}\ntext: {error.text()}")
    texts = texts_for(client.game("champions"), "en")
    if decision is not None:
        explained = ann.explain(asmundr, decision.seat)
        print(f"rule text: {explained.rule_text}")
        for option in decision.options:
            print(f"legal: {texts.option(option)}")
