"""One page of any list costs the same however many records there are: by the plans of both databases.

The lists, their filters and the fields that they are sorted by are those of the catalogue.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from svc_tui.interface.catalogue import operations, record_of
from svc_tui.interface.field_specs import fields_of
from svc_tui.server.metrics import company_numbers
from svc_tui.server.store import documents, text_indexes
from svc_tui.server.store.conditions import Is, Not
from svc_tui.server.store.read_cache import ReadCache
from svc_tui.server.store.tables import DOCUMENT_TABLES, DocumentTable
from tests.server.lists import LISTS, Lists, wires_of
from tests.server.plans import faults, planned, scans

#: How often a read sends the same statement: for a record, for what it belongs to, and for the caller.
MOST_OF_ONE_STATEMENT = 5
#: Parameters of every list.
WINDOW = {"limit", "offset", "sortField", "sortOrder", "format"}


# The milliseconds are those of one page, as in `docs/performance.md`.
_BY_USERS = (
    "sorted by the present number of users, counted for all customers: 50 ms for 1,500 with 100,000 users on SQLite"
)
#: What is sorted or read completely, and why it may be. `sort` is sorting by any field.
SORTS = {
    ("list_bp_company_stats", "*"): _BY_USERS,
    ("list_company_offers", "*"): "the offers of one catalogue",
    ("*", "id"): (
        "an ID is an order in which no user reads a list: what the index of the place finds is sorted, 45 ms for "
        "100,000 users of one company on SQLite"
    ),
    ("list_api_keys", "*"): "the keys of one user",
    ("list_oauth_tokens", "*"): "the tokens of one user",
    ("list_subscriber_devices", "*"): "the devices of one subscriber",
    ("list_company_administrators", "*"): "the administrators of one company",
    ("list_users", "sort"): "the users of one site, found by its index: 13 ms for 10,000 on SQLite, 310 ms for 100,000",
    ("list_audit_records", "sort"): (
        "the audit records of one company by who and whose, as no list of the console is sorted: 7 ms for 10,000 on "
        "SQLite, 260 ms for 100,000"
    ),
}


async def _table(lists: Lists, id: str) -> DocumentTable | None:
    """The table of a list: the last one of which a window is read."""
    for place in lists.places(id):
        answer, sent = await lists.answer(LISTS[id], limit=5, offset=0, **place)
        if answer.status_code == 200:
            read = [each.sql for each in sent if "LIMIT" in each.sql and "ORDER" in each.sql]
            names = [name for sql in read for name in re.findall(r"FROM (\w+)", sql) if name in DOCUMENT_TABLES]
            return DOCUMENT_TABLES[names[-1]] if names else None
    raise AssertionError((id, answer.text))


def _reason(id: str, part: str, kind: str) -> tuple[str, str] | None:
    """The exception for a filter, or for sorting by a field."""
    keys = ((id, part), (id, f"{kind} {part}"), ("*", part), (id, kind), (id, "*"))
    return next((key for key in keys if key in SORTS), None)


async def _found(lists: Lists) -> AsyncIterator[tuple[str, str, str, list[str]]]:
    """Each list with each filter and each field to sort by: what becomes slower."""
    for id, operation in LISTS.items():
        kind, specs = await _table(lists, id), fields_of(operation.query)
        record = record_of(id)
        fields = dict.fromkeys([*(wires_of(record) if record else ()), *(kind.keys if kind else ()), "id"])
        for place in lists.places(id):
            for field in fields if "sortField" in wires_of(operation.query) else ():
                for order in (1, -1):
                    slow = await lists.check(id, **place, sortField=field, sortOrder=order)
                    yield id, field, "sort", slow or []
            if await lists.check(id, **place) is None:
                continue
            yield id, "", "", await lists.check(id, **place) or []
            for spec in specs:
                if spec.wire not in WINDOW | place.keys():
                    value = await lists.value(id, spec, place)
                    found = await lists.check(id, **place, **{spec.wire: value}) or []
                    # What a filter finds may be sorted; it is not looked for in the whole table.
                    yield id, spec.wire, "filter", [each for each in found if not each.endswith(("ORDER BY", "Sort"))]


@pytest.fixture(autouse=True)
def _each_page_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadCache, "find", lambda *_: None)


async def test_no_page_of_a_list_becomes_slower_with_more_records(lists: Lists) -> None:
    slow, needed = list[str](), set[tuple[str, str]]()
    async for id, part, kind, found in _found(lists):
        reason = _reason(id, part, kind)
        if reason is None:
            slow += found
        elif found:
            needed.add(reason)
    assert not slow, "\n".join(slow)
    if lists.world.service.database.engine.dialect.name == "sqlite":
        assert needed == set(SORTS)


async def test_the_last_page_of_a_list_costs_as_much_as_the_first(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "FAR", 1)
    slow, far = list[str](), 0
    for id, operation in LISTS.items():
        for place in lists.places(id):
            for order in (1, -1) if "sortOrder" in wires_of(operation.query) else (None,):
                query = {**place, "limit": 1} | ({} if order is None else {"sortOrder": order})
                answer, _ = await lists.answer(operation, **query)
                total = answer.json().get("total", 0) if answer.status_code == 200 else 0
                if total < 3 or _reason(id, "", "") is not None:
                    continue
                last = total - 1
                sent = await lists.page(id, **query, offset=last)
                windows = [each for each in sent if "LIMIT" in each.sql and "ORDER" in each.sql]
                for each in windows[-1:]:
                    far += 1
                    # The number of records before the page is among the values where it is walked to.
                    assert last not in each.values, (id, query)
                    slow += [f"{id} {query}: {fault}" for fault in await faults(lists.world.service.database, each)]
    assert not slow, "\n".join(slow)
    assert far > 30


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
        *(
            ("list_users", {**place, each: "nor"})
            for each in ("searchEmail", "companyName")
            for place in ({}, {"companyId": company})
        ),
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


@pytest.mark.parametrize("lists", ["sqlite"], indirect=True)
async def test_sqlite_finds_the_audit_records_of_a_company_without_reading_those_of_others(lists: Lists) -> None:
    for query in ({"kind": "user"}, {"operation": "update_user"}, {"outcome": "done"}):
        sent = await lists.page("list_audit_records", limit=1, companyId=lists.ids["companyId"], **query)
        plan = [line for each in sent for line in await planned(lists.world.service.database, each)]
        searches = [line for line in plan if line.startswith("SEARCH audit_records USING")]
        assert searches and all("company_id=?" in line or "(id=?)" in line for line in searches), plan


async def test_users_are_counted_filtered_and_skipped_in_an_index_alone(lists: Lists) -> None:
    database = lists.world.service.database
    company = {"companyId": lists.ids["companyId"]}
    async with database.unit() as store:
        [(site, _)] = Counter(await store.users.values("siteId", Not(Is("siteId", None)))).most_common(1)
        [(group, _)] = Counter(await store.users.values("organisationId", Not(Is("organisationId", None)))).most_common(
            1
        )
    places = (company, {"siteId": site}, {"organisationId": group})
    roles = {"roles": "company_admin"}
    if database.access is not None:
        async with database.access.reading.connect() as connection:
            # As PostgreSQL does by itself: before, it looks up each record to see whether it was removed.
            await connection.exec_driver_sql("VACUUM ANALYZE users")
    for query in ({}, *places, roles, {**company, **roles}, {**company, "displayName": "a"}):
        sent = [each for each in await lists.page("list_users", limit=1, **query) if "is_terminated" in each.sql]
        read = [each for each in sent if "count(" in each.sql or "ORDER" in each.sql]
        assert len(read) == 2, query
        for each in read:
            if database.engine.dialect.name == "sqlite":
                plan = [line for line in await planned(database, each) if "users" in line]
                assert plan and all("COVERING INDEX" in line for line in plan), (each, plan)
            else:
                assert set(await scans(database, each)) == {"Index Only Scan users"}, each


async def test_customers_of_a_partner_are_ordered_without_reading_their_records(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(company_numbers, "_MOST_AT_ONCE", 1)
    async with lists.world.service.database.unit() as store:
        partners = await store.companies.count_by("bpId", Not(Is("bpId", None)))
    lists.ids["companyId"] = max(partners, key=partners.__getitem__)
    answer, sent = await lists.answer(LISTS["list_bp_company_stats"], limit=1)
    assert answer.json()["total"] > 2
    # All customers are counted once, for their order; the other numbers are those of the one that is shown.
    counts = [each for each in sent if "GROUP BY" in each.sql]
    [counted] = [each for each in counts if "bp_id" in each.sql]
    assert len(counts) == 1 + len(company_numbers.COUNTED) - len(("activeUsers", "funnel"))
    assert not any("companies.document" in each.sql and "bp_id" in each.sql for each in sent)
    if lists.world.service.database.engine.dialect.name == "sqlite":
        plan = await planned(lists.world.service.database, counted)
        assert any(line.startswith("SEARCH users USING COVERING INDEX") for line in plan), plan


async def test_no_entry_of_a_directory_is_looked_up_before_its_page(lists: Lists) -> None:
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


@pytest.mark.parametrize("lists", ["sqlite"], indirect=True)
async def test_sqlite_compares_an_entry_with_a_hundred_numbers_at_once(lists: Lists) -> None:
    numbers = ",".join(f"+351{number:09}" for number in range(100))
    sent = await lists.page("list_directory_entries", companyId=lists.ids["companyId"], phoneNumbers=numbers)
    assert not any("LIKE" in each.sql for each in sent)
    assert any(len(each.values) < 20 and numbers[:13] in str(each.values) for each in sent)


async def test_a_list_without_records_is_not_counted(lists: Lists) -> None:
    for id, query in (("list_users", {"displayName": "nowhere"}), ("list_recordings", {"recordedName": "nowhere"})):
        sent = await lists.page(id, limit=5, offset=0, **query)
        assert not any("count(" in each.sql for each in sent), id
        assert any("count(" in each.sql for each in await lists.page(id, limit=5, offset=5, **query)), id


async def test_a_page_of_many_records_takes_as_many_statements_as_one_of_few(lists: Lists) -> None:
    for id in LISTS:
        query = {"companyIds": lists.ids["companyId"]} if id == "list_recordings_across_companies" else {}
        few, many = [len(await lists.page(id, limit=limit, offset=0, **query)) for limit in (20, 200)]
        assert many <= few, id


async def test_no_operation_that_reads_sends_a_statement_for_each_record(lists: Lists) -> None:
    answered = 0
    for operation in (each for each in operations() if each.method == "GET" and each.reads):
        query = {spec.wire: lists.ids[spec.wire] for spec in fields_of(operation.query) if spec.wire in lists.ids}
        answer, sent = await lists.answer(operation, **query)
        counts = Counter(each.sql for each in sent)
        assert max(counts.values(), default=0) <= MOST_OF_ONE_STATEMENT, (operation.id, counts.most_common(1))
        answered += answer.status_code == 200
    assert answered > 60
