"""What a client does with any game: bots, resignations, records, the terminal."""

import io
import json

import pytest
from rich.console import Console

from taflhall_client import terminal
from taflhall_client.bot import Decision, Resign
from taflhall_client.bots import UnknownBot, best, load
from taflhall_client.bots.random import Random
from taflhall_client.bots.search import Search
from taflhall_client.cli.records import to_text
from taflhall_client.local import play
from taflhall_engine import registry
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.agenda import SPECTATOR, options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.replay import replay

every_game = pytest.mark.parametrize("name", sorted(registry.GAMES))


class Quits(Random):
    """Plays at random, and gives up at its sixth decision."""

    asked = 0

    def choose(self, view, decision):
        self.asked += 1
        if self.asked > 5:
            raise Resign
        return super().choose(view, decision)


def laid_out(name, seats=None):
    game = registry.game(name)
    seats = seats or min(3, game.max_seats)
    return game, setups.from_text(game, [f"seats={seats}"]), seats


@every_game
@pytest.mark.parametrize("quitters", [0, 1, 3])
def test_a_match_with_any_number_of_resignations_replays(name, quitters):
    game, setup, seats = laid_out(name)
    bots = [Quits(game, i) if i < quitters else Random(game, i) for i in range(seats)]
    played = play(game, bots, setup, secret=bytes(range(32)))
    record = json.loads(to_text(played.record([f"player {i}" for i in range(seats)])))
    found = replay(game, record)
    assert found.result == played.result
    assert ("resigned" in found.result.reasons) == (quitters > 0)
    assert len(found.withdrawn.seats) == min(quitters, 1 if game.cooperative else seats - 1)


@every_game
def test_the_usual_setup_goes_there_and_back_as_words(name):
    game, setup, _ = laid_out(name)
    assert setups.from_data(game, json.loads(json.dumps(setups.to_data(game, setup)))) == setup


@every_game
def test_the_search_bot_finds_an_option(name):
    game, setup, _ = laid_out(name)
    s = game.new(setup, FastChance(5))
    step = waiting(s)
    assert step is not None
    seat = step.seats(s)[0]
    bot = Search(game, 1, iterations=3)
    decision = Decision.of(seat, step, list(options(s, seat)))
    assert bot.choose(game.view(s, seat), decision) in decision.options


@every_game
def test_a_bot_is_found_by_name(name):
    game, _, _ = laid_out(name)
    assert isinstance(load("random", game), Random)
    assert isinstance(load("search", game), Search)
    assert callable(best(game).choose)
    with pytest.raises(UnknownBot):
        load("taflhall_client.bots.random:Nobody", game)


@every_game
@pytest.mark.parametrize("language", ["en", "de"])
def test_tables_options_and_events_can_be_shown(name, language):
    game, setup, seats = laid_out(name)
    console = Console(width=120, record=True, file=io.StringIO())
    names = [f"player {i}" for i in range(seats)]
    texts = terminal.texts_of(game, names, language)
    lines: list[str] = []

    class Shows(Random):
        def choose(self, view, decision):
            if len(lines) % 10 == 0:
                console.print(terminal.draw(game, view, names, language))
            for option in decision.options:
                assert texts.option(option, view).strip()
            return super().choose(view, decision)

    def listen(events):
        for event in events:
            for viewer in (SPECTATOR, 0):
                seen = event.seen_by(viewer)
                line = None if seen is None else terminal.event_text(game, seen, names, language)
                if line is not None:
                    lines.append(line)

    played = play(
        game, [Shows(game, i) for i in range(seats)], setup, secret=bytes(32), listen=listen
    )
    assert len(lines) > len(played.moves) / 2
    assert len(console.export_text()) > 100
    assert len(terminal.result_lines(game, names, played.result, language)) == seats + bool(
        played.result.reasons
    )
