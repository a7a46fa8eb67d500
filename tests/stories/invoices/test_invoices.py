"""Invoices of a partner: why one grew, its PDF on disk; invoicing files saved, added up, however long they are."""

from __future__ import annotations

import csv
import re
import tracemalloc
from decimal import Decimal
from pathlib import Path

from svc_tui.server.demo.repeatable import id_of
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired

FINANCE = "bp_finance@demo.example"
PARTNER = f"companies/{id_of('company', 'harbour')}"
INVOICES, FILES = f"{PARTNER}/invoices", f"{PARTNER}/invoicefiles"
#: A file's request as it begins on the wire.
DOWNLOAD = b"GET /api/svc/invoicing/v1.0/invoices/"


def _amounts(person: Story, pattern: str) -> list[Decimal]:
    """The amounts at the ends of the lines that fit a pattern."""
    found = [line for line in person.lines if re.search(pattern, line)]
    return [
        Decimal(match[1].replace(",", "")) for line in found if (match := re.search(r"([-+]?[\d,]+\.\d\d) EUR", line))
    ]


async def _opens(person: Story, file: str) -> None:
    await person.is_ready()
    await person.puts_cursor_on(file)
    await person.press("enter")
    await person.sees("lines   by customer  by service  lines")


async def _saves_to(person: Story, path: Path) -> None:
    await person.sees("Only you can read the saved file.")
    await person.type(str(path))
    await person.press("enter")


async def test_finds_why_an_invoice_grew(service: str) -> None:
    async with story(profile(service, FINANCE), place=INVOICES) as person:
        await person.is_ready()
        await person.sees("14 invoices")
        await person.press("c")
        await person.sees("Comparison", "Differences", "quantity 40 → 50")
        older, newer = _amounts(person, r"INV-\d{4}-\d\d")
        (whole,) = _amounts(person, r"^ .Total difference")
        assert newer > older
        assert whole == newer - older
        parts = _amounts(person, r"(quantity|new|gone|unit price) ?")
        assert sum(parts) == whole
        assert [abs(part) for part in parts] == sorted((abs(part) for part in parts), reverse=True)
        await person.press("y")
        await person.sees("The report:")


async def test_an_overdue_invoice_has_its_state_in_its_list_in_its_head_and_as_a_finding(service: str) -> None:
    async with story(profile(service, FINANCE), place=INVOICES, size=(80, 24)) as person:
        await person.is_ready()
        await person.sees_line(r"INV-2026-11-\S+ .* ◌ open")
        await person.sees_line(r"INV-2026-10-\S+ .* 150.00 EUR +× overdue")
        await person.sees_line(r"INV-2026-09-\S+ .* ● paid")
        await person.press("j", "enter")
        await person.sees_line(r"INV-2026-10-\S+ +× overdue +Invoice .*▲ 1 warning")
        await person.sees_line(r"Payment +150.00 EUR is overdue since 2026-10-31.")
        await person.press("esc", "k", "enter")
        await person.sees_line(r"INV-2026-11-\S+ +◌ open +Invoice .*✓ no problems")


async def test_a_line_and_a_difference_lead_to_their_subscription_and_back(service: str) -> None:
    async with story(profile(service, FINANCE), place=INVOICES) as person:
        await person.is_ready()
        await person.press("enter")
        await person.sees("Lines (")
        await person.on_field("Meridian Channel: Business")
        await person.press("enter")
        await person.sees("▸ Business", "4 assigned to own users", "Applicant number")
        await person.press("esc")
        await person.sees("Meridian Channel: Business")
        await person.press("c")
        await person.sees("Comparison", "Differences")
        await person.on_field("Northwind Telecom: Business")
        await person.sees("enter Open")
        await person.press("enter")
        await person.sees("▸ Business", "41/50", "Synchronisation in progress")
        await person.press("esc")
        await person.sees("Comparison", "Differences")
        await person.press("g", "enter")
        await person.sees("Invoice number", "overdue since")


async def test_the_own_invoices_are_shown_as_soon_as_it_is_known_whose_they_are(service: str) -> None:
    async with story(profile(service, FINANCE), place="invoices") as person:
        await person.sees("14 invoices", "INV-")


async def test_compares_any_two_that_are_marked_the_older_one_first(service: str) -> None:
    async with story(profile(service, FINANCE), place=INVOICES) as person:
        await person.is_ready()
        await person.press("space", "down", "down", "space", "down", "space", "c")
        await person.sees("Compare: mark two invoices, or none")
        await person.press("up", "space", "c")
        await person.sees("Comparison")
        found = re.findall(r"INV-(\d{4}-\d\d)", person.screen)
        assert found == sorted(found)
        assert len(found) == 2


