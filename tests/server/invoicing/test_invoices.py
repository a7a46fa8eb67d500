"""Invoices of direct resellers and distributors, and their PDF files (2.12, 4.6)."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from typing import Any

import pytest

from svc_tui.interface.companies.records import Company
from svc_tui.interface.subscriptions.invoices import Invoice
from svc_tui.interface.typed_access import typed
from svc_tui.server.documents.invoice import pdf_of
from tests.server.companies.support import CUSTOMER, RESELLER, caller, populated, put
from tests.support.world import COMPANY, OTHER_COMPANY, PARTNER, World, granted, refused

Document = dict[str, Any]
DIRECT = "dd" * 12
FILES = {"old": "f1" * 12, "new": "f2" * 12, "foreign": "f3" * 12}
SMALL = {"id", "invoiceNumber", "invoiceDate", "dueDate", "amount", "balance", "status"}


def path(company: str, file: str = "") -> str:
    base = f"/api/svc/subscription/v1.0/companies/{company}/invoices"
    return f"{base}/files/{file}" if file else base


def item(**fields: Any) -> Document:
    known = {
        "id": "1e" * 12,
        "chargeName": "Licences",
        "chargeDescription": "Northwind Telecom: Business",
        "serviceStartDate": "2026-10-01",
        "serviceEndDate": "2026-10-31",
        "chargeAmount": 225.0,
        "taxAmount": 51.75,
        "quantity": 50,
        "unitOfMeasure": "User",
    }
    return {**known, **fields}


def drawn(document: Document, company: Document, issuer: str = "Svc Operations") -> bytes:
    """The PDF of an invoice."""
    return pdf_of(typed(Invoice, document), typed(Company, company), issuer)


def invoice(key: str, company: str, updated: str, **fields: Any) -> Document:
    known = {
        "id": FILES[key][::-1],
        "companyId": company,
        "updatedDate": f"{updated}T08:00:00.000Z",
        "accountNumber": "A-1088",
        "accountName": "Distributor",
        "invoiceNumber": f"INV-{key}",
        "invoiceDate": "2026-11-01",
        "dueDate": "2026-12-01",
        "invoiceTargetDate": "2026-10-31",
        "amount": 276.75,
        "balance": 0.0,
        "status": "Posted",
        "invoiceItems": [item()],
        "invoiceFiles": [{"id": FILES[key], "versionNumber": 1}],
    }
    return {**known, **fields}


@pytest.fixture
async def firm(world: World) -> World:
    await populated(world)
    await world.company(DIRECT, name="Direct", isBP=True, bpType="DR", currency="USD")
    await put(world, "invoices", **invoice("old", PARTNER, "2026-11-02"))
    await put(world, "invoices", **invoice("new", PARTNER, "2026-11-18"))
    await put(world, "invoices", **invoice("foreign", DIRECT, "2026-11-19"))
    return world


def text_of(pdf: bytes) -> str:
    """The text of a PDF: the strings of its drawing, joined."""
    drawn = b"".join(
        zlib.decompressobj().decompress(found[1])
        for found in re.finditer(rb"/FlateDecode.*?stream\r?\n(.*?)\nendstream", pdf, re.DOTALL)
    )
    words = re.findall(rb"\(((?:\\.|[^\\()])*)\) Tj", drawn)
    return "\n".join(re.sub(rb"\\(.)", rb"\1", word).decode("latin-1") for word in words)


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
        "import sys; from svc_tui.server.application import load_rules; load_rules(); sys.exit('fpdf' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_the_pdf_shows_payer_lines_and_amounts() -> None:
    lines = [
        item(),
        item(chargeName="Usage", chargeAmount=100.0, taxAmount=23.0, quantity=2_000, unitOfMeasure="Minute"),
    ]
    document = invoice("new", PARTNER, "2026-11-18", invoiceItems=lines, amount=399.75, balance=150.0)
    company = {"name": "Harbour", "street": "Rua 1", "postalCode": "4000", "city": "Porto", "currency": "EUR"}
    text = text_of(drawn(document, company, "Svc Operations\nVAT 123"))
    for part in (
        "Svc Operations", "VAT 123", "INV-new", "2026-11-01", "2026-12-01", "Distributor", "Rua 1", "4000 Porto",
        "Northwind Telecom: Business", "2026-10-01", "50 User", "2,000 Minute", "225.00", "51.75",
    ):  # fmt: skip
        assert part in text, part
    for total in ("325.00 EUR", "74.75 EUR", "399.75 EUR", "150.00 EUR"):
        assert total in text, total


def test_a_credit_is_between_the_lines_and_the_total() -> None:
    document = invoice("new", PARTNER, "2026-11-18", amount=256.75, creditBalanceAdjustmentAmount=-20.0)
    text = text_of(drawn(document, {"currency": "EUR"}))
    assert "Credit" in text
    assert "-20.00 EUR" in text
    assert "256.75 EUR" in text
    assert "Credit" not in text_of(drawn(invoice("new", PARTNER, "2026-11-18"), {}))


def test_many_lines_continue_on_numbered_pages_with_headings() -> None:
    document = invoice("new", PARTNER, "2026-11-18", invoiceItems=[item(chargeName=f"Line {n}") for n in range(90)])
    text = text_of(drawn(document, {}))
    pages = text.count("Page ")
    assert pages >= 4
    assert text.count("Quantity") in (pages, pages - 1), "headings on each page that has lines"
    assert all(f"Line {n}" in text for n in range(90))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Zürich & Søn", "Zürich & Søn"),
        ("Łódź — “Ltd”", 'Lódz - "Ltd"'),
        ("日本電信", "????"),
        ("\x1b[31mred\x07", " [31mred "),
        ("a\u202eb", "a b"),
        ("(un)balanced \\ (", "(un)balanced \\ ("),
    ],
)
def test_letters_without_a_font_are_replaced_with_a_note(name: str, expected: str) -> None:
    document = invoice("new", PARTNER, "2026-11-18", accountName=name)
    text = text_of(drawn(document, {}))
    assert expected.strip() in text
    assert ("cannot be printed" in text) is (expected != name)


def test_a_name_that_is_too_wide_is_cut_before_the_amounts() -> None:
    text = text_of(drawn(invoice("new", PARTNER, "2026-11-18", accountName="Wide " * 40), {}))
    (name,) = [line for line in text.splitlines() if line.startswith("Wide")]
    assert name.endswith("...")
    assert len(name) < 60


@pytest.mark.parametrize(
    "broken",
    [
        {"invoiceItems": None},
        {"invoiceItems": [{}]},
        {"invoiceDate": "someday", "amount": None, "balance": "much"},
        {"accountName": "W" * 5_000, "invoiceItems": [item(chargeDescription="long " * 400)]},
        {"invoiceItems": [item(chargeDescription="W" * 3_000)]},
        {"invoiceItems": [item(quantity="few", chargeAmount="nothing", serviceStartDate=None)]},
    ],
)
def test_an_invoice_with_malformed_values_is_still_a_pdf(broken: Document) -> None:
    assert drawn(invoice("new", PARTNER, "2026-11-18", **broken), {}, "").startswith(b"%PDF-")
