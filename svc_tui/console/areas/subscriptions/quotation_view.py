"""The quotation workbench: up to three alternatives side by side, each with its quotation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

from rich.cells import cell_len
from textual import work

from svc_tui.console.areas.subscriptions.column_sheet import ColumnCell, ColumnRow, SideBySide
from svc_tui.console.areas.subscriptions.quotation import NAMES, Alternative, Workbench, where_sent
from svc_tui.console.core.call_line import CommandCall
from svc_tui.console.core.field_text import Hint, joined, warned
from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import fit, safe_text, width
from svc_tui.console.views.form import REVIEW, FormView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import NOTHING, day, whole_day
from svc_tui.console.widgets.sheet_lines import Line, wrapped
from svc_tui.interface.data import RecordData
from svc_tui.interface.money import amount, written
from svc_tui.language import _
from svc_tui.workspace.subscriptions.quoting import charge_name, charges, invoice_items, month

#: The text of the first figure without a quotation, by its state.
_WITHOUT = {"nothing": NOTHING, "waiting": "…", "asking": "…", "refused": "refused", "lost": _("no response")}


class QuotationView(FormView):
    """Edits the chosen alternative of a workbench in its column. `ordered` is called to order it."""

    sheet_type = SideBySide

    def __init__(
        self,
        place: Place,
        resource: Resource,
        bench: Workbench,
        ordered: Callable[[QuotationView], Awaitable[None]],
    ) -> None:
        super().__init__(
            place,
            resource,
            _("Quotation of {label}").format(label=bench.purchase.label),
            bench.form,
            self._order,
            send="",
        )
        self.bench = bench
        self._ordered = ordered

    def on_mount(self) -> None:
        super().on_mount()
        self._begin()

    @work(exit_on_error=False, group="quotation")
    async def _begin(self) -> None:
        await self.bench.begin(self._quoted)

    def on_resize(self) -> None:
        if self.is_attached:
            self.draw()
        super().on_resize()

    def _quoted(self) -> None:
        """A quotation arrived, or its state changed."""
        if self.is_attached:
            self.draw()
            self.notify_changed()

    # --- alternatives ----------------------------------------------------------------------------------------------

    @property
    def side(self) -> SideBySide:
        return self.query_one(SideBySide)

    @property
    def wire(self) -> str:
        line = self.sheet.line
        return line.key if isinstance(line, ColumnRow) and line.edited else ""

    def edited(self) -> None:
        self.bench.follow()
        super().edited()

    def switch(self, act: Callable[[], object]) -> None:
        """Add, remove or choose an alternative; the cursor stays on its field."""
        self._placed = ""
        act()
        self.form = self.bench.form
        self.draw()
        self._place_editor()
        self.notify_changed()

    def may_leave(self) -> bool:
        return not self.bench.dirty

    def calls(self) -> Sequence[CommandCall]:
        return () if self.bench.why_not_sent()[1] else self.bench.order().calls

    def why_no_call(self) -> str:
        return self._said(*self.bench.why_not_sent())

    def close(self) -> None:
        self.bench.close()

    async def review(self) -> None:
        if self.bench.expired:
            self.bench.alternative.live.repeat()
            self.post_message(self.StatusMessage(_("This quotation has expired. A new one is requested.")))
            return
        if changed := await self.bench.take_changes():
            text = _("Changed by another administrator: {fields}. A new quotation is requested.").format(
                fields=", ".join(changed)
            )
            self.post_message(self.StatusMessage(text))
            return
        wire, reason = self.bench.why_not_sent()
        if not reason:
            await self._review(self)
            return
        if wire in self.bench.wires:
            self.go_to_field(wire)
            self._place_editor()
        self.post_message(self.StatusMessage(self._said(wire, reason)))

    def _said(self, wire: str, sentence: str) -> str:
        """A sentence with the label of its field in front, if it has one."""
        if wire in self.bench.wires:
            return f"{self.form.spec(wire).label}: {sentence}"
        return f"{sentence[:1].upper()}{sentence[1:]}"

    async def _order(self, view: FormView) -> None:
        await self._ordered(self)

    def refresh_now(self) -> None:
        self.bench.alternative.live.repeat()

    # --- columns -----------------------------------------------------------------------------------------------

    @property
    def _held(self) -> bool:
        """Whether there is a current subscription to compare with."""
        return self.bench.purchase.subscription is not None

    def _columns(self) -> list[Alternative | None]:
        """The columns that fit, None for today: always the chosen one, then today, then the neighbours."""
        everyone: list[Alternative | None] = [*([None] if self._held else []), *self.bench.alternatives]
        chosen = self.bench.alternative
        room = self.side.fitting(len(everyone))
        kept = sorted(everyone, key=lambda each: (each is not chosen, each is not None))[:room]
        return [each for each in everyone if any(each is one for one in kept)]

    def _row(self, label: str, cell: Callable[[Alternative | None], ColumnCell], **options: Any) -> ColumnRow:
        columns = self._columns()
        chosen = next(at for at, each in enumerate(columns) if each is self.bench.alternative)
        cells = tuple(cell(each) for each in columns)
        kind = options.pop("kind", "field")
        return ColumnRow(kind, label, cells=cells, chosen=chosen, **options)

    def editor_span(self, wire: str) -> tuple[int, int]:
        columns = self._columns()
        at = next(at for at, each in enumerate(columns) if each is self.bench.alternative)
        left, width = self.side.span(at, len(columns))
        # The value keeps its position without the editor; the cursor is in the gap behind it.
        needed = min(width, cell_len(self.form.typed(wire))) + 1
        return left + width + 1 - needed, needed

    def _lines(self) -> Iterator[Line]:
        yield self._row(self.bench.currency, self._called, kind="heading")
        for spec in self.bench.specs:
            yield self.line_of(spec.wire)
        yield self.last_line()
        yield from self._problems()
        yield from self._figures()
        yield from self._items()
        yield from self._charges()

    def _called(self, alternative: Alternative | None) -> ColumnCell:
        if alternative is None:
            return ColumnCell(_("TODAY"))
        name = NAMES[self.bench.alternatives.index(alternative)]
        return ColumnCell(f"▸ {name}" if alternative is self.bench.alternative else name)

    def line_of(self, wire: str) -> Line:
        form = self.form

        def cell(alternative: Alternative | None) -> ColumnCell:
            if alternative is None:
                return ColumnCell(self._today(wire), "dim")
            its = alternative.form
            bad = bool(its.problem(wire)) or any(wire == about for about, __ in self.bench.problems(alternative))
            style = "dim" if its.why_not(wire) else "bad" if bad else "accent" if its.changed(wire) else ""
            value = its.values.get(wire)
            if wire == "promoCode" and not value:
                # The current code continues while no other is chosen.
                return ColumnCell(safe_text(self.bench.promotion[0]).text or NOTHING, "dim")
            named = its.named.get(value, value) if isinstance(value, str) else value
            return ColumnCell(value_text(named, its.spec(wire)), style)

        return self._row(form.spec(wire).label, cell, key=wire, edited=True, changed=form.changed(wire))

    def _today(self, wire: str) -> str:
        """Today's value; of a promotional code its name, and whether it has ended."""
        value = (self.bench.purchase.subscription or {}).get(wire)
        if not isinstance(value, Mapping):
            return value_text(value, self.form.spec(wire))
        name = safe_text(str(value.get("name") or "")).text
        return _("{name}, ended").format(name=name) if name and not self.bench.promotion[0] else name or NOTHING

    def last_line(self) -> Line:
        name = NAMES[self.bench.chosen]
        wire, reason = self.bench.why_not_sent()
        way = self.with_keys(_("{review} reviews the order"))
        return Line(
            "field",
            _("Order {name}").format(name=name),
            way,
            _("not possible yet") if wire else reason,
            key=REVIEW,
            note_style="warn",
        )

    def _problems(self) -> Iterator[Line]:
        several = len(self.bench.alternatives) > 1
        for name, alternative in zip(NAMES, self.bench.alternatives, strict=False):
            for wire, sentence in self.bench.problems(alternative):
                text = safe_text(f"{name + '  ' if several else ''}{self._said(wire, sentence)}").text
                yield from wrapped(Line("text", value=text, style="bad"), self.size.width - 3)

    # --- figures -----------------------------------------------------------------------------------------------

    def _figures(self) -> Iterator[Line]:
        today = self.bench.today
        yield self._figure(_("Per month"), "contractedMrr", today and today[0].today, first=True)
        if self._held:
            yield self._figure(_("  change from today"), "totalDeltaMrr", signed=True)
        yield from self._promotion()
        yield self._figure(_("Whole term"), "totalContractedValue", today and today[1].today)
        if self._held:
            yield self._figure(_("  change from today"), "totalDeltaTcv", signed=True)
        if self.bench.ends(None):
            yield self._row(_("Term ends"), self._ends)
        yield self._figure(_("Next invoice"), "amount")
        yield self._figure(_("  without tax"), "amountWithoutTax")
        yield self._figure(_("  tax"), "taxAmount")
        yield self._row(_("  on"), lambda each: ColumnCell(self._day(each, "invoiceTargetDate")))
        yield self._row(_("Valid until"), lambda each: ColumnCell(self._day(each, "expirationDate")))

    def _promotion(self) -> Iterator[Line]:
        """The price per month after the promotion, and its last day: in one line where all days are the same."""
        days = {found[0] for each in self._columns() if (found := self.bench.promoted(each))}
        if not days:
            return

        def cell(at: Literal[0, 1]) -> Callable[[Alternative | None], ColumnCell]:
            def promoted(alternative: Alternative | None) -> ColumnCell:
                found = self.bench.promoted(alternative)
                text = (found[0] or NOTHING, written(found[1])) if found else ("", "")
                return ColumnCell(safe_text(text[at]).text, "dim" if alternative is None else "")

            return promoted

        if len(days) > 1:
            yield self._row(_("  promotion until"), cell(0))
            yield self._row(_("  then per month"), cell(1))
        else:
            yield self._row(_("  after {days}").format(days=safe_text(days.pop()).text or _("the promotion")), cell(1))

    def _figure(
        self,
        label: str,
        name: str,
        today: Decimal | None = None,
        *,
        first: bool = False,
        signed: bool = False,
    ) -> ColumnRow:
        def cell(alternative: Alternative | None) -> ColumnCell:
            if alternative is None:
                return ColumnCell(written(today), "dim")
            quotation = alternative.live.quotation
            if quotation is None:
                return ColumnCell(_WITHOUT.get(alternative.live.state, "") if first else "", "dim")
            text = written(quotation.get(name), signed=signed)
            return ColumnCell(text, "accent" if signed and text != "0.00" else "")

        return self._row(label, cell)

    def _ends(self, alternative: Alternative | None) -> ColumnCell:
        today, then = self.bench.ends(None), self.bench.ends(alternative)
        return ColumnCell(then, "dim" if alternative is None else "accent" if then != today else "")

    def _day(self, alternative: Alternative | None, name: str) -> str:
        quotation = alternative.live.quotation if alternative else None
        return safe_text(day(quotation[name])).text if quotation and quotation.get(name) else ""

    def _items(self) -> Iterator[Line]:
        items = invoice_items(self.bench.alternative.live.quotation)
        if items:
            yield Line("heading", label=_("Next invoice of {names}").format(names=NAMES[self.bench.chosen]))
        for item in items:
            what = str(item.get("chargeName") or item.get("productName") or item.get("chargeDescription") or "?")
            span = f"{whole_day(item.get('serviceStartDate'))} – {whole_day(item.get('serviceEndDate'))}"
            price, about = written(item.get("chargeAmount")), _description(item)
            text = joined(what, _counted(item), span)
            if width(safe_text(joined(text, about)).text) + width(price) < self.size.width - 2:
                yield self._line(joined(text, about), price)
                continue
            # A description that does not fit beside the amount is read whole below it.
            yield self._line(text, price)
            yield from wrapped(Line("text", value=safe_text(f"  {about}").text), self.size.width - 3)

    def _charges(self) -> Iterator[Line]:
        quotation = self.bench.alternative.live.quotation or {}
        metrics = charges(quotation)
        if metrics:
            yield Line("heading", label=_("Charges of {names}").format(names=NAMES[self.bench.chosen]))

        def figures(charge: RecordData, name: str, step: str) -> str:
            steps = self._held and amount(charge.get(step))
            return (
                f"{written(charge.get(name))} ({written(charge.get(step), signed=True)})"
                if steps
                else written(charge.get(name))
            )

        for one in metrics:
            what = charge_name(one, quotation, self.bench.purchase.label)
            yield self._line(
                what,
                _("per month {per_month} · term {per_term}").format(
                    per_month=figures(one, "mrr", "dmrr"), per_term=figures(one, "tcv", "dtcv")
                ),
            )

    def _line(self, left: str, right: str) -> Line:
        """A line with a second text below the last column, or further to the right where both need more room."""
        left, right = safe_text(left).text, safe_text(right).text
        columns = len(self._columns())
        edge = max(sum(self.side.span(columns - 1, columns)), 1 + width(left) + 2 + width(right))
        room = max(8, min(edge, self.size.width - 1) - 1 - width(right) - 1)
        return Line("text", value=f"{fit(left, room)} {right}")

    # --- hints and status ------------------------------------------------------------------------------------------

    def hint_lines(self, wire: str) -> Sequence[Hint]:
        spec, problem = self.form.spec(wire), ""
        reason = self.form.why_not(wire)
        if not reason:
            problem = dict(reversed(self.bench.problems(self.bench.alternative))).get(wire, "")
        if not problem and wire == "maxNumberUsers":
            problem = self.bench.licence_warning(self.bench.alternative)
        return [
            joined(spec.facet.help, where_sent(wire), self.editing_hint(spec)),
            reason or warned(problem) or spec.constraint_in_words,
        ]

    def status(self) -> Sequence[Piece]:
        live, name = self.bench.alternative.live, NAMES[self.bench.chosen]
        if found := self.bench.problems(self.bench.alternative):
            return [Piece(f" {name}  {safe_text(self._said(*found[0])).text}", "warn")]
        if live.quotation is None:
            return [Piece(_(" {name}  waiting for the quotation…").format(name=name), "dim")]
        currency = self.bench.currency
        monthly, invoice = month(live.quotation), written(live.quotation.get("amount"), currency)
        step = f" ({written(monthly.step, signed=True)})" if self._held and monthly.step else ""
        return [
            Piece(
                _(" {name}  {then} per month{step}, next invoice {invoice}").format(
                    name=name, then=written(monthly.then, currency), step=step, invoice=invoice
                )
            )
        ]


def _counted(item: RecordData) -> str:
    """Quantity and unit of an item; empty for a discount on the whole."""
    number = _number(item.get("quantity"))
    off = number in ("", "1") and (amount(item.get("chargeAmount")) or 0) < 0
    return "" if off else f"{number} {item.get('unitOfMeasure') or ''}".strip()


def _description(item: RecordData) -> str:
    """The description of a line without the name of its product."""
    product, text = str(item.get("productName") or ""), str(item.get("chargeDescription") or "")
    return text.removeprefix(product).removeprefix(": ") if product else text


def _number(value: Any) -> str:
    """A quantity without trailing zeros."""
    found = amount(value)
    return "" if found is None else f"{found.normalize():,f}"
