"""``taflhall playout``: the same matches on every run, with any number of jobs."""

import os
import re
import subprocess
import sys

from taflhall_engine.kernel import COMPILED

QUIET = ("playout", "quay", "--matches", "40", "--seed", "7")


def digest(out):
    [found] = re.findall(r"^digest ([0-9a-f]{64})$", out, re.MULTILINE)
    return found


def test_it_prints_matches_plies_speed_and_outcomes(taflhall, quay):
    ran = taflhall(*QUIET, "--seats", "2")
    assert ran.status == 0
    assert ran.lines[0] == "40 matches"
    assert re.fullmatch(r"\d+ plies", ran.lines[1])
    assert re.fullmatch(r"\d+ plies/s", ran.lines[2])
    assert ran.lines[3] == f"compiled: {'yes' if COMPILED else 'no'}"
    counts = re.findall(r"^outcome .*: (\d+) \(", ran.out, re.MULTILINE)
    assert sum(map(int, counts)) == 40
    assert digest(ran.out)
    assert not ran.err


def test_rollout_is_another_name_for_playout(taflhall, quay):
    assert digest(taflhall("rollout", *QUIET[1:]).out) == digest(taflhall(*QUIET).out)


def test_seed_seats_and_setup_make_other_matches(taflhall, quay):
    variants = (["--seats", "3"], ["--seats", "4"], ["--setup", "rounds=2"], ["--seed", "8"])
    found = {digest(taflhall(*QUIET, *variant).out) for variant in variants}
    assert len(found) == 4
    named = taflhall(*QUIET, "--setup", "seats=4", "--setup", "rounds=5")
    assert digest(named.out) in found


def test_the_digest_is_the_same_with_any_number_of_jobs_and_any_hash_seed():
    found = set()
    for jobs, hash_seed in (("1", "1"), ("2", "random")):
        ran = subprocess.run(
            [sys.executable, "-m", "taflhall_client", "playout", "yggdrasil",
             "--matches", "30", "--seats", "2", "--seed", "5", "--jobs", jobs],
            capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )  # fmt: skip
        assert ran.stdout.startswith("30 matches\n")
        assert not ran.stderr
        found.add(digest(ran.stdout))
    assert len(found) == 1
