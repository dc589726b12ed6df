"""The encoder writes what reflection over the descriptors says."""

import random

import pytest

from taflhall.v1 import table_pb2 as pb
from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import Answered, asked, options
from taflhall_wire.encoder import IdentityMemo, ValueEncoder
from taflhall_wire.field_bytes import NumberField
from taflhall_wire.mapping import ValueReader
from taflhall_wire.translate import translator
from tests.engine.every_game import setups, walk
from tests.engine.every_game.reflection import Reflection


def messages_of(game):
    return ValueReader(game).messages


@pytest.mark.skipif(COMPILED, reason="compiled classes refuse fields of another type, or none")
def test_every_class_of_value_is_written_as_reflection_says(registered):
    game = setups.game(registered)
    messages = messages_of(game)
    reflection, encoder = Reflection(game, messages), ValueEncoder(game, messages)
    rng = random.Random(1)
    for name in sorted(messages.keys() & game.types.keys()):
        for _ in range(20):
            value = reflection.any_value(name, rng)
            message = reflection.message(value)
            assert type(message).FromString(encoder.encode(value)) == message, name


def test_long_random_matches_are_written_as_reflection_says(registered):
    game = setups.game(registered)
    messages, wire = messages_of(game), translator(game)
    reflection = Reflection(game, messages)

    def law(p):
        for seat in asked(p.s):
            listed, kind = options(p.s, seat), in_game("Decision", p.top)
            decision = pb.Decision(id="17-x", seat=seat, rule=p.top.RULE, **kind)
            for command in listed:
                in_full = pb.Command(**in_game("Command", command))
                decision.options.add(command=in_full, rule=command.RULE)
            assert wire.decision_to(p.top, seat, "17-x", listed) == decision
        for viewer in p.viewers:
            view = p.game.view(p.s, viewer)
            message = wire.view_to(view)
            assert getattr(message.shared, game.id) == reflection.message(view.public)
            assert getattr(message.own, game.id) == reflection.message(view.private)
            assert message.HasField("seat") == (viewer >= 0)
            assert not message.HasField("seat") or message.seat == viewer
        for event in p.events:
            if type(event).__name__ in messages:
                assert wire.event_to(event) == pb.Event(**in_game("Event", event))

    def in_game(group, value):
        return {game.id: reflection.one_of(group, value)}

    walk.hold(registered, law, rounds=2, every=5)


def test_an_answered_event_has_its_command(registered):
    game = setups.game(registered)
    wire = translator(game)
    for position in walk.walk(registered, 1):
        (seat, *_) = asked(position.s)
        command = options(position.s, seat)[0]
        event = Answered(command.RULE, seat, command, forced=True, secret=True)
        answered = wire.event_to(event).answered
        assert (answered.rule, answered.seat) == (command.RULE, seat)
        assert answered.forced
        assert answered.secret
        assert answered.command == wire.command_to(command)
        break


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1])
def test_a_number_that_does_not_fit_its_field_is_refused(number):
    with pytest.raises(ValueError, match="does not fit"):
        NumberField(1)[number]


def test_what_is_remembered_of_an_object_is_that_of_no_other():
    made = []

    def encode(key):
        made.append(key)
        return bytes(key)

    memo = IdentityMemo(encode, size=2)
    one, two, three = [1], [2], [3]
    assert [memo(key) for key in (one, one, two, three, one)] == [
        b"\1",
        b"\1",
        b"\2",
        b"\3",
        b"\1",
    ]
    assert made == [one, two, three, one]
