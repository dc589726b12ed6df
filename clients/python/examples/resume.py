"""Cuts its watch of a match after the first change, and continues with another connection.

Nothing is lost or comes twice. Usage: resume HOST:PORT MATCH
"""

import sys

from taflhall_client.sync import Client

if len(sys.argv) < 3:
    print("usage: resume HOST:PORT MATCH", file=sys.stderr)
    sys.exit(2)
token, revision = "", 0
with Client(sys.argv[1]) as client:
    for update in client.match(sys.argv[2]).watch(view=False, options=False):
        token, revision = update.resume_token, update.revision
        if update.match is None:
            break
print(f"cut after revision {revision}")

with Client(sys.argv[1]) as client:
    for update in client.match(sys.argv[2]).watch(view=False, options=False, resume_token=token):
        revision = update.revision
print(f"ends at revision {revision}")
