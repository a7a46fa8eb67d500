"""Pictures of subscriptions, quotations, invoices and invoicing files."""

from __future__ import annotations

from svc_tui.server.demo.repeatable import id_of
from tests.pictures.picture import DESIGN, WIDE, Picture
from tests.stories.driver import Story
from tests.stories.subscriptions.test_live_events import is_live
from tests.stories.subscriptions.test_quotations import AMOUNT, quotes, sees_lists, types_over

FINANCE = "bp_finance@demo.example"
PARTNER = f"companies/{id_of('company', 'harbour')}"


async def _subscriptions(person: Story) -> None:
    await sees_lists(person, "B")
    await is_live(person)


async def _quotation(person: Story) -> None:
    """Three terms of one subscription, the last one with more licences."""
    await sees_lists(person, "B")
    await quotes(person, "Business, one year")
    await person.press("down", "ctrl+d")
    await types_over(person, "24")
    await person.press("ctrl+d")
    await types_over(person, "36")
    await person.sees_line(rf"Per month({AMOUNT}){{4}}")
    await person.sees_line(r"^ C  [\d.]+ EUR per month")


async def _comparison(person: Story) -> None:
    await person.is_ready()
    await person.goes(f"{PARTNER}/invoices")
    await person.sees("14 invoices")
    await person.press("c")
    await person.sees("Differences (prices without tax, amounts with tax)", "quantity 40 → 50", "6 differences")


async def _file(person: Story) -> None:
    await person.is_ready()
    await person.goes(f"{PARTNER}/invoicefiles")
    await person.sees("INV_services_2026-10")
    await person.puts_cursor_on("INV_services_2026-10")
    await person.press("enter")
    await person.sees("50,000 lines", "LIST PRICE", "Northwind Telecom")


PICTURES = (
    Picture("subscriptions", DESIGN, _subscriptions, login=FINANCE),
    Picture("quotation", DESIGN, _quotation, login=FINANCE),
    Picture("quotation-wide", WIDE, _quotation, login=FINANCE),
    Picture("invoice-comparison", DESIGN, _comparison, login=FINANCE),
    Picture("invoicing-file", DESIGN, _file, login=FINANCE),
)
