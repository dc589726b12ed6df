"""What the compiler makes of the classes of the engine."""

import importlib
import pkgutil
import weakref
from collections.abc import Iterator

import pytest

import taflhall_engine
from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import NOT_OFFERED, IllegalCommand
from tests.engine.toy import rules

pytestmark = pytest.mark.skipif(not COMPILED, reason="about compiled classes")


def test_no_compiled_object_can_be_weakly_referenced():
    """mypyc frees an object without telling those who refer to it weakly: see hatch_build.py."""
    kinds = list(compiled_classes())
    assert len(kinds) > 300
    assert [kind for kind in kinds if kind.__weakrefoffset__] == []


@pytest.mark.parametrize("one", [rules.Bid(3), rules.ThrowOne(0), IllegalCommand(NOT_OFFERED)])
def test_a_weak_reference_is_refused(one):
    with pytest.raises(TypeError, match="weak reference"):
        weakref.ref(one)


def compiled_classes() -> Iterator[type]:
    for found in pkgutil.walk_packages(taflhall_engine.__path__, "taflhall_engine."):
        module = importlib.import_module(found.name)
        for kind in vars(module).values():
            own = isinstance(kind, type) and kind.__module__ == module.__name__
            if own and "__mypyc_attrs__" in vars(kind):
                yield kind
