"""All that a match says comes back from the wire as it was sent."""

import pytest

from taflhall.v1 import table_pb2 as pb
from taflhall_engine.kernel.agenda import asked, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_wire.outcomes import result_from, result_to
from taflhall_wire.translate import translator
from tests.engine.every_game import setups, walk

AMOUNTS = {
    "Bag.fire_giants",
    "Bag.vikings",
    "ExchangeGoods.amount",
    "Gained.blame",
    "Gained.coins",
    "Gained.favour",
    "Gained.food",
    "Gained.glory",
    "Gained.wood",
    "Score.blame",
    "Score.total",
    "Scored.blame",
    "Scored.total",
    "SwapWarriors.axemen",
    "SwapWarriors.spearmen",
    "SwapWarriors.swordsmen",
    "WarriorsGained.axemen",
    "WarriorsGained.spearmen",
    "WarriorsGained.swordsmen",
}
"""The fields whose values are gains, losses or sums, and may be negative."""


def sent(message):
    """Return *message* as it arrives."""
    return type(message).FromString(message.SerializeToString())


def test_options_and_decisions_come_back(registered):
    wire = translator(setups.game(registered))
    seen = set()

    def law(p):
        top = p.top
        for seat in asked(p.s):
            listed = options(p.s, seat)
            for command in listed:
                if command not in seen:
                    seen.add(command)
                    assert wire.command_from(sent(wire.command_to(command))) == command
            message = sent(wire.decision_to(top, seat, "d1", listed))
            assert (message.id, message.seat) == ("d1", seat)
            assert message.rule == top.RULE
            assert wire.step_from(message) == top
            assert [wire.command_from(option.command) for option in message.options] == listed
            assert all(option.rule for option in message.options)
            assert message == pb.Decision.FromString(wire.decision_bytes(top, seat, "d1", listed))

    walk.hold(registered, law, rounds=3)


def test_events_come_back_as_each_seat_sees_them(registered):
    wire = translator(setups.game(registered))

    def law(p):
        for viewer in p.viewers:
            for event in p.events:
                seen = event.seen_by(viewer)
                if seen is not None:
                    assert wire.event_from(sent(wire.event_to(seen))) == seen

    walk.hold(registered, law, rounds=2, every=3)


def test_views_come_back(registered):
    wire = translator(setups.game(registered))

    def law(p):
        for viewer in p.viewers:
            view = p.game.view(p.s, viewer)
            message = wire.view_to(view)
            assert wire.view_from(sent(message)) == view
            assert len(message.SerializeToString()) < 64 * 1024

    walk.hold(registered, law, every=11)


def test_1_11_no_number_stands_for_a_missing_one(registered):
    """A number that may be missing is optional in the message; only amounts can be negative."""
    wire = translator(setups.game(registered))
    negative = set()

    def look(message):
        for field, value in message.ListFields():
            values = value if field.is_repeated else [value]
            if field.message_type is not None:
                for inner in values:
                    look(inner)
            elif field.type == field.TYPE_INT32 and not field.is_repeated and value < 0:
                negative.add(f"{message.DESCRIPTOR.name}.{field.name}")

    def law(p):
        for seat in asked(p.s):
            look(wire.decision_to(p.top, seat, "d1", options(p.s, seat)))
        for viewer in p.viewers:
            look(wire.view_to(p.game.view(p.s, viewer)))
            for event in p.events:
                seen = event.seen_by(viewer)
                if seen is not None:
                    look(wire.event_to(seen))

    walk.hold(registered, law, rounds=2, every=5)
    assert {name for name in negative if name not in AMOUNTS} == set()


def test_setups_come_back(registered):
    game, trial = setups.game(registered), setups.trial(registered)
    wire = translator(game)
    drawn = [trial.other(FastChance(seed)) for seed in range(50)]
    for fields in [{}, *trial.usual, *drawn]:
        setup = game.setup_kind(**fields)
        assert wire.setup_from(sent(wire.setup_to(setup))) == setup


def test_results_come_back(registered):
    for seed in range(4):
        for position in walk.walk(registered, seed):
            result = position.game.result(position.s)
            if result is not None:
                assert result_from(sent(result_to(position.game, result))) == result


def test_1_7_the_parts_of_a_score_and_the_reasons_name_their_rules(registered):
    for seed in range(3):
        for position in walk.walk(registered, seed):
            game, s = position.game, position.s
            result = game.result(s)
            if result is None:
                continue
            message = result_to(game, result, game.score_lines(s))
            assert all(game.rulebook.text(reason.rule, "en") for reason in message.reasons)
            for seat in message.seats:
                assert all(game.rulebook.text(line.rule, "en") for line in seat.lines)
                assert bool(seat.lines) == seat.HasField("score")


def test_1_7_victory_points_are_the_sum_of_their_parts():
    for seed in range(3):
        for position in walk.walk("ice_garden", seed):
            result = position.game.result(position.s)
            if result is None:
                continue
            for seat, lines in enumerate(position.game.score_lines(position.s)):
                parts = [line.points for line in lines if line.id != "final_reputation"]
                assert sum(parts) == result.scores[seat]


@pytest.mark.parametrize("kind", ["Command", "Setup", "PublicView", "PrivateView", "Decision"])
def test_a_message_of_another_game_is_refused(registered, kind):
    game = setups.game(registered)
    oneof = getattr(pb, kind).DESCRIPTOR.oneofs_by_name["options" if kind == "Setup" else "game"]
    assert game.id in [field.name for field in oneof.fields]
