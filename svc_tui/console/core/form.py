"""The state of a form: values, changes, problems and permissions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.form_rules import Consistency, Contradiction
from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.core.summaries import summary_line, with_names
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.formatting import HIDDEN
from svc_tui.interface.access import Role
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.labels import label_of
from svc_tui.interface.problems import normalised, problem_of, too_long, why_not_settable
from svc_tui.language import DAY, _, read_number
from svc_tui.language import form as language_form

if TYPE_CHECKING:
    from svc_tui.interface.records import Record

#: Kinds with a value that is typed in one line.
TYPED = frozenset({"text", "integer", "number", "date", "datetime"})
#: Fields for the paging of a list, left out of filter forms.
PAGING = frozenset({"format", "limit", "offset", "sortField", "sortOrder"})

_ISO = re.compile(r"\s*\d{4}-\d\d-\d\d")

#: Why the caller may not set a field; empty when it may.
Gate = Callable[[FieldSpec], str]
#: The choices of a field that are offered.
Choices = Callable[[FieldSpec], Sequence[str]]
#: Field -> problem of the values that would be sent, beyond their declaration.
CheckTogether = Callable[[Mapping[str, Any]], Mapping[str, str]]


class Form:
    """The fields of a body or query, their current values and problems.

    `before` is the current record; an update sends only what differs from it. Values are wire values; input that
    cannot be parsed yet is kept as text.
    """

    def __init__(
        self,
        model: type[Record],
        roles: frozenset[Role],
        before: Mapping[str, Any] | None = None,
        *,
        leave_out: frozenset[str] = frozenset(),
        keep_all: bool = False,
        gate: Gate | None = None,
        choices: Choices = lambda spec: spec.choices,
    ) -> None:
        self.model = model
        self.before = dict(before or {})
        self._gate: Gate = gate or (lambda spec: why_not_settable(spec, roles))
        self._keep_all = keep_all
        #: ID -> name of the records that were chosen here or are named in the record.
        self.named: dict[str, str] = _names_in(self.before, fields_of(model))
        # Read for every field at every key press; cached because it does not depend on the values.
        self._gated: dict[str, str] = {}
        self._checked: dict[str, tuple[Any, str]] = {}
        specs = [
            replace(spec, choices=tuple(choices(spec))) if spec.choices else spec
            for spec in fields_of(model)
            if spec.wire not in leave_out
        ]
        self.specs: Sequence[FieldSpec] = _in_order(specs)
        self._by_wire = {spec.wire: spec for spec in self.specs}
        self.values: dict[str, Any] = {wire: self.before[wire] for wire in self._by_wire if wire in self.before}
        if not self.before:
            self.values |= {spec.wire: spec.default for spec in self.specs if spec.default is not None}
            self.values |= {spec.wire: spec.facet.suggested for spec in self.specs if spec.facet.suggested is not None}
        self._start = dict(self.values)
        self._record = {**self.before, **self.values}
        self.refused: dict[str, str] = {}
        self.consistency: Consistency | None = None
        self._last = ""
        self._contradictions: Sequence[Contradiction] | None = None
        self.check_together: CheckTogether = lambda values: {}
        self._together: Mapping[str, str] | None = None

    def spec(self, wire: str) -> FieldSpec:
        return self._by_wire[wire]

    def why_not(self, wire: str) -> str:
        """Why this field cannot be set: the role or another field; empty when it can."""
        spec = self._by_wire[wire]
        if wire not in self._gated:
            self._gated[wire] = self._gate(spec)
        if self._gated[wire]:
            return self._gated[wire]
        needs = spec.facet.needs
        return spec.condition if needs is not None and not needs.met(self._record) else ""

    def may_edit(self, wire: str) -> bool:
        """Whether the field can be changed now."""
        return not self.why_not(wire)

    def set(self, wire: str, value: Any) -> None:
        """Set a wire value; None clears the field."""
        self.values[wire] = self._record[wire] = value
        # A refusal may be about several fields: with another value of any, the service decides again.
        self.refused = {}
        self._last, self._contradictions, self._together = wire, None, None

    def reset(self, wire: str) -> None:
        """Give a field its first value again."""
        Form.set(self, wire, self._start.get(wire))

    def clear(self, wire: str) -> None:
        """Empty a field."""
        self.set(wire, None)

    def placeholder(self, wire: str) -> str:
        """The text in place of a value that the field does not show; empty where there is none."""
        return ""

    def note(self, wire: str) -> str:
        """A note beside the field, before those of its declaration; empty without one."""
        return ""

    def begin(self) -> None:
        """Take the current values as the first ones: nothing is edited yet."""
        self._start = dict(self.values)

    def rebase(self, before: Mapping[str, Any]) -> None:
        """Take another version of the record; edited values are kept."""
        edited = {wire: self.values.get(wire) for wire in self._by_wire if self.changed(wire)}
        self.before = dict(before)
        self.values = {wire: self.before[wire] for wire in self._by_wire if wire in self.before}
        self._start = dict(self.values)
        self.values |= edited
        self._record = {**self.before, **self.values}
        self._contradictions, self._together = None, None

    def use_rules(self, gate: Gate, check_together: CheckTogether) -> None:
        """Check fields and values by the rules of another version of the record."""
        self._gate, self.check_together = gate, check_together
        self._gated.clear()
        self._together = None

    def type(self, wire: str, text: str) -> None:
        """Set a value from typed text; an empty text clears the field. The first text is the first value again."""
        first = self._start.get(wire)
        is_first = text in (_as_typed(first), self.name_of(wire, first) or _as_typed(first))
        self.set(wire, first if is_first else _read(self._by_wire[wire], text))

    def typed(self, wire: str) -> str:
        """The value as editable text: of a record its name, which is searched."""
        value = self.values.get(wire)
        return self.name_of(wire, value) or _as_typed(value)

    def name_of(self, wire: str, value: object) -> str:
        """The name of the record that a value of a field refers to; empty where it is not known, or no record."""
        facet = self._by_wire[wire].facet
        if not isinstance(value, str) or not (facet.refers or facet.picks) or wire.endswith("Ids"):
            # Several IDs with commas between them are edited as they are.
            return ""
        name = safe_text(self.named.get(value, "")).text
        return "" if name == value else name

    def drawn(self, wire: str) -> str:
        """The value as it is shown."""
        value = self.values.get(wire)
        spec = self._by_wire[wire]
        if spec.facet.secret and value:
            return HIDDEN
        if summary := summary_line(wire, value):
            return with_names(summary, self.named)
        if isinstance(value, list) and len(value) > 1:
            return with_names(f"{len(value)}: {value_text(value, spec)}", self.named)
        names = dict(spec.facet.codes)
        if isinstance(value, str) and value in names:
            return f"{value}  {names[value]}"
        text = self.name_of(wire, value) or value_text(value, spec)
        return with_names(text, self.named) if isinstance(value, list) else text

    def problem(self, wire: str) -> str:
        """The problem of a field; empty when there is none."""
        if self.why_not(wire):
            return ""
        if wire in self.refused:
            return self.refused[wire]
        for found in self.contradictions:
            if found.key == wire or self._resolves(wire, found):
                return found.sentence
        return self.unfit_reason(wire) or self.problems_together.get(wire, "")

    def _resolves(self, wire: str, found: Contradiction) -> bool:
        """Whether a contradiction can be resolved only here, because the other field cannot be set."""
        return found.needs == wire and self.changed(wire) and bool(self.why_not(found.key))

    def unfit_reason(self, wire: str) -> str:
        """The constraint of the declaration that the value breaks; empty when it breaks none."""
        spec = self._by_wire[wire]
        if self.before and not self.changed(wire):
            return ""
        value = self.values.get(wire)
        if value is None:
            return _("is required") if self._is_missing(spec) else ""
        known = self._checked.get(wire)
        if known is None or known[0] != value:
            known = self._checked[wire] = (value, self.problem_with(wire, value))
        return known[1]

    def _is_missing(self, spec: FieldSpec) -> bool:
        return spec.required and not self.before and self.values.get(spec.wire) is None

    def is_awaited(self, wire: str) -> bool:
        """Whether the only problem of a field is that it is still empty, which needs no warning yet."""
        if wire in self.refused or self.changed(wire) or not self._is_missing(self._by_wire[wire]):
            return False
        return self.problem(wire) == self.unfit_reason(wire)

    @property
    def problems_together(self) -> Mapping[str, str]:
        """Field -> problem of the values together; values that cannot be parsed are left out."""
        if self._together is None:
            body = self.body()
            self._together = self.check_together(
                {wire: value for wire, value in body.items() if not self.unfit_reason(wire)}
            )
        return self._together

    @property
    def contradictions(self) -> Sequence[Contradiction]:
        """The fields whose values contradict others."""
        if self.consistency is None:
            return ()
        if self._contradictions is None:
            self._contradictions = self.consistency.contradictions(self.values)
        return self._contradictions

    def unmet_requirements(self, wire: str) -> str:
        """What a contradicting field needs, in a few words for its line; empty when it does not contradict."""
        found = [each for each in self.contradictions if each.key == wire or self._resolves(wire, each)]
        if not found or self.refused.get(wire, found[0].sentence) != found[0].sentence:
            return ""
        if found[0].key != wire:
            return _("needed by {label}").format(label=self._by_wire[found[0].key].label)
        # What has a value is not missing: only another choice of it can be needed.
        mine = [
            each.needs
            for each in found
            if each.key == wire
            and each.needs in self._by_wire
            and (self._by_wire[each.needs].choices or self.values.get(each.needs) in (None, "", []))
        ]
        needed = dict.fromkeys(self._by_wire[needs].label for needs in mine)
        return _("needs {needed}").format(needed=_(" and ").join(needed)) if needed else ""

    def following(self) -> dict[str, Any]:
        """The values that must follow from the last change; empty when none must."""
        return self.consistency.following(self.values, self._last) if self.consistency and self.contradictions else {}

    def problem_with(self, wire: str, value: Any) -> str:
        """The problem that a value would have."""
        if value is None:
            return ""
        spec = self._by_wire.get(wire)
        # Validation would read `1.000` as one, and `2027` as a second of 1970.
        unread = _why_unread(spec, value) if spec and isinstance(value, str) else ""
        return unread or problem_of(self.model, wire, value) or too_long(spec, value)

    def problems(self) -> dict[str, str]:
        """Field -> problem, for all fields with one."""
        found = {spec.wire: self.problem(spec.wire) for spec in self.specs}
        return {wire: problem for wire, problem in found.items() if problem}

    def changed(self, wire: str) -> bool:
        return self.values.get(wire) != self._start.get(wire)

    @property
    def dirty(self) -> bool:
        """Whether anything was edited."""
        return any(self.changed(spec.wire) for spec in self.specs)

    def body(self) -> dict[str, Any]:
        """The body to send: of an update the changed fields, of a new record those with a value."""
        if self.before and not self._keep_all:
            changed = [spec.wire for spec in self.specs if self.changed(spec.wire) and not self.why_not(spec.wire)]
            sent = {wire: self._as_sent(wire) for wire in changed}
            # In the notation of the service it may be the current value.
            return {wire: value for wire, value in sent.items() if value is None or value != self.before.get(wire)}
        settable = [spec.wire for spec in self.specs if not self.why_not(spec.wire)]
        return {
            wire: self._as_sent(wire) if self.changed(wire) or not self.before else self.values[wire]
            for wire in settable
            if self.values.get(wire) is not None and (self._keep_all or self._is_needed(wire))
        }

    def _as_sent(self, wire: str) -> Any:
        """The value in the notation of the service."""
        value = self.values.get(wire)
        return normalised(self.model, wire, value) if self._by_wire[wire].kind == "text" else value

    def _is_needed(self, wire: str) -> bool:
        spec = self._by_wire[wire]
        return spec.required or self.values[wire] != spec.default

    def refuse(self, problems: Mapping[str, str]) -> list[str]:
        """Show reported problems at their fields until a field is edited; returns those without a field here."""
        # `closedHoursOverflow.number` is about a field of an object that is one field here.
        named = {wire: wire if wire in self._by_wire else wire.partition(".")[0] for wire in problems}
        self.refused = {named[wire]: text for wire, text in problems.items() if named[wire] in self._by_wire}
        left = {wire: text for wire, text in problems.items() if named[wire] not in self._by_wire}
        return [f"{label_of(wire)} {text}" if wire else text for wire, text in left.items()]

    def cycle(self, wire: str, by: int) -> None:
        """Set the next or previous choice; an optional field can also be cleared."""
        spec = self._by_wire[wire]
        options: list[Any] = [True, False] if spec.kind == "boolean" else list(spec.choices)
        if not spec.required or spec.kind == "boolean":
            options = options if spec.kind == "boolean" and self.values.get(wire) is not None else [None, *options]
        value = self.values.get(wire)
        at = options.index(value) if value in options else -1 if by > 0 else 0
        self.set(wire, options[(at + by) % len(options)])

    def jump(self, wire: str, letter: str) -> bool:
        """Set the next choice whose words or code begin with a letter."""
        spec, first = self._by_wire[wire], letter.lower()
        matching = [choice for choice in spec.choices if first in (spec.worded(choice)[0].lower(), choice[0].lower())]
        if not matching:
            return False
        value = self.values.get(wire)
        at = matching.index(value) + 1 if value in matching else 0
        self.set(wire, matching[at % len(matching)])
        return True


def _names_in(record: Mapping[str, Any], specs: Sequence[FieldSpec]) -> dict[str, str]:
    """The names that a record has for the IDs in its fields."""
    return {str(record[spec.wire]): str(record[wire]) for spec in specs if (wire := spec.named_in(record))}


def _in_order(specs: Sequence[FieldSpec]) -> list[FieldSpec]:
    """Required fields first, then groups in the order of their declaration."""
    groups: dict[str, list[FieldSpec]] = {}
    for spec in sorted(specs, key=lambda spec: (not spec.required, spec.wire != "name")):
        groups.setdefault(spec.facet.group, []).append(spec)
    return [spec for group in groups.values() for spec in group]


def _as_typed(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _read(spec: FieldSpec, text: str) -> Any:
    if text == "":
        return None
    if spec.kind == "integer":
        # Words for numbers that are none, such as -1 or false for a time without an end.
        named = {word.casefold(): value for value, word in spec.facet.choices}
        text = named.get(text.casefold(), text)
        if spec.default is False and text.lower() == "false":
            return False
    if spec.kind == "date":
        return _day(text)
    if spec.kind not in ("integer", "number") or (number := read_number(text)) is None:
        return text
    if spec.kind == "integer":
        return int(number) if number == int(number) else text
    return float(number)


def _why_unread(spec: FieldSpec, text: str) -> str:
    """Why a text that was typed for a number or a time is none; empty for other fields."""
    match spec.kind:
        case "integer":
            return _("must be a whole number")
        case "number":
            return _("must be a number")
        case "date" | "datetime" if not _ISO.match(text):
            return _("must be a date") + (_(" and time (ISO 8601)") if spec.kind == "datetime" else " (YYYY-MM-DD)")
    return ""


def _day(text: str) -> str:
    """A day as the service writes it: one in the form of the language is read, another text stays."""
    try:
        return datetime.strptime(text.strip(), language_form(DAY)).date().isoformat()
    except ValueError:
        return text
