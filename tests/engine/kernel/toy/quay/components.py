"""What is printed on the pieces of Quay, made from its data file."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.kernel.components import DataFault, InvalidData

GOODS: Final = 4


@final
class Components:
    """What is printed on the pieces; never changed, shared by all copies of a table."""

    def __init__(self, goods: list[str], copies: list[int], prices: list[int]) -> None:
        self.goods: Final = goods
        self.copies: Final = copies
        self.prices: Final = prices


def read_components(tables: dict[str, Any]) -> Components:
    """Return what the data describe, or raise :exc:`InvalidData` with every fault."""
    goods = tables.get("good", [])
    faults = []
    if len(goods) != GOODS:
        faults.append(DataFault("good", f"{GOODS} kinds are needed, found {len(goods)}"))
    for index, good in enumerate(goods):
        for key in ("id", "copies", "price"):
            if key not in good:
                faults.append(DataFault(f"good[{index}]", f"{key} is missing"))
    if faults:
        raise InvalidData(faults)
    return Components(
        [good["id"] for good in goods],
        [good["copies"] for good in goods],
        [good["price"] for good in goods],
    )
