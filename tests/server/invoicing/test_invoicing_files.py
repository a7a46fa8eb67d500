"""Invoicing files: access, the filters of the list, and the download of very long files (2.13, 4.9)."""

from __future__ import annotations

import asyncio
import csv
import io
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from svc_tui.interface.access import Caller, Role
from svc_tui.interface.invoicing.operations import download_invoice_file
from svc_tui.interface.operations import Nothing
from svc_tui.server.invoicing import files
from svc_tui.server.rules import Call, FileResult, Headers
from tests.server.companies.support import CUSTOMER, RESELLER, SISTER, caller, populated
from tests.support.world import COMPANY, OTHER_COMPANY, PARTNER, World, refused

Document = dict[str, Any]
ALL = "/api/svc/invoicing/v1.0/invoices"
HEAD = "invoiceLine,endCustomerCompanyName,wplPriceTotal\r\n"


async def file(world: World, key: str, company: str = PARTNER, lines: int = 3, **fields: Any) -> Document:
    """A stored file and its lines, some hundred in a block."""
    texts = [HEAD, *(f"{number},Nørthwind,4.50\r\n" for number in range(1, lines + 1))]
    blocks = ["".join(texts[start : start + 500]).encode() for start in range(0, len(texts), 500)]
    document = {
        "id": key * 12,
        "companyId": company,
        "billingPeriod": "2026-10",
        "invoiceType": "services",
        "fileType": "INV",
        "bpType": "VAD",
        "filename": f"{key}.csv",
        "filepath": f"AP-1/2026-10/services/{key}.csv",
        "invoiceCreationDate": "2026-11-02",
        "size": sum(map(len, blocks)),
        **fields,
    }
    async with world.service.database.unit() as store:
        await store.invoice_files.put(document)
        await store.invoice_lines.put(document["id"], [zlib.compress(block) for block in blocks])
    return document


@pytest.fixture
async def firm(world: World) -> World:
    await populated(world)
    return world


async def names(world: World, who: Document, **params: str) -> list[str]:
    answer = await world.get(ALL, by=who, params=params)
    assert answer.status_code == 200, answer.text
    return [each["filename"].removesuffix(".csv") for each in answer.json()]


async def test_the_list_is_a_plain_array_with_the_fields_of_each_file(firm: World) -> None:
    await file(firm, "aa")
    fatima = await caller(firm, "bp_finance", PARTNER)
    assert (await firm.get(ALL, by=fatima)).json() == [
        {
            "companyId": PARTNER,
            "billingPeriod": "2026-10",
            "invoiceType": "services",
            "filename": "aa.csv",
            "filepath": "AP-1/2026-10/services/aa.csv",
            "invoiceCreationDate": "2026-11-02",
        }
    ]


async def test_every_filter(firm: World) -> None:
    await file(firm, "aa")
    await file(firm, "ab", billingPeriod="2026-09", invoiceCreationDate="2026-10-02")
    await file(firm, "ac", invoiceType="voice", fileType="CDR")
    await file(firm, "ad", RESELLER, bpType="IR", invoiceCreationDate="2026-11-05")
    root = await caller(firm, "superadmin", OTHER_COMPANY)
    assert set(await names(firm, root)) == {"aa", "ab", "ac", "ad"}
    for params, expected in (
        ({"companyId": RESELLER}, {"ad"}),
        ({"billingPeriod": "2026-09"}, {"ab"}),
        ({"invoiceType": "voice"}, {"ac"}),
        ({"fileType": "CDR"}, {"ac"}),
        ({"fileType": "INV"}, {"aa", "ab", "ad"}),
        ({"bpType": "IR"}, {"ad"}),
        ({"invoiceCreationDate": "2026-11-02"}, {"aa", "ac"}),
        ({"fromInvoiceCreationDate": "2026-11-02"}, {"aa", "ac", "ad"}),
        ({"toInvoiceCreationDate": "2026-11-02"}, {"aa", "ab", "ac"}),
        ({"fromInvoiceCreationDate": "2026-10-02", "toInvoiceCreationDate": "2026-10-02"}, {"ab"}),
        ({"companyId": PARTNER, "invoiceType": "conference"}, set()),
    ):
        assert set(await names(firm, root, **params)) == expected, params


