"""Invoicing files of the demo data."""

from __future__ import annotations

import csv
import io
import zlib

import pytest

from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.invoicing.records import InvoiceFile, InvoiceLine
from svc_tui.server.demo.accounts import accounts
from tests.support.world import World, granted


@pytest.fixture
def demo(demo_world: World) -> World:
    return demo_world


async def test_every_file_matches_the_interface(demo: World) -> None:
    async with demo.service.database.unit() as store:
        files = (await store.invoice_files.find()).documents
    assert files
    for file in files:
        assert set(file) <= set(field_by_wire(InvoiceFile)) | {"id", "fileType", "bpType", "size", "lines"}
        InvoiceFile.model_validate(file)


async def test_invoicing_files_of_every_kind_and_one_of_fifty_thousand_lines(demo: World) -> None:
    known = accounts()
    account = next(each for each in known["accounts"] if each["login"].startswith("bp_finance@"))
    login = await demo.login(account["login"], account["password"], app=known["appId"], secret=known["appSecret"])
    header = {"authorization": f"Bearer {granted(login)['token']}"}
    all_files = (await demo.get("/api/svc/invoicing/v1.0/invoices", headers=header)).json()
    assert {each["invoiceType"] for each in all_files} == {"services", "conference", "voice"}
    assert len({each["billingPeriod"] for each in all_files}) == 6
    counts = []
    for file in all_files:
        answer = await demo.get(f"/api/svc/invoicing/v1.0/invoices/{file['filepath']}", headers=header)
        assert int(answer.headers["content-length"]) == len(answer.content)
        rows = csv.DictReader(io.StringIO(answer.content.decode(), newline=""))
        assert rows.fieldnames == list(field_by_wire(InvoiceLine))
        numbers = [int(row["invoiceLine"]) for row in rows]
        assert numbers == list(range(1, len(numbers) + 1))
        counts.append(len(numbers))
    assert sorted(counts)[-1] == 50_000
    assert sorted(counts)[-2] < 1_000


async def test_lines_of_invoicing_files_add_up_and_are_in_several_currencies(demo: World) -> None:
    async with demo.service.database.unit() as store:
        files = (await store.invoice_files.find()).documents
        currencies: dict[str, set[str]] = {}
        for file in (each for each in files if each["lines"] < 1_000):
            block = await store.invoice_lines.block(file["id"], 0)
            assert block is not None
            for row in csv.DictReader(io.StringIO(zlib.decompress(block).decode(), newline="")):
                line = InvoiceLine.model_validate({name: value or None for name, value in row.items() if name})
                assert line.volume and line.wpl_price_total is not None
                assert line.wpl_price_total == (line.wpl_price_per_unit or 0) * line.volume
                assert line.end_customer_net_total_value == (line.end_customer_net_unit_value or 0) * line.volume
                assert (line.bp2_t_applicant_name is None) is (line.bp2_t_net_total_value is None)
                currencies.setdefault(file["bpType"], set()).add(str(line.currency))
    assert currencies["IR"] == {"EUR", "USD"}
    assert set(currencies) == {"VAD", "DR", "IR"}
