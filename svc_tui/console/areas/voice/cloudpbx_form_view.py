"""The form of all settings of a CloudPBX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from svc_tui.console.areas.voice.checked_form_view import CheckedFormView, drawn
from svc_tui.console.core.field_text import Hint, warned
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.views.long_form import LongFormView
from svc_tui.console.widgets.sheet_lines import Line


class CloudPbxView(CheckedFormView, LongFormView):
    """Shows lists in short, and the relations between fields."""

    # Styles are inherited from the first base only.
    DEFAULT_CSS = "CloudPbxView #hint { height: 4; }"

    def __init__(self, *args: Any, settings: Mapping[str, Any], **options: Any) -> None:
        super().__init__(*args, **options)
        #: The CloudPBX when editing began, in the structure of requests.
        self.settings = settings

    def line_of(self, wire: str) -> Line:
        line = super().line_of(wire)
        value = self.form.values.get(wire)
        if isinstance(value, list):
            return replace(line, value=drawn(value, self.form.spec(wire)))
        if self.form.why_not(wire) and (name := self.form.named.get(str(value))):
            # A read-only value shows its reason instead of the name.
            return replace(line, value=safe_text(name).text)
        return line

    def hint_lines(self, wire: str) -> Sequence[Hint]:
        first, *more = super().hint_lines(wire)
        needing = [each.sentence for each in self.form.contradictions if each.needs == wire]
        if not needing or wire in self.conflicting:
            return [first, *more]
        text = warned("; ".join(dict.fromkeys(needing)))
        return [first, text, *(line for line in more if line != text)]
