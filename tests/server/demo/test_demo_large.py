"""The large demo data: its documented numbers. It is written once on each database, and only read here."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import date
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from svc_tui.interface.catalogue import AREAS
from svc_tui.server.demo.accounts import account
from svc_tui.server.store.conditions import Is, Related
from svc_tui.server.store.database import Database
from tests.support.databases import demo

if TYPE_CHECKING:
    from tests.support.postgres import Postgres


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def large_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The large demo data, on both databases in turn."""
    template = demo(date(2026, 11, 20), scale="large")
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        return asyncio.run(server.template(template, copied=True))
    return template.copy(tmp_path_factory.mktemp("large") / "svc.db")


@pytest.fixture
async def large(large_url: str) -> AsyncIterator[Database]:
    database = Database(large_url)
    yield database
    await database.close()


async def test_the_large_scale_has_the_documented_numbers(large: Database) -> None:
    async with large.unit() as store:
        assert await store.companies.count() >= 2_000
        assert await store.applications.count() >= 20_000
        assert await store.users.count() >= 10_000
        assert await store.user_secrets.count() == await store.users.count()
        own = Related("ownerId", "users", Is("companyId", account("company_admin").company_id))
        assert await store.applications.count(own) >= 5_000
        names = Counter((each["ownerId"], each["name"]) for each in (await store.applications.find(own)).documents)
        assert max(names.values()) == 1


async def test_the_large_scale_has_many_companies_everywhere_and_their_sites(large: Database) -> None:
    async with large.unit() as store:
        companies = (await store.companies.find()).documents
        sites = (await store.sites.find()).documents
    assert len(companies) >= 2_000
    assert len({each["country"] for each in companies}) >= 100
    assert len({each["name"] for each in companies}) == len(companies)
    partners = Counter(each.get("bpId") for each in companies)
    assert len([partner for partner, count in partners.items() if count >= 50]) >= 5
    assert len(sites) >= 1_000
    assert Counter(each["companyId"] for each in sites)[account("company_admin").company_id] >= 200


@pytest.mark.parametrize("area", [area for area in AREAS if find_spec(f"tests.server.{area}.large")])
async def test_the_large_scale_of_an_area_has_its_documented_numbers(large: Database, area: str) -> None:
    await import_module(f"tests.server.{area}.large").check(large)