async def test_an_invoice_that_is_opened_directly_is_found_and_compared_with_the_one_before(service: str) -> None:
    async with story(profile(service, FINANCE), place=f"{INVOICES}/{id_of('invoice', 'harbour/0')}") as person:
        await person.sees("Invoice number", "Lines (", " EUR")
        await person.press("c")
        await person.sees("Comparison", "quantity 40 → 50")
        await person.press("esc")
        await person.sees("Invoice number")


async def test_the_oldest_invoice_has_none_before_it(service: str) -> None:
    async with story(profile(service, FINANCE), place=INVOICES) as person:
        await person.is_ready()
        await person.press("G", "c")
        await person.sees("This is the first invoice. There is no earlier one to compare with.")


async def test_looks_at_the_lines_of_an_invoice_and_saves_its_pdf(service: str, tmp_path: Path) -> None:
    target = tmp_path / "invoice.pdf"
    async with story(profile(service, FINANCE), place=INVOICES) as person:
        await person.is_ready()
        await person.press("enter")
        await person.sees("Invoice number", "Lines (", " EUR", "p saves it")
        await person.press("p")
        await person.sees("Save invoice INV-", ".pdf")
        await _saves_to(person, target)
        await person.sees("Saved ")
        assert target.read_bytes().startswith(b"%PDF-")
        target.write_text("mine")
        await person.press("p")
        await _saves_to(person, target)
        await person.sees("already exists", "enter again")
        assert target.read_text() == "mine"
        await person.press("enter")
        await person.sees("Saved ")
        assert target.read_bytes().startswith(b"%PDF-")


async def test_an_invalid_target_is_refused_in_the_dialog(service: str, tmp_path: Path) -> None:
    async with story(profile(service, FINANCE), place=INVOICES) as person:
        await person.is_ready()
        await person.press("p")
        await _saves_to(person, tmp_path / "none" / "invoice.pdf")
        await person.sees_across_lines(f"The folder {tmp_path / 'none'} does not exist.")
        await person.press("esc")
        await person.sees("14 invoices")


async def test_exports_an_invoicing_file_of_50000_lines_with_memory_flat(service: str, tmp_path: Path) -> None:
    target = tmp_path / "lines.csv"
    async with story(profile(service, FINANCE), place=FILES) as person:
        await person.is_ready()
        await person.puts_cursor_on("INV_services_2026-10")
        await person.press("D")
        await person.sees("Save INV_services_2026-10")
        tracemalloc.start()
        try:
            await _saves_to(person, target)
            await person.sees("Saved ")
            most = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        with target.open(encoding="utf-8", newline="") as file:
            assert sum(1 for _ in csv.reader(file)) == 50_001
        assert target.stat().st_size > 10_000_000
        assert most < 5_000_000, "the memory grows with the file"


async def test_a_file_of_50000_lines_is_added_up_by_customer_and_service(service: str) -> None:
    async with story(profile(service, FINANCE), place=FILES) as person:
        await _opens(person, "INV_services_2026-10")
        await person.sees("50,000 lines", "LIST PRICE", "Northwind Telecom")
        await person.press("tab")
        await person.sees("SERVICE", "Voice Business")
        await person.press("tab", "G", "enter")
        await person.sees("▸ Line 50000", "endCustomerCompanyName")


async def test_totals_of_a_file_are_those_of_its_lines(service: str, tmp_path: Path) -> None:
    target = tmp_path / "lines.csv"
    async with story(profile(service, FINANCE), place=FILES) as person:
        await _opens(person, "INV_voice_2026-10")
        await person.sees("EUR: list ")
        listed = re.search(r"EUR: list ([\d,.]+),", person.screen)
        assert listed is not None
        await person.press("D")
        await _saves_to(person, target)
        await person.sees("Saved ")
        with target.open(encoding="utf-8", newline="") as file:
            prices = [row["wplPriceTotal"] for row in csv.DictReader(file) if row["currency"] == "EUR"]
        assert sum(map(Decimal, prices)) == Decimal(listed[1].replace(",", ""))


async def test_exports_the_totals_that_are_shown(service: str, tmp_path: Path) -> None:
    target = tmp_path / "totals.csv"
    async with story(profile(service, FINANCE), place=FILES) as person:
        await _opens(person, "INV_voice_2026-10")
        await person.press("tab", "W")
        await _saves_to(person, target)
        await person.sees("Exported ")
        rows = list(csv.DictReader(target.open(encoding="utf-8", newline="")))
        assert "Voice Business" in [row["name"] for row in rows]
        assert {row["currency"] for row in rows} == {"EUR", "USD"}
        assert all(Decimal(row["wplPriceTotal"]) > 0 for row in rows)


