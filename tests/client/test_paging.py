"""Lists page by page, also when they change on the way or the service counts wrongly."""

from __future__ import annotations

import itertools

import httpx
import pytest

from svc_tui.client import login as logins
from svc_tui.client import requests
from svc_tui.interface.applications.operations import list_applications
from svc_tui.interface.applications.records import ApplicationQuery
from tests.client.support import jwt
from tests.support.world import PASSWORD


class Service:
    """A list of `size` records; `total` and `limit` may lie."""

    def __init__(self, size, *, total=None, most=1000, deaf=False):
        self.size, self.total, self.most, self.deaf = size, total, most, deaf
        self.asked = []

    def __call__(self, request):
        query = dict(request.url.params)
        offset, limit = int(query["offset"]), min(int(query.get("limit", 100)), self.most)
        self.asked.append(query)
        start = 0 if self.deaf else offset
        data = [{"id": str(n)} for n in range(start, min(start + limit, self.size))]
        total = self.size if self.total is None else self.total(len(self.asked))
        return httpx.Response(200, json={"data": data, "limit": limit, "offset": start, "total": total})


async def ids_of(client, **query):
    pages = client.pages(list_applications, query=ApplicationQuery(**query) if query else None)
    return [record.id async for page in pages for record in page.data]


@pytest.mark.parametrize(("size", "requests"), [(0, 1), (1, 1), (99, 1), (100, 1), (101, 2), (250, 3)])
async def test_every_record_is_read_once_with_the_fewest_pages(serve, size, requests):
    service = Service(size)
    assert await ids_of(serve(service, token=jwt())) == [str(n) for n in range(size)]
    assert len(service.asked) == requests


async def test_reading_starts_at_the_offset_with_filter_and_limit(serve):
    service = Service(50)
    assert await ids_of(serve(service, token=jwt()), offset=40, limit=4, name="crm") == [str(n) for n in range(40, 50)]
    assert {(query["name"], query["limit"]) for query in service.asked} == {("crm", "4")}


async def test_short_pages_are_read_to_the_end(serve):
    assert len(await ids_of(serve(Service(250, most=100), token=jwt()), limit=1000)) == 250


async def test_a_growing_total_is_followed(serve):
    service = Service(250, total=lambda request: 101 if request == 1 else 250)
    assert len(await ids_of(serve(service, token=jwt()))) == 250


async def test_a_shrinking_total_ends_the_list(serve):
    service = Service(250, total=lambda request: 250 if request == 1 else 120)
    assert len(await ids_of(serve(service, token=jwt()))) == 200


async def test_a_list_shorter_than_its_total_ends_with_the_first_empty_page(serve):
    service = Service(150, total=lambda request: 100_000)
    assert len(await ids_of(serve(service, token=jwt()))) == 150
    assert len(service.asked) == 3


async def test_without_a_total_a_short_page_is_the_last(serve):
    service = Service(150, total=lambda request: 0)
    assert len(await ids_of(serve(service, token=jwt()))) == 150
    assert len(service.asked) == 2


async def test_an_ignored_offset_does_not_make_an_endless_list(serve):
    service = Service(100, total=lambda request: 1_000_000_000, deaf=True)
    assert len(await ids_of(serve(service, token=jwt()))) == 100


async def test_an_endless_list_ends_at_the_limit(serve, monkeypatch):
    monkeypatch.setattr(requests, "MOST_PAGES", 5)
    service = Service(10**9, total=lambda request: 10**9)
    assert len(await ids_of(serve(service, token=jwt()))) == 500


async def test_pages_are_fetched_on_demand(serve):
    service = Service(1000)
    pages = serve(service, token=jwt()).pages(list_applications)
    await anext(pages)
    assert len(service.asked) == 1
    await pages.aclose()


async def test_the_pages_of_the_real_service_are_read(world, connect):
    await world.user(roles=("app_superadmin",))
    for number in range(24):
        await world.application(f"{number:024x}", name=f"Application {number}")
    client = connect()
    await logins.login(client, "jane@example.com", PASSWORD)
    found = await ids_of(client, limit=10)
    assert len(found) == len(set(found)) == 25
    offsets = [exchange.url.partition("offset=")[2] for exchange in itertools.islice(client.log.exchanges, 1, None)]
    assert offsets == ["0", "10", "20"]
