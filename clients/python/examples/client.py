"""Open a match, take both seats, give a few answers, look back. Usage: client.py HOST:PORT"""

import sys

from taflhall_client import errors
from taflhall_client.sync import Client

with Client(sys.argv[1]) as client:
    print("games:", ", ".join(info.id for info in client.games()))

    match = client.create("yggdrasil", {"gods": ["odin", "freyja"], "furious": 2})
    ann = match.join("Ann", seats=[0, 1])  # keep ann.secret to come back to these seats
    match.start()

    for _ in range(5):
        decision = ann.decision()
        if decision is None:
            break
        answer = ann.submit(decision.options[0])
        print(f"rule {decision.rule}: {decision.options[0]} of {len(decision.options)} options")
        print("    then:", ", ".join(type(event).__name__ for event in answer.events))

    try:
        ann.submit(99, ann.decision())
    except errors.NoSuchOption as error:
        print("refused:", error.message, error.metadata)

    past = ann.view_at(0)
    print("at the start seat", past.decisions[0].seat, "had to decide")
    print("resigned:", ann.resign().result)
