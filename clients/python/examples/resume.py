"""Cuts a watch after the first change and resumes it. Usage: resume.py HOST:PORT MATCH"""

import sys

from taflhall_client.sync import Client

token, revision = "", 0
with Client(sys.argv[1]) as client:
    for update in client.match(sys.argv[2]).watch(view=False, options=False):
        token, revision = update.resume_token, update.revision
        if update.match is None:
            break
print(f"cut after revision {revision}")

with Client(sys.argv[1]) as client:
    for update in client.match(sys.argv[2]).watch(view=False, options=False, resume_token=token):
        assert update.match is not None or update.revision == revision + 1
        revision = update.revision
print(f"ends after {revision} changes")
