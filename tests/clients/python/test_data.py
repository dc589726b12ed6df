"""Component data of one's own: a client never shows a match with data that the match has not."""

from importlib.resources import files

import pytest

from taflhall_client import errors
from taflhall_client.async_client import Client
from taflhall_client.bots.random import Random
from taflhall_engine import registry


@pytest.fixture
def other_data(tmp_path):
    """A folder with data of Champions of Midgard in which one number differs."""
    text = (files("taflhall_engine.champions") / "data" / "components.toml").read_text("utf-8")
    assert "glory = 3\n" in text
    (tmp_path / "components.toml").write_text(
        text.replace("glory = 3\n", "glory = 4\n", 1), "utf-8"
    )
    return tmp_path


@pytest.fixture
async def stranger(address, other_data):
    """A client with the other data."""

    def game(name):
        return registry.game(name, other_data if name == "champions" else None)

    async with Client(address, game=game) as client:
        yield client


async def test_a_match_with_other_data_is_refused_before_sitting_down(client, stranger):
    match = await client.create("champions", {"seats": 2})
    with pytest.raises(errors.DataDiffers, match="other data of Champions of Midgard"):
        await stranger.match(match.match_id).join("Ann")
    assert [seat.name for seat in (await match.get()).match.seats] == ["", ""]


USES = {
    "decision": lambda match, _: match.decision(),
    "view": lambda match, _: match.get(view=True),
    "watch": lambda match, _: anext(match.watch()),
    "play": lambda match, game: match.play(Random(game)),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
async def test_nothing_is_shown_of_a_match_with_other_data(client, stranger, use):
    match = await client.create("champions", {"seats": 2}, start_when_full=True)
    seat = await match.join("Ann", [0, 1])
    theirs = stranger.match(match.match_id, seat.secret)
    with pytest.raises(errors.DataDiffers) as raised:
        await use(theirs, stranger.game("champions"))
    assert "--data" in raised.value.text("de")


async def test_players_and_status_are_shown_all_the_same(client, stranger):
    match = await client.create("champions", {"seats": 2})
    info = (await stranger.match(match.match_id).get()).match
    assert info.data_digest == client.game("champions").data_digest


def test_the_command_line_names_the_option(taflhall, address, other_data):
    created = taflhall("match", "create", address, "champions", "--seats", "2")
    match_id = created.lines[0].split()[-1]
    for command in (
        ["watch", address, match_id],
        ["bot", address, match_id, "--join", "Robo"],
        ["play", address, match_id, "--join", "Ann"],
    ):
        ran = taflhall(*command, "--data", str(other_data))
        assert ran.status == 3
        assert ran.err.startswith("taflhall: the match is played with other data")
        assert "--data" in ran.err
