"""The container image of ``deploy/build-image.sh``, looked at and run."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from taflhall_client.async_client import Client
from taflhall_client.bots.random import Random
from taflhall_client.ports import HOST, free_port
from taflhall_engine.kernel import replay
from tests.deploy.container import Container, Image
from tests.deploy.tools import IMAGE, needs_image
from tests.waiting import wait_until

USER = 10001

pytestmark = needs_image


@pytest.fixture(scope="module")
def image() -> Image:
    return Image(Path(IMAGE))


@pytest.fixture
def container(image: Image, tmp_path: Path) -> Iterator[Container]:
    settings = {"TAFLHALL_LISTEN": f"{HOST}:{free_port()}", "TAFLHALL_METRICS": str(free_port())}
    started = Container(image, tmp_path, settings)
    yield started
    started.close()


async def test_a_match_is_played_on_the_image_whose_root_is_read_only(
    image: Image, container: Container
):
    check = image.config["Healthcheck"]["Test"]
    assert check[0] == "CMD"
    address = container.settings["TAFLHALL_LISTEN"]
    wait_until(lambda: container.run(*check[1:-1], address).returncode == 0)
    async with Client(address) as client:
        game = client.game("yggdrasil")
        opened = await client.create("yggdrasil", {"seats": 2}, start_when_full=True)
        seats = await opened.join("Ann", seats=[0, 1])
        await seats.play(Random(game, seed=1))
        record = await seats.record()
    assert replay.replay(game, record).moves
    status = container.run("cat", "/proc/1/status").stdout
    assert re.findall(r"^Uid:\s+(.+)$", status, re.MULTILINE) == ["\t".join([str(USER)] * 4)]
    assert re.findall(r"^CapEff:\s+(\w+)$", status, re.MULTILINE) == ["0" * 16]
    refused = container.run("touch", "/app/written")
    assert "Read-only file system" in refused.stderr
    assert container.end() == 0
    assert "Traceback" not in container.log.read_text("utf-8")


def test_the_image_says_how_it_is_run(image: Image):
    assert image.config["User"] == str(USER)
    assert image.config["StopSignal"] == "SIGTERM"
    assert set(image.config["Volumes"]) == {"/archive", "/data"}
    assert set(image.config["ExposedPorts"]) == {"50051/tcp", "9464/tcp"}


def test_the_image_adds_the_server_and_its_user_alone(image: Image):
    with tarfile.open(image.layers[-1]) as layer:
        files = {member.name for member in layer if not member.isdir()}
    accounts = {f"etc/{name}{old}" for name in ACCOUNTS for old in ("", "-")}
    others = {name for name in files - accounts if not name.startswith(("app/", "home/taflhall/"))}
    assert others <= {"etc/hosts", "var/log/faillog", "var/log/lastlog"}


ACCOUNTS = ("group", "gshadow", "passwd", "shadow", "subgid", "subuid")


UNWANTED = re.compile(r"(^|/)(\.git|secrets|pip\.conf|\.netrc|\.npmrc)(/|$)|\.key$")
PRIVATE_KEY = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----\s")


PUBLISHED = "/taflhall_testing/clients/certificates/key.pem"
"""A key that every client's tests use, and that is good for nothing else."""


def test_the_image_holds_no_secret(image: Image):
    with tarfile.open(image.layers[-1]) as layer:
        for member in layer:
            assert not UNWANTED.search(member.name), member.name
            if member.isfile() and (file := layer.extractfile(member)):
                assert member.name.endswith(PUBLISHED) or not PRIVATE_KEY.search(file.read()), (
                    member.name
                )
    for setting in image.config["Env"]:
        assert not re.search("KEY|TOKEN|PASSWORD|SECRET|://", setting), setting
