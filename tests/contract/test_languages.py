"""Code for other languages can be generated: every file says how, and no two names collide."""

from importlib.resources import files
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2
from grpc_tools import protoc

PROTO = Path(__file__).parents[2] / "proto"
FILES = sorted(PROTO.rglob("*.proto"))
OPTIONS = [
    "csharp_namespace",
    "go_package",
    "java_outer_classname",
    "java_package",
    "objc_class_prefix",
    "php_namespace",
    "ruby_package",
    "swift_prefix",
]


def generate(*arguments):
    known = files("grpc_tools") / "_proto"
    names = [file.relative_to(PROTO).as_posix() for file in FILES]
    assert protoc.main(["protoc", f"-I{PROTO}", f"-I{known}", *arguments, *names]) == 0


@pytest.fixture(scope="module")
def descriptors(tmp_path_factory):
    out = tmp_path_factory.mktemp("descriptors") / "all.bin"
    generate(f"--descriptor_set_out={out}")
    return descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file


def test_every_file_has_the_options_of_every_language(descriptors):
    for file in descriptors:
        assert file.options.java_multiple_files
        assert [name for name in OPTIONS if not getattr(file.options, name)] == []


@pytest.mark.parametrize("option", OPTIONS)
def test_what_an_option_names_is_that_of_one_package(descriptors, option):
    if option == "java_outer_classname":
        names = [getattr(file.options, option) for file in descriptors]
        assert len(set(names)) == len(names)
        return
    packages: dict[str, set[str]] = {}
    for file in descriptors:
        packages.setdefault(getattr(file.options, option), set()).add(file.package)
    assert all(len(found) == 1 for found in packages.values())


def test_no_field_is_named_as_its_message(descriptors):
    """C# cannot have a property of the name of its class."""
    for file in descriptors:
        for message in file.message_type:
            for field in message.field:
                assert field.name.replace("_", "").lower() != message.name.lower()


def test_no_java_class_of_a_file_is_named_as_a_message(descriptors):
    """Kotlin and Java would write one file twice."""
    for file in descriptors:
        others = [other for other in descriptors if other.package == file.package]
        names = {m.name for other in others for m in [*other.message_type, *other.enum_type]}
        assert file.options.java_outer_classname not in names


def test_no_two_types_have_the_same_name_in_objective_c(descriptors):
    """Objective-C has no namespaces: the prefix keeps the types of two packages apart."""
    names = [
        file.options.objc_class_prefix + kind.name
        for file in descriptors
        for kind in [*file.message_type, *file.enum_type]
    ]
    assert len(set(names)) == len(names)
