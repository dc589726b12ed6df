"""What happens in Champions of Midgard, in words."""

from __future__ import annotations

from typing import Any

from taflhall_client.terminal import champions_words as w
from taflhall_client.terminal.champions_options import Texts
from taflhall_client.terminal.champions_words import name
from taflhall_engine.champions.ids import KRAKEN, NONE
from taflhall_engine.kernel import notation
from taflhall_engine.kernel.agenda import Answered, Event
from taflhall_engine.kernel.game import Game


def event_text(game: Game, event: Event, language: str) -> str | None:
    """Return an event as a line, ``None`` if another line says it already."""
    texts = EventTexts(game, None, language)
    if isinstance(event, Answered):
        return None if event.command is None else texts.write(event.command)
    method = getattr(texts, "tell_" + notation.snake(type(event).__name__), None)
    if method is None:
        return None
    text = method(event)
    return None if text is None else str(text)


class EventTexts(Texts):
    """Writes events; what an answer says already is left out."""

    def who(self, e: Any) -> str:
        return w.seat(e.seat, self.lang)

    def tell_round_began(self, e: Any) -> str:
        return self.say(f"round {e.round} begins", f"Runde {e.round} beginnt")

    def tell_enemy_appeared(self, e: Any) -> str:
        return (
            f"{w.POSTS[self.lang][e.post]}: {name(self.game, w.KINDS[e.kind], e.card, self.lang)}"
        )

    def tell_merchant_arrived(self, e: Any) -> str:
        ship = name(self.game, "merchant_ship", e.merchant, self.lang)
        return self.say(f"{ship} has arrived", f"{ship} ist da")

    def tell_journeys_shuffled(self, e: Any) -> str:
        return self.say("the journeys are shuffled anew", "die Reisekarten werden neu gemischt")

    def tell_rune_turned_up(self, e: Any) -> str:
        rune = name(self.game, "rune", e.rune, self.lang)
        return self.say(f"the rune {rune} lies face up", f"die Rune {rune} liegt aus")

    def tell_leader_joined(self, e: Any) -> str:
        return f"{self.who(e)}: {name(self.game, 'leader', e.leader, self.lang)}"

    def tell_destiny_dealt(self, e: Any) -> str | None:
        if e.destiny == NONE:
            return None
        destiny = self.destiny(e.destiny)
        return self.say(f"your destiny: {destiny}", f"dein Schicksal: {destiny}")

    def tell_gained(self, e: Any) -> str | None:
        parts = w.change([e.food, e.wood, e.coins], w.GOODS[self.lang])
        rest = w.change([e.favour, e.blame, e.glory], self._tokens())
        text = ", ".join(part for part in (parts, rest) if part)
        return f"{self.who(e)}: {text}" if text else None

    def _tokens(self) -> list[str]:
        return ["Gunst", "Schuld", "Ruhm"] if self.lang == "de" else ["favour", "blame", "glory"]

    def tell_warriors_gained(self, e: Any) -> str:
        change = w.change([e.swordsmen, e.spearmen, e.axemen], w.WARRIORS[self.lang])
        return f"{self.who(e)}: {change}"

    def tell_marker_moved(self, e: Any) -> str:
        return self.say(
            f"{self.who(e)} has the start-player marker",
            f"{self.who(e)} hat den Startspielermarker",
        )

    def tell_worker_placed(self, e: Any) -> str:
        return f"{self.who(e)} -> {self.place(e.location)}"

    def tell_rune_taken(self, e: Any) -> str:
        rune = name(self.game, "rune", e.rune, self.lang)
        return self.say(f"{self.who(e)} takes {rune}", f"{self.who(e)} nimmt {rune}")

    def tell_rune_used(self, e: Any) -> str:
        rune = name(self.game, "rune", e.rune, self.lang)
        return self.say(f"{self.who(e)} uses {rune}", f"{self.who(e)} nutzt {rune}")

    def tell_journey_seen(self, e: Any) -> str:
        what = name(self.game, "journey", e.journey, self.lang)
        shore = w.POSTS[self.lang][e.shore + 2]
        seen = "" if e.journey == NONE else f": {what}"
        return self.say(f"{self.who(e)} looks at {shore}", f"{self.who(e)} sieht {shore} an") + seen

    def tell_destinies_drawn(self, e: Any) -> str:
        cards = "; ".join(self.destiny(card) for card in e.destinies)
        drawn = self.say(
            f"{self.who(e)} draws {e.count} destinies",
            f"{self.who(e)} zieht {e.count} Schicksalskarten",
        )
        return f"{drawn}: {cards}" if cards else drawn

    def tell_destiny_shown(self, e: Any) -> str:
        destiny = self.destiny(e.destiny)
        return self.say(f"{self.who(e)} shows {destiny}", f"{self.who(e)} zeigt {destiny}")

    def tell_ship_bought(self, e: Any) -> str:
        ship = name(self.game, "private_longship", e.ship, self.lang)
        return self.say(f"{self.who(e)} buys {ship}", f"{self.who(e)} kauft {ship}")

    def tell_warriors_sent(self, e: Any) -> str:
        sent = w.warriors([e.swordsmen, e.spearmen, e.axemen], self.lang)
        food = f", {e.food} {w.GOODS[self.lang][0]}" if e.food else ""
        return f"{self.who(e)} -> {w.POSTS[self.lang][e.post]}: {sent}{food}"

    def tell_rolled(self, e: Any) -> str:
        dice = " ".join(
            f"{w.LETTERS[self.lang][warrior]}:{w.DIE_FACES[face]}"
            for warrior, face in zip(e.warriors, e.faces, strict=True)
        )
        return self.say(f"{self.who(e)} rolls {dice}", f"{self.who(e)} würfelt {dice}")

    def tell_round_fought(self, e: Any) -> str:
        return self.say(
            f"{w.POSTS[self.lang][e.post]}: {e.hits} hits, {e.damage} damage, {e.losses} losses",
            f"{w.POSTS[self.lang][e.post]}: {e.hits} Treffer, {e.damage} Schaden, "
            f"{e.losses} Verluste",
        )

    def tell_fight_ended(self, e: Any) -> str:
        kind = "journey" if e.kind == KRAKEN else w.KINDS[e.kind]
        enemy = name(self.game, kind, 1 if e.kind == KRAKEN else e.card, self.lang)
        if e.won:
            return self.say(f"{self.who(e)} defeats {enemy}", f"{self.who(e)} besiegt {enemy}")
        return self.say(f"{self.who(e)} loses to {enemy}", f"{self.who(e)} verliert gegen {enemy}")

    def tell_journey_revealed(self, e: Any) -> str:
        journey = name(self.game, "journey", e.journey, self.lang)
        return f"{w.POSTS[self.lang][e.shore + 2]}: {journey}"

    def tell_cargo_lost(self, e: Any) -> str:
        return f"{w.POSTS[self.lang][e.shore + 2]}: -{e.food} {w.GOODS[self.lang][0]}"

    def tell_scored(self, e: Any) -> str:
        return self.say(f"{self.who(e)}: {e.total} points", f"{self.who(e)}: {e.total} Punkte")
