"""A change to a shared list gives another list."""

import pytest

from taflhall_engine.kernel.shared_lists import replaced, without


def test_replacing_an_item_leaves_the_list_as_it_was():
    items = [4, 5, 6]
    assert replaced(items, 1, 9) == [4, 9, 6]
    assert items == [4, 5, 6]


def test_leaving_out_an_item_leaves_the_list_as_it_was():
    items = [4, 5, 4]
    assert without(items, 4) == [5, 4]
    assert items == [4, 5, 4]


def test_an_item_that_is_not_there_cannot_be_left_out():
    with pytest.raises(ValueError):
        without([4, 5], 6)
