"""One page of any list costs the same however many records there are: by the plans of both databases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from svc_tui.interface.catalogue import operations, query_of
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.records import FieldSpec, fields_of
from svc_tui.server.store import text_indexes
from svc_tui.server.store.conditions import ContainsAny, In, Is, Not
from svc_tui.server.store.read_cache import ReadCache
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import DOCUMENT_TABLES, Document
from tests.conftest import world_at
from tests.server.plans import faults, planned, scans
from tests.support.clock import SetClock
from tests.support.databases import demo
from tests.support.statements import Statement, statements
from tests.support.world import World, granted

if TYPE_CHECKING:
    from tests.support.postgres import Postgres

LISTS = {each.id: each for each in operations() if issubclass(query_of(each.id), ListQuery)}

#: Lists of all records: the table, whose every field sorts them.
ALL = {
    "list_applications": "applications",
    "list_users": "users",
    "list_companies": "companies",
    "list_sites": "sites",
    "list_all_offers": "offers",
    "list_catalogs": "catalogs",
    "list_templates": "templates",
    "list_client_versions": "client_versions",
    "list_cloudpbxs": "cloudpbxs",
    "list_audit_records": "audit_records",
}
#: Lists within a company, CloudPBX or user: the default order, and the columns that the console sorts by.
WITHIN = {
    "list_users": ("displayName", "loginEmail", "firstName", "lastName", "creationDate", "lastLoginDate"),
    "list_company_administrators": ("displayName", "loginEmail"),
    "list_sites": ("name", "status"),
    "list_api_keys": ("creationDate",),
    "list_oauth_tokens": ("appName",),
    "list_subscribers": ("shortNumber", "names", "externalNumber", "recordingProfile", "status", "creationDate"),
    "list_system_phone_numbers": ("shortNumber", "names"),
    "list_ddi_numbers": ("number", "isCloudPbxDefault", "names", "creationDate"),
    "list_sip_devices": ("description", "deviceType", "macAddress", "shortNumber"),
    "list_subscriber_devices": ("description",),
    "list_recordings": ("date", "direction", "duration", "otherNumber", "recordedName", "size"),
    "list_recordings_across_companies": ("date", "direction", "duration", "otherNumber", "recordedName", "size"),
}
#: Filters by which a list sorts what it found: few records.
FINDS_FIRST = {
    ("list_companies", "offerId"),
    ("list_companies", "offerCanBeSold"),
    ("list_companies", "offerGroupName"),
    ("list_companies", "externalReference"),
    ("list_companies", "externalReference2"),
    ("list_cloudpbxs", "bpId"),
    ("list_directory_entries", "fromUpdateDate"),
    ("list_directory_entries", "toUpdateDate"),
    ("list_system_phone_numbers", "internalNumber"),
    ("list_system_phone_numbers", "companyPrefix"),
    ("list_company_offers", "name"),
}
#: Values of filters that take no other text.
WORDS = {
    "roles": "user",
    "state": "active",
    "types": "web",
    "activities": "J",
    "subscriptionStatus": "active",
    "type": "user",
    "view": "company",
    "selectedAppCustomisationTemplate": "0" * 24,
}
#: Lists that are read within a company.
OF_COMPANY = {"list_recordings_across_companies": "companyIds", "list_directory_entries": "companyId"}
#: Filters over several directories or CloudPBXs, which are looked at without a company too.
OVER_SEVERAL = {"organisationIds", "systemIds", "siteIds", "companyIds", "name", "fromDate", "phoneNumberId", "type"}
#: Lists that sort what they show: the offers of one catalogue.
SORTED = {"list_company_offers"}


class Lists:
    """Lists of the demo data, as an administrator reads them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.readers: dict[str, str] = {}
        self.ids: dict[str, str] = {}

    async def find(self, store: Store) -> None:
        """Who reads, and what the paths and filters name."""
        app = (await store.applications.find(Is("state", "active"), limit=1)).documents[0]["id"]
        recording = (await store.recordings.find(limit=1)).documents[0]
        root = await self._user(store, ContainsAny("roles", ["superadmin"]))
        own = await self._user(store, Is("adminType", "company_admin"), Is("companyId", recording["companyId"]))
        self.readers = {name: f"Bearer {self.world.token(user, app)}" for name, user in (("root", root), ("own", own))}
        self.ids = {"companyId": recording["companyId"], "systemId": recording["systemId"]}
        owners = await store.directories.values("companyId", Is("live", True), Not(Is("companyId", None)))
        [*organisations] = {each for each in await store.companies.values("organisationId", In("id", owners)) if each}
        self.ids["organisationIds"] = ",".join(organisations)
        sites = await store.cloudpbxs.values("siteId", Not(Is("siteId", None)))
        self.ids["siteIds"] = sites[0].strip(",")
        self.ids["systemIds"] = ",".join((await store.cloudpbxs.ids())[:3])
        of_system = Is("systemId", recording["systemId"])
        self.ids["phoneNumberId"] = (await store.subscribers.find(of_system, limit=1)).documents[0]["id"]

    async def _user(self, store: Store, *where: Any) -> Document:
        return (await store.users.find(*where, Is("isActive", True), limit=1)).documents[0]

    async def page(self, id: str, **query: Any) -> list[Statement]:
        """Read one page; the statements."""
        reader = self.readers["own" if id == "list_recordings" else "root"]
        path = LISTS[id].path.format(**self.ids)
        with statements(self.world.service.database) as sent:
            answer = await self.world.http.get(path, headers={"authorization": reader}, params=query)
        granted(answer)
        return sent

    async def check(self, id: str, **query: Any) -> list[str]:
        """What reading a page does that becomes slower with each record."""
        windows = [
            each for each in await self.page(id, limit=5, **query) if "LIMIT" in each.sql and "ORDER" in each.sql
        ]
        assert windows, (id, query)
        return [
            f"{id} {query}: {fault}" for each in windows for fault in await faults(self.world.service.database, each)
        ]


