"""What a description may say, and what is said about a wrong one."""

import pytest

from taflhall_client.tournament.description import DescriptionError, read


def test_a_description_names_seats_entrants_and_limits(describe):
    tournament = read(
        describe("random", "heuristic", rounds=4, head="[limits]\ndecision_seconds = 2\n")
    )
    assert (tournament.format, tournament.seats, tournament.rounds) == ("round_robin", 2, 4)
    assert [entrant.name for entrant in tournament.entrants] == ["a", "b"]
    assert tournament.limits.decision_seconds == 2.0
    assert tournament.words() == {"seats": 2}


def test_a_cooperative_game_has_scenarios(describe):
    tournament = read(
        describe(
            "random",
            game='"yggdrasil"',
            seats=3,
            head='[[scenarios]]\nname = "hard"\nsetup = { furious = 2 }\n',
        )
    )
    assert tournament.format == "cooperative"
    assert tournament.words("hard") == {"seats": 3, "furious": 2}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"game": '"chess"'}, "game: "),
        ({"seats": 9}, "setup.seats: 2 to 4 can play"),
        ({"seats": 4}, "entrants: 2, but a match of 4 seats needs at least 4"),
        ({"head": "[setup]\nseats = 3\n"}, "seats: 2, but [setup] makes a match of 3"),
        (
            {"head": "[setup]\ncolour = 1\n"},
            "setup.colour: there is no such field",
        ),
        ({"rounds": 0}, "rounds: is a whole number from 1"),
        ({"seed": '"x"'}, "seed: is a whole number"),
        ({"format": '"olympic"'}, "format: is one of round_robin, "),
        ({"colour": '"red"'}, "colour: is unknown; known are "),
        ({"head": "[limits]\nmemory = 4\n"}, "limits.memory: is unknown"),
        ({"head": "[limits]\ncommands = -1\n"}, "limits.commands: is from 0 to "),
        ({"head": "[limits]\ncommands = 1.5\n"}, "limits.commands: is a whole number"),
        ({"head": "[limits]\nmatch_seconds = nan\n"}, "limits.match_seconds: is from 0 to "),
        ({"head": "[limits]\ndecision_seconds = inf\n"}, "limits.decision_seconds: is from 0 to"),
        (
            {"head": "[limits]\ndecision_seconds = 0\n"},
            "limits.decision_seconds: is a number above 0",
        ),
        ({"head": "[limits]\nadjudicate = 1\n"}, "limits.adjudicate: is true or false"),
        ({"format": '"swiss"', "rounds": 0}, "rounds: is a whole number from 1"),
        ({"head": "[setup]\nfurious = 2\n"}, "setup.furious"),
        ({"head": '[[scenarios]]\nname = "x"\n'}, "scenarios: are for cooperative games"),
        ({"scenarios": 1}, "scenarios: a list of tables"),
        ({"scenarios": "[1]"}, "scenarios: a list of tables"),
        ({"head": '[[scenarios]]\nnam = "x"\n'}, "scenarios[0].nam: is unknown"),
        ({"head": '[[scenarios]]\nname="x"\n[[scenarios]]\nname="x"'}, "two are called 'x'"),
        ({"head": "[[entrants]]\nname = 'c'\ncommand = \"bot 'x\""}, ".command: No closing quot"),
    ],
)
def test_a_wrong_description_is_refused_with_the_place(describe, change, problem):
    with pytest.raises(DescriptionError) as refused:
        read(describe("random", "random", **change))
    assert any(problem in text for text in refused.value.problems), refused.value.problems


def test_all_scenarios_have_the_same_number_of_seats(describe):
    scenarios = "".join(
        f'[[scenarios]]\nname = "{seats}"\nsetup = {{ seats = {seats} }}\n' for seats in (2, 3)
    )
    with pytest.raises(DescriptionError, match="the same number of seats, found 2, 3"):
        read(describe("random", game='"yggdrasil"', head=scenarios))


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ('bot = "random"\ncommand = "bot"', "entrants[1]: has one of bot, command and members"),
        (
            'command = "bot"\noptions = { x = 2 }',
            "entrants[1].options: are for a bot of Python",
        ),
    ],
)
def test_an_entrant_that_makes_no_sense_is_refused_with_the_place(describe, lines, problem):
    file = describe("random", head="")
    with file.open("a", encoding="utf-8") as opened:
        opened.write(f'\n[[entrants]]\nname = "b"\n{lines}\n')
    with pytest.raises(DescriptionError) as refused:
        read(file)
    assert refused.value.problems == [problem]


def test_in_a_team_event_every_entrant_has_a_team(describe):
    file = describe("random", "random", "random")
    text = file.read_text("utf-8")
    for name, team in (("a", "red"), ("b", "blue")):
        text = text.replace(f'name = "{name}"', f'name = "{name}"\nteam = "{team}"')
    file.write_text(text, "utf-8")
    with pytest.raises(DescriptionError) as refused:
        read(file)
    assert refused.value.problems == ["entrants[2].team: is missing; in a team event all have one"]


def test_every_problem_is_named_at_once(describe):
    file = describe("random", "magic", format='"olympic"', rounds=0)
    file.write_text(file.read_text("utf-8").replace('name = "b"', 'name = "a"'), "utf-8")
    with pytest.raises(DescriptionError) as refused:
        read(file)
    assert len(refused.value.problems) == 4


def test_what_is_not_toml_is_refused(describe):
    file = describe("random")
    file.write_bytes(b"name = ")
    with pytest.raises(DescriptionError, match="not TOML"):
        read(file)
