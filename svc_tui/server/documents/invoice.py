"""An invoice as a PDF of A4 pages: letterhead, address, lines, totals, page numbers.

It uses the standard PDF fonts. Characters that these fonts lack are replaced with similar ones or a question mark, with
a note on the invoice.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from fpdf import FPDF, FontFace
from fpdf.enums import Align, TableBordersLayout, XPos, YPos

from svc_tui.interface.companies.records import Company
from svc_tui.interface.money import written
from svc_tui.interface.subscriptions.invoices import Invoice, InvoiceItem

_FONT = "helvetica"
_INK, _QUIET, _ACCENT, _SHADE = (28, 35, 48), (96, 105, 120), (22, 74, 122), (240, 243, 247)
#: Widths of the columns in millimetres.
_COLUMNS = (72, 34, 26, 21, 27)
_HEADINGS = ("Service", "Period", "Quantity", "Tax", "Amount")
_MARGIN = 15
#: Creation date of the PDF if an invoice has none.
_NO_DATE = date(1970, 1, 1)
#: Longest text in a cell.
_MOST_CHARACTERS = 200
#: Replacements of characters that the fonts lack and that have no decomposition.
_SIMILAR = {"–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "…": "...", "€": "EUR", "ł": "l", "Ł": "L",
         "đ": "d", "ı": "i", "œ": "oe", "Œ": "OE"}  # fmt: skip


def pdf_of(invoice: Invoice, company: Company, issuer: str) -> bytes:
    """The PDF of a company's invoice (2.12). `issuer` is the letterhead, in several lines."""
    pages = _PdfPages(invoice, company, issuer)
    pages.draw()
    return bytes(pages.output())