@pytest.fixture(params=["sqlite", "postgresql"])
async def lists(
    request: pytest.FixtureRequest, tmp_path: Path, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Lists]:
    # Each page is read again.
    monkeypatch.setattr(ReadCache, "find", lambda *_: None)
    template = demo(clock.now().date())
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        url = await server.template(template, copied=True)
    else:
        url = template.copy(tmp_path / "svc.db")
    async with world_at(url, tmp_path, clock) as world:
        made = Lists(world)
        async with world.service.database.unit() as store:
            await made.find(store)
        yield made


def test_every_list_of_the_interface_is_looked_at() -> None:
    assert {*ALL, *WITHIN, *SORTED, "list_directory_entries"} == set(LISTS)


async def test_no_page_of_a_list_is_sorted(lists: Lists) -> None:
    found = []
    for id, table in ALL.items():
        for field in DOCUMENT_TABLES[table].keys:
            for order in (1, -1):
                found += await lists.check(id, sortField=field, sortOrder=order)
    assert found == []


async def test_no_page_of_a_list_within_a_company_is_sorted(lists: Lists) -> None:
    found = []
    within = {"list_recordings_across_companies": "companyIds", "list_users": "companyId", "list_sites": "companyId"}
    for id, fields in WITHIN.items():
        query = {within[id]: lists.ids["companyId"]} if id in within else {}
        for field in fields:
            for order in (1, -1):
                found += await lists.check(id, **query, sortField=field, sortOrder=order)
    assert found == []


async def test_no_page_of_a_directory_is_sorted(lists: Lists) -> None:
    found = []
    for field in ("lastName", "firstName", "companyName", "lastUpdateDate"):
        for order in (1, -1):
            query = {"companyId": lists.ids["companyId"], "sortField": field, "sortOrder": order}
            found += await lists.check("list_directory_entries", **query)
    assert found == []


def _value(lists: Lists, spec: FieldSpec) -> str:
    """A value that the filter takes."""
    kinds = {"boolean": "true", "integer": "1", "datetime": "2026-01-01T00:00:00Z", "date": "2026-01-01"}
    if spec.wire in lists.ids or spec.wire in WORDS:
        return lists.ids.get(spec.wire) or WORDS[spec.wire]
    if spec.kind == "choice":
        return str(spec.choices[0])
    return "0" * 24 if spec.wire.endswith(("Id", "Ids")) else kinds.get(spec.kind, "+351")


