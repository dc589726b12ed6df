"""The command line of those who sit at a table together: undo, consent, abandon, deputies."""

import re
from itertools import islice

import pytest

from taflhall_client import bots, sync
from taflhall_client.bots.random import Random
from tests.waiting import block


class Yes:
    """A client of the server, and a match of Champions of Midgard that two people play."""

    def __init__(self, client, people=2):
        self.client = client
        self.match = client.create("champions", {"seats": 2, "start_seat": 0})
        seats = [[s for s in range(2) if s % people == n] for n in range(people)]
        self.players = [self.match.join(f"Ann{n}", own) for n, own in enumerate(seats)]
        self.match.start()

    @property
    def id(self):
        return self.match.match_id

    @property
    def secrets(self):
        return [player.secret for player in self.players]

    @property
    def now(self):
        return self.match.get().match

    def quiet(self, times=1):
        """Answer so that nothing comes to light, if that is possible."""
        for _ in range(times):
            seat = self.match.get().decisions[0].seat
            player = self.players[seat % len(self.players)]
            decision = player.decision(seat)
            names = [type(option).__name__ for option in decision.options]
            player.submit(names.index("TakeStock") if "TakeStock" in names else 0, decision)


@pytest.fixture
def client(address):
    with sync.Client(address) as client:
        yield client


@pytest.fixture
def table(client):
    return Yes(client)


@pytest.fixture
def brief(monkeypatch):
    """End a person's session after that many updates; otherwise it would wait for the others."""
    following = sync.Match.watch

    def leave_after(updates):
        monkeypatch.setattr(
            sync.Match, "watch", lambda *a, **kw: islice(following(*a, **kw), updates)
        )

    return leave_after


def test_an_undo_is_proposed_and_agreed_to(taflhall, address, table):
    table.quiet(3)
    seat = 1 - table.match.get().decisions[0].seat
    before = table.now.revision
    ran = taflhall("match", "undo", address, table.id, "--secret", table.secrets[seat])
    assert ran.status == 0
    assert f"Ann{seat} proposes to go back to revision {before - 1}" in ran.out
    assert f"still to agree: Ann{1 - seat}" in ran.out
    assert ran.lines[-1] == f"status   playing, revision {before}"
    shown = taflhall("match", "show", address, table.id).out
    [number] = re.findall(r"^proposal (\S+)$", shown, re.MULTILINE)
    own = ("--secret", table.secrets[1 - seat])
    refused = taflhall("match", "respond", address, table.id, *own, "--refuse")
    assert refused.lines == [f"status   playing, revision {before}"]
    again = taflhall("match", "respond", address, table.id, *own, "--proposal", number)
    assert (again.status, "NO_SUCH_PROPOSAL" in again.err) == (3, True)
    args = ("match", "undo", address, table.id, "--secret", table.secrets[seat])
    german = taflhall(*args, "--to", before - 1, "--language", "de")
    assert f"Ann{seat} schlägt vor, auf Stand {before - 1} zurückzugehen" in german.out
    agreed = taflhall("match", "respond", address, table.id, *own)
    assert agreed.lines == [f"status   playing, revision {before + 1}"]


def test_an_impossible_undo_is_explained(taflhall, address, table):
    ran = taflhall("match", "undo", address, table.id, "--secret", table.secrets[0])
    assert ran.status == 3
    assert "NOTHING_TO_UNDO" in ran.err
    args = ("--secret", table.secrets[0], "--language", "de")
    german = taflhall("match", "undo", address, table.id, *args)
    assert "es gibt nichts zurückzunehmen" in german.err


