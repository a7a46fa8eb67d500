"""A form with many fields: a live filter, and the declaration of the selected field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from svc_tui.console.core.field_text import Hint, declaration, joined, matching, warned
from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.views.form import FormView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.interface.field_specs import FieldSpec
from svc_tui.language import _, number_text, plural

#: The most fields of a form without a filter.
MANY_FIELDS = 40
#: The fewest fields that are folded, and the beginning of the key of the line that stands for them.
FEW, _FOLDED = 4, "(folded) "


class LongFormView(FormView):
    """A form for some hundred fields. Edited values are kept while the filter hides their fields.

    Fields that the user may not set stand behind one line with the reason, beside others that may be set.
    """

    DEFAULT_CSS = "LongFormView #hint { height: 4; }"

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.filter_text = ""
        self._before = ""
        self._typing = False
        #: Whether all fields are shown, also those that may not be set.
        self._unfolded = False

    def fields(self) -> Sequence[FieldSpec]:
        if self.filter_text:
            return matching(self.form.specs, self.filter_text)
        folded = {wire for wires in self._folded().values() for wire in wires}
        return [spec for spec in self.form.specs if spec.wire not in folded] if folded else self.form.specs

    def _folded(self) -> Mapping[str, Sequence[str]]:
        """Reason -> the fields behind its line; none while all are shown."""
        if self._unfolded or self.filter_text:
            return {}
        found: dict[str, list[str]] = {}
        for spec in self.form.specs:
            if (reason := self.form.why_not(spec.wire)) and not self.form.changed(spec.wire):
                found.setdefault(reason, []).append(spec.wire)
        count = sum(map(len, found.values()))
        return found if FEW <= count < len(self.form.specs) else {}

    def _lines(self) -> Iterator[Line]:
        *fields, empty, last = super()._lines()
        yield from fields
        folded = self._folded()
        if folded:
            yield Line("heading", label=_("Read-only"))
        for reason, wires in folded.items():
            count = plural(len(wires), "{number} field", "{number} fields").format(number=number_text(len(wires)))
            note = self.with_keys(_("{enter_field} shows them"))
            yield Line("field", count, reason, note, key=f"{_FOLDED}{reason}", style="dim", constraint=True)
        yield from (empty, last)

    def unfold(self) -> None:
        line = self.sheet.line
        wires = self._folded().get(line.key.removeprefix(_FOLDED)) if line is not None else None
        if wires:
            self.go_to_field(wires[0])
            self._place_editor()
            self.notify_changed()

    # --- filter ------------------------------------------------------------------------------------------------

    def filter_typed(self, text: str) -> None:
        if not self._typing:
            self._typing, self._before = True, self.filter_text
            self.editor.display = False
        self._filter(text)

    def filter_done(self, text: str | None) -> None:
        if self._typing or text is not None:
            self._filter(self._before if text is None else text)
        self._typing = False
        self.take_focus()

    def _filter(self, text: str) -> None:
        if text.strip() == self.filter_text:
            return
        self.filter_text = text.strip()
        self.draw()
        self.sheet.go(next((n for n, line in enumerate(self.sheet.lines) if line.stops), 0))
        self.notify_changed()

    def step_back(self) -> bool:
        """Clear the filter; False when there was none."""
        if not self.filter_text:
            return False
        wire = self.wire
        self._filter("")
        self.sheet.go_to(wire)
        self.take_focus()
        return True

    def go_to_field(self, wire: str) -> None:
        if wire not in {spec.wire for spec in self.fields()}:
            self._filter("")
        if any(wire in wires for wires in self._folded().values()):
            self._unfolded = True
            self.draw()
        super().go_to_field(wire)

    # --- drawing -----------------------------------------------------------------------------------------------

    def line_of(self, wire: str) -> Line:
        line = super().line_of(wire)
        if self.form.why_not(wire):
            return line
        spec = self.form.spec(wire)
        default = spec.default
        unset = self.form.values.get(wire) is None and default is not None and not line.note
        return replace(line, note=_("default {default}").format(default=value_text(default, spec))) if unset else line

    def hint_lines(self, wire: str) -> Sequence[Hint]:
        form, spec = self.form, self.form.spec(wire)
        reason = form.why_not(wire)
        edited = self.editing_hint(spec) if form.may_edit(wire) else ""
        problem = form.problem(wire)
        if offer := self.offer():
            return [warned(problem) or joined(spec.facet.help, edited), warned(offer)]
        lines = (
            joined(spec.facet.help, edited),
            warned(problem) or joined(reason, spec.constraint_in_words),
            declaration(spec),
        )
        return [line for line in lines if line]

    def status(self) -> Sequence[Piece]:
        shown_now = len(self.fields())
        count = (
            _(" {shown_now} of {specs}").format(shown_now=shown_now, specs=len(self.form.specs))
            if shown_now != len(self.form.specs)
            else f" {shown_now}"
        )
        pieces = [Piece(_("{count} fields").format(count=count))]
        if self.filter_text:
            pieces.append(Piece(f"   /{safe_text(self.filter_text).text}", "accent"))
        first, *more = super().status()
        return [*pieces, Piece("  "), first, *more]