async def test_no_page_of_a_filtered_list_is_sorted(lists: Lists) -> None:
    found = []
    own = {spec.wire for spec in fields_of(ListQuery)}
    for id, operation in LISTS.items():
        within = {OF_COMPANY[id]: lists.ids["companyId"]} if id in OF_COMPANY else {}
        for spec in fields_of(operation.query):
            # A user has few keys and applications.
            if spec.wire not in own | within.keys() | {"userId", "ownerId"} and (id, spec.wire) not in FINDS_FIRST:
                found += await lists.check(id, **{**within, spec.wire: _value(lists, spec)})
            if within and spec.wire in OVER_SEVERAL:
                several = {"systemIds": lists.ids["systemIds"]} if id == "list_recordings_across_companies" else {}
                found += await lists.check(id, **{**several, spec.wire: _value(lists, spec)})
    assert found == []


@pytest.mark.parametrize("lists", ["sqlite"], indirect=True)
async def test_sqlite_looks_for_a_text_in_an_index_in_the_order_of_the_list(lists: Lists) -> None:
    company = lists.ids["companyId"]
    for id, query in (
        *(
            ("list_directory_entries", {"companyId": company, each: "nor"})
            for each in ("name", "search", "companyName")
        ),
        ("list_directory_entries", {"companyId": company, "phoneNumbers": "+351"}),
        ("list_recordings", {"recordedName": "nor"}),
        ("list_recordings_across_companies", {"companyIds": company, "otherNumber": "351"}),
    ):
        read = [each for each in await lists.page(id, limit=5, **query) if "LIKE" in each.sql and "ORDER" in each.sql]
        for statement in read:
            plan = await planned(lists.world.service.database, statement)
            assert any(f"INDEX {text_indexes.PREFIX}" in line for line in plan), (id, query, plan)
        assert read, (id, query)


@pytest.mark.parametrize("lists", ["sqlite"], indirect=True)
async def test_sqlite_finds_the_recordings_of_a_subscriber_without_reading_those_of_others(lists: Lists) -> None:
    query = {"phoneNumberId": lists.ids["phoneNumberId"]}
    for id, more in (
        ("list_recordings", {}),
        ("list_recordings_across_companies", {"companyIds": lists.ids["companyId"]}),
        ("list_recordings_across_companies", {"systemIds": lists.ids["systemIds"]}),
    ):
        read = [each for each in await lists.page(id, limit=5, **query, **more) if "ORDER" in each.sql]
        plan = [line for each in read for line in await planned(lists.world.service.database, each)]
        searches = [line for line in plan if line.startswith("SEARCH recordings")]
        assert searches and all("phone_number_id=?" in line for line in searches), plan


async def test_a_directory_is_neither_looked_up_before_its_page_nor_counted_on_postgresql(lists: Lists) -> None:
    database = lists.world.service.database
    read = [each for each in await lists.page("list_directory_entries", limit=5) if "directory_entries" in each.sql]
    [ids] = [each for each in read if "ORDER" in each.sql]
    if database.engine.dialect.name == "sqlite":
        # The smaller of its two indexes that contain all.
        plan = [line for line in await planned(database, ids) if line.startswith("SEARCH directory_entries")]
        assert plan and all("COVERING INDEX ix_directory_entries" in line for line in plan), plan
    else:
        steps = await scans(database, ids)
        assert steps and set(steps) == {"Index Only Scan directory_entries"}, steps
        assert not any("count(" in each.sql for each in read)


async def test_a_page_of_many_records_takes_as_many_statements_as_one_of_few(lists: Lists) -> None:
    for id in LISTS:
        query = {"companyIds": lists.ids["companyId"]} if id == "list_recordings_across_companies" else {}
        few, many = [len(await lists.page(id, limit=limit, **query)) for limit in (20, 200)]
        assert many <= few, id