def test_players_abandon_a_match_together(taflhall, address, table):
    ran = taflhall("match", "abandon", address, table.id, "--secret", table.secrets[0])
    assert "Ann0 proposes to abandon the match" in ran.out
    ran = taflhall("match", "respond", address, table.id, "--secret", table.secrets[1])
    assert "status   abandoned" in ran.out
    listed = taflhall("match", "list", address, "--status", "abandoned")
    assert table.id in listed.out
    shown = taflhall("match", "show", address, table.id).out
    assert "result   reason: the match was abandoned" in shown
    assert "loses" not in shown
    record = taflhall("record", "export", address, table.id)
    assert '[0, "abandon"]' in record.out
    watched = taflhall("watch", address, table.id)
    assert (watched.status, "reason: the match was abandoned" in watched.out) == (0, True)


def test_a_record_with_an_undo_is_verified(taflhall, address, client, tmp_path):
    table = Yes(client, people=1)
    table.quiet(3)
    taflhall("match", "undo", address, table.id, "--secret", table.secrets[0], "--seat", 0)
    table.quiet(2)
    taflhall("match", "abandon", address, table.id, "--secret", table.secrets[0])
    file = tmp_path / "record.json"
    taflhall("record", "export", address, table.id, "--out", file)
    text = file.read_text("utf-8")
    assert '[0, "undo 1"]' in text
    ran = taflhall("verify", file)
    assert ran.status == 0
    assert ran.lines[-1].endswith("won by nobody (abandoned)")
    file.write_text(text.replace('"undo 1"', '"undo 2"'), "utf-8")
    assert taflhall("verify", file).status == 1


def test_a_player_leaves_before_the_start(taflhall, address, client):
    match = client.create("champions", {"seats": 2})
    ann = match.join("Ann")
    ran = taflhall("match", "leave", address, match.match_id, "--secret", ann.secret)
    assert ran.lines == ["seat 0   free", "seat 1   free"], ran.err
    args = ("match", "abandon", address, match.match_id, "--secret", match.secret)
    assert taflhall(*args).lines[-1] == "status   abandoned, revision 0"
    assert match.match_id not in taflhall("match", "list", address).out


def test_a_seat_is_delegated_and_reclaimed(taflhall, address, table, brief):
    seat = table.match.get().decisions[0].seat
    args = (address, table.id, "--secret", table.secrets[seat])
    ran = taflhall("match", "delegate", *args, "--name", "Robo", "--bot")
    [secret] = re.findall(r"^secret (\S+)$", ran.out, re.MULTILINE)
    assert "Robo (bot, deputy)" in taflhall("match", "show", address, table.id).out
    brief(2)
    ran = taflhall("play", address, table.id, "--secret", secret, typed=("1", "q"))
    assert "Robo: " in ran.out
    back = taflhall("match", "reclaim", *args)
    assert back.lines[seat] == f"seat {seat}   Ann{seat}"
    ran = taflhall("play", address, table.id, "--secret", secret)
    assert (ran.status, "SECRET_INVALID" in ran.err) == (3, True)


def test_a_leaked_secret_is_replaced(taflhall, address, table, monkeypatch):
    monkeypatch.setenv("TAFLHALL_ADDRESS", address)
    leaked = table.secrets[0]
    args = ("match", "delegate", table.id, "--permanent", "--name", "Ann0")
    ran = taflhall(*args, "--secret", leaked)
    [secret] = re.findall(r"^secret (\S+)$", ran.out, re.MULTILINE)
    assert taflhall("match", "undo", table.id, "--secret", leaked).status == 3
    assert "SECRET_INVALID" in taflhall("match", "show", table.id, "--secret", leaked).err
    assert taflhall("match", "show", table.id, "--secret", secret).status == 0


# ---------------------------------------------------------------- at the table


def test_a_person_takes_an_answer_back_against_bots(taflhall, quay):
    here = ("play", "--local", "champions", "--seats", "2", "--setup", "start_seat=0")
    ran = taflhall(*here, "--bot", "random", typed=("undo", "1", "?", "q"))
    assert "nothing can be taken back" in ran.out
    assert "take your latest answer back" in ran.out
    alone = ("play", "--local", "champions", "--seats", "2", "--seat", "0", "--seat", "1")
    ran = taflhall(*alone, typed=("", "1", "", "undo", "undo", "q"))
    assert "nothing can be taken back" in ran.out
    assert "you (0)" in taflhall(*alone, typed=("", "1", "", "q")).out


