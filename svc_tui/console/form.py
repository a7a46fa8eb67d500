"""What a form knows: values, which of them changed, what is wrong, who may set them. No screen in here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from svc_tui.console.values import HIDDEN, written
from svc_tui.interface.access import Role
from svc_tui.interface.problems import may_not_set, problem_of
from svc_tui.interface.records import FieldSpec, Record, fields_of

#: Kinds whose value is typed in one line.
TYPED = frozenset({"text", "integer", "number", "date", "datetime"})
#: Fields that page through a list; a filter form does not ask for them.
PAGING = frozenset({"format", "limit", "offset", "sortField", "sortOrder"})


class Form:
    """The fields of one body (or query), their present values and their problems.

    `before` is the record as it is; of an update only what differs is sent. Values are wire values; what was typed and
    cannot be read yet is kept as text, so that nothing typed is lost.
    """

    def __init__(
        self,
        model: type[Record],
        roles: frozenset[Role],
        before: Mapping[str, Any] | None = None,
        *,
        leave_out: frozenset[str] = frozenset(),
        keep_all: bool = False,
    ) -> None:
        self.model = model
        self.before = dict(before or {})
        self._roles = roles
        self._keep_all = keep_all
        specs = [spec for spec in fields_of(model) if spec.wire not in leave_out]
        self.specs: Sequence[FieldSpec] = _in_order(specs)
        self._by_wire = {spec.wire: spec for spec in self.specs}
        self.values: dict[str, Any] = {wire: self.before[wire] for wire in self._by_wire if wire in self.before}
        if not self.before:
            self.values |= {spec.wire: spec.default for spec in self.specs if spec.default is not None}
            self.values |= {spec.wire: spec.facet.suggested for spec in self.specs if spec.facet.suggested is not None}
        self._start = dict(self.values)
        self.refused: dict[str, str] = {}

    def spec(self, wire: str) -> FieldSpec:
        return self._by_wire[wire]

    def why_not(self, wire: str) -> str:
        """Why this field cannot be set: role or another field's value; empty when it can."""
        spec = self._by_wire[wire]
        reason = may_not_set(spec, self._roles)
        if reason:
            return reason
        needs = spec.facet.needs
        if needs is not None and not needs.met({**self.before, **self.values}):
            return str(needs)
        return "not edited here" if spec.kind in ("object", "objects") else ""

    def set(self, wire: str, value: Any) -> None:
        """Take a wire value; None clears the field."""
        self.values[wire] = value
        self.refused.pop(wire, None)

    def type(self, wire: str, text: str) -> None:
        """Take what was typed; an empty text clears the field."""
        self.set(wire, _read(self._by_wire[wire], text))

    def typed(self, wire: str) -> str:
        """The value as it is edited."""
        value = self.values.get(wire)
        return "" if value is None else str(value)

    def drawn(self, wire: str) -> str:
        """The value as it is shown while it is not edited."""
        value = self.values.get(wire)
        spec = self._by_wire[wire]
        if spec.facet.secret and value:
            return HIDDEN
        if isinstance(value, list) and len(value) > 1:
            return f"{len(value)}: {written(value)}"
        if spec.kind == "choice" and value in (words := dict(spec.facet.choices)):
            return f"{value}  {words[value]}"
        return written(value)

    def problem(self, wire: str) -> str:
        """What is wrong with a field, as a sentence; empty when nothing is."""
        spec = self._by_wire[wire]
        if self.why_not(wire):
            return ""
        if wire in self.refused:
            return self.refused[wire]
        if self.before and not self.changed(wire):
            return ""
        value = self.values.get(wire)
        if value is None:
            return "is required" if spec.required and not self.before else ""
        return problem_of(self.model, wire, value)

    def problems(self) -> dict[str, str]:
        """Every problem by wire name."""
        found = {spec.wire: self.problem(spec.wire) for spec in self.specs}
        return {wire: problem for wire, problem in found.items() if problem}

    def changed(self, wire: str) -> bool:
        return self.values.get(wire) != self._start.get(wire)

    @property
    def dirty(self) -> bool:
        """Whether anything was edited."""
        return any(self.changed(spec.wire) for spec in self.specs)

    def body(self) -> dict[str, Any]:
        """What is sent: for an update what differs, for a creation what has a value."""
        if self.before and not self._keep_all:
            changed = [spec.wire for spec in self.specs if self.changed(spec.wire) and not self.why_not(spec.wire)]
            return {wire: self.values.get(wire) for wire in changed}
        settable = [spec.wire for spec in self.specs if not self.why_not(spec.wire)]
        return {
            wire: self.values[wire]
            for wire in settable
            if self.values.get(wire) is not None and (self._keep_all or self._says_something(wire))
        }

    def _says_something(self, wire: str) -> bool:
        spec = self._by_wire[wire]
        return spec.required or self.values[wire] != spec.default

    def refuse(self, problems: Mapping[str, str]) -> list[str]:
        """Keep what the service said of fields until they are edited; what names no field here is given back."""
        self.refused = {wire: text for wire, text in problems.items() if wire in self._by_wire}
        return [f"{wire} {text}" if wire else text for wire, text in problems.items() if wire not in self._by_wire]

    def cycle(self, wire: str, by: int) -> None:
        """The next or previous choice; a field that is not required also has 'nothing' among them."""
        spec = self._by_wire[wire]
        options: list[Any] = [True, False] if spec.kind == "boolean" else list(spec.choices)
        if not spec.required or spec.kind == "boolean":
            options = options if spec.kind == "boolean" and self.values.get(wire) is not None else [None, *options]
        value = self.values.get(wire)
        at = options.index(value) if value in options else -1 if by > 0 else 0
        self.set(wire, options[(at + by) % len(options)])

    def jump(self, wire: str, letter: str) -> bool:
        """The next choice that begins with a letter."""
        spec = self._by_wire[wire]
        matching = [choice for choice in spec.choices if choice.lower().startswith(letter.lower())]
        if not matching:
            return False
        value = self.values.get(wire)
        at = matching.index(value) + 1 if value in matching else 0
        self.set(wire, matching[at % len(matching)])
        return True


def _in_order(specs: Sequence[FieldSpec]) -> list[FieldSpec]:
    """Required fields first, then groups in the order in which they are declared."""
    groups: dict[str, list[FieldSpec]] = {}
    for spec in sorted(specs, key=lambda spec: (not spec.required, spec.wire != "name")):
        groups.setdefault(spec.facet.group, []).append(spec)
    return [spec for group in groups.values() for spec in group]


def _read(spec: FieldSpec, text: str) -> Any:
    if text == "":
        return None
    converters: dict[str, Callable[[str], Any]] = {"integer": int, "number": float}
    convert = converters.get(spec.kind)
    if convert is None:
        return text
    try:
        return convert(text)
    except ValueError:
        return text


def entries(text: str) -> list[str] | None:
    """The entries of a list typed one a line; None when there is none."""
    found = [line.strip() for line in text.splitlines() if line.strip()]
    return found or None
