"""The engine's words are the contract's words."""

import subprocess
import sys
from importlib import import_module
from importlib.resources import files

import pytest
from google.protobuf import descriptor_pb2
from google.protobuf.descriptor_pool import DescriptorPool

from taflhall.v1 import table_pb2
from taflhall_engine import registry
from tests.contract.vocabulary import differences, messages_of
from tests.engine.toy import FOLDER, QUAY

PROTO = "taflhall/quay/v1/quay.proto"


@pytest.mark.parametrize("name", list(registry.GAMES))
def test_engine_and_contract_speak_of_the_same_things(name):
    file = import_module(f"taflhall.{name}.v1.{name}_pb2").DESCRIPTOR
    assert differences(registry.game(name), file) == []


@pytest.mark.parametrize("name", list(registry.GAMES))
@pytest.mark.parametrize(
    ("message", "oneof"),
    [
        ("Setup", "options"),
        ("Command", "game"),
        ("Decision", "game"),
        ("Event", "kind"),
        ("PublicView", "game"),
        ("PrivateView", "game"),
    ],
)
def test_a_game_joins_the_contract_under_its_name(name, message, oneof):
    fields = table_pb2.DESCRIPTOR.message_types_by_name[message].oneofs_by_name[oneof].fields
    joined = {f.name: f.message_type.full_name for f in fields if f.message_type}
    assert joined[name] == f"taflhall.{name}.v1.{message}"


# ---------------------------------------------------------------- the comparison itself


@pytest.fixture(scope="module")
def quay(tmp_path_factory):
    """The toy's proto file as data."""
    out = tmp_path_factory.mktemp("quay") / "quay.bin"
    root = FOLDER / "proto"
    known = files("grpc_tools") / "_proto"
    places = [f"-I{root}", f"-I{known}", f"--descriptor_set_out={out}"]
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *places, PROTO], check=True)
    [file] = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file
    return file


def compared(file):
    pool = DescriptorPool()
    pool.Add(file)
    return differences(QUAY, pool.FindFileByName(PROTO))


def test_the_toy_speaks_as_its_contract_does(quay):
    assert compared(quay) == []
    assert len(messages_of(QUAY, [])) == 7 + 5 + 5 + 3 + 1


def message(file, name):
    return next(m for m in file.message_type if m.name == name)


def add_message(file):
    file.message_type.add(name="Jump")


def add_command(file):
    file.message_type.add(name="Jump")
    message(file, "Command").field.add(
        name="jump",
        number=99,
        type=11,
        type_name=".taflhall.quay.v1.Jump",
        label=1,
        oneof_index=0,
    )


def remove_event(file):
    fields = message(file, "Event").field
    del fields[0]


def rename_field(file):
    message(file, "Bid").field[0].name = "money"


def add_field(file):
    message(file, "Rival").field.add(name="mood", number=9, type=5, label=1)


def remove_field(file):
    del message(file, "PublicView").field[1]


def rename_word(file):
    file.enum_type[0].value[2].name = "GOOD_PELTS"


def exchange_words(file):
    values = file.enum_type[0].value
    values[1].number, values[2].number = 2, 1


def add_word(file):
    file.enum_type[0].value.add(name="GOOD_WOOD", number=5)


def exchange_messages(file):
    by_name = {f.name: f for f in message(file, "Command").field}
    one, other = by_name["pay_coin"], by_name["pay_favour"]
    one.type_name, other.type_name = other.type_name, one.type_name


def unused_enum(file):
    enum = file.enum_type.add(name="Mood")
    enum.value.add(name="MOOD_UNSPECIFIED", number=0)


def field_outside(file):
    message(file, "Command").field.add(name="note", number=98, type=9, label=1)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (add_message, "the message Jump has no class"),
        (add_command, "Command has jump, which is not a class"),
        (remove_event, "Event lacks lot_turned"),
        (rename_field, "Bid has the fields coins; its message has money"),
        (add_field, "Rival has the fields"),
        (remove_field, "PublicView has the fields"),
        (rename_word, "Good says ['amber', 'pelts', 'salt', 'fish']"),
        (exchange_words, "Good says ['furs', 'amber', 'salt', 'fish']"),
        (add_word, "Good says ['amber', 'furs', 'salt', 'fish', 'wood']"),
        (exchange_messages, "Command.pay_coin is a PayFavour, not a PayCoin"),
        (unused_enum, "the enum Mood is used nowhere"),
        (field_outside, "Command has fields outside its oneof"),
    ],
)
def test_a_change_of_the_contract_alone_is_found(change, says, quay):
    changed = descriptor_pb2.FileDescriptorProto()
    changed.CopyFrom(quay)
    change(changed)
    assert any(says in difference for difference in compared(changed)), compared(changed)


def test_a_class_without_a_message_is_found(quay):
    changed = descriptor_pb2.FileDescriptorProto()
    changed.CopyFrom(quay)
    kept = [m for m in changed.message_type if m.name != "Rival"]
    players = message(changed, "PublicView").field[5]
    players.type_name = ".taflhall.quay.v1.Keep"
    del changed.message_type[:]
    changed.message_type.extend(kept)
    assert "Rival has no message" in compared(changed)