def test_two_at_one_screen_take_answers_back(taflhall):
    here = ("play", "--local", "champions", "--seats", "2", "--setup", "start_seat=0")
    mine = ("--seat", "0", "--seat", "1")
    typed = ("", "1", "", "1", "", "1", "", "beg", "", "undo", "q")
    ran = taflhall(*here, *mine, typed=typed)
    assert "2 answers are taken back, as you (0) proposed" in ran.out
    german = taflhall(*here, *mine, "--language", "de", typed=typed)
    assert "2 Antworten werden zurückgenommen, wie du (0) vorgeschlagen hat" in german.out


def test_a_person_is_asked_and_agrees(taflhall, address, table, brief):
    table.quiet(3)
    seat = 1 - table.match.get().decisions[0].seat
    before = table.now.revision
    table.players[seat].undo()
    own = table.secrets[1 - seat]
    ran = taflhall("play", address, table.id, "--secret", own, typed=("what", "n", "q"))
    assert "do you agree? y/n" in ran.out
    assert table.now.proposal is None
    table.players[seat].undo()
    brief(1)
    german = taflhall("play", address, table.id, "--secret", own, "--language", "de", typed=("j",))
    assert "bist du einverstanden?" in german.out
    assert table.now.revision == before + 1


def test_a_person_at_a_hosted_table_asks_for_an_undo(taflhall, address, client, brief):
    table = Yes(client, people=1)
    table.quiet(2)
    seat = table.match.get().decisions[0].seat
    before = table.now.revision
    args = ("play", address, table.id, "--secret", table.secrets[0])
    ran = taflhall(*args, "--seat", 0, "--seat", 1, typed=("", "undo", "q"))
    assert "is the earliest revision" in ran.out
    table.quiet(2)
    assert table.match.get().decisions[0].seat == seat
    mine = ("--seat", 0, "--seat", 1)
    brief(2)
    ran = taflhall(*args, *mine, typed=("", "undo", "", "q"))
    assert "2 answers are taken back, as Ann0 proposed" in ran.out
    assert table.now.revision == before + 3
    ran = taflhall(*args, *mine, "--language", "de", typed=("", "abandon"))
    assert "Die Partie wird abgebrochen" in ran.out
    assert table.now.finished


def test_a_bot_plays_for_a_person_until_the_seat_is_reclaimed(
    taflhall, address, client, monkeypatch
):
    """Ctrl-C takes the seat back; here it is pressed as soon as the bot has answered."""
    match = client.create("yggdrasil", {"seats": 1}, start_when_full=True)
    player = match.join("Ann")
    following = sync.Match.watch
    pressed: list[int] = []

    def watch(self, **fields):
        for update in following(self, **fields):
            if update.events and not pressed:
                pressed.append(update.revision)
                raise KeyboardInterrupt
            yield update

    monkeypatch.setattr(sync.Match, "watch", watch)
    monkeypatch.setattr(bots, "best", lambda game: Slow(Random(game)))
    ran = taflhall(
        "play", address, match.match_id, "--secret", player.secret, typed=("bot nobody", "bot", "q")
    )
    assert "Ann's bot plays for you" in ran.out
    assert "nobody" in ran.out
    assert "you play again yourself" in ran.out
    assert pressed
    assert not match.get().match.seats[0].deputy


class Slow:
    """A bot that answers once, and then thinks for long."""

    def __init__(self, bot):
        self._bot = bot
        self._answers = 0

    def choose(self, view, decision):
        self._answers += 1
        if self._answers > 1:
            block(1.0)
        return self._bot.choose(view, decision)
