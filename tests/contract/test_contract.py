"""The contract: lint, generated code, compatibility, and what is said of errors."""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from taflhall.v1 import error_reason_pb2

ROOT = Path(__file__).resolve().parents[2]
PROTO = ROOT / "proto"
BUF = Path(sys.executable).parent / "buf"
FILES = sorted(PROTO.rglob("*.proto"))
SERVICES = [
    "taflhall.admin.v1.admin_service",
    "taflhall.tournament.v1.tournament_service",
    "taflhall.v1.catalog_service",
    "taflhall.v1.engine_service",
    "taflhall.v1.lobby_service",
    "taflhall.v1.match_service",
]


def run(*command, **environment):
    found = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def test_the_contract_passes_lint():
    run(BUF, "lint")


def test_the_contract_breaks_no_client():
    assert run("sh", PROTO / "breaking.sh", BUF=str(BUF)).startswith("buf breaking")


def test_the_generated_code_is_fresh():
    run(sys.executable, PROTO / "generate.py", "--check")


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_a_package_lies_in_the_folder_of_its_name(file):
    [package] = re.findall(r"^package ([a-z0-9_.]+);", file.read_text("utf-8"), re.MULTILINE)
    assert file.parent.relative_to(PROTO).as_posix() == package.replace(".", "/")
    assert package.endswith(".v1")


def test_the_reasons_that_a_call_names_exist():
    mentioned = {
        name
        for file in FILES
        for name in re.findall(r"ERROR_REASON_[A-Z_]+", file.read_text("utf-8"))
    }
    assert mentioned <= set(error_reason_pb2.ErrorReason.keys())
    assert len(mentioned) > 10


@pytest.mark.parametrize("service", SERVICES)
def test_a_call_says_whether_it_has_effects(service):
    """Every call that only asks says so, which lets clients repeat it freely."""
    file = import_module(f"{service}_pb2").DESCRIPTOR
    [only] = file.services_by_name.values()
    changing = {m.name for m in only.methods if not m.GetOptions().idempotency_level}
    expected = {
        "CreateMatch",
        "JoinMatch",
        "StartMatch",
        "LeaveMatch",
        "SubmitAnswers",
        "Play",
        "PlayAll",
    }
    expected |= {"ResignSeat", "DelegateSeat", "ReclaimSeat"}
    expected |= {"ProposeToPlayers", "RespondToProposal", "AbandonMatch"}
    expected |= {"SendReaction"}
    seating = {"FindMatch", "InviteToMatch", "DeclineInvitation", "RemovePlayer"}
    seating |= {"AddBot", "JoinRematch"}
    stepping_in = {"CreateAccount", "UpdateAccount", "CreateApiKey", "RevokeApiKey"}
    stepping_in |= {"FreezeMatch", "UnfreezeMatch", "AbandonMatch"}
    hosting = {"CreateTournament", "EnterTournament", "WithdrawFromTournament"}
    hosting |= {"StartTournament", "CancelTournament"}
    all_of_them = {
        "taflhall.tournament.v1.tournament_service": hosting,
        "taflhall.v1.match_service": expected,
        "taflhall.v1.lobby_service": seating,
        "taflhall.admin.v1.admin_service": stepping_in,
    }
    assert changing == all_of_them.get(service, set())
