"""The table of a match of The Lord of the Ice Garden."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.ice_garden.components import Components
from taflhall_engine.ice_garden.ids import FACTION_COUNT, NONE, OFF
from taflhall_engine.kernel.agenda import Command, Event, Step, Table
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.value import Value


@final
class MatchOptions(Value):
    """IG-1.5 The options fixed when the match is created."""

    def __init__(
        self,
        edition: int,
        order_tokens: bool,
        vuko_tiles: int,
        solo_level: int,
        factions: list[int],
        npc: int,
        layout: list[int],
        sides: list[int],
    ) -> None:
        self.edition: Final = edition
        self.order_tokens: Final = order_tokens
        self.vuko_tiles: Final = vuko_tiles
        self.solo_level: Final = solo_level
        self.factions: Final = factions
        """By seat."""
        self.npc: Final = npc
        """IG-16 The faction that plays by itself, ``NONE`` but in the solo game."""
        self.layout: Final = layout
        """IG-3.11 The Vuko tiles of stages 1 to 4 if they are given, else empty."""
        self.sides: Final = sides
        seat_of = [NONE] * FACTION_COUNT
        for seat in range(len(factions)):
            seat_of[factions[seat]] = seat
        self.seat_of: Final[list[int]] = seat_of
        """By faction: its seat, ``NONE`` for the NPC and those who do not take part."""
        self.players: Final = len(factions) + (1 if npc != NONE else 0)
        """IG-16.1 How many players the components are chosen for."""
        self.first_edition: Final = edition == 1
        self.tiles_used: Final = vuko_tiles != OFF


@final
class IceGardenTable(Table):
    """A match. Factions, units, figures and regions are the numbers of ``names``.

    Lists by faction have four entries, lists by region eight; a list by faction and region
    is indexed ``faction * 8 + region``. Stacks are written top first. The lists that :meth:`copy`
    does not copy are shared: no rule changes one in place.
    """

    def __init__(
        self,
        components: Components,
        chance: Chance,
        options: MatchOptions,
        state: int,
        round: int,
        order: list[int],
        helm: list[int],
        initiative: list[int],
        doubles: list[int],
        reputation: list[int],
        standing: list[int],
        markers: list[int],
        fields: list[list[int]],
        tokens: list[int],
        ships: int,
        factor: int,
        stage: int,
        layout: list[int],
        sides: list[int],
        active: int,
        passing: int,
        tile: list[int],
        tile_stack: list[int],
        revealed: bool,
        neutral: list[int],
        reserves_up: list[int],
        reserves_down: list[int],
        nightmares: list[int],
        tower: list[int],
        locked: list[int],
        thorn: int,
        vuko: int,
        influence: list[int],
        controlled: list[int],
        figure_at: list[int],
        damage: list[int],
        defeated: int,
        steps: list[int],
        attack: list[int],
        stock: list[int],
        vuko_tokens: list[int],
        vp: list[int],
        supply: list[int],
        viper: list[int],
        ice_garden: list[int],
        absorbed: int,
        towers: int,
        locks: int,
        goals: int,
        upgrades: list[int],
        spy: int,
        bank: list[int],
        upgrade_bank: list[int],
        summoned: int,
        withdrawn: int,
        resolving: int,
        ranking: list[int],
        claimed: int,
        snow: int,
        reason: int,
        winners: list[int],
        final_reputation: list[int],
        agenda: list[Step[Any]],
    ) -> None:
        self.components = components
        self.chance = chance
        self.options = options
        self.state = state
        """IG-4.1 The match's progress."""
        self.round = round
        self.order = order
        """IG-1.6 The turn order: factions with a seat, first player first."""
        self.helm = helm
        """IG-2.5 By faction: the position on the initiative track, 0 without a marker."""
        self.initiative = initiative
        """IG-4.5 Initiative markers; of two on one helm the upper one comes first."""
        self.doubles = doubles
        """IG-4.4 By faction: the stages whose double move is spent, as bits."""
        self.reputation = reputation
        """IG-11.1 By faction: the field, 0 for the safe area, 1 for 0, 10 for -9."""
        self.standing = standing
        """IG-11.2 Reputation markers; of two on one field the upper one comes first."""
        self.markers = markers
        """IG-4.7 By faction: action markers that are not placed yet."""
        self.fields = fields
        """IG-5.4 By field 0 to 5: the owners of the markers, slot 1 first."""
        self.tokens = tokens
        """IG-5.2 By field 1 to 5 (from index 0): its order token, 0 if it has none."""
        self.ships = ships
        """IG-4.8 Red ships that have been reached."""
        self.factor = factor
        self.stage = stage
        """IG-15.3 The stage of the right-most marker when S3 was last carried out."""
        self.layout = layout
        """IG-3.11 Vuko tiles of stages 1 to 4; empty before they are laid out."""
        self.sides = sides
        self.active = active
        """IG-15.3 Active Vuko tiles, tile n as bit n."""
        self.passing = passing
        """IG-15.4 Those of them that end with the stage."""
        self.tile = tile
        """IG-2.4 By region: the number of its tile, 0 if it is not in play."""
        self.tile_stack = tile_stack
        """IG-3.4 Face-down tiles still to be placed, the next one last."""
        self.revealed = revealed
        self.neutral = neutral
        self.reserves_up = reserves_up
        self.reserves_down = reserves_down
        self.nightmares = nightmares
        self.tower = tower
        self.locked = locked
        self.thorn = thorn
        self.vuko = vuko
        """Regions of the Thorn and of Vuko, ``NONE`` off the map."""
        self.influence = influence
        """By faction and region: influence markers, free and controlled."""
        self.controlled = controlled
        """IG-8.9 By faction and region: those of them that lie behind Vuko."""
        self.figure_at = figure_at
        """By figure: its region, ``NONE`` if its owner has it."""
        self.damage = damage
        self.defeated = defeated
        """IG-7.17 Figures lying on their side, as bits."""
        self.steps = steps
        """IG-7.9 By figure of the moving player (0 to 5): speed steps left."""
        self.attack = attack
        """IG-7.14 By region: attack points left to the attacking player."""
        self.stock = stock
        """By faction six entries: population, gold, M-factor of levels 0 to 3."""
        self.vuko_tokens = vuko_tokens
        self.vp = vp
        self.supply = supply
        """By faction: influence markers in the personal supply."""
        self.viper = viper
        self.ice_garden = ice_garden
        """IG-10.3 By faction: its markers in the Ice Garden."""
        self.absorbed = absorbed
        self.towers = towers
        self.locks = locks
        self.goals = goals
        """IG-10.1 Factions that have fulfilled their goal, as bits."""
        self.upgrades = upgrades
        """By ``unit * 4 + ability``: bought markers."""
        self.spy = spy
        """IG-7.3 The pair on the spy slots (see ``ids.PAIR_FIRST``), or ``NONE``."""
        self.bank = bank
        """IG-1.13 The common supply, in the order of ``ids.SUPPLIES``."""
        self.upgrade_bank = upgrade_bank
        self.summoned = summoned
        """IG-16.12 Factions that have summoned this round, as bits."""
        self.withdrawn = withdrawn
        """IG-13.7 Factions whose players have given the match up, as bits."""
        self.resolving = resolving
        """IG-9.1 The region that is being resolved, ``NONE`` outside the domination."""
        self.ranking = ranking
        """IG-9.3 The dominance order of the region that is being resolved."""
        self.claimed = claimed
        """IG-9.12 Kinds already claimed in that region, as bits."""
        self.snow = snow
        self.reason = reason
        """IG-14.6 How the match ended, 0 before the end."""
        self.winners = winners
        self.final_reputation = final_reputation
        """IG-12.4 By faction; empty unless the Dead Snow fell."""
        self.agenda = agenda
        self.journal: list[Event] | None = None
        self.legal: list[Command[Any]] | None = None

    def copy(self) -> IceGardenTable:
        s = IceGardenTable(
            self.components,
            self.chance.copy(),
            self.options,
            self.state,
            self.round,
            self.order,
            self.helm[:],
            self.initiative[:],
            self.doubles,
            self.reputation[:],
            self.standing,
            self.markers[:],
            self.fields[:],
            self.tokens,
            self.ships,
            self.factor,
            self.stage,
            self.layout,
            self.sides,
            self.active,
            self.passing,
            self.tile[:],
            self.tile_stack,
            self.revealed,
            self.neutral[:],
            self.reserves_up[:],
            self.reserves_down[:],
            self.nightmares[:],
            self.tower,
            self.locked,
            self.thorn,
            self.vuko,
            self.influence[:],
            self.controlled[:],
            self.figure_at[:],
            self.damage[:],
            self.defeated,
            self.steps[:],
            self.attack[:],
            self.stock[:],
            self.vuko_tokens[:],
            self.vp[:],
            self.supply[:],
            self.viper,
            self.ice_garden,
            self.absorbed,
            self.towers,
            self.locks,
            self.goals,
            self.upgrades[:],
            self.spy,
            self.bank[:],
            self.upgrade_bank[:],
            self.summoned,
            self.withdrawn,
            self.resolving,
            self.ranking,
            self.claimed,
            self.snow,
            self.reason,
            self.winners,
            self.final_reputation,
            self.agenda[:],
        )
        s.legal = self.legal
        return s
