"""Invoices of direct resellers and distributors, and their PDF files (2.12, 4.6)."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tests.server.companies.support import CUSTOMER, RESELLER, caller, populated, put
from tests.server.invoicing.documents import FILES, invoice, item
from tests.support.pdf import text_of
from tests.support.world import COMPANY, OTHER_COMPANY, PARTNER, World, granted, refused

Document = dict[str, Any]
DIRECT = "dd" * 12
SMALL = {"id", "invoiceNumber", "invoiceDate", "dueDate", "amount", "balance", "status"}


def path(company: str, file: str = "") -> str:
    base = f"/api/svc/subscription/v1.0/companies/{company}/invoices"
    return f"{base}/files/{file}" if file else base


@pytest.fixture
async def firm(world: World) -> World:
    await populated(world)
    await world.company(DIRECT, name="Direct", isBP=True, bpType="DR", currency="USD")
    await put(world, "invoices", **invoice("old", PARTNER, "2026-11-02"))
    await put(world, "invoices", **invoice("new", PARTNER, "2026-11-18"))
    await put(world, "invoices", **invoice("foreign", DIRECT, "2026-11-19"))
    return world


async def test_the_last_updated_invoice_is_first(firm: World) -> None:
    fatima = await caller(firm, "bp_finance", PARTNER)
    body = granted(await firm.get(path(PARTNER), by=fatima))
    assert [each["invoiceNumber"] for each in body["data"]] == ["INV-new", "INV-old"]
    assert body["total"] == 2
    assert set(body["data"][0]) == SMALL


async def test_only_the_full_format_contains_the_lines(firm: World) -> None:
    fatima = await caller(firm, "bp_finance", PARTNER)
    medium = granted(await firm.get(path(PARTNER), by=fatima, params={"format": "medium"}))["data"][0]
    assert medium["invoiceFiles"] == [{"id": FILES["new"], "versionNumber": 1}]
    assert "invoiceItems" not in medium
    full = granted(await firm.get(path(PARTNER), by=fatima, params={"format": "full"}))["data"][0]
    assert full["invoiceItems"] == [item()]
    assert {"companyId", "updatedDate"}.isdisjoint(full), "what the service keeps for itself"


@pytest.mark.parametrize("company", [RESELLER, CUSTOMER, COMPANY])
async def test_other_companies_than_direct_resellers_and_distributors_have_no_invoices(
    firm: World, company: str
) -> None:
    superadmin = await caller(firm, "superadmin", OTHER_COMPANY)
    for target in (path(company), path(company, FILES["new"])):
        body = refused(await firm.get(target, by=superadmin), 400000)
        assert body["errorDetails"][0]["param"] == "companyId"
        assert "DR and VAD" in body["errorDetails"][0]["msg"]


async def test_roles_that_read_invoices(firm: World) -> None:
    for role, company, reached in (
        ("superadmin", OTHER_COMPANY, {PARTNER, DIRECT}),
        ("bp_finance", PARTNER, {PARTNER}),
        ("bp_finance", DIRECT, {DIRECT}),
        ("bp_finance", RESELLER, set()),
    ):
        who = await caller(firm, role, company)
        for target, file in ((PARTNER, "new"), (DIRECT, "foreign")):
            for address in (path(target), path(target, FILES[file])):
                answer = await firm.get(address, by=who)
                assert (answer.status_code == 200) is (target in reached), (role, target)
                if target not in reached:
                    refused(answer, 403301)


@pytest.mark.parametrize("role", ["bp_admin", "organization_admin", "company_admin", "support", "business_admin"])
async def test_other_roles_read_no_invoices(firm: World, role: str) -> None:
    who = await caller(firm, role, PARTNER)
    refused(await firm.get(path(PARTNER), by=who), 403000)
    refused(await firm.get(path(PARTNER, FILES["new"]), by=who), 403000)


async def test_the_file_is_a_pdf_named_by_its_number(firm: World) -> None:
    fatima = await caller(firm, "bp_finance", PARTNER)
    answer = await firm.get(path(PARTNER, FILES["new"]), by=fatima, headers={"accept": "application/pdf"})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/pdf"
    assert 'filename="INV-new.pdf"' in answer.headers["content-disposition"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert answer.content.startswith(b"%PDF-")
    assert "INV-new" in text_of(answer.content)


async def test_both_databases_find_the_invoice_of_a_file(world_on_both: World) -> None:
    world = await populated(world_on_both)
    for key, day in (("old", "2026-11-02"), ("new", "2026-11-18")):
        await put(world, "invoices", **invoice(key, PARTNER, day))
    fatima = await caller(world, "bp_finance", PARTNER)
    found = granted(await world.get(path(PARTNER), by=fatima))["data"]
    assert [each["invoiceNumber"] for each in found] == ["INV-new", "INV-old"]
    assert "INV-old" in text_of((await world.get(path(PARTNER, FILES["old"]), by=fatima)).content)


async def test_a_file_of_another_partner_is_not_found(firm: World) -> None:
    fatima = await caller(firm, "bp_finance", PARTNER)
    refused(await firm.get(path(PARTNER, FILES["foreign"]), by=fatima), 404000)
    refused(await firm.get(path(PARTNER, "9" * 24), by=fatima), 404000)
    refused(await firm.get(path(PARTNER, "not-an-identifier"), by=fatima), 400000)
    assert (await firm.get(path(PARTNER, "..%2F..%2Fetc%2Fpasswd"), by=fatima)).status_code == 404
    refused(await firm.get(path("9" * 24), by=fatima), 404000)


def test_a_server_starts_without_the_pdf_library() -> None:
    program = (
        "import sys; from svc_tui.server.http.application import load_rules; "
        "load_rules(); sys.exit('fpdf' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


async def changed(world: World, id: str, **fields: Any) -> None:
    await put(world, "companies", **{**await world.stored("companies", id), **fields})


async def test_an_issued_invoice_does_not_change_with_its_partner(firm: World) -> None:
    await changed(firm, PARTNER, name="Harbour", street="Rua 1", postalCode="4000", city="Porto", currency="EUR")
    await put(firm, "invoices", **invoice("later", PARTNER, "2026-11-20"))
    fatima = await caller(firm, "bp_finance", PARTNER)
    before = (await firm.get(path(PARTNER, FILES["later"]), by=fatima)).content
    assert "Rua 1" in text_of(before) and "276.75 EUR" in text_of(before)
    # An accountant expects the same file after the partner has moved, has another name and pays in dollars.
    await changed(
        firm, PARTNER, name="Cove", street="Road 2", postalCode="1", city="Boston", country="USA", currency="USD"
    )
    assert (await firm.get(path(PARTNER, FILES["later"]), by=fatima)).content == before
    full = granted(await firm.get(path(PARTNER), by=fatima, params={"format": "full"}))["data"]
    assert next(each for each in full if each["invoiceNumber"] == "INV-later")["currency"] == "EUR"
    assert next(each for each in full if each["invoiceNumber"] == "INV-later")["billTo"]["street"] == "Rua 1"
    await put(firm, "invoices", **invoice("later", PARTNER, "2026-11-21", balance=0))
    paid = text_of((await firm.get(path(PARTNER, FILES["later"]), by=fatima)).content)
    assert "Rua 1" in paid and "Road 2" not in paid, "also after its payment"


async def test_the_currency_of_a_partner_without_a_setting_is_that_of_its_bills(firm: World) -> None:
    fatima = await caller(firm, "bp_finance", PARTNER)
    await changed(firm, PARTNER, country="CHN")
    await put(firm, "invoices", **invoice("later", PARTNER, "2026-11-20"))
    await changed(firm, PARTNER, country="FRA", currency="EUR")
    assert "276.75 CNY" in text_of((await firm.get(path(PARTNER, FILES["later"]), by=fatima)).content)


async def test_the_file_is_named_by_the_whole_number(firm: World) -> None:
    fatima = await caller(firm, "bp_finance", PARTNER)
    names = set()
    for number in ("INV/2026/11", "INV/202611", "INV-2026/11"):
        await put(firm, "invoices", **invoice("later", PARTNER, "2026-11-20", invoiceNumber=number))
        answer = await firm.get(path(PARTNER, FILES["later"]), by=fatima)
        names.add(answer.headers["content-disposition"])
        assert number in text_of(answer.content)
    assert len(names) == 3
    assert "attachment; filename=\"INV~2026~11.pdf\"; filename*=UTF-8''INV~2026~11.pdf" in names
