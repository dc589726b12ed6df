"""The table of Champions of Midgard drawn in a terminal.

From top to bottom: the worker spaces, the enemies with the warriors sent against them, the seats,
the viewer's private information, and the roll or the final score if there is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from taflhall_engine.champions.ids import (
    BEG,
    HUNTING_GROUNDS,
    LOCATION_COUNT,
    MERCHANT_SHIP,
    METRICS,
    NONE,
    ROUNDS,
    RUNESMITH,
    SHIP_PRIVATE,
    SHIPWRIGHT,
    SHORE_0,
    STALL_1,
    TROLL_SPACE,
    WORKER_HUTS,
)
from taflhall_engine.champions.view import PrivateView, PublicView, Score
from taflhall_engine.kernel.game import View
from taflhall_engine.kernel.value import field_names
from taflhall_wire.texts import Texts

if TYPE_CHECKING:
    from rich.console import RenderableType

COLUMNS: Final = 3
STYLES: Final = ["yellow", "red", "blue", "white"]
KINDS: Final = ["troll", "draugr", "monster"]
GAINS: Final = ["food", "wood", "coins", "favour", "swordsmen", "spearmen", "axemen"]

QUIET: Final = frozenset({"JourneyDealt", "Stocked", "WorkerPlaced", "NoFight", "BountyLaid"})
"""Events that say nothing that the table or another event does not say."""


def draw(texts: Texts, view: View) -> RenderableType:
    """Return the table as *view* shows it."""
    return Group(*Drawing(texts, view).parts())


def summary(texts: Texts, view: View) -> RenderableType:
    """Return what each seat has, and the enemies, in a few lines."""
    return Group(*Drawing(texts, view).summary())


class Drawing:
    """Draws one view."""

    def __init__(self, texts: Texts, view: View) -> None:
        public, private = view.public, view.private
        assert isinstance(public, PublicView)
        assert isinstance(private, PrivateView)
        self.texts: Final = texts
        self.components: Final[Any] = getattr(texts.game, "components")  # noqa: B009
        self.p: Final = public
        self.own: Final = private
        self.viewer: Final = view.seat

    def parts(self) -> list[Any]:
        """Return the drawn parts from top to bottom."""
        found: list[Any] = [self.places(), self.enemies(), self.seats()]
        if self.own.destinies:
            found.append(self.secrets())
        if self.p.dice:
            found.append(self.roll())
        if self.p.scores:
            found.append(self.scores())
        return found

    def summary(self) -> list[Any]:
        """Return the table in short."""
        marker = self.texts.seat(self.p.marker)
        title = self.texts.words("round", round=self.p.round, rounds=ROUNDS, marker=marker)
        found: list[Any] = [Text(title, "bold")]
        if self.own.destinies:
            found.append(self.secrets())
        if self.p.dice:
            found.append(self.roll())
        found += [*self.seats_in_short(), *self.enemies_in_short()]
        return found

    def seats_in_short(self) -> list[Text]:
        """Return a line for each seat: what it has, as far as it has something."""
        found = []
        for k, seat in enumerate(self.p.seats):
            warriors = dict(zip(GAINS[4:], seat.owned.fields(), strict=True))
            goods = {good: getattr(seat, good) for good in GAINS[:4]}
            has = {"blame": seat.blame, **goods, **warriors}
            line = Text(self.texts.seat(k), "bold" if k == self.viewer else "")
            if seat.leader != NONE:
                line.append(f" ({self.texts.label('leader', seat.leader)})", "not bold")
            line.append(f": {self.texts.words('glory')} {seat.glory}", "not bold")
            line.append(f"; {self.texts.words('workers')} {seat.workers}", "not bold")
            shown = self.texts.amounts({kind: count for kind, count in has.items() if count})
            line.append(f"; {shown}", "not bold")
            for runes in (self.runes(seat), self.own_ship(seat.ship)):
                line.append("" if runes == "–" else f"; {runes}", "not bold")
            found.append(line)
        return found

    def enemies_in_short(self) -> list[Text]:
        """Return a line for each place to fight."""
        found = []
        for post in range(len(self.p.posts)):
            where, enemy, damage, defence, reward, bans, journey, sent = self.enemy(post)
            line = Text(f"{where}: ", "bold")
            line.append_text(enemy if isinstance(enemy, Text) else Text(enemy, "not bold"))
            if damage:
                line.append(f" {damage}/{defence} → {reward}", "not bold")
            for more in (bans and f"{self.texts.words('bans')} {bans}", journey, sent):
                line.append(f"; {more}" if more else "", "not bold")
            found.append(line)
        return found

    def labels(self, vocabulary: str, numbers: list[int]) -> str:
        """Return several names; a dash for none."""
        return ", ".join(self.texts.label(vocabulary, n) for n in numbers) or "–"

    # ---------------------------------------------------------------- worker spaces

    def places(self) -> Table:
        marker = self.texts.seat(self.p.marker)
        title = self.texts.words("round", round=self.p.round, rounds=ROUNDS, marker=marker)
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

    def space(self, location: int) -> Text:
        """Return a worker space with its components and workers."""
        more = self.lying_at(location)
        text = Text(f"{self.place(location)} ({more})" if more else self.place(location))
        taken = self.standing_at(location)
        return text.append(f" {taken}", "bold") if taken else text

    def place(self, location: int) -> str:
        """Return a worker space; a stall by its tile."""
        if location >= STALL_1:
            return self.texts.label("market_stall", self.p.stalls[location - STALL_1])
        return self.texts.label("location", location)

    def lying_at(self, location: int) -> str:
        p, components = self.p, self.components
        stock = [p.stock.swordsmen, p.stock.spearmen, p.stock.axemen, p.smoked_food]
        if location < len(stock):
            return str(stock[location])
        if location == MERCHANT_SHIP and p.merchant != NONE:
            return self.gain(components.merchant_gain[p.merchant])
        if location == RUNESMITH:
            return self.labels("rune", p.rune_row)
        if location == SHIPWRIGHT:
            return "; ".join(self.ship(ship) for ship in p.ships)
        if location == WORKER_HUTS and p.huts_sold < len(components.hut_price):
            return self.texts.amounts({"coins": components.hut_price[p.huts_sold]})
        if location >= STALL_1:
            tile = p.stalls[location - STALL_1]
            if components.tile_swaps[tile]:
                return self.texts.words("swap", count=components.tile_swaps[tile])
            cost = components.tile_cost[tile]
            gain = self.gain(components.tile_gain[tile])
            return f"{self.gain(cost)} → {gain}" if any(cost) else gain
        return ""

    def gain(self, gain: list[int]) -> str:
        return self.texts.amounts(dict(zip(GAINS, gain, strict=False)))

    def ship(self, ship: int) -> str:
        components = self.components
        cost = components.ship_cost[ship]
        which = self.texts.label("ship", ship)
        size = f"{components.ship_capacity[ship]}/{components.ship_glory[ship]}"
        return f"{which} {size}: {self.gain(cost)}"

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
        return ", ".join(self.texts.seat(seat) for seat in there)

    # ---------------------------------------------------------------- enemies

    def enemies(self) -> Table:
        table = Table(pad_edge=False)
        heads = ("enemy", "damage", "defence", "reward", "bans", "journey", "sent")
        for head in ("", *[self.texts.words(head) for head in heads]):
            table.add_column(head)
        for post in range(len(self.p.posts)):
            table.add_row(*self.enemy(post))
        return table

    def enemy(self, post: int) -> list[str | Text]:
        p, components = self.p, self.components
        kind = 0 if post == 0 else 1 if post < SHORE_0 + 1 else 2
        card = [p.troll, *p.draugr, *p.monsters][post]
        where = self.texts.label("post", post)
        there = p.posts[post]
        sent = "" if there.seat == NONE else self.sent(there)
        journey = self.journey(post - SHORE_0 - 1) if kind == 2 else ""
        if card == NONE:
            return [where, "–", "", "", "", "", journey, sent]
        k = card + components.first[kind]
        style = STYLES[components.color[k]]
        enemy = Text(self.texts.label(KINDS[kind], card), style)
        enemy.append(f" ({self.texts.words(f'colour_{style}')})", "default")
        bans = [self.texts.label("warrior", t) for t in range(3) if components.bans[k] >> t & 1]
        return [
            where,
            enemy,
            str(components.attack[k]),
            str(components.defence[k]),
            self.reward(k, p.bounties[post - SHORE_0 - 1] if kind == 2 else 0),
            ", ".join(bans),
            journey,
            sent,
        ]

    def reward(self, enemy: int, bounty: int) -> str:
        components = self.components
        return self.texts.amounts(
            {
                "glory": components.glory[enemy],
                "coins": components.coins[enemy] + bounty,
                "favour": components.favour[enemy],
            }
        )

    def journey(self, shore: int) -> str:
        """Return a shore's distance and the known part of its journey."""
        near = shore + 1 in self.components.near[self.p.near_shores]
        far = self.texts.words("near" if near else "far")
        space = self.p.journey_spaces[shore]
        if space.face_down:
            known = self.own.known[shore] if self.own.known else NONE
            hidden = f"({self.texts.label('journey', known)})"
            return f"{far} {hidden if known != NONE else '?'}"
        return f"{far} {self.texts.label('journey', space.journey)}"

    def sent(self, there: Any) -> str:
        food = f" + {self.texts.amounts({'food': there.food})}" if there.food else ""
        return f"{self.texts.seat(there.seat)}: {crew(there.crew)}{food}"

    # ---------------------------------------------------------------- seats

    def seats(self) -> Table:
        table = Table(pad_edge=False)
        heads = ["", *(self.texts.seat(k) for k in range(len(self.p.seats)))]
        for k, head in enumerate(heads):
            table.add_column(Text(head, "reverse" if k - 1 == self.viewer else ""))
        for label, values in self.rows():
            table.add_row(label, *values)
        return table

    def rows(self) -> list[tuple[str, list[str]]]:
        seats: list[Any] = self.p.seats
        rows: dict[str, list[str]] = {
            "leader": [self.texts.label("leader", s.leader) for s in seats],
            "glory": [str(s.glory) for s in seats],
            "blame": [str(s.blame) for s in seats],
            "workers": [str(s.workers) for s in seats],
            "warriors": [crew(s.owned) for s in seats],
            "goods": [f"{s.food}/{s.wood}/{s.coins}" for s in seats],
            "favour": [str(s.favour) for s in seats],
            "runes": [self.runes(s) for s in seats],
            "destinies": [self.destinies(s) for s in seats],
            "longship": [self.own_ship(s.ship) for s in seats],
            "trolls": [str(s.trolls) for s in seats],
            "draugr": [self.colors(s.draugr) for s in seats],
            "monsters": [self.colors(s.monsters) for s in seats],
        }
        return [(self.texts.words(row), values) for row, values in rows.items()]

    def runes(self, seat: Any) -> str:
        used = self.labels("rune", seat.runes_used)
        unused = self.labels("rune", seat.runes)
        return f"{unused} ({used})" if seat.runes_used else unused

    def destinies(self, seat: Any) -> str:
        shown = self.labels("destiny", seat.destinies_shown)
        return (
            f"{seat.destiny_count} ({shown})" if seat.destinies_shown else f"{seat.destiny_count}"
        )

    def own_ship(self, ship: int) -> str:
        if ship == NONE:
            return "–"
        which = self.texts.label("ship", ship)
        return f"{which} ({self.components.ship_capacity[ship]})"

    def colors(self, counts: Any) -> str:
        return f"{counts.yellow}/{counts.red}/{counts.blue}"

    # ---------------------------------------------------------------- the rest

    def secrets(self) -> Text:
        """Return the viewer's destinies."""
        own = "; ".join(self.destiny(card) for card in self.own.destinies)
        return Text(self.texts.words("own_destinies", own=own))

    def destiny(self, destiny: int) -> str:
        """Return a destiny with its metric and score."""
        components = self.components
        return self.texts.part(
            "destiny",
            destiny=destiny,
            metric=METRICS[components.metric[destiny]],
            exclusive=components.exclusive[destiny],
            shared=components.shared[destiny],
        )

    def roll(self) -> Text:
        """Return the current roll with its result."""
        dice = ", ".join(
            f"{self.texts.label('warrior', die.warrior)} {self.texts.label('face', die.face)}"
            for die in self.p.dice
        )
        return Text(self.texts.words("roll", dice=dice, damage=self.p.damage))

    def scores(self) -> Table:
        lines = field_names(Score)
        table = Table("", *[self.texts.score_line(line) for line in lines], pad_edge=False)
        for seat, score in enumerate(self.p.scores):
            table.add_row(self.texts.seat(seat), *[str(part) for part in score.fields()])
        return table


def crew(counts: Any) -> str:
    """Return warriors in short: swordsmen/spearmen/axemen."""
    return f"{counts.swordsmen}/{counts.spearmen}/{counts.axemen}"
