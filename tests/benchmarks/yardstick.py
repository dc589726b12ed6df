"""The yardstick: a small board game in plain Python, in whose moves per second speeds are stated.

The machines that run benchmarks change their speed by a factor of two and more, so a figure alone
says little. This program is always interpreted, never changes, and runs just before and after
each sample: a figure divided by it can be compared with that of another day or machine.

The game has 57 objects (cells, units, players), lists its legal moves, and copies the whole table
for each move.
"""

from __future__ import annotations

import time
from typing import Final

SIZE: Final = 6
NEIGHBOURS: Final = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
LIMIT: Final = 200

PASS, MOVE, ATTACK = range(3)
Move = tuple[int, int, int]


class Unit:
    __slots__ = ("hp", "kind", "number", "owner")

    def __init__(self, number: int, owner: int, hp: int, kind: int) -> None:
        self.number = number
        self.owner = owner
        self.hp = hp
        self.kind = kind

    def copy(self) -> Unit:
        return Unit(self.number, self.owner, self.hp, self.kind)


class Cell:
    __slots__ = ("q", "r", "terrain", "unit")

    def __init__(self, q: int, r: int, terrain: int, unit: Unit | None) -> None:
        self.q = q
        self.r = r
        self.terrain = terrain
        self.unit = unit

    def copy(self) -> Cell:
        unit = self.unit
        return Cell(self.q, self.r, self.terrain, unit.copy() if unit is not None else None)


class Player:
    __slots__ = ("gold", "hand", "passed", "score", "seat")

    def __init__(self, seat: int, score: int, gold: int, hand: list[int], passed: bool) -> None:
        self.seat = seat
        self.score = score
        self.gold = gold
        self.hand = hand
        self.passed = passed

    def copy(self) -> Player:
        return Player(self.seat, self.score, self.gold, self.hand[:], self.passed)


class State:
    __slots__ = ("active", "board", "deck", "players", "seed", "turn", "winner")

    def __init__(
        self,
        board: list[Cell],
        players: list[Player],
        active: int,
        turn: int,
        seed: int,
        deck: list[int],
        winner: int,
    ) -> None:
        self.board = board
        self.players = players
        self.active = active
        self.turn = turn
        self.seed = seed
        self.deck = deck
        self.winner = winner

    def copy(self) -> State:
        return State(
            [c.copy() for c in self.board],
            [p.copy() for p in self.players],
            self.active,
            self.turn,
            self.seed,
            self.deck[:],
            self.winner,
        )


def new_state(seed: int) -> State:
    board: list[Cell] = []
    number = 0
    for r in range(SIZE):
        for q in range(SIZE):
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            unit: Unit | None = None
            if (r < 2 or r >= SIZE - 2) and ((q + r) % 2 == 0 or q % 3 == 0):
                unit = Unit(number, 0 if r < 2 else 1, 3, number % 3)
                number += 1
            board.append(Cell(q, r, (seed >> 16) % 3, unit))
    players = [Player(s, 0, 5, [s * 10 + i for i in range(5)], False) for s in range(4)]
    return State(board, players, 0, 0, seed, list(range(40)), -1)


def legal(s: State) -> list[Move]:
    moves: list[Move] = [(PASS, 0, 0)]
    me = s.active & 1
    gold = s.players[s.active].gold
    board = s.board
    for i in range(SIZE * SIZE):
        cell = board[i]
        unit = cell.unit
        if unit is None or unit.owner != me:
            continue
        for step in NEIGHBOURS:
            q = cell.q + step[0]
            r = cell.r + step[1]
            if q < 0 or r < 0 or q >= SIZE or r >= SIZE:
                continue
            j = r * SIZE + q
            target = board[j]
            other = target.unit
            if other is None:
                if target.terrain <= gold:
                    moves.append((MOVE, i, j))
            elif other.owner != me:
                moves.append((ATTACK, i, j))
    return moves


def apply(s: State, move: Move) -> State:
    new = s.copy()
    player = new.players[new.active]
    if move[0] == PASS:
        player.gold += 2
    elif move[0] == MOVE:
        source, target = new.board[move[1]], new.board[move[2]]
        player.gold -= target.terrain
        target.unit = source.unit
        source.unit = None
    else:
        attack(new, player, move)
    counts: dict[int, int] = {0: 0, 1: 0}
    for cell in new.board:
        unit = cell.unit
        if unit is not None:
            counts[unit.owner] += 1
    if counts[0] == 0:
        new.winner = 1
    elif counts[1] == 0:
        new.winner = 0
    elif new.turn >= LIMIT:
        new.winner = 0 if counts[0] >= counts[1] else 1
    new.active = (new.active + 1) % 4
    new.turn += 1
    return new


def attack(s: State, player: Player, move: Move) -> None:
    target = s.board[move[2]]
    unit, other = s.board[move[1]].unit, target.unit
    if unit is None or other is None:
        return
    s.seed = (s.seed * 1103515245 + 12345) & 0x7FFFFFFF
    damage = 1 + ((s.seed >> 16) % 3)
    if unit.kind == other.kind:
        damage += 1
    other.hp -= damage
    if other.hp <= 0:
        target.unit = None
        player.score += 2
        player.gold += 1
        if len(s.deck) > 0:
            player.hand.append(s.deck.pop())


def playout(seed: int) -> int:
    """Play at random to the end; return the number of moves."""
    s = new_state(seed)
    x = seed
    while s.winner < 0:
        moves = legal(s)
        x = (x * 1103515245 + 12345) & 0x7FFFFFFF
        s = apply(s, moves[(x >> 8) % len(moves)])
    return s.turn


def yardstick(seconds: float = 0.5) -> float:
    """Return how many moves per second of processor time this process makes, now."""
    moves, seed, start = 0, 1, time.process_time()
    while True:
        moves += playout(seed)
        seed += 1
        spent = time.process_time() - start
        if spent >= seconds:
            return moves / spent


if __name__ == "__main__":
    print(f"yardstick: {yardstick():,.0f} moves/s")