class _PdfPages(FPDF):
    """The pages of an invoice."""

    def __init__(self, invoice: Invoice, company: Company, issuer: str) -> None:
        super().__init__(format="A4")
        self._invoice = invoice
        self._company = company
        self._issuer = [line for line in issuer.splitlines() if line.strip()]
        self._currency = company.currency or ""
        self._replaced = False
        self.set_margin(_MARGIN)
        self.set_auto_page_break(True, 24)
        self.set_title(self._drawable(f"Invoice {invoice.invoice_number or ''}"))
        self.set_creation_date(datetime.combine(_day(lambda: invoice.invoice_date) or _NO_DATE, time(), UTC))
        self.alias_nb_pages()

    def draw(self) -> None:
        """Draw all pages."""
        self.add_page()
        self._address()
        self._lines()
        self._totals()
        if self._replaced:
            self.ln(8)
            self._write("Characters that cannot be printed here are replaced with similar ones or '?'.", 7.5, _QUIET)

    def header(self) -> None:
        self.set_fill_color(*_ACCENT)
        self.rect(0, 0, self.w, 4, style="F")
        self.set_y(11)
        first = self._issuer[0] if self._issuer else ""
        self._write(first, 13, _ACCENT, bold=True, beside=True)
        number = self._invoice.invoice_number or ""
        self.set_x(_MARGIN)
        heading = "Invoice" if self.page_no() == 1 else f"Invoice {number}"
        self._write(heading, 20 if self.page_no() == 1 else 11, _INK, bold=True, align=Align.R)
        for line in self._issuer[1:]:
            self._write(line, 9, _QUIET)
        self.ln(6)

    def footer(self) -> None:
        self.set_y(-16)
        self.set_draw_color(*_SHADE)
        self.line(_MARGIN, self.get_y(), self.w - _MARGIN, self.get_y())
        self.ln(2)
        self._write(f"Invoice {self._invoice.invoice_number or ''}", 8, _QUIET, beside=True)
        self.set_x(_MARGIN)
        self._write(f"Page {self.page_no()} of {{nb}}", 8, _QUIET, align=Align.R)

    def _address(self) -> None:
        """The paying company on the left, the numbers and dates of the invoice on the right."""
        top = self.get_y()
        self._write("Bill to", 8, _QUIET)
        company, invoice = self._company, self._invoice
        self._write(invoice.account_name or company.name or "", 11, _INK, bold=True, width=95)
        place = " ".join(part for part in (company.postal_code, company.city) if part)
        for line in (company.street, place, company.country):
            if line:
                self._write(" ".join(line.split()), 9.5, _INK, width=95)
        left = self.get_y()
        self.set_y(top)
        for name, value in (
            ("Invoice number", invoice.invoice_number),
            ("Date", _day(lambda: invoice.invoice_date)),
            ("Due", _day(lambda: invoice.due_date)),
            ("Account", invoice.account_number),
            ("Services up to", _day(lambda: invoice.invoice_target_date)),
        ):
            if value:
                self.set_x(120)
                self._write(name, 9, _QUIET, width=32, beside=True)
                self._write(value, 9.5, _INK, width=43, align=Align.R)
        self.set_y(max(left, self.get_y()) + 8)

    def _lines(self) -> None:
        """One row per line; the headings are repeated on each page."""
        self.set_font(_FONT, "", 9)
        self.set_text_color(*_INK)
        self.set_draw_color(*_SHADE)
        heading = FontFace(emphasis="BOLD", color=(255, 255, 255), fill_color=_ACCENT, size_pt=9)
        aligned = (Align.L, Align.L, Align.R, Align.R, Align.R)
        with self.table(
            col_widths=_COLUMNS,
            text_align=aligned,
            headings_style=heading,
            borders_layout=TableBordersLayout.NONE,
            cell_fill_color=_SHADE,
            cell_fill_mode="EVEN_ROWS",
            line_height=4.6,
            padding=1.4,
        ) as table:
            table.row(_HEADINGS)
            for item in self._invoice.invoice_items or ():
                table.row([self._drawable(cell) for cell in _cells(item)])

    def _totals(self) -> None:
        invoice = self._invoice
        items = invoice.invoice_items or []
        net = sum((item.charge_amount or Decimal(0) for item in items), Decimal(0))
        tax = sum((item.tax_amount or Decimal(0) for item in items), Decimal(0))
        credit = invoice.credit_balance_adjustment_amount
        rows = [("Without tax", net), ("Tax", tax), *([("Credit", credit)] if credit else [])]
        rows.append(("Total", invoice.amount or net + tax))
        if invoice.balance is not None:
            rows.append(("Still to be paid", invoice.balance))
        if self.will_page_break(8 * len(rows) + 6):
            self.add_page()
        self.ln(4)
        for name, value in rows:
            total = name == "Total"
            self.set_x(110)
            if total:
                self.set_fill_color(*_ACCENT)
                self.rect(110, self.get_y() - 0.6, self.w - _MARGIN - 110, 7.6, style="F")
            ink = (255, 255, 255) if total else _INK
            size = 11 if total else 9.5
            self._write(f"  {name}", size, ink, bold=total, width=38, beside=True, height=6.5)
            self._write(f"{written(value, self._currency)}  ", size, ink, bold=total, align=Align.R, height=6.5)
            self.ln(1)

    def _write(
        self,
        text: Any,
        size: float,
        color: tuple[int, int, int],
        *,
        bold: bool = False,
        width: float = 0,
        align: Align = Align.L,
        beside: bool = False,
        height: float | None = None,
    ) -> None:
        """Write one line, cut to the width. `beside` keeps the position on the line."""
        self.set_font(_FONT, "B" if bold else "", size)
        self.set_text_color(*color)
        line = self._drawable(text)
        room = (width or self.w - _MARGIN - self.get_x()) - 2
        while line and self.get_string_width(line) > room:
            line = line[:-4] + "..." if len(line) > 4 else ""
        self.cell(
            width,
            height or size * 0.5,
            line,
            align=align,
            new_x=XPos.RIGHT if beside else XPos.LMARGIN,
            new_y=YPos.TOP if beside else YPos.NEXT,
        )

    def _drawable(self, value: Any) -> str:
        """A text in characters that the fonts have, without control characters."""
        text = []
        for character in unicodedata.normalize("NFC", str(value)):
            drawable = _replacement(character)
            self._replaced = self._replaced or drawable != character
            text.append(drawable)
        return "".join(text)


def _replacement(character: str) -> str:
    if unicodedata.category(character)[0] == "C" or character in "\u2028\u2029":
        return "\n" if character == "\n" else " "
    if _in_fonts(character):
        return character
    if character in _SIMILAR:
        return _SIMILAR[character]
    plain = "".join(each for each in unicodedata.normalize("NFKD", character) if not unicodedata.combining(each))
    return plain if plain and all(map(_in_fonts, plain)) else "?"


def _in_fonts(character: str) -> bool:
    return character.isascii() or "\xa0" <= character <= "\xff"


def _cells(item: InvoiceItem) -> tuple[str, ...]:
    """The cells of a line of the invoice."""
    service = _short(item.charge_name or item.product_name or "")
    if item.charge_description:
        service += f"\n{_short(item.charge_description)}"
    first, last = _day(lambda: item.service_start_date), _day(lambda: item.service_end_date)
    period = f"{first}\nto {last}" if first and last else str(first or "")
    unit = _short(item.unit_of_measure or "")
    quantity = "" if item.quantity is None else f"{item.quantity.normalize():,f} {unit}".strip()
    return service, period, quantity, written(item.tax_amount), written(item.charge_amount)


def _day(read: Callable[[], date | None]) -> date | None:
    """A date of the invoice; None for a text that is not a date."""
    try:
        return read()
    except ValueError:
        return None


def _short(text: str) -> str:
    """A text on one line, cut so that no row is higher than a page."""
    line = " ".join(text.split())
    return line if len(line) <= _MOST_CHARACTERS else f"{line[: _MOST_CHARACTERS - 3]}..."
