"""An invoice as a PDF of A4 pages: letterhead, who pays, the lines, the totals, page numbers.

It is drawn with the fonts that every reader of PDF has. What they cannot draw is written in letters that they can, or
as a question mark, and the paper says so.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from fpdf import FPDF, FontFace
from fpdf.enums import Align, TableBordersLayout, XPos, YPos

from svc_tui.interface.money import amount, written
from svc_tui.server.store.tables import Document

_FONT = "helvetica"
_INK, _QUIET, _ACCENT, _SHADE = (28, 35, 48), (96, 105, 120), (22, 74, 122), (240, 243, 247)
#: Widths of the columns in millimetres: what, when, how many, tax, amount.
_COLUMNS = (72, 34, 26, 21, 27)
_HEADINGS = ("Service", "Period", "Quantity", "Tax", "Amount")
_MARGIN = 15
#: Of a text in a cell.
_MOST_LETTERS = 200
#: What stands for what the fonts lack although its decomposition does not say so.
_LIKE = {"–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "…": "...", "€": "EUR", "ł": "l", "Ł": "L",
         "đ": "d", "ı": "i", "œ": "oe", "Œ": "OE"}  # fmt: skip


def pdf_of(invoice: Document, company: Document, issuer: str) -> bytes:
    """The PDF of an invoice (2.12) of a company. `issuer` is the letterhead, one line beneath the other."""
    paper = _Paper(invoice, company, issuer)
    paper.draw()
    return bytes(paper.output())


class _Paper(FPDF):
    """The pages of one invoice."""

    def __init__(self, invoice: Document, company: Document, issuer: str) -> None:
        super().__init__(format="A4")
        self._invoice = invoice
        self._company = company
        self._issuer = [line for line in issuer.splitlines() if line.strip()]
        self._currency = str(company.get("currency") or "")
        self._replaced = False
        self.set_margin(_MARGIN)
        self.set_auto_page_break(True, 24)
        self.set_title(self._said(f"Invoice {invoice.get('invoiceNumber') or ''}"))
        self.set_creation_date(datetime.combine(_day(invoice.get("invoiceDate")), time(), UTC))
        self.alias_nb_pages()

    def draw(self) -> None:
        """All pages."""
        self.add_page()
        self._addressed()
        self._lines()
        self._totals()
        if self._replaced:
            self.ln(8)
            self._write("Letters that this paper cannot show are written with similar ones or as '?'.", 7.5, _QUIET)

    def header(self) -> None:
        self.set_fill_color(*_ACCENT)
        self.rect(0, 0, self.w, 4, style="F")
        self.set_y(11)
        first = self._issuer[0] if self._issuer else ""
        self._write(first, 13, _ACCENT, bold=True, beside=True)
        number = str(self._invoice.get("invoiceNumber") or "")
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
        said = f"Invoice {self._invoice.get('invoiceNumber') or ''}"
        self._write(said, 8, _QUIET, beside=True)
        self.set_x(_MARGIN)
        self._write(f"Page {self.page_no()} of {{nb}}", 8, _QUIET, align=Align.R)

    def _addressed(self) -> None:
        """Who pays on the left, what identifies the invoice on the right."""
        top = self.get_y()
        self._write("Bill to", 8, _QUIET)
        company, invoice = self._company, self._invoice
        self._write(invoice.get("accountName") or company.get("name") or "", 11, _INK, bold=True, width=95)
        place = " ".join(str(company[wire]) for wire in ("postalCode", "city") if company.get(wire))
        for line in (company.get("street"), place, company.get("country")):
            if line:
                self._write(" ".join(str(line).split()), 9.5, _INK, width=95)
        left = self.get_y()
        self.set_y(top)
        for name, value in (
            ("Invoice number", invoice.get("invoiceNumber")),
            ("Date", invoice.get("invoiceDate")),
            ("Due", invoice.get("dueDate")),
            ("Account", invoice.get("accountNumber")),
            ("Services up to", invoice.get("invoiceTargetDate")),
        ):
            if value:
                self.set_x(120)
                self._write(name, 9, _QUIET, width=32, beside=True)
                self._write(value, 9.5, _INK, width=43, align=Align.R)
        self.set_y(max(left, self.get_y()) + 8)

    def _lines(self) -> None:
        """One row a line; the headings stand on each page."""
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
            for item in self._invoice.get("invoiceItems") or ():
                table.row([self._said(cell) for cell in _cells(item)])

    def _totals(self) -> None:
        items: Sequence[Document] = self._invoice.get("invoiceItems") or ()
        net = sum((amount(item.get("chargeAmount")) or Decimal(0) for item in items), Decimal(0))
        tax = sum((amount(item.get("taxAmount")) or Decimal(0) for item in items), Decimal(0))
        credit = amount(self._invoice.get("creditBalanceAdjustmentAmount"))
        rows = [("Without tax", net), ("Tax", tax), *([("Credit", credit)] if credit else [])]
        rows.append(("Total", amount(self._invoice.get("amount")) or net + tax))
        balance = amount(self._invoice.get("balance"))
        if balance is not None:
            rows.append(("Still to be paid", balance))
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
            told = written(value, self._currency)
            self._write(f"{told}  ", size, ink, bold=total, align=Align.R, height=6.5)
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
        """One line of text; `beside` leaves the pen on it. What is too wide is cut."""
        self.set_font(_FONT, "B" if bold else "", size)
        self.set_text_color(*color)
        said = self._said(text)
        room = (width or self.w - _MARGIN - self.get_x()) - 2
        while said and self.get_string_width(said) > room:
            said = said[:-4] + "..." if len(said) > 4 else ""
        self.cell(
            width,
            height or size * 0.5,
            said,
            align=align,
            new_x=XPos.RIGHT if beside else XPos.LMARGIN,
            new_y=YPos.TOP if beside else YPos.NEXT,
        )

    def _said(self, value: Any) -> str:
        """A text in letters that the fonts have, without marks that are no letters."""
        found = []
        for character in unicodedata.normalize("NFC", str(value)):
            drawn = _drawn(character)
            self._replaced = self._replaced or drawn != character
            found.append(drawn)
        return "".join(found)


def _drawn(character: str) -> str:
    if unicodedata.category(character)[0] == "C" or character in "\u2028\u2029":
        return "\n" if character == "\n" else " "
    if _has(character):
        return character
    if character in _LIKE:
        return _LIKE[character]
    plain = "".join(each for each in unicodedata.normalize("NFKD", character) if not unicodedata.combining(each))
    return plain if plain and all(map(_has, plain)) else "?"


def _has(character: str) -> bool:
    return character.isascii() or "\xa0" <= character <= "\xff"


def _cells(item: Document) -> tuple[str, ...]:
    """A line of the invoice as its row."""
    what = _short(item.get("chargeName") or item.get("productName") or "")
    if description := item.get("chargeDescription"):
        what += f"\n{_short(description)}"
    first, last = item.get("serviceStartDate"), item.get("serviceEndDate")
    when = f"{_short(first)}\nto {_short(last)}" if first and last else _short(first or "")
    quantity = amount(item.get("quantity"))
    unit = _short(item.get("unitOfMeasure") or "")
    count = "" if quantity is None else f"{quantity.normalize():,f} {unit}".strip()
    return what, when, count, written(item.get("taxAmount")), written(item.get("chargeAmount"))


def _short(value: Any) -> str:
    """A text on one line, cut where a row would become higher than a page."""
    text = " ".join(str(value).split())
    return text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 3]}..."


def _day(value: Any) -> date:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return date(1970, 1, 1)
