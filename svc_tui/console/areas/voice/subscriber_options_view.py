"""The form of a subscriber's options, with the company's values beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from svc_tui.console.areas.voice.checked_form_view import CheckedFormView
from svc_tui.console.core.field_text import Hint, joined, warned
from svc_tui.console.widgets.formatting import written
from svc_tui.console.widgets.sheet import Line
from svc_tui.language import _


class SubscriberOptionsView(CheckedFormView):
    """Groups of options in one form. `company` are the company's values by field."""

    def __init__(self, *args: Any, company: Mapping[str, Any], **options: Any) -> None:
        super().__init__(*args, **options)
        self.company = company

    def line_of(self, wire: str) -> Line:
        line = super().line_of(wire)
        if wire not in self.company or line.note_style == "bad":
            return line
        line = replace(line, value=written(self.form.values.get(wire)))
        return (
            line
            if wire in self.conflicting
            else replace(line, note=_("company: {company}").format(company=written(self.company[wire])))
        )

    def hint_lines(self, wire: str) -> Sequence[Hint]:
        spec, reason = self.form.spec(wire), self.form.why_not(wire)
        company = _("company: {company}").format(company=written(self.company[wire])) if wire in self.company else ""
        if reason:
            return [joined(spec.facet.help, company), reason]
        wrong = self.other_value_hint(wire) or warned(self.form.problem(wire))
        beside = joined(self._words(wire), company) or spec.constraint
        return [joined(spec.facet.help, self.editing_hint(spec)), wrong or beside]

    def _words(self, wire: str) -> str:
        """The meaning of the value."""
        value = self.form.values.get(wire)
        words = dict(self.form.spec(wire).facet.choices).get(str(value), "")
        return f"{value}: {words}" if words else ""
