"""A program that speaks the line protocol; its argument says how it spoils its third turn."""

import json
import sys
import threading
from pathlib import Path

manner = sys.argv[1] if len(sys.argv) > 1 else "plays"


def say(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if manner == "ahead":
    say({"type": "ready"})
    for number in range(1, 1000):
        say({"id": number, "option": 0})
    threading.Event().wait()

asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        say({"type": "ready", "view": manner != "blind"})
    elif message["type"] == "decide":
        asked += 1
        answer = {"id": message["id"], "option": 0}
        if asked == 3 and manner == "babbles":
            sys.stdout.write("what?\n")
            sys.stdout.flush()
            continue
        if asked == 3 and manner == "nests":
            sys.stdout.write("[" * 60000 + "\n")
            sys.stdout.flush()
            continue
        if asked == 3 and manner == "lies":
            answer["id"] = "7" * 60000
        if asked == 3 and manner == "dies":
            sys.stderr.write("that was too much\n")
            sys.exit(9)
        if asked == 3 and manner == "silent":
            threading.Event().wait()
        if asked == 3 and manner == "wrong":
            answer["option"] = 4096
        if asked == 3 and manner == "eats":
            try:
                hoard = bytearray(3 << 30)
            except MemoryError:
                sys.exit("no memory")
        if asked == 3 and manner == "phones":
            import socket

            try:
                socket.create_connection(("127.0.0.1", int(sys.argv[2])), 2).close()
            except OSError:
                sys.exit("no network")
        if asked == 3 and manner == "writes":
            try:
                Path(sys.argv[2]).touch()
            except OSError:
                sys.exit("no files")
        if asked == 3 and manner == "remounts":
            import ctypes

            writable = (ctypes.c_uint64 * 4)(0, 1)
            ctypes.CDLL(None).syscall(442, -100, b"/", 0x8000, writable, 32)
            try:
                Path(sys.argv[2]).touch()
            except OSError:
                sys.exit("no files")
        if asked == 1 and manner == "forks":
            import subprocess

            sleep = ["-c", "import time; time.sleep(600)", sys.argv[2]]
            subprocess.Popen([sys.executable, *sleep], start_new_session=True)
        if manner == "words":
            answer = {"id": message["id"], "command": message["options"][-1]["command"]}
        if manner != "blind":
            assert message["view"]["public"]
        say(answer)
    elif message["type"] == "end":
        break
