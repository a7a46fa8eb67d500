"""Rows sorted here: numbers by value, texts without regard to case, empty values last."""

from __future__ import annotations

from typing import Any

from svc_tui.workspace.lists.held_rows import ordered
from tests.workspace.changes.test_unconfirmed_writes import FINANCE
from tests.workspace.conftest import Desks
from tests.workspace.subscriptions.purchases import PATH, Shop

ROWS: list[dict[str, Any]] = [
    {"id": "a", "n": 10},
    {"id": "b"},
    {"id": "c", "n": 9},
    {"id": "d", "n": None},
    {"id": "e", "n": 9.5},
]


def _ids(field: str, *, descending: bool = False) -> str:
    return "".join(row["id"] for row in ordered(ROWS, field, descending=descending))


def test_numbers_are_sorted_by_value_with_empty_values_last_either_way() -> None:
    assert _ids("n") == "ceabd"
    assert _ids("n", descending=True) == "aecbd"


def test_texts_are_sorted_without_regard_to_case() -> None:
    assert [row["n"] for row in ordered([{"n": "beta"}, {"n": "Alpha"}, {"n": "alpine"}], "n")] == [
        "Alpha",
        "alpine",
        "beta",
    ]


async def test_a_list_without_pages_is_sorted_here(desks: Desks) -> None:
    shop = Shop(*({"id": name, "offerName": name} for name in ("b", "C", "a")))
    desk = desks.make(shop, FINANCE)
    desk.attach()
    listing = desk.workspace.listing(
        "list_company_subscriptions", path=PATH, query={"sortField": "offerName", "sortOrder": -1}
    )
    listing.request(0, 10)
    await listing.wait_until_idle()
    assert [row["id"] for index in range(3) if (row := listing.row(index))] == ["C", "b", "a"]
