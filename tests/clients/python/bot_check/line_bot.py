"""A program that speaks the line protocol; its argument says what it does wrong."""

import json
import sys
import threading

wrong = sys.argv[1] if len(sys.argv) > 1 else ""


def say(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def take(message: dict[str, object]) -> None:
    if message["type"] == "start":
        if wrong == "strict" and len(message) > 7:
            sys.exit("what is that?")
        say({"type": "ready", "view": False})
        if wrong == "talks":
            threading.Timer(0.2, say, ({"type": "hello"},)).start()
    elif message["type"] == "decide":
        options = message["options"]
        assert isinstance(options, list)
        if wrong == "far":
            say({"id": message["id"], "option": len(options)})
        elif wrong == "knows" and any(o["command"].startswith("teleport") for o in options):
            sys.exit("what is a teleport?")
        else:
            say({"id": message["id"], "option": 0})
    elif message["type"] == "end" and wrong == "rude":
        sys.exit(4)


for line in sys.stdin:
    try:
        read = json.loads(line)
    except ValueError:
        if wrong == "polite":
            say({"error": "I beg your pardon?"})
    else:
        take(read)
if wrong == "stays":
    threading.Event().wait()
