"""The conventions of the contract, held by its descriptors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor

from taflhall.v1 import table_pb2
from tests.contract.test_contract import FILES as PATHS
from tests.contract.test_contract import PROTO

FILES: list[FileDescriptor] = [
    import_module(
        file.relative_to(PROTO).as_posix().replace(".proto", "_pb2").replace("/", ".")
    ).DESCRIPTOR
    for file in PATHS
]
PACKAGES = ("taflhall.v1", "taflhall.admin.v1", "taflhall.tournament.v1")
SHARED = [file for file in FILES if file.package in PACKAGES]
METHODS = [
    method
    for file in SHARED
    for service in file.services_by_name.values()
    for method in service.methods
]
GENERAL = {"Answer", "Change", "Component", "End", "Entry", "Error", "Rule", "Status", "Undo"}
"""Words that say nothing without the message that they belong to."""


def messages(file: FileDescriptor) -> Iterator[Descriptor]:
    """Iterate over the messages of a file, nested ones and the entries of maps included."""
    waiting = list(file.message_types_by_name.values())
    while waiting:
        message = waiting.pop()
        yield message
        waiting += message.nested_types


def fields(files: list[FileDescriptor]) -> Iterator[FieldDescriptor]:
    """Iterate over the fields of all messages."""
    for file in files:
        for message in messages(file):
            yield from message.fields


def reached(message: Descriptor) -> set[str]:
    """Return the names of all messages that *message* can hold, itself included."""
    found: dict[str, Descriptor] = {}
    waiting = [message]
    while waiting:
        one = waiting.pop()
        if one.full_name not in found:
            found[one.full_name] = one
            waiting += [f.message_type for f in one.fields if f.message_type is not None]
    return {*found}


WITH_TEXT = {
    f"taflhall.v1.{name}"
    for name in (
        "Decision",
        "Event",
        "GameResult",
        "GameResult.Reason",
        "NpcResult",
        "Option",
        "Refusal",
        "ScoreLine",
        "SeatResult",
    )
}


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_1_3_requests_and_responses_are_named_as_their_method(method):
    assert method.input_type.name == f"{method.name}Request"
    assert method.output_type.name == f"{method.name}Response"


def test_1_3_no_message_has_a_general_name():
    names = {message.name for file in SHARED for message in file.message_types_by_name.values()}
    assert names & GENERAL == set()


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_1_5_a_call_whose_response_may_hold_texts_takes_a_language(method):
    if not reached(method.output_type) & WITH_TEXT:
        return
    request = method.input_type
    nested = {f.message_type for f in request.fields} - {None}
    assert any("language" in m.fields_by_name for m in (request, *nested) if m is not None)


@pytest.mark.parametrize("name", sorted(WITH_TEXT - {"taflhall.v1.GameResult"}))
def test_1_5_what_people_read_has_a_text(name):
    message: Descriptor = table_pb2.DESCRIPTOR.pool.FindMessageTypeByName(name)
    assert message.fields_by_name["text"].type == FieldDescriptor.TYPE_STRING


def test_1_5_no_field_is_of_one_language():
    assert [f.full_name for f in fields(FILES) if re.search(r"_(de|en)$", f.name)] == []


def test_1_6_an_option_names_its_rule():
    option = table_pb2.Option.DESCRIPTOR
    assert [f.name for f in option.fields] == ["command", "rule", "text"]


def test_1_7_no_comment_describes_a_number_that_packs_two_things():
    for file in FILES:
        comments = re.findall(r"//.*", _source(file))
        packed = [line for line in comments if re.search(r"\w \* \d|as bit|as bits", line)]
        assert packed == [], file.name


def test_1_8_a_reason_in_words_is_called_otherwise():
    for field in fields(SHARED):
        owner = field.containing_type
        if field.name == "reason" and field.enum_type is None and owner is not None:
            assert "metadata" in owner.fields_by_name  # as in an ErrorInfo


def test_1_9_no_field_is_named_as_its_message():
    for file in FILES:
        for message in messages(file):
            own = message.name.lower()
            assert own not in [f.name.replace("_", "") for f in message.fields], message.full_name


def test_1_10_times_and_lengths_of_time_are_timestamps_and_durations():
    for field in fields(FILES):
        assert not re.search(r"_(ms|millis|seconds|minutes)$", field.name), field.full_name
        if re.search(r"(^|_)time$", field.name):
            assert field.message_type is not None, field.full_name
            assert field.message_type.full_name == "google.protobuf.Timestamp"


def test_1_11_numbers_have_the_type_of_their_meaning():
    for field in fields(FILES):
        name = field.full_name
        if re.search(r"(^|_)revision$", field.name):
            assert field.type == FieldDescriptor.TYPE_INT32, name
        if re.search(r"(^|_)digest$", field.name):
            assert field.type == FieldDescriptor.TYPE_BYTES, name
        if field.name != "seed":  # JSON writes 64 bits as text
            assert field.cpp_type not in (
                FieldDescriptor.CPPTYPE_INT64,
                FieldDescriptor.CPPTYPE_UINT64,
            ), name


def test_1_11_no_enum_is_optional_since_unspecified_says_that_it_is_missing():
    present = [f.full_name for f in fields(FILES) if f.enum_type and not f.containing_oneof]
    optional = [
        f.full_name
        for f in fields(FILES)
        if f.enum_type and f.containing_oneof and len(f.containing_oneof.fields) == 1
    ]
    assert present
    assert optional == []


@pytest.mark.parametrize(
    "method",
    [m for m in METHODS if "page_token" in m.input_type.fields_by_name],
    ids=lambda m: m.full_name,
)
def test_1_14_pages_are_asked_for_in_one_way(method):
    assert {"page_size", "page_token"} <= {*method.input_type.fields_by_name}
    assert "next_page_token" in method.output_type.fields_by_name


def _source(file: FileDescriptor) -> str:
    return (PROTO / file.name).read_text("utf-8")