async def test_the_newest_comes_first(firm: World) -> None:
    for key, day in (("aa", "2026-09-02"), ("ab", "2026-11-02"), ("ac", "2026-10-02")):
        await file(firm, key, invoiceCreationDate=day)
    assert await names(firm, await caller(firm, "bp_finance", PARTNER)) == ["ab", "ac", "aa"]


@pytest.mark.parametrize(
    ("param", "value"),
    [
        ("billingPeriod", "2026-13"),
        ("billingPeriod", "october"),
        ("invoiceType", "mail"),
        ("fileType", "PDF"),
        ("bpType", "XX"),
        ("invoiceCreationDate", "2026-02-30"),
        ("fromInvoiceCreationDate", "soon"),
        ("companyId", "short"),
    ],
)
async def test_an_invalid_filter_is_named(firm: World, param: str, value: str) -> None:
    root = await caller(firm, "superadmin", OTHER_COMPANY)
    body = refused(await firm.get(ALL, by=root, params={param: value}), 400000)
    assert [each["param"] for each in body["errorDetails"]] == [param]


async def test_a_period_that_ends_before_it_starts_is_refused(firm: World) -> None:
    root = await caller(firm, "superadmin", OTHER_COMPANY)
    days = {"fromInvoiceCreationDate": "2026-11-02", "toInvoiceCreationDate": "2026-11-01"}
    body = refused(await firm.get(ALL, by=root, params=days), 400000)
    assert "fromInvoiceCreationDate" in body["errorDetails"][0]["msg"]


#: role, its company, and the files that it sees
SEEN = (
    ("superadmin", OTHER_COMPANY, {"aa", "ab", "ac", "ad", "ae"}),
    ("bp_finance", PARTNER, {"aa"}),
    ("bp_finance", RESELLER, {"ab"}),
    ("company_admin", COMPANY, {"ac"}),
    ("site_admin", COMPANY, {"ac"}),
    ("organization_admin", COMPANY, {"ac", "ad"}),
)


@pytest.mark.parametrize(("role", "company", "seen"), SEEN)
async def test_files_that_each_role_lists_and_downloads(firm: World, role: str, company: str, seen: set[str]) -> None:
    who = await caller(firm, role, company)
    of = {"aa": PARTNER, "ab": RESELLER, "ac": COMPANY, "ad": SISTER, "ae": CUSTOMER}
    for key, each in of.items():
        await file(firm, key, each)
    assert set(await names(firm, who)) == seen
    for key, each in of.items():
        answers = (
            await firm.get(f"{ALL}/AP-1/2026-10/services/{key}.csv", by=who),
            await firm.get(ALL, by=who, params={"companyId": each}),
        )
        for answer in answers:
            if key in seen:
                assert answer.status_code == 200
            else:
                refused(answer, 403301)


@pytest.mark.parametrize("role", ["user", "bp_admin", "support", "business_admin", "app_admin"])
async def test_other_roles_list_no_files(firm: World, role: str) -> None:
    await file(firm, "aa")
    who = await caller(firm, role, PARTNER)
    refused(await firm.get(ALL, by=who), 403000)
    refused(await firm.get(f"{ALL}/AP-1/2026-10/services/aa.csv", by=who), 403000)


