"""One invoice with its lines, and the comparison of two invoices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from svc_tui.console.core.places import Place
from svc_tui.console.core.record_lines import IDENTIFIERS, record_lines
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.terminal.text import width as cells
from svc_tui.console.views.detail import DetailView
from svc_tui.console.views.head import Head, found_pieces, head_of
from svc_tui.console.views.sheet_view import SheetView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import is_past, whole_day
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, wrapped
from svc_tui.interface.data import RecordData
from svc_tui.interface.errors import Finding
from svc_tui.interface.money import amount, unit_price, written
from svc_tui.interface.texts import counted
from svc_tui.language import _, day_text, number_text
from svc_tui.workspace.invoices.comparison import ChargeDifference, Comparison, about, number
from svc_tui.workspace.lists.listed_record import ListedRecord

if TYPE_CHECKING:
    from svc_tui.workspace.workspace import Workspace

#: Fields with their own sections.
_AMOUNTS = ("amount", "balance", "creditBalanceAdjustmentAmount")
_OWN = ("invoiceItems", "invoiceFiles", "body")


def is_overdue(record: RecordData) -> bool:
    """Whether something is still to be paid after the day on which it was due."""
    return (amount(record.get("balance")) or 0) > 0 and is_past(str(record.get("dueDate") or "")[:10])


def overdue(record: RecordData, currency: str) -> Iterator[Finding]:
    """What is overdue, as a finding."""
    if is_overdue(record):
        text = _("{balance} is overdue since {day}.").format(
            balance=written(record.get("balance"), currency), day=whole_day(record.get("dueDate"))
        )
        yield Finding(_("Payment"), text, "limits", "invoices", "dueDate", "4.6")


class InvoiceView(DetailView):
    """What is overdue, the fields of an invoice, its files and its lines; its IDs come last."""

    def __init__(self, place: Place, resource: Resource, workspace: Workspace, known: RecordData | None) -> None:
        path = resource.path_at(place, workspace.caller)
        listing = workspace.listing(resource.list, path=path, query={"format": "full"})
        super().__init__(place, resource, ListedRecord(listing, place.record_id), known)
        self.parent_record = workspace.record("get_company", path={"companyId": path["companyId"]})
        self._unfollow = self.parent_record.subscribe(self._changed)

    @property
    def currency(self) -> str:
        """The currency of the invoice, or of one that has none, of the partner; empty until it is known."""
        return currency_of(self.record or {}, (self.parent_record and self.parent_record.data) or {})

    @property
    def subscription_id(self) -> str | None:
        """The subscription of the selected line; empty if it has none, None if no line of the invoice is selected."""
        kind, _space, place = (self.sheet.line.key if self.sheet.line else "").partition(" ")
        if kind != "item" or self.record is None:
            return None
        return str(_items_of(self.record)[int(place)].get("subscriptionId") or "")

    def _head(self) -> Head:
        record = self.record
        if record is None:
            return Head()
        return head_of(self.resource, record, found=found_pieces(overdue(record, self.currency)))

    def _lines(self, width: int, values: int) -> Iterator[Line]:
        record = self.record
        if record is None:
            yield from super()._lines(width, values)
            return
        money = {wire: money_of(record, wire, self.currency) for wire in _AMOUNTS if record.get(wire) is not None}
        fields = {wire: value for wire, value in {**record, **money}.items() if wire not in _OWN}
        specs = [spec for spec in self._specs if spec.wire not in _OWN]
        empty = self.shows_empty or bool(self.filter_text)
        lines = list(record_lines(fields, specs, values, empty=empty, with_keys=self.with_keys))
        for finding in overdue(record, self.currency):
            yield Line("heading", label=_("Findings"))
            yield from wrapped(Line("field", finding.about, finding.sentence, key=finding.field, style="warn"), values)
        # What programs ask for is behind what the invoice is read for.
        last = next((place for place, line in enumerate(lines) if line.label == IDENTIFIERS), len(lines))
        yield from lines[:last]
        yield from self._files(record)
        yield from self._items(record, values)
        yield from lines[last:]

    def _files(self, record: RecordData) -> Iterator[Line]:
        yield Line("heading", label=_("Files"))
        files = files_of(record)
        for file in files:
            yield Line(
                "field",
                file_name(file),
                "PDF",
                self.with_keys(_("{invoices.pdf} saves it")),
                key=f"file {file.get('id')}",
            )
        if not files:
            yield Line("text", value=_("No files."), style="dim")

    def _items(self, record: RecordData, width: int) -> Iterator[Line]:
        if not isinstance(record.get("invoiceItems"), list):
            yield Line("heading", label=_("Lines"))
            yield Line("text", value=self._source.error_message or _("loading…"), style="dim")
            return
        items = _items_of(record)
        periods = Counter(_period(item) for item in items)
        usual = periods.most_common(1)[0][0] if periods else ""
        yield Line(
            "heading", label=_("Lines ({items}){value}").format(items=len(items), value=f", {usual}" * bool(usual))
        )
        for place, item in enumerate(items):
            period = _period(item) if _period(item) != usual else ""
            label, value = safe_text(about(item)).text, _amounts(item, self.currency, period)
            if value or label:
                note = (
                    _("tax {tax_amount}").format(tax_amount=written(item.get("taxAmount")))
                    if amount(item.get("taxAmount"))
                    else ""
                )
                line = Line("field", label, value, note, key=f"item {place}")
                if cells(value) <= width - cells(note) - 2:
                    yield line
                    continue
                # A calculation is not broken: what was charged, and how much, have a line each.
                first, *others = value.split("   ")
                yield replace(line, value=first, read=value)
                for part in others:
                    yield from wrapped(replace(line, label="", value=part, note="", read=""), width)

    def close(self) -> None:
        self._unfollow()
        super().close()


def _items_of(invoice: RecordData) -> list[RecordData]:
    items = invoice.get("invoiceItems")
    return [item for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []


def currency_of(invoice: RecordData, partner: RecordData) -> str:
    """The currency of an invoice, which later changes of the partner do not change. Earlier services have none."""
    return str(invoice.get("currency") or partner.get("currency") or "")


def money_of(invoice: RecordData, wire: str, currency: str) -> str:
    """An amount of an invoice; of a credit note, what it is and what is refunded."""
    value = amount(invoice[wire])
    if wire == "balance" and value is not None and value < 0:
        return _("{amount} to be refunded").format(amount=written(-value, currency))
    text = written(value, currency)
    is_credit_note = wire == "amount" and value is not None and value < 0
    return _("{amount}, a credit note").format(amount=text) if is_credit_note else text


def files_of(invoice: RecordData) -> list[RecordData]:
    """The downloadable files of an invoice."""
    files = invoice.get("invoiceFiles")
    return [file for file in files if isinstance(file, Mapping) and file.get("id")] if isinstance(files, list) else []


def file_name(file: RecordData) -> str:
    """The name of a file among the files of an invoice."""
    version = file.get("versionNumber")
    return _("Version {version}").format(version=safe_text(str(version)).text) if version is not None else _("File")


def _period(item: RecordData) -> str:
    """The period of service: `2026-10-01 – 2026-10-31`."""
    ends = [day_text(str(item[name])[:10]) for name in ("serviceStartDate", "serviceEndDate") if item.get(name)]
    return safe_text(" – ".join(ends)).text


def _amounts(item: RecordData, currency: str, period: str) -> str:
    """Charge, quantity and amount of a line, and its period where it is not the usual one: `Licences  41 × 7.50 =
    307.50 EUR`."""
    total, quantity = amount(item.get("chargeAmount")), amount(item.get("quantity"))
    product = ""
    if total is not None and quantity:
        product = f"{number(quantity)} × {unit_price(total, quantity)} = "
    parts = (str(item.get("chargeName") or ""), f"{product}{written(total, currency)}", period)
    return safe_text("   ".join(part for part in parts if part)).text


#: Cells of the labels of a comparison.
_LABELS = 40


class ComparisonView(SheetView):
    """Why an invoice changed: the parts of the difference, the largest first, and their sum."""

    kind = "report"

    def __init__(
        self, place: Place, resource: Resource, before: RecordData, after: RecordData, found: Comparison, currency: str
    ) -> None:
        super().__init__(place, resource)
        self._before, self._after = before, after
        self._found, self._currency = found, safe_text(currency).text

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=_LABELS, notes_right=True, notes_within=60)

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    @property
    def crumb(self) -> str:
        return _("Comparison")

    @property
    def record(self) -> RecordData | None:
        return self._after

    def status(self) -> Sequence[Piece]:
        parts = len(self._found.parts)
        text = f" {counted(parts, 'difference')}"
        return [Piece(text), Piece(self.with_keys(_("   {invoices.copy_report} copies the report")), "dim")]

    @property
    def subscription_id(self) -> str | None:
        """The subscription that the selected difference concerns; None if no difference is selected."""
        kind, _space, place = (self.sheet.line.key if self.sheet.line else "").partition(" ")
        return self._found.parts[int(place)].charge.subscription_id if kind == "part" else None

    @property
    def invoice_id(self) -> str:
        """The invoice that is selected; empty on other lines."""
        kind, _space, which = (self.sheet.line.key if self.sheet.line else "").partition(" ")
        return str((self._before, self._after)[int(which)].get("id") or "") if kind == "of" else ""

    @property
    def text(self) -> str:
        """The report as plain text, for copying."""
        lines = [line for line in self._lines(200) if line.kind != "heading"]
        return "\n".join("\t".join(part for part in (line.label, line.value, line.note) if part) for line in lines)

    def _draw(self) -> None:
        if self.is_attached:
            self.sheet.show(list(self._lines(self.size.width)))

    def _lines(self, width: int) -> Iterator[Line]:
        found = self._found
        yield Line("heading", label=_("Invoices"))
        for place, (invoice, total) in enumerate(((self._before, found.before), (self._after, found.after))):
            dates = day_text(str(invoice.get("invoiceDate") or "")[:10])
            text = safe_text(str(invoice.get("invoiceNumber") or invoice.get("id") or "?")).text
            yield Line(
                "field",
                text,
                _("of {dates}").format(dates=safe_text(dates).text),
                written(total, self._currency),
                key=f"of {place}",
            )
        yield Line("field", _direction(found.by), _percent(found), self._signed(found.by), key="by", note_style="")
        taxed = _(" (prices without tax, amounts with tax)") if found.taxed else ""
        yield Line("heading", label=f"Differences{taxed}")
        amounts = max((len(self._signed(part.by)) for part in found.parts), default=0)
        # The sheet limits the width of the labels; the gutter and two gaps are beside them.
        room = max(20, width - min(_LABELS, width * 2 // 5) - amounts - 6)
        named = Counter(part.charge.about for part in found.parts)
        for place, part in enumerate(found.parts):
            several = named[part.charge.about] > 1
            yield from self._part(part, _("part {place}").format(place=place), room, several=several)
        if found.rest:
            yield Line("field", _("Not in the lines"), _("rounding, credits"), self._signed(found.rest), key="rest")
        if not found.parts and not found.rest:
            yield Line("text", value=_("All lines are the same in both."), style="dim")
            return
        yield Line(
            "field", _("Total difference"), "", self._signed(found.by), key="total", style="accent", note_style="accent"
        )

    def _part(self, part: ChargeDifference, key: str, room: int, *, several: bool) -> Iterator[Line]:
        """One part; with the name of its charge where several parts concern the same item."""
        charge = part.charge
        label = safe_text(f"{charge.name} · {charge.about}" if several and charge.name else charge.about).text
        style = "warn" if part.by > 0 else "ok" if part.by < 0 else ""
        text = "; ".join(part.reasons)
        yield from wrapped(
            Line("field", label, safe_text(text).text, self._signed(part.by), key=key, note_style=style), room
        )

    def _signed(self, value: Decimal) -> str:
        return written(value, self._currency, signed=True)


def _direction(by: Decimal) -> str:
    return _("Increase") if by > 0 else _("Decrease") if by < 0 else _("No change")


def _percent(found: Comparison) -> str:
    if not found.before or not found.by:
        return ""
    return f"{number_text(found.by / found.before * 100, '+.1f')} %"
