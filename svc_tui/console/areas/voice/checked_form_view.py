"""The form of a record that another administrator may edit at the same time, with the conflicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from svc_tui.console.core.field_text import Hint, joined, warned
from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.editing.conflicts import Conflicts
from svc_tui.console.views.form import FormView
from svc_tui.console.views.long_form import LongFormView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import written
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.interface.field_specs import FieldSpec
from svc_tui.interface.texts import counted
from svc_tui.language import _


def entry(value: object) -> str:
    """A row of a list in short: its values without names."""
    if isinstance(value, Mapping):
        return " ".join(written(item) for item in value.values() if item not in (None, ""))
    return written(value)


def drawn(value: object, spec: FieldSpec) -> str:
    """A value in one line; of a list the number of rows and each row in short."""
    if isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        return f"{len(value)}: {'; '.join(entry(item) for item in value)}"
    return value_text(value, spec)


class CheckedFormView(FormView):
    """Marks fields that another administrator has changed too, and can take over their current value."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.conflicts = Conflicts()

    def rebase(self, now: Mapping[str, Any], found: Conflicts) -> None:
        """Continue with the current record; your edits stay, together with rows added by other administrators."""
        self.conflicts = self.conflicts.after(found)
        self.form.rebase(now)
        for wire, rows in found.merged.items():
            self.form.set(wire, rows)
        self.draw()
        self.notify_changed()

    @property
    def conflicting(self) -> list[str]:
        """Fields that were edited here and changed by another administrator."""
        return [wire for wire in self.conflicts.theirs if self.form.changed(wire)]

    def use_their_value(self) -> None:
        """Set the field under the cursor to the other administrator's value."""
        self.take_value(self.wire, self.form.before.get(self.wire))

    def other_value_hint(self, wire: str) -> Hint:
        """The other administrator's value of a conflicting field; empty without a conflict."""
        if wire not in self.conflicting:
            return ""
        now = drawn(self.form.before.get(wire), self.form.spec(wire))
        return warned(
            joined(
                _("Another administrator set {now}").format(now=now),
                self.with_keys(_("{{{name}.theirs}} uses it").format(name=self.resource.name if self.resource else "")),
            )
        )

    def line_of(self, wire: str) -> Line:
        line = super().line_of(wire)
        if wire not in self.conflicting or self.form.problem(wire):
            return line
        return replace(
            line,
            note=_("conflict: {before}").format(before=drawn(self.form.before.get(wire), self.form.spec(wire))),
            note_style="warn",
        )

    def hint_lines(self, wire: str) -> Sequence[Hint]:
        first, *more = super().hint_lines(wire)
        theirs = self.other_value_hint(wire)
        return [first, theirs, *more] if theirs else [first, *more]

    def status(self) -> Sequence[Piece]:
        pieces = super().status()
        if not self.conflicting:
            return pieces
        return [*pieces, Piece(f"   {counted(len(self.conflicting), 'conflict')}", "warn")]


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
        return line

    def hint_lines(self, wire: str) -> Sequence[Hint]:
        first, *more = super().hint_lines(wire)
        needing = [each.sentence for each in self.form.contradictions if each.needs == wire]
        if not needing or wire in self.conflicting:
            return [first, *more]
        text = warned("; ".join(dict.fromkeys(needing)))
        return [first, text, *(line for line in more if line != text)]


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
