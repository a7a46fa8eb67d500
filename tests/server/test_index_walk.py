"""Pages that SQLite finds on a walk through the index of their order are those that it would sort."""

from __future__ import annotations

import random
from typing import Any

import pytest

from svc_tui.server.store import index_walk
from svc_tui.server.store.conditions import (
    AllOf,
    AnyFieldIn,
    AnyOf,
    AtLeast,
    In,
    Is,
    Not,
    ReferencedBy,
    Related,
    StartsWith,
)
from svc_tui.server.store.database import Database
from svc_tui.server.store.documents import Sort
from tests.support.statements import statements


@pytest.mark.parametrize("steps", [10**6, 9, 3], ids=["long enough", "given up", "too short"])
async def test_a_window_is_the_same_whether_it_is_sorted_or_found_on_a_walk(
    database: Database, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    chance = random.Random(steps)
    async with database.unit() as store:
        for number in range(40):
            about: dict[str, Any] = {
                "name": chance.choice("aB"),
                "bpId": chance.choice("xy"),
                "status": chance.choice(("active", "hold")),
                "country": chance.choice(("FRA", "DEU", None)),
                "organisationId": chance.choice(("o", None)),
                "creationDate": f"2026-01-{number % 7 + 1:02}",
            }
            await store.companies.add({"id": f"{number:02}", **{each: value for each, value in about.items() if value}})
            if number % 3:
                bought = {"companyId": f"{number:02}", "offerId": "o", "status": "active"}
                await store.subscriptions.add({"id": f"s{number}", **bought})
        await store.offers.add({"id": "o", "name": "Offer", "canBeSold": True})
    monkeypatch.setattr(index_walk, "FEW", 0)
    monkeypatch.setattr(index_walk, "steps", lambda _: steps)
    bought_by = Related("offerId", "offers", Is("canBeSold", True))
    walked = 0
    for where in (
        (Is("status", "active"),),
        (AllOf((Is("status", "active"), Not(Is("bpId", "x")))),),
        (In("status", ("active", "none")), Is("organisationId", None)),
        (AtLeast("creationDate", "2026-01-03"), AnyOf((Is("bpId", "x"), Is("status", "hold")))),
        (ReferencedBy("subscriptions", "companyId", AllOf((bought_by, Is("status", "active")))),),
        (Not(ReferencedBy("subscriptions", "companyId", bought_by)), StartsWith("bpId", "y")),
        (AnyFieldIn((("bpId", ("x",)),)), Is("country", "FRA")),
    ):
        for field in ("name", "country", "creationDate", "bpId", "organisationId", "id"):
            for descending in (False, True):
                sort = Sort(field, descending)
                async with database.unit() as store:
                    whole = [each["id"] for each in (await store.companies.find(*where, sort=sort)).documents]
                    for size, offset in ((3, 0), (4, 4), (5, max(0, len(whole) - 6)), (5, max(0, len(whole) - 2))):
                        with statements(database) as sent:
                            found = await store.companies.find(*where, sort=sort, limit=size, offset=offset)
                        assert [each["id"] for each in found.documents] == whole[offset : offset + size], (where, sort)
                        assert found.total == len(whole)
                        walked += sum("AS walked" in each.sql for each in sent)
    assert (walked > 100) == (database.engine.dialect.name == "sqlite")
