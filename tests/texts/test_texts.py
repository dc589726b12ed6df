"""How texts are found: languages, plural forms, names, and what happens without one."""

from __future__ import annotations

import pytest

from taflhall_engine import registry
from taflhall_engine.champions.events import Gained, Rolled, WarriorsGained
from taflhall_engine.champions.rules.warriors import Keep
from taflhall_engine.kernel.agenda import Answered, Refusal, Undone
from taflhall_engine.kernel.game import Fault
from taflhall_engine.kernel.texts import TextFile
from taflhall_engine.yggdrasil.events import DrawSkipped, Exchanged, VikingsLost
from taflhall_engine.yggdrasil.rules.battle import SendVikings
from taflhall_wire.texts import MissingArgument, Texts, texts_for
from taflhall_wire.texts.arguments import count
from taflhall_wire.texts.localization import Localization

CHAMPIONS = registry.game("champions")
YGGDRASIL = registry.game("yggdrasil")


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("en", "en"),
        ("de", "de"),
        ("de-AT", "de"),
        ("DE-de-1996", "de"),
        ("en-GB", "en"),
        ("fr", "en"),
        ("", "en"),
        ("not a tag", "en"),
    ],
)
def test_a_language_without_texts_falls_back_to_english(tag, language):
    assert Texts(YGGDRASIL, tag).language == language


def test_tags_of_one_language_share_their_texts():
    assert texts_for(YGGDRASIL, "de-CH") is texts_for(YGGDRASIL, "de")
    assert texts_for(YGGDRASIL, "xx-1") is texts_for(YGGDRASIL, "en")


def test_plural_forms_are_those_of_the_language():
    english, german = Texts(YGGDRASIL, "en"), Texts(YGGDRASIL, "de")
    lost = [VikingsLost("YG-5.2", 2, n) for n in (1, 2)]
    assert [english.event(event) for event in lost] == [
        "Hel takes 1 Viking from the bag of the Blue island",
        "Hel takes 2 Vikings from the bag of the Blue island",
    ]
    skipped = [DrawSkipped("YG-9.6", 0, n) for n in (1, 2)]
    assert [german.event(event) for event in skipped] == [
        "Es wird keine Feindkarte gezogen; noch 1 Zug ohne",
        "Es wird keine Feindkarte gezogen; noch 2 Züge ohne",
    ]


def test_a_third_language_needs_nothing_but_its_key():
    patterns = {
        "hits": {
            "en": "{ $n ->\n    [one] { $n } hit\n   *[other] { $n } hits\n}",
            "fr": "{ $n ->\n    [one] { $n } coup\n   *[other] { $n } coups\n}",
        },
        "only_english": {"en": "{ $n ->\n    [one] { $n } hit\n   *[other] { $n } hits\n}"},
    }
    french = Localization(TextFile(patterns, {}, {}, {}), "fr", CHAMPIONS.catalog)
    assert [french.format("hits", {"n": count(n)}) for n in (0, 1, 2)] == [
        "0 coup",
        "1 coup",
        "2 coups",
    ]
    assert french.format("only_english", {"n": count(0)}) == "0 hits"


def test_an_argument_that_is_missing_is_shown_by_its_name_or_refused():
    file = TextFile({"who": {"en": "{ $who } wins"}}, {}, {}, {})
    english = Localization(file, "en", YGGDRASIL.catalog)
    assert english.format("who", {}) == "who wins"
    with pytest.raises(MissingArgument, match="who"):
        english.format("who", {}, strict=True)


def test_seats_have_the_names_of_those_who_sit_there():
    texts = Texts(YGGDRASIL, "de", ["Ann", ""])
    assert (texts.seat(0), texts.seat(1), texts.seat(2)) == ("Ann", "Platz 1", "Platz 2")
    exchanged = Exchanged("YG-7.5", 0, 1, 2, 0, 0, 1)
    assert texts.event(exchanged) == "Ann gibt an Platz 1: 2 Wikinger; nimmt: 1 Elf"


def test_amounts_are_listed_without_what_there_is_none_of():
    texts = Texts(CHAMPIONS, "en")
    gained = Gained("CM-5.12", 0, 2, 0, -1, 0, 0, 3)
    assert texts.event(gained) == "Seat 0 pays 1 coin and gains 2 food, 3 glory"
    assert (
        texts.event(WarriorsGained("CM-8.7", 1, -1, 0, -2)) == "Seat 1 loses 1 swordsman, 2 axemen"
    )
    assert texts.option(Keep(0, 0, 0)) == "keep nobody"
    assert texts.event(Rolled("CM-8.2", 0, [0, 0, 1], [0, 2, 0], [])) == (
        "Seat 0 rolls 2 blanks, 1 double hit"
    )
    assert texts.amounts({}) == "nothing"


def test_the_text_of_an_answer_names_its_seat_and_hides_a_hidden_answer():
    texts = Texts(YGGDRASIL, "en", ["Ann"])
    event = Answered("YG-8.2", 0, SendVikings(3), False, False)
    assert texts.event(event) == "Ann: 3 Vikings"
    assert texts.event(Answered("", 0, None, False, True)) == "Ann has decided"
    assert texts.event(Undone("", 0, 2)) == "2 answers are taken back, as Ann proposed"


def test_a_refusal_that_a_newer_server_gives_is_shown_by_its_code():
    assert Texts(YGGDRASIL).refusal(Refusal("YG-6.2", "moon_eclipsed")) == "moon eclipsed"


def test_what_was_found_may_be_long():
    fault = Fault("seats", "out_of_range", "9" * 10_000)
    text = Texts(YGGDRASIL, strict=True).fault(fault)
    assert text.startswith("there are 1 to 6 seats, found 999")
    assert text.endswith("9…")


def test_a_label_of_nothing_is_a_dash():
    texts = Texts(CHAMPIONS, "de")
    assert texts.label("rune", 8) == "Durchblick"
    assert texts.label("rune", -1) == "–"
    assert texts.title() == "Champions of Midgard"
    assert texts.component(CHAMPIONS.catalog[-1])
    assert texts.rule("CM-5.2") != texts_for(CHAMPIONS, "en").rule("CM-5.2")
