"""The numbers of the start page: one request for what several of them need."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

from svc_tui.console.areas.authentication.area import due
from svc_tui.console.areas.voice.home import nearly_used_up
from svc_tui.console.core.home import MOST_COMPANIES, Number, SharedReads
from svc_tui.console.shell.resources import AREAS
from svc_tui.workspace.workspace import Workspace

COMPANIES = [{"id": "c0", "status": "alerting", "subscriptions": []}, {"id": "c1", "status": "active"}]


class Service:
    """Answers its requests together."""

    caller = None

    def __init__(self, total: int) -> None:
        self.requests: list[tuple[str, Mapping[str, object]]] = []
        self.answers, self._total = asyncio.Event(), total

    def now(self) -> float:
        return 0.0

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        self.requests.append((operation_id, query))
        await self.answers.wait()
        return {"data": COMPANIES if operation_id == "list_companies" else {}, "total": self._total}


async def numbers(service: Service) -> dict[str, Number]:
    """All numbers, read at the same time, by the name of their count."""
    reads = SharedReads(cast("Workspace", service))
    # But for those that read a report in the cache or a file only.
    attention = [item for area in AREAS for item in area.attention]
    items = [item for item in attention if item.count not in (nearly_used_up, due)]
    counts = asyncio.gather(*(item.count(reads) for item in items))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [operation for operation, _ in service.requests].count("list_companies") == 1
    assert len(service.requests) == 3, "all are sent before the first response"
    service.answers.set()
    return {item.count.__name__: number for item, number in zip(items, await counts, strict=True)}


async def test_numbers_of_companies_and_their_subscriptions_share_one_request() -> None:
    service = Service(len(COMPANIES))
    found = await numbers(service)
    assert len(service.requests) == 3
    assert (found["alerting"].value, found["on_hold"].value, found["due"].at_least) == (1, 0, False)
    assert found["alerting"].totals == {"companies": 2}


async def test_among_many_companies_the_service_counts_and_the_rest_is_a_lower_bound() -> None:
    service = Service(2000)
    found = await numbers(service)
    assert [query.get("status") for operation, query in service.requests if operation == "list_companies"] == [
        None, "alerting", "hold",
    ]  # fmt: skip
    assert all(int(str(query.get("limit", 1))) <= MOST_COMPANIES for _, query in service.requests)
    assert (found["alerting"].value, found["due"].at_least) == (2000, True)
