"""What is typed before a decision is drawn never answers it."""

from taflhall_client.terminal.play.input_line import PAUSE_SECONDS, InputLine


def typed(line, text, time):
    for character in text:
        line.type(character, time)


def test_what_is_typed_after_the_decision_is_drawn_counts():
    line = InputLine()
    line.show("7")
    line.drawn("7", 1.0)
    typed(line, " 12 ", 1.5)
    assert line.take(1.6) == "12"
    assert line.text == ""


def test_what_was_typed_for_the_decision_before_is_dropped():
    line = InputLine()
    line.show("7")
    line.drawn("7", 1.0)
    typed(line, "1", 1.5)
    line.show("8")
    assert line.text == ""
    line.drawn("8", 2.0)
    assert line.take(2.1) == ""


def test_keys_that_waited_in_the_terminal_while_it_was_drawn_are_dropped():
    line = InputLine()
    line.show("7")
    typed(line, "1", 1.5)
    line.drawn("7", 2.0)
    typed(line, "2", 1.9)
    assert not line.counts(1.9)
    assert line.take(1.95) is None
    typed(line, "3", 2.1)
    assert line.take(2.2) == "3"


def test_the_same_decision_drawn_again_keeps_what_is_being_typed():
    line = InputLine()
    line.show("7")
    line.drawn("7", 1.0)
    typed(line, "1", 1.5)
    line.show("7")
    line.drawn("7", 3.0)
    typed(line, "2", 2.0)
    line.erase()
    typed(line, "4", 2.5)
    assert line.take(3.1) == "14"


def test_the_drawing_of_an_earlier_screen_does_not_count_for_the_next_decision():
    line = InputLine()
    line.show("7")
    line.show("8")
    assert not line.drawn("7", 1.0)
    typed(line, "1", 1.5)
    assert line.drawn("8", 2.0)
    assert not line.drawn("8", 3.0)
    assert line.take(3.1) == ""


def test_the_rest_of_a_line_that_was_begun_before_the_drawing_is_dropped_with_its_enter():
    line = InputLine()
    line.show("7")
    typed(line, "why ", 1.9)
    line.drawn("7", 2.0)
    typed(line, "1", 2.1)
    assert line.text == ""
    assert line.take(2.5) is None
    typed(line, "2", 2.6)
    assert line.take(2.7) == "2"


def test_the_rest_of_a_line_that_was_typed_for_the_decision_before_is_dropped_too():
    line = InputLine()
    line.show("7")
    line.drawn("7", 1.0)
    typed(line, "why ", 1.5)
    line.show("8")
    line.drawn("8", 1.6)
    typed(line, "1", 1.7)
    assert line.take(1.8) is None


def test_the_rest_of_a_line_whose_beginning_the_terminal_lost_is_dropped():
    line = InputLine()
    line.show("7")
    line.drawn("7", 1.0)
    line.drop(1.0)
    typed(line, "1", 1.1)
    assert line.take(1.2) is None


def test_after_a_pause_another_line_begins_which_counts():
    line = InputLine()
    line.show("7")
    typed(line, "9", 1.9)
    line.drawn("7", 2.0)
    typed(line, "1", 1.9 + PAUSE_SECONDS)
    assert line.take(2.5) == "1"
