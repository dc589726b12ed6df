"""Spectators of hosted matches, from programs and from the command line."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from taflhall_client import errors, sync
from taflhall_client.results import Status
from taflhall_client.spectators import (
    NONE,
    PUBLIC,
    SpectatorPolicy,
    SpectatorSettings,
    delayed,
    parse_spectators,
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("public", PUBLIC),
        ("none", NONE),
        ("delayed:1m", delayed(60)),
        ("delayed:60s", delayed(60)),
        ("delayed:1m30s", SpectatorSettings(SpectatorPolicy.DELAYED, 90)),
        ("delayed:2.5s", delayed(2.5)),
    ],
)
def test_spectators_are_written_in_short(text, meant):
    assert parse_spectators(text) == meant
    assert parse_spectators(str(meant)) == meant


@pytest.mark.parametrize(
    "text", ["", "all", "delayed", "delayed:", "delayed:60", "delayed:1m+1s", "none:5s", "public:"]
)
def test_an_invalid_spectator_setting_is_refused(text):
    with pytest.raises(ValueError, match="write public, none or delayed"):
        parse_spectators(text)


def test_a_program_opens_a_match_that_others_see_late(address):
    with sync.Client(address) as client:
        match = client.create("yggdrasil", {"seats": 1}, spectators=delayed(1))
        seat = match.join("Ann")
        match.start()
        seat.submit(0)
        assert seat.get().match.spectators == delayed(1)
        assert seat.get().match.revision == 1
        spectator = client.match(match.match_id)
        late = spectator.get()
        assert (late.match.status, late.match.revision) == (Status.OPEN, 0)
        seat.resign()
        updates = list(spectator.watch())
        assert updates[0].status is Status.OPEN
        assert updates[-1].status is Status.FINISHED
        assert updates[-1].match is not None
        assert updates[-1].match.result is not None
        assert updates[-1].match.secret
        assert [u.revision for u in updates if u.events] == [1, 2]
        assert spectator.record() == seat.record()


def test_a_program_opens_a_match_that_nobody_else_sees(address):
    with sync.Client(address) as client:
        match = client.create("yggdrasil", {"seats": 1}, spectators=NONE)
        spectator = client.match(match.match_id)
        with pytest.raises(errors.SpectatorsNotAllowed) as refused:
            spectator.get()
        assert refused.value.text("de") == "nur wer mitspielt, sieht diese Partie"
        with pytest.raises(errors.SpectatorsNotAllowed):
            next(spectator.watch())
        assert match.match_id not in [found.match_id for found in client.matches()]
        seat = spectator.join("Ann")
        match.start()
        assert seat.get(view=True).view is not None


def test_the_command_line_opens_matches_with_few_or_late_spectators(taflhall, address):
    for words, shown in (("none", "none"), ("delayed:90s", "delayed:1m30s")):
        ran = taflhall(
            "match", "create", address, "yggdrasil", "--seats", "2", "--spectators", words
        )
        match, secret = re.findall(r"^(?:match|secret)\s+(\S+)$", ran.out, re.MULTILINE)
        seen = taflhall("match", "show", address, match, "--secret", secret)
        assert f"seen     {shown}\n" in seen.out
        refused = taflhall("match", "show", address, match)
        assert (refused.status, "SPECTATORS_NOT_ALLOWED" in refused.err) == (
            (3, True) if words == "none" else (0, False)
        )
    public = taflhall("match", "create", address, "yggdrasil", "--seats", "2")
    match = re.findall(r"^match\s+(\S+)$", public.out, re.MULTILINE)[0]
    assert "seen" not in taflhall("match", "show", address, match).out


@pytest.mark.parametrize("words", ["late", "delayed:60", "delayed:0.5s", "delayed:2h"])
def test_the_command_line_refuses_other_spectators(taflhall, address, words):
    ran = taflhall("match", "create", address, "yggdrasil", "--seats", "2", "--spectators", words)
    assert ran.status in (2, 3)
    assert "delayed" in ran.err or "spectators.delay" in ran.err
    assert not ran.out


def test_a_delayed_watcher_sees_the_delay(address):
    with sync.Client(address) as client:
        match = client.create("yggdrasil", {"seats": 1}, spectators=delayed(6))
        seat = match.join("Ann")
        match.start()
        command = [sys.executable, "-m", "taflhall_client", "watch", address, match.match_id]
        watching = subprocess.Popen(
            [*command, "--language", "de"], stdout=subprocess.PIPE, text=True
        )
        assert watching.stdout is not None
        first = watching.stdout.readline()  # it is there now, however slow the machine
        seat.resign()
        output = first + watching.stdout.read()
        watching.wait(60)
    assert watching.returncode == 0
    assert "du siehst diese Partie 6s später" in output
    assert "Ann gibt auf" in output
