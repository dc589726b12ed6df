"""The table of Champions of Midgard drawn in a terminal.

From top to bottom: the worker spaces, the enemies with who is sent against them, the seats,
what only the viewer knows, and the roll or the final score if there is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from taflhall_client.terminal import champions_words as w
from taflhall_client.terminal.champions_events import event_text
from taflhall_client.terminal.champions_options import Texts
from taflhall_client.terminal.champions_words import name, names, pick
from taflhall_engine.champions.ids import (
    BEG,
    HUNTING_GROUNDS,
    LOCATION_COUNT,
    NONE,
    ROUNDS,
    SHIP_PRIVATE,
    SHORE_0,
    STALL_1,
    TROLL_SPACE,
)
from taflhall_engine.champions.view import PrivateView, PublicView
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.game import Game, View

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

__all__ = ["draw", "event_text", "option_text"]

COLUMNS: Final = 3
STYLES: Final = ["yellow", "red", "blue", "white"]


def option_text(game: Game, view: View, command: Command[Any], language: str) -> str:
    """Return an option in words."""
    return Texts(game, view, language).write(command)


def draw(game: Game, view: View, language: str) -> RenderableType:
    """Return the table as *view* shows it."""
    from rich.console import Group

    return Group(*Drawing(game, view, language).parts())


class Drawing:
    """Draws one view."""

    def __init__(self, game: Game, view: View, language: str) -> None:
        public, private = view.public, view.private
        assert isinstance(public, PublicView)
        assert isinstance(private, PrivateView)
        self.game: Final = game
        self.components: Final[Any] = getattr(game, "components")  # noqa: B009
        self.p: Final = public
        self.own: Final = private
        self.seat: Final = view.seat
        self.lang: Final = language
        self.texts: Final = Texts(game, view, language)

    def parts(self) -> list[Any]:
        """Return what is drawn, from top to bottom."""
        found: list[Any] = [self.places(), self.enemies(), self.seats()]
        if self.own.destinies:
            found.append(self.secrets())
        if self.p.dice:
            found.append(self.roll())
        if self.p.scores:
            found.append(self.scores())
        return found

    def say(self, en: str, de: str) -> str:
        return pick(self.lang, en, de)

    # ---------------------------------------------------------------- worker spaces

    def places(self) -> Table:
        from rich.table import Table

        seat = w.seat(self.p.marker, self.lang)
        title = self.say(
            f"round {self.p.round} of {ROUNDS}, {seat} has the marker",
            f"Runde {self.p.round} von {ROUNDS}, {seat} hat den Marker",
        )
        table = Table(title=title, show_header=False, pad_edge=False, expand=False)
        spaces = [k for k in range(LOCATION_COUNT) if self.shown(k)]
        rows = -(-len(spaces) // COLUMNS)
        for row in range(rows):
            table.add_row(*[self.space(spaces[k]) for k in range(row, len(spaces), rows)])
        return table

    def shown(self, location: int) -> bool:
        if location >= STALL_1:
            return location - STALL_1 < len(self.p.stalls)
        return location < TROLL_SPACE or location > SHIP_PRIVATE - 3

    def space(self, location: int) -> str:
        """Return a worker space: what it is, what lies there, who stands there."""
        text = self.texts.place(location)
        more = self.lying_at(location)
        if more:
            text += f" [{more}]".replace("[", "(").replace("]", ")")
        taken = self.standing_at(location)
        return f"{text} [bold]{taken}[/bold]" if taken else text

    def lying_at(self, location: int) -> str:
        p, components = self.p, self.components
        stock = [p.stock.swordsmen, p.stock.spearmen, p.stock.axemen, p.smoked_food]
        if location < len(stock):
            return str(stock[location])
        if location == 6 and p.merchant != NONE:
            return self.gain(components.merchant_gain[p.merchant])
        if location == 7:
            return names(self.game, "rune", p.rune_row, self.lang)
        if location == 9:
            return "; ".join(self.ship(ship) for ship in p.ships)
        if location == 11 and p.huts_sold < len(components.hut_price):
            return w.good(components.hut_price[p.huts_sold], 2, self.lang)
        if location >= STALL_1:
            tile = p.stalls[location - STALL_1]
            cost = components.tile_cost[tile]
            gain = self.gain(components.tile_gain[tile])
            price = w.amounts(cost[0], cost[1], cost[2], self.lang)
            return f"{price} -> {gain}" if any(cost) else gain
        return ""

    def gain(self, gain: list[int]) -> str:
        parts = []
        if any(gain[:3]):
            parts.append(w.amounts(gain[0], gain[1], gain[2], self.lang))
        if gain[3]:
            parts.append(f"{gain[3]} {self.say('favour', 'Gunst')}")
        if any(gain[4:]):
            parts.append(w.warriors(gain[4:], self.lang))
        return ", ".join(parts)

    def ship(self, ship: int) -> str:
        components = self.components
        cost = components.ship_cost[ship]
        which = name(self.game, "private_longship", ship, self.lang)
        goods = w.amounts(cost[0], cost[1], cost[2], self.lang)
        return f"{which} {components.ship_capacity[ship]}/{components.ship_glory[ship]}: {goods}"

    def standing_at(self, location: int) -> str:
        p = self.p
        if location == HUNTING_GROUNDS:
            there = [k for k, seat in enumerate(p.seats) if seat.hunters]
        elif location == BEG:
            there = [k for k, seat in enumerate(p.seats) if seat.beggars]
        elif location == SHIP_PRIVATE:
            there = [post.seat for post in p.posts if post.location == SHIP_PRIVATE]
        else:
            there = [p.workers_at[location]] if p.workers_at[location] != NONE else []
        return ", ".join(w.seat(seat, self.lang) for seat in there)

    # ---------------------------------------------------------------- enemies

    def enemies(self) -> Table:
        from rich.table import Table

        table = Table(pad_edge=False)
        for head in (
            "",
            self.say("enemy", "Gegner"),
            self.say("attack", "Schaden"),
            self.say("defence", "Verteidigung"),
            self.say("reward", "Belohnung"),
            self.say("bans", "verbietet"),
            self.say("journey", "Reise"),
            self.say("sent", "entsandt"),
        ):
            table.add_column(head)
        for post in range(len(self.p.posts)):
            table.add_row(*self.enemy(post))
        return table

    def enemy(self, post: int) -> list[str]:
        p, components = self.p, self.components
        kind = 0 if post == 0 else 1 if post < SHORE_0 + 1 else 2
        card = [p.troll, *p.draugr, *p.monsters][post]
        where = w.POSTS[self.lang][post]
        there = p.posts[post]
        sent = "" if there.seat == NONE else self.sent(there)
        journey = self.journey(post - SHORE_0 - 1) if kind == 2 else ""
        if card == NONE:
            return [where, "-", "", "", "", "", journey, sent]
        k = card + components.first[kind]
        style = STYLES[components.color[k]]
        enemy = f"[{style}]{name(self.game, w.KINDS[kind], card, self.lang)}[/{style}]"
        color = w.COLORS[self.lang][components.color[k]]
        bans = [w.ONE_WARRIOR[self.lang][t] for t in range(3) if components.bans[k] >> t & 1]
        return [
            where,
            f"{enemy} ({color})",
            str(components.attack[k]),
            str(components.defence[k]),
            self.reward(k, p.bounties[post - SHORE_0 - 1] if kind == 2 else 0),
            ", ".join(bans),
            journey,
            sent,
        ]

    def reward(self, enemy: int, bounty: int) -> str:
        components = self.components
        parts = [f"{components.glory[enemy]} {self.say('glory', 'Ruhm')}"]
        if components.coins[enemy] or bounty:
            extra = f"+{bounty}" if bounty else ""
            parts.append(f"{components.coins[enemy]}{extra} {w.GOODS[self.lang][2]}")
        if components.favour[enemy]:
            parts.append(f"{components.favour[enemy]} {self.say('favour', 'Gunst')}")
        return ", ".join(parts)

    def journey(self, shore: int) -> str:
        """Return how far a shore is and what is known of its journey."""
        near = shore + 1 in self.components.near[self.p.near_shores]
        far = self.say("near", "nah") if near else self.say("far", "fern")
        space = self.p.journey_spaces[shore]
        if space.face_down:
            known = self.own.known[shore] if self.own.known else NONE
            hidden = f"({name(self.game, 'journey', known, self.lang)})"
            return f"{far} {hidden if known != NONE else '?'}"
        return f"{far} {name(self.game, 'journey', space.journey, self.lang)}"

    def sent(self, there: Any) -> str:
        food = f" + {there.food} {w.GOODS[self.lang][0]}" if there.food else ""
        return f"{w.seat(there.seat, self.lang)}: {w.crew(there.crew)}{food}"

    # ---------------------------------------------------------------- seats

    def seats(self) -> Table:
        from rich.table import Table

        table = Table(pad_edge=False)
        heads = ["", *(w.seat(k, self.lang) for k in range(len(self.p.seats)))]
        for k, head in enumerate(heads):
            table.add_column(f"[reverse]{head}[/reverse]" if k - 1 == self.seat else head)
        for label, values in self.rows():
            table.add_row(label, *values)
        return table

    def rows(self) -> list[tuple[str, list[str]]]:
        p, say = self.p, self.say
        seats: list[Any] = p.seats
        return [
            (say("leader", "Anführer"), [self.leader(s.leader) for s in seats]),
            (say("glory", "Ruhm"), [str(s.glory) for s in seats]),
            (say("blame", "Schuld"), [str(s.blame) for s in seats]),
            (say("workers in hand", "Arbeiter"), [str(s.workers) for s in seats]),
            (say("sword/spear/axe", "Schwert/Speer/Axt"), [w.crew(s.owned) for s in seats]),
            (
                say("food/wood/coins", "Nahrung/Holz/Münzen"),
                [f"{s.food}/{s.wood}/{s.coins}" for s in seats],
            ),
            (say("favour", "Gunst"), [str(s.favour) for s in seats]),
            (say("runes", "Runen"), [self.runes(s) for s in seats]),
            (say("destinies", "Schicksale"), [self.destinies(s) for s in seats]),
            (say("longship", "Langschiff"), [self.own_ship(s.ship) for s in seats]),
            (say("trolls", "Trolle"), [str(s.trolls) for s in seats]),
            (say("draugr y/r/b", "Draugr g/r/b"), [self.colors(s.draugr) for s in seats]),
            (say("monsters y/r/b", "Monster g/r/b"), [self.colors(s.monsters) for s in seats]),
        ]

    def leader(self, leader: int) -> str:
        return name(self.game, "leader", leader, self.lang)

    def runes(self, seat: Any) -> str:
        used = names(self.game, "rune", seat.runes_used, self.lang)
        unused = names(self.game, "rune", seat.runes, self.lang)
        return f"{unused} ({used})" if seat.runes_used else unused

    def destinies(self, seat: Any) -> str:
        shown = names(self.game, "destiny", seat.destinies_shown, self.lang)
        return (
            f"{seat.destiny_count} ({shown})" if seat.destinies_shown else f"{seat.destiny_count}"
        )

    def own_ship(self, ship: int) -> str:
        if ship == NONE:
            return "-"
        which = name(self.game, "private_longship", ship, self.lang)
        return f"{which} ({self.components.ship_capacity[ship]})"

    def colors(self, counts: Any) -> str:
        return f"{counts.yellow}/{counts.red}/{counts.blue}"

    # ---------------------------------------------------------------- the rest

    def secrets(self) -> str:
        """Return the viewer's destinies."""
        own = "; ".join(self.texts.destiny(card) for card in self.own.destinies)
        return self.say(f"your destinies: {own}", f"deine Schicksale: {own}")

    def roll(self) -> str:
        """Return the present roll with what it has come to."""
        dice = ", ".join(
            f"{w.ONE_WARRIOR[self.lang][die.warrior]} {w.FACES[self.lang][die.face]}"
            for die in self.p.dice
        )
        damage = self.say(f"damage so far {self.p.damage}", f"Schaden bisher {self.p.damage}")
        return self.say(f"roll: {dice}; {damage}", f"Wurf: {dice}; {damage}")

    def scores(self) -> Table:
        from rich.table import Table

        heads = [
            self.say("glory", "Ruhm"),
            self.say("destinies", "Schicksale"),
            self.say("sets", "Sets"),
            self.say("runes", "Runen"),
            self.say("longship", "Langschiff"),
            self.say("favour", "Gunst"),
            self.say("coins", "Münzen"),
            self.say("blame", "Schuld"),
            self.say("total", "gesamt"),
            self.say("enemies", "Gegner"),
        ]
        table = Table("", *heads, pad_edge=False)
        for seat, score in enumerate(self.p.scores):
            table.add_row(w.seat(seat, self.lang), *[str(part) for part in score.parts()])
        return table