async def test_the_download_is_a_complete_csv_file_with_the_name_of_the_file(firm: World) -> None:
    document = await file(firm, "aa", lines=1_300, filename="Nørth west.csv")
    fatima = await caller(firm, "bp_finance", PARTNER)
    answer = await firm.get(f"{ALL}/{document['filepath']}", by=fatima, headers={"accept": "text/csv"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    disposition = answer.headers["content-disposition"]
    assert disposition == "attachment; filename=\"N_rth_west.csv\"; filename*=UTF-8''N%C3%B8rth%20west.csv"
    assert int(answer.headers["content-length"]) == len(answer.content)
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8"), newline="")))
    assert rows[0] == HEAD.strip().split(",")
    assert [int(row[0]) for row in rows[1:]] == list(range(1, 1_301))


async def test_both_databases_store_and_find_files_and_lines(world_on_both: World) -> None:
    world = await populated(world_on_both)
    first = await file(world, "aa", lines=700)
    await file(world, "ab", RESELLER, invoiceCreationDate="2026-11-05")
    fatima = await caller(world, "bp_finance", PARTNER)
    assert await names(world, fatima, fromInvoiceCreationDate="2026-11-02", invoiceType="services") == ["aa"]
    answer = await world.get(f"{ALL}/{first['filepath']}", by=fatima)
    assert len(answer.content.splitlines()) == 701


async def test_a_file_without_lines_is_empty(firm: World) -> None:
    document = await file(firm, "aa")
    async with firm.service.database.unit() as store:
        await store.invoice_files.put({**document, "size": None})
        await store.invoice_lines.put(document["id"], [])
    fatima = await caller(firm, "bp_finance", PARTNER)
    answer = await firm.get(f"{ALL}/{document['filepath']}", by=fatima)
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize(
    "path",
    [
        "AP-1/2026-10/services/none.csv",
        "..%2F..%2F..%2Fetc%2Fpasswd",
        "AP-1/..%2F..%2Fsvc.db",
        "%2Fetc%2Fpasswd",
        "AP-1%5C..%5Csigning-key.pem",
        "AP-1/2026-10/services/",
        "AP-1/2026-10/services/aa.csv/",
        "AP-1//2026-10/services/aa.csv",
        "ap-1/2026-10/services/aa.csv",
        "%25",
    ],
)
async def test_no_path_leads_out_of_the_stored_files(firm: World, path: str) -> None:
    await file(firm, "aa")
    root = await caller(firm, "superadmin", OTHER_COMPANY)
    refused(await firm.get(f"{ALL}/{path}", by=root), 404000)


async def test_a_path_with_invalid_characters_is_refused(firm: World) -> None:
    root = await caller(firm, "superadmin", OTHER_COMPANY)
    for path in ("a%00b", "a%1bb", "x" * 501):
        refused(await firm.get(f"{ALL}/{path}", by=root), 400000)


def blocks_of_fifty_thousand() -> Iterator[bytes]:
    line = ",".join(["field of a line"] * 30)
    for start in range(0, 50_000, 1_000):
        yield "".join(f"{number},{line}\r\n" for number in range(start, start + 1_000)).encode()


async def pieces_of(world: World, path: str) -> AsyncIterator[bytes]:
    """The parts of the response, in order."""
    async with world.service.database.unit() as store:
        call: Call = Call(
            operation=download_invoice_file,
            query=Nothing(),
            body=Nothing(),
            path={"invoicePath": path},
            headers=Headers(),
            store=store,
            service=world.service,
            caller=Caller("f" * 24, frozenset({Role.SUPERADMIN}), OTHER_COMPANY),
        )
        answer = await files.download_invoice_file(call)
    assert isinstance(answer, FileResult)
    return answer.pieces


async def test_fifty_thousand_lines_need_the_memory_of_a_few_hundred(firm: World) -> None:
    document = await file(firm, "aa")
    sizes = []
    async with firm.service.database.unit() as store:
        compressed = []
        for block in blocks_of_fifty_thousand():
            sizes.append(len(block))
            compressed.append(zlib.compress(block))
        await store.invoice_lines.put(document["id"], compressed)
    pieces = await pieces_of(firm, document["filepath"])
    received = 0
    tracemalloc.start()
    try:
        async for piece in pieces:
            received += len(piece)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert received == sum(sizes) > 20_000_000
    assert most < 6 * max(sizes), "a few blocks at a time, not the file"


async def test_a_slow_download_blocks_no_database_connection(firm: World) -> None:
    document = await file(firm, "aa", lines=1_300)
    downloads = [await pieces_of(firm, document["filepath"]) for _ in range(40)]
    # All downloads have started and none continues: there are fewer connections than downloads.
    begun = await asyncio.gather(*(anext(pieces) for pieces in downloads))
    assert len(set(begun)) == 1
    fatima = await caller(firm, "bp_finance", PARTNER)
    assert await names(firm, fatima) == ["aa"]
    for pieces in downloads:
        assert sum([len(piece) async for piece in pieces]) + len(begun[0]) == document["size"]
