"""An invoice or credit note as a PDF of A4 pages: letterhead, address, lines, totals, page numbers.

Names are written in their own letters, from right to left where these are. Texts wrap, numbers stay whole, and the
totals are complete. An amount below zero makes it a credit note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from fpdf.enums import Align

from svc_tui.interface.companies.records import Company
from svc_tui.interface.money import written
from svc_tui.interface.subscriptions.invoices import BillTo, Invoice, InvoiceItem
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.documents.sheet import Sheet, Style
from svc_tui.server.store.invoices import party_of

_INK, _QUIET, _ACCENT, _SHADE, _WHITE = (28, 35, 48), (96, 105, 120), (22, 74, 122), (240, 243, 247), (255, 255, 255)
_LETTERHEAD, _LETTERHEAD_MORE = Style(13, _ACCENT, bold=True), Style(9, _QUIET)
_TITLE, _TITLE_MORE = Style(20, _INK, bold=True, align=Align.R), Style(11, _INK, bold=True, align=Align.R)
_LABEL, _VALUE, _SMALL = Style(9, _QUIET), Style(9.5, _INK, align=Align.R), Style(8, _QUIET)
_NAME, _ADDRESS = Style(11, _INK, bold=True), Style(9.5, _INK)
_HEADING, _CELL, _ABOUT = Style(9, _WHITE, bold=True), Style(9, _INK), Style(8.5, _QUIET)
_NUMBER = Style(9, _INK, align=Align.R)
_MARGIN = 15
_BOTTOM = 24
#: Space around the cells of a row.
_PADDING = 1.4
_HEADINGS = ("Service", "Period", "Quantity", "Tax", "Amount")
#: The width of dates, and the narrowest and widest columns of numbers.
_PERIOD, _NARROW, _BROAD = 26.0, 20.0, 42.0
#: The least space in which a row begins that is higher than a page.
_BEGINNING = 30.0
#: Creation date of the PDF if an invoice has none.
_NO_DATE = date(1970, 1, 1)


def pdf_of(invoice: Invoice, company: Company, issuer: str) -> bytes:
    """The PDF of an invoice (2.12). `issuer` is the letterhead, in several lines.

    The parties and the currency are those of the invoice; of one that has none, those of the company.
    """
    pages = _InvoicePages(invoice, company, [line for line in issuer.splitlines() if line.strip()])
    pages.draw()
    return bytes(pages.output())


class _InvoicePages(Sheet):
    """The pages of an invoice."""

    def __init__(self, invoice: Invoice, company: Company, issuer: list[str]) -> None:
        self._invoice, self._issuer = invoice, issuer
        self._payer = invoice.bill_to or typed(BillTo, party_of(document_of(company)))
        self._currency = invoice.currency or company.currency or ""
        self._items = invoice.invoice_items or []
        self._in_lines = False
        texts = [*_texts(document_of(invoice)), *_texts(document_of(self._payer)), self._currency, *issuer]
        super().__init__(texts, self._payer.country or "", _MARGIN)
        net, tax = self._sums()
        self._amount = net + tax if invoice.amount is None else invoice.amount
        self._kind = "Credit note" if self._amount < 0 else "Invoice"
        self._named = f"{self._kind} {invoice.invoice_number or ''}".rstrip()
        self.set_auto_page_break(True, _BOTTOM)
        self.set_title(self._named)
        self.set_creation_date(datetime.combine(_day(lambda: invoice.invoice_date) or _NO_DATE, time(), UTC))
        self.alias_nb_pages()
        self._widths = self._column_widths()

    def draw(self) -> None:
        """Draw all pages."""
        self.add_page()
        self._address()
        self._lines()
        self._totals()
        if self.has_replaced:
            self.ln(8)
            note = "Characters that cannot be printed here are replaced with similar ones or '?'."
            self.write_text(note, _MARGIN, self.epw, Style(7.5, _QUIET))

    def header(self) -> None:
        self.set_fill_color(*_ACCENT)
        self.rect(0, 0, self.w, 4, style="F")
        self.set_y(11)
        half = self.epw / 2
        if self.page_no() == 1:
            self.write_whole(self._kind, _MARGIN + half, half, _TITLE)
        else:
            self.write_text(self._named, _MARGIN + half, half, _TITLE_MORE)
        below = self.get_y()
        self.set_y(11)
        for at, line in enumerate(self._issuer):
            self.write_text(line, _MARGIN, half, _LETTERHEAD_MORE if at else _LETTERHEAD)
        self.set_y(max(self.get_y(), below, 18) + 6)
        if self._in_lines:
            self._headings()

    def footer(self) -> None:
        self.set_y(-16)
        self.set_draw_color(*_SHADE)
        self.line(_MARGIN, self.get_y(), self.w - _MARGIN, self.get_y())
        self.ln(2)
        self.write_whole(f"Page {self.page_no()} of {{nb}}", _MARGIN, self.epw, _SMALL._replace(align=Align.R))
        self.write_whole(self._named, _MARGIN, self.epw - 40, _SMALL)

    def _address(self) -> None:
        """The paying company on the left, the numbers and dates of the invoice on the right."""
        top, invoice, payer = self.get_y(), self._invoice, self._payer
        self.write_text("Refund to" if self._amount < 0 else "Bill to", _MARGIN, 95, _SMALL)
        self.write_text(invoice.account_name or payer.name or "", _MARGIN, 95, _NAME)
        place = " ".join(part for part in (payer.postal_code, payer.city) if part)
        for line in (payer.street, place, payer.country):
            if line:
                self.write_text(line, _MARGIN, 95, _ADDRESS)
        left = self.get_y()
        self.set_y(top)
        for name, value in (
            (f"{self._kind} number", invoice.invoice_number),
            ("Date", _day(lambda: invoice.invoice_date)),
            ("Refund due" if self._amount < 0 else "Due", _day(lambda: invoice.due_date)),
            ("Account", invoice.account_number),
            ("Services up to", _day(lambda: invoice.invoice_target_date)),
        ):
            if value:
                self.write_whole(name, 118, 37, _LABEL)
                self.write_text(value, 150, 45, _VALUE)
        self.set_y(max(left, self.get_y()) + 8)

    # --- lines -----------------------------------------------------------------------------------------------------

    def _column_widths(self) -> tuple[float, ...]:
        """Columns of numbers are as wide as their numbers; the rest is for the service."""

        def column(heading: str, numbers: Iterator[str]) -> float:
            needed = [self.width_of(heading, _HEADING), *(self.width_of(number, _NUMBER) for number in numbers)]
            return min(max(*needed, _NARROW), _BROAD)

        items = self._items
        counted = ((f"{_quantity(item)} {item.unit_of_measure or ''}".strip(), _quantity(item)) for item in items)
        # A unit that would need too much room is below its number.
        quantities = (both if self.width_of(both, _NUMBER) <= _BROAD else number for both, number in counted)
        quantity = column(_HEADINGS[2], quantities)
        tax = column(_HEADINGS[3], (written(item.tax_amount) for item in items))
        amount = column(_HEADINGS[4], (written(item.charge_amount) for item in items))
        return self.epw - _PERIOD - quantity - tax - amount, _PERIOD, quantity, tax, amount

    def _lefts(self) -> list[float]:
        """The left edges of the columns."""
        return [_MARGIN + sum(self._widths[:at]) for at in range(len(self._widths))]

    def _headings(self) -> None:
        self.set_fill_color(*_ACCENT)
        top, height = self.get_y(), _HEADING.height + 2 * _PADDING
        self.rect(_MARGIN, top, self.epw, height, style="F")
        self.set_y(top + _PADDING)
        for at, (heading, left, width) in enumerate(zip(_HEADINGS, self._lefts(), self._widths, strict=True)):
            self.write_whole(heading, left, width, _HEADING if at < 2 else _HEADING._replace(align=Align.R))
        self.set_y(top + height)

    def _lines(self) -> None:
        """One row per line; the headings are repeated on each page."""
        if self.will_page_break(_BEGINNING):
            self.add_page()
        self._headings()
        self._in_lines = True
        for item in self._items:
            self._row(item)
        self._in_lines = False

    def _row(self, item: InvoiceItem) -> None:
        service, about = item.charge_name or item.product_name or "", item.charge_description or ""
        periods, quantity, unit = _periods(item), _quantity(item), item.unit_of_measure or ""
        amounts = written(item.tax_amount), written(item.charge_amount)
        (at_service, at_period, at_quantity, *at_amounts), widths = self._lefts(), self._widths
        beside = self.width_of(f"{quantity} {unit}", _NUMBER) <= widths[2]
        heights = (
            self.text_height(service, widths[0], _CELL) + self.text_height(about, widths[0], _ABOUT),
            len(periods) * _CELL.height,
            _CELL.height + (0 if beside else self.text_height(unit, widths[2], _NUMBER)),
        )
        height = max(heights) + 2 * _PADDING
        # A row that is higher than a page begins where the last one ended.
        if self.will_page_break(height if height < self.eph - 60 else _BEGINNING):
            self.add_page()
        page, top = self.page_no(), self.get_y()
        first = top + _PADDING
        self.set_y(first)
        for left, width, number in zip(at_amounts, widths[3:], amounts, strict=True):
            self.write_whole(number, left, width, _NUMBER)
        self.write_whole(f"{quantity} {unit}" if beside else quantity, at_quantity, widths[2], _NUMBER)
        for at, day in enumerate(periods):
            self.set_y(first + at * _CELL.height)
            self.write_whole(day, at_period, widths[1], _CELL)
        if not beside:
            self.set_y(first + _CELL.height)
            self.write_text(unit, at_quantity, widths[2], _NUMBER)
        if self.page_no() == page:
            self.set_y(first)
        self.write_text(service, at_service, widths[0], _CELL)
        if about:
            self.write_text(about, at_service, widths[0], _ABOUT)
        self.set_y(top + height if self.page_no() == page else self.get_y() + _PADDING)
        self.set_draw_color(*_SHADE)
        self.line(_MARGIN, self.get_y(), self.w - _MARGIN, self.get_y())

    # --- totals ----------------------------------------------------------------------------------------------------

    def _sums(self) -> tuple[Decimal, Decimal]:
        """The sums of the charges and taxes of all lines."""
        charges = (item.charge_amount or Decimal(0) for item in self._items)
        taxes = (item.tax_amount or Decimal(0) for item in self._items)
        return sum(charges, Decimal(0)), sum(taxes, Decimal(0))

    def _totals(self) -> None:
        net, tax = self._sums()
        credit, balance = self._invoice.credit_balance_adjustment_amount, self._invoice.balance
        rows = [("Without tax", net), ("Tax", tax), *([("Credit", credit)] if credit else []), ("Total", self._amount)]
        if balance is not None:
            refunded = balance < 0 or (self._amount < 0 and not balance)
            rows.append(("To be refunded", abs(balance)) if refunded else ("Still to be paid", balance))
        if self.will_page_break(8 * len(rows) + 6):
            self.add_page()
        self.ln(4)
        amounts = [f"{written(value, self._currency)}" for _, value in rows]
        bold = Style(11, _INK, bold=True)
        width = min(max(85.0, 40 + max(self.width_of(amount, bold) for amount in amounts)), self.epw)
        left = self.w - _MARGIN - width
        for (name, _), amount in zip(rows, amounts, strict=True):
            style = Style(11, _WHITE, bold=True) if name == "Total" else Style(9.5, _INK)
            top = self.get_y()
            if name == "Total":
                self.set_fill_color(*_ACCENT)
                self.rect(left, top, width, 7.6, style="F")
            self.set_y(top + (7.6 - style.height) / 2)
            self.write_whole(name, left + 1, 38, style)
            self.write_whole(amount, left + 39, width - 40, style._replace(align=Align.R))
            self.set_y(top + 7.6)


def _texts(value: Any) -> Iterator[str]:
    """All texts in a document."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str):
        yield value


def _periods(item: InvoiceItem) -> list[str]:
    """The days of a line, each in its own line of text."""
    first, last = _day(lambda: item.service_start_date), _day(lambda: item.service_end_date)
    return [str(first), f"to {last}"] if first and last else [str(first)] if first else []


def _quantity(item: InvoiceItem) -> str:
    return "" if item.quantity is None else f"{item.quantity.normalize():,f}"


def _day(read: Callable[[], date | None]) -> date | None:
    """A date of the invoice; None for a text that is not a date."""
    try:
        return read()
    except ValueError:
        return None
