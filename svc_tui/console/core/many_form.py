"""The form of several records: what is set in it is set in the form of each. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from svc_tui.console.core.form import Form
from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.core.summaries import summary_line, with_names
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.interface.field_specs import fields_of
from svc_tui.language import _, number_text

#: Most values of a field that stand beside it, and most characters of each.
_MOST_NAMED, _LONGEST = 3, 20


class ManyForm(Form):
    """The fields of several records. A field with the same value in all of them has it; one with several values has
    none until a value is set, which then replaces all of them.

    A field is read-only only where no record allows it; the records that do not allow it are refused when it is set.
    """

    def __init__(self, forms: Sequence[Form], alone: Collection[str] = ()) -> None:
        """`forms` are those of the records, at least one, all with the same fields. Secrets and the fields `alone` are
        not set for several records."""
        self.forms = forms
        self._alone = {*alone, *(spec.wire for spec in forms[0].specs if spec.facet.secret)}
        first, *others = (form.before for form in forms)
        common = {
            wire: value
            for wire, value in first.items()
            if all(wire in other and other[wire] == value for other in others)
        }
        specs = forms[0].specs
        self._mixed = frozenset(
            spec.wire for spec in specs if any(first.get(spec.wire) != other.get(spec.wire) for other in others)
        )
        self._set_in_all: set[str] = set()
        self._reasons: dict[str, str] = {}
        offered = {
            spec.wire: [
                choice for choice in spec.choices if all(choice in form.spec(spec.wire).choices for form in forms)
            ]
            for spec in specs
            if spec.choices
        }
        shown = {spec.wire for spec in specs}
        super().__init__(
            forms[0].model,
            frozenset(),
            # An empty record would be a new one.
            common or {"id": None},
            leave_out=frozenset(spec.wire for spec in fields_of(forms[0].model)) - shown,
            gate=lambda spec: "",
            choices=lambda spec: offered.get(spec.wire, ()),
        )
        for form in forms:
            self.named |= form.named

    def has_several(self, wire: str) -> bool:
        """Whether the field still has several values."""
        return wire in self._mixed and wire not in self._set_in_all

    def why_not(self, wire: str) -> str:
        if wire not in self._reasons or self._by_wire[wire].facet.needs is not None:
            reasons = [form.why_not(wire) for form in self.forms]
            if wire in self._alone:
                reasons = [_("set for one record at a time")]
            self._reasons[wire] = reasons[0] if all(reasons) else ""
        return self._reasons[wire]

    def set(self, wire: str, value: Any) -> None:
        super().set(wire, value)
        if wire in self._mixed:
            self._set_in_all.add(wire)
        for form in self.forms:
            form.set(wire, value)

    def reset(self, wire: str) -> None:
        super().reset(wire)
        self._set_in_all.discard(wire)
        for form in self.forms:
            form.reset(wire)

    def clear(self, wire: str) -> None:
        """Clear the field in all records; of one that was set, give each record its own value back."""
        if wire in self._set_in_all:
            self.reset(wire)
        else:
            super().clear(wire)

    def type(self, wire: str, text: str) -> None:
        if wire in self._mixed and text == "":
            self.reset(wire)
        else:
            super().type(wire, text)
            if not self.changed(wire):
                # The first text was typed again.
                self.reset(wire)

    def cycle(self, wire: str, by: int) -> None:
        super().cycle(wire, by)
        if wire in self._mixed and self.values.get(wire) is None:
            self.reset(wire)

    def changed(self, wire: str) -> bool:
        return wire in self._set_in_all if wire in self._mixed else super().changed(wire)

    def drawn(self, wire: str) -> str:
        return self.placeholder(wire) or super().drawn(wire)

    def placeholder(self, wire: str) -> str:
        if wire not in self._mixed or self.values.get(wire) is not None:
            return ""
        return _("several values") if self.has_several(wire) else _("empty in all")

    def note(self, wire: str) -> str:
        """The values of a field with several: `2 × Spain, 1 × Italy`; or how many records do not allow it."""
        if self.why_not(wire):
            return ""
        against = [reason for form in self.forms if (reason := form.why_not(wire))]
        if against:
            return _("not in {count}: {reason}").format(count=number_text(len(against)), reason=against[0])
        if not self.has_several(wire) or self._by_wire[wire].facet.secret:
            return ""
        counted = Counter(self._short(form, wire) for form in self.forms).most_common()
        named = [f"{number_text(number)} × {text}" for text, number in counted[:_MOST_NAMED]]
        return ", ".join(named) + (", …" if len(counted) > _MOST_NAMED else "")

    def _short(self, form: Form, wire: str) -> str:
        value, spec = form.before.get(wire), self._by_wire[wire]
        text = with_names(summary_line(wire, value) or value_text(value, spec), form.named) or NOTHING
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
