"""Rows put in order here: numbers by value, texts in any capitals, what is lacking last."""

from __future__ import annotations

from typing import Any

from svc_tui.workspace.lists.ordering import ordered
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


def test_numbers_are_ordered_by_their_value_and_what_has_none_is_last_either_way() -> None:
    assert _ids("n") == "ceabd"
    assert _ids("n", descending=True) == "aecbd"


def test_texts_are_ordered_in_any_capitals() -> None:
    assert [row["n"] for row in ordered([{"n": "beta"}, {"n": "Alpha"}, {"n": "alpine"}], "n")] == [
        "Alpha",
        "alpine",
        "beta",
    ]


async def test_a_list_that_comes_whole_is_put_in_order_here(desks: Desks) -> None:
    shop = Shop(*({"id": name, "offerName": name} for name in ("b", "C", "a")))
    desk = desks.make(shop, FINANCE)
    desk.attach()
    listing = desk.workspace.listing(
        "list_company_subscriptions", path=PATH, query={"sortField": "offerName", "sortOrder": -1}
    )
    listing.request(0, 10)
    await listing.wait_until_idle()
    assert [row["id"] for index in range(3) if (row := listing.row(index))] == ["C", "b", "a"]