async def test_a_file_is_left_again_and_the_keys_are_those_of_the_list(service: str) -> None:
    async with story(profile(service, FINANCE), place=FILES) as person:
        await _opens(person, "INV_voice_2026-10")
        await person.press("esc")
        await person.does_not_see("LIST PRICE", "▸ INV_voice")
        await person.press("g")
        await person.puts_cursor_on("CDR_voice_2026-10")
        await person.press("ctrl+c")
        await person.until(lambda: not person.app.is_running, "the console is not left")


async def test_the_side_pane_follows_the_cursor_without_ids(service: str) -> None:
    async with story(profile(service, FINANCE), place=FILES, size=(120, 30)) as person:
        await person.is_ready()
        await person.puts_cursor_on("INV_voice_2026-10")
        await person.sees_line(r"Invoice type\s+Voice")
        await person.press("g")
        await person.puts_cursor_on("INV_conference_2026-10")
        await person.sees_line(r"Invoice type\s+Conference")


async def test_shows_the_files_of_one_month(service: str) -> None:
    async with story(profile(service, FINANCE), place=FILES) as person:
        await person.is_ready()
        await person.press("F")
        await person.sees("Billing period")
        await person.on_field("Billing period")
        await person.type("2026-09")
        await person.press("ctrl+o")
        await person.sees("4 invoicing files", "INV_services_2026-09")
        await person.does_not_see("2026-10 ")


async def test_a_download_that_was_stopped_leaves_nothing(service: str, tmp_path: Path) -> None:
    async with wired(service) as (wire, url), story(profile(url, FINANCE), place=FILES) as person:
        await person.is_ready()
        wire.hold = DOWNLOAD
        await person.press("D")
        await _saves_to(person, tmp_path / "lines.csv")
        await wire.held.wait()
        await person.sees("Waiting for the service…", "esc Stop")
        await person.stays_after_quitting("The download has not ended. Nothing would be saved.")
        await person.press("esc")
        await person.sees("Stopped. Nothing was saved.")
        left = lambda: [path.name for path in tmp_path.iterdir() if "lines" in path.name]  # noqa: E731
        await person.until(lambda: not left(), "a part of the file is left")


async def test_a_lost_connection_during_a_download_is_resumed(service: str, tmp_path: Path) -> None:
    async with wired(service) as (wire, url), story(profile(url, FINANCE), place=FILES) as person:
        await person.is_ready()
        wire.hold = DOWNLOAD
        await person.press("D")
        await _saves_to(person, tmp_path / "lines.csv")
        await wire.held.wait()
        wire.cut()
        await person.sees("Saved ")
        assert (tmp_path / "lines.csv").read_bytes().count(b"\n") > 10


async def test_an_unreachable_service_is_reported_and_leaves_no_partial_file(service: str, tmp_path: Path) -> None:
    async with wired(service) as (wire, url), story(profile(url, FINANCE), place=FILES) as person:
        await person.is_ready()
        await person.puts_cursor_on("INV_voice_2026-10")
        await person.press("D")
        wire.away = True
        wire.cut()
        await _saves_to(person, tmp_path / "lines.csv")
        await person.sees("Nothing was saved.", "esc Close")
        await person.press("esc")
        await person.sees("INV_voice")
        assert [path.name for path in tmp_path.iterdir() if "lines" in path.name] == []
        await person.press("enter")
        await person.sees_line(r"▸ INV_voice_2026-10_AP-10-88\.csv .*\n")
        await person.sees_line(r"^ The connection to 127\.0\.0\.1:\d+ broke before the response was complete\. ")


async def test_only_partners_who_buy_themselves_have_invoices(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="companies") as person:
        await person.is_ready()
        await person.puts_cursor_on("Northwind Telecom")
        await person.press("I")
        await person.sees("Invoices: only a BP of type DR or VAD has invoices")
        await person.goes(f"companies/{id_of('company', 'northwind')}/invoices")
        await person.sees("no data")
        assert "Traceback" not in person.screen


async def test_a_company_without_invoices_leads_to_those_of_the_partners(service: str) -> None:
    async with story(profile(service, "superadmin@demo.example"), place="invoices") as person:
        await person.sees("Company: has no invoices: only partners (BP)", "Companies and press I.")
        await person.press("2")
        await person.sees("Harbour Telecom Partners")
        await person.puts_cursor_on("Harbour Telecom Partners")
        await person.press("I")
        await person.sees("14 invoices")
