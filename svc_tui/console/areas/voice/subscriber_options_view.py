"""The form of a subscriber's options, with the company's values beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from svc_tui.console.areas.voice.checked_form_view import CheckedFormView
from svc_tui.console.core.field_text import Hint, joined, warned
from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.widgets.sheet_lines import Line
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
        return line if wire in self.conflicting else replace(line, note=self._of_company(wire))

    def _of_company(self, wire: str) -> str:
        """The company's value of a field; empty for others."""
        if wire not in self.company:
            return ""
        return _("company: {company}").format(company=value_text(self.company[wire], self.form.spec(wire)))

    def hint_lines(self, wire: str) -> Sequence[Hint]:
        spec, reason = self.form.spec(wire), self.form.why_not(wire)
        company = self._of_company(wire)
        if reason:
            return [joined(spec.facet.help, company), reason]
        wrong = self.other_value_hint(wire) or warned(self.form.problem(wire))
        beside = company or spec.constraint_in_words
        return [joined(spec.facet.help, self.editing_hint(spec)), wrong or beside]
