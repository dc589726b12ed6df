"""Asks for what the server refuses, and says why. Usage: refused HOST:PORT"""

import sys

from taflhall_client import errors
from taflhall_client.games.yggdrasil import Helheim
from taflhall_client.sync import Client

if len(sys.argv) < 2:
    print("usage: refused HOST:PORT", file=sys.stderr)
    sys.exit(2)
with Client(sys.argv[1]) as client:
    try:
        client.create("yggdrasil", {"seats": 99})
    except errors.InvalidSetup as error:
        for fault in error.violations:
            print(f"reason: {error.reason}\nfield: {fault.field}\ntext: {fault.text()}")

    match = client.create("yggdrasil", {"seats": 1}, start_when_full=True)
    ann = match.join("Ann")
    command = Helheim(island=0)
    try:
        ann.submit(command)
    except errors.IllegalCommand as error:
        print(f"reason: {error.reason}\nrule: {error.rule}\ntext: {error.text()}")
    print(f"explained: {ann.explain(command).rule_text}")
