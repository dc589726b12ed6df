"""The options of Champions of Midgard in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from taflhall_client.terminal import champions_words as w
from taflhall_client.terminal.champions_words import name, pick
from taflhall_engine.champions.ids import NONE, STALL_1
from taflhall_engine.champions.view import PublicView
from taflhall_engine.kernel import notation
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.game import Game, View

Text = Callable[["Texts", Any], str]


class Texts:
    """Writes commands of one game, in one language, about one table (if there is one)."""

    def __init__(self, game: Game, view: View | None, language: str) -> None:
        self.game: Final = game
        public = view.public if view is not None else None
        self.public: Final = public if isinstance(public, PublicView) else None
        self.lang: Final = language

    def write(self, command: Command[Any]) -> str:
        """Return *command* in words."""
        method = getattr(self, notation.snake(type(command).__name__))
        return str(method(command))

    def say(self, en: str, de: str) -> str:
        return pick(self.lang, en, de)

    def place(self, location: int) -> str:
        """Return a worker space; a stall by its tile, if that is known."""
        if location >= STALL_1 and self.public is not None:
            tile = self.public.stalls[location - STALL_1]
            return name(self.game, "market_stall", tile, self.lang)
        return name(self.game, "location", location, self.lang)

    # ---------------------------------------------------------------- placing

    def take_leader(self, c: Any) -> str:
        return name(self.game, "leader", c.leader, self.lang)

    def take_stock(self, c: Any) -> str:
        return self.place(c.location)

    def visit_longhouse(self, c: Any) -> str:
        return self.place(4)

    def visit_market(self, c: Any) -> str:
        return self.place(5) + " ..."

    def visit_merchant_ship(self, c: Any) -> str:
        return self.place(6)

    def visit_runesmith(self, c: Any) -> str:
        rune = name(self.game, "rune", c.rune, self.lang)
        if c.rune == NONE:
            rune = self.say("top card of the deck", "oberste Karte vom Stapel")
        return f"{self.place(7)}: {rune}"

    def visit_sages_hut(self, c: Any) -> str:
        look = self.say(f"look at shore {c.shore}", f"Küste {c.shore} ansehen")
        return f"{self.place(8)}: {look}"

    def visit_shipwright(self, c: Any) -> str:
        return f"{self.place(9)}: {name(self.game, 'private_longship', c.ship, self.lang)}"

    def visit_stave_church(self, c: Any) -> str:
        return f"{self.place(10)}: {w.good(c.coins, 2, self.lang)}"

    def visit_worker_huts(self, c: Any) -> str:
        return self.place(11)

    def visit_hunting_grounds(self, c: Any) -> str:
        return self.place(12)

    def reserve_fight(self, c: Any) -> str:
        return self.place(c.location)

    def sail(self, c: Any) -> str:
        return f"{self.place(c.location)}: {w.POSTS[self.lang][c.shore + 2]}"

    def beg(self, c: Any) -> str:
        return self.place(19)

    def visit_stall(self, c: Any) -> str:
        return self.place(c.location)

    def swap_warriors(self, c: Any) -> str:
        swap = w.change([c.swordsmen, c.spearmen, c.axemen], w.WARRIORS[self.lang])
        return f"{self.place(c.location)}: {swap}"

    def exchange_goods(self, c: Any) -> str:
        good = w.GOODS[self.lang][c.good]
        if c.amount == 0:
            return self.say(f"leave {good} alone", f"{good} nicht anrühren")
        verb = self.say("take", "nimm") if c.amount > 0 else self.say("give", "gib")
        return f"{verb} {abs(c.amount)} {good}"

    # ---------------------------------------------------------------- cards

    def use_true_vision(self, c: Any) -> str:
        return self._rune(c, 8)

    def use_glory_rune(self, c: Any) -> str:
        return self._rune(c, 1)

    def use_journey_rune(self, c: Any) -> str:
        return self._rune(c, 3)

    def _rune(self, c: Any, rune: int) -> str:
        which = name(self.game, "rune", rune, self.lang)
        return self.say(f"use {which}", f"{which} nutzen") if c.use else self._nothing(which)

    def _nothing(self, which: str) -> str:
        return self.say(f"do not use {which}", f"{which} nicht nutzen")

    def keep_card(self, c: Any) -> str:
        return self.destiny(c.destiny)

    def destiny(self, destiny: int) -> str:
        """Return a destiny with what it is about and what it scores."""
        components: Any = getattr(self.game, "components")  # noqa: B009
        what = w.METRICS[self.lang][components.metric[destiny]]
        most = self.say("most", "am meisten")
        scores = f"{components.exclusive[destiny]}/{components.shared[destiny]}"
        return f"{name(self.game, 'destiny', destiny, self.lang)} ({most} {what}, {scores})"

    def activate_rune(self, c: Any) -> str:
        which = name(self.game, "rune", c.rune, self.lang)
        return self.say(f"rune {which}", f"Rune {which}")

    def activate_gifts(self, c: Any) -> str:
        goods = w.amounts(c.food, c.wood, c.coins, self.lang)
        return f"{name(self.game, 'rune', 0, self.lang)}: {goods}"

    def activate_success(self, c: Any) -> str:
        return f"{name(self.game, 'rune', 7, self.lang)}: {self.destiny(c.destiny)}"

    def finish_runes(self, c: Any) -> str:
        return self.say("no further rune", "keine weitere Rune")

    # ---------------------------------------------------------------- warriors

    def keep(self, c: Any) -> str:
        kept = w.warriors([c.swordsmen, c.spearmen, c.axemen], self.lang)
        return self.say(f"keep {kept}", f"behalte {kept}")

    def send_warriors(self, c: Any) -> str:
        who = w.WARRIORS[self.lang][c.warrior]
        return f"{w.POSTS[self.lang][c.post]}: {c.count} {who}"

    def load_food(self, c: Any) -> str:
        return f"{w.POSTS[self.lang][c.post]}: {c.count} {w.GOODS[self.lang][0]}"

    def stand(self, c: Any) -> str:
        return self.say("let the dice stand", "Würfel liegen lassen")

    def pick_die(self, c: Any) -> str:
        die = f"{w.ONE_WARRIOR[self.lang][c.warrior]} {w.FACES[self.lang][c.face]}"
        return self.say(f"reroll: {die}", f"neu würfeln: {die}")

    def reroll(self, c: Any) -> str:
        return self.say("spend 1 favour and reroll", "1 Gunst ausgeben und neu würfeln")

    def use_potential(self, c: Any) -> str:
        return self.activate_rune(_Rune(5))

    def use_reaction(self, c: Any) -> str:
        return self.activate_rune(_Rune(6))

    def use_healing(self, c: Any) -> str:
        return self.activate_rune(_Rune(2))

    def lose(self, c: Any) -> str:
        lost = w.warriors([c.swordsmen, c.spearmen, c.axemen], self.lang)
        return self.say(f"lose {lost}", f"verliere {lost}")

    def starve(self, c: Any) -> str:
        return self.lose(c)

    def lose_on_board(self, c: Any) -> str:
        parts = []
        if c.food:
            parts.append(f"{c.food} {w.GOODS[self.lang][0]}")
        if c.swordsmen or c.spearmen or c.axemen:
            parts.append(w.warriors([c.swordsmen, c.spearmen, c.axemen], self.lang))
        lost = ", ".join(parts)
        return self.say(f"lose {lost}", f"verliere {lost}")

    def blame(self, c: Any) -> str:
        own = self.say("put back 1 blame", "1 Schuld abwerfen")
        keep = self.say("put back nothing", "nichts abwerfen")
        nobody = self.say("accuse nobody", "niemanden beschuldigen")
        who = w.seat(c.target, self.lang)
        accuse = self.say(f"accuse {who}", f"{who} beschuldigen")
        return f"{own if c.discard else keep}, {nobody if c.target == NONE else accuse}"


class _Rune:
    """Stands for the use of a bound rune."""

    def __init__(self, rune: int) -> None:
        self.rune: Final = rune
