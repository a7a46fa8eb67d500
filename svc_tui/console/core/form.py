"""What a form knows: values, which of them changed, what is wrong, who may set them. No screen in here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from svc_tui.console.core.consistency import Consistency, Contradiction
from svc_tui.console.core.summaries import in_a_line, with_names
from svc_tui.console.widgets.formatting import HIDDEN, written
from svc_tui.interface.access import Role
from svc_tui.interface.problems import may_not_set, normalised, problem_of
from svc_tui.interface.records import FieldSpec, Record, fields_of

#: Kinds whose value is typed in one line.
TYPED = frozenset({"text", "integer", "number", "date", "datetime"})
#: Fields that page through a list; a filter form does not ask for them.
PAGING = frozenset({"format", "limit", "offset", "sortField", "sortOrder"})

#: Why a field may not be set by the caller, or by somebody with another role; empty when it may.
Gate = Callable[[FieldSpec, Role | None], str]


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
        gate: Gate | None = None,
    ) -> None:
        self.model = model
        self.before = dict(before or {})
        self._gate: Gate = gate or (lambda spec, lens: may_not_set(spec, frozenset({lens}) if lens else roles))
        self._keep_all = keep_all
        #: What records are called that were chosen here, or of which the record says it, by their ids.
        self.named: dict[str, str] = _names_in(self.before, fields_of(model))
        #: Another role with whose eyes the form is looked at; nothing can be changed then.
        self.lens: Role | None = None
        # Asked for every field at every key: what does not depend on the key is found out once.
        self._gated: dict[tuple[Role | None, str], str] = {}
        self._checked: dict[str, tuple[Any, str]] = {}
        specs = [spec for spec in fields_of(model) if spec.wire not in leave_out]
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
        #: What is wrong with the values that would be sent, beyond what their declaration says; by wire name.
        self.judge: Callable[[Mapping[str, Any]], Mapping[str, str]] = lambda values: {}
        self._judged: Mapping[str, str] | None = None

    def spec(self, wire: str) -> FieldSpec:
        return self._by_wire[wire]

    def why_not(self, wire: str) -> str:
        """Why this field cannot be set: role or another field's value; empty when it can."""
        spec = self._by_wire[wire]
        asked = (self.lens, wire)
        if asked not in self._gated:
            self._gated[asked] = self._gate(spec, self.lens)
        if self._gated[asked]:
            return self._gated[asked]
        needs = spec.facet.needs
        return str(needs) if needs is not None and not needs.met(self._record) else ""

    def may_edit(self, wire: str) -> bool:
        """Whether the field can be changed now: never while the form is seen with another role's eyes."""
        return self.lens is None and not self.why_not(wire)

    def set(self, wire: str, value: Any) -> None:
        """Take a wire value; None clears the field."""
        self.values[wire] = self._record[wire] = value
        self.refused.pop(wire, None)
        self._last, self._contradictions, self._judged = wire, None, None

    def begin(self) -> None:
        """What stands in the form now is what it begins with: nothing is edited yet."""
        self._start = dict(self.values)

    def rebase(self, before: Mapping[str, Any]) -> None:
        """The record is another one by now: what was edited stays as it was typed, everything else follows."""
        edited = {wire: self.values.get(wire) for wire in self._by_wire if self.changed(wire)}
        self.before = dict(before)
        self.values = {wire: self.before[wire] for wire in self._by_wire if wire in self.before}
        self._start = dict(self.values)
        self.values |= edited
        self._record = {**self.before, **self.values}
        self._contradictions = None

    def type(self, wire: str, text: str) -> None:
        """Take what was typed; an empty text clears the field."""
        self.set(wire, _read(self._by_wire[wire], text))

    def typed(self, wire: str) -> str:
        """The value as it is edited."""
        value = self.values.get(wire)
        return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

    def drawn(self, wire: str) -> str:
        """The value as it is shown while it is not edited."""
        value = self.values.get(wire)
        spec = self._by_wire[wire]
        if spec.facet.secret and value:
            return HIDDEN
        if said := in_a_line(wire, value):
            return with_names(said, self.named)
        if isinstance(value, list) and len(value) > 1:
            return f"{len(value)}: {written(value)}"
        words = dict(spec.facet.choices if spec.kind == "choice" else spec.facet.codes)
        if isinstance(value, str) and value in words:
            return f"{value}  {words[value]}"
        return written(value)

    def problem(self, wire: str) -> str:
        """What is wrong with a field, as a sentence; empty when nothing is."""
        if self.why_not(wire):
            return ""
        if wire in self.refused:
            return self.refused[wire]
        for found in self.contradictions:
            if found.key == wire or self._to_mend(wire, found):
                return found.sentence
        return self.unfit(wire) or self.judged.get(wire, "")

    def _to_mend(self, wire: str, found: Contradiction) -> bool:
        """Whether a field was changed so that another one contradicts which cannot be set: only here it is mended."""
        return found.needs == wire and self.changed(wire) and bool(self.why_not(found.key))

    def unfit(self, wire: str) -> str:
        """What the declaration of a field says against its value; empty when nothing does."""
        spec = self._by_wire[wire]
        if self.before and not self.changed(wire):
            return ""
        value = self.values.get(wire)
        if value is None:
            return "is required" if spec.required and not self.before else ""
        known = self._checked.get(wire)
        if known is None or known[0] != value:
            known = self._checked[wire] = (value, problem_of(self.model, wire, value))
        return known[1]

    @property
    def judged(self) -> Mapping[str, str]:
        """What is wrong with the values together, by wire name; values that cannot be read are not judged."""
        if self._judged is None:
            body = self.body()
            self._judged = self.judge({wire: value for wire, value in body.items() if not self.unfit(wire)})
        return self._judged

    @property
    def contradictions(self) -> Sequence[Contradiction]:
        """The fields whose values contradict others."""
        if self.consistency is None:
            return ()
        if self._contradictions is None:
            self._contradictions = self.consistency.broken(self.values)
        return self._contradictions

    def lacking(self, wire: str) -> str:
        """What a field that contradicts others needs, in a few words for its line; empty when it does not."""
        found = [each for each in self.contradictions if each.key == wire or self._to_mend(wire, each)]
        if not found or self.refused.get(wire, found[0].sentence) != found[0].sentence:
            return ""
        if found[0].key != wire:
            return f"needed by {self._by_wire[found[0].key].label}"
        mine = [each.needs for each in found if each.key == wire and each.needs in self._by_wire]
        needed = dict.fromkeys(self._by_wire[needs].label for needs in mine)
        return f"needs {' and '.join(needed)}" if needed else ""

    def following(self) -> dict[str, Any]:
        """What must follow from the last change, or from what else contradicts; empty when nothing does."""
        return self.consistency.following(self.values, self._last) if self.consistency and self.contradictions else {}

    def problem_with(self, wire: str, value: Any) -> str:
        """What would be wrong with a value, before it is taken."""
        return "" if value is None else problem_of(self.model, wire, value)

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
            sent = {wire: self._as_sent(wire) for wire in changed}
            # In another notation it may be what is there already.
            return {wire: value for wire, value in sent.items() if value is None or value != self.before.get(wire)}
        settable = [spec.wire for spec in self.specs if not self.why_not(spec.wire)]
        return {
            wire: self._as_sent(wire)
            for wire in settable
            if self.values.get(wire) is not None and (self._keep_all or self._says_something(wire))
        }

    def _as_sent(self, wire: str) -> Any:
        """The value in the notation in which it goes out."""
        value = self.values.get(wire)
        return normalised(self.model, wire, value) if self._by_wire[wire].kind == "text" else value

    def _says_something(self, wire: str) -> bool:
        spec = self._by_wire[wire]
        return spec.required or self.values[wire] != spec.default

    def refuse(self, problems: Mapping[str, str]) -> list[str]:
        """Keep what the service said of fields until they are edited; what names no field here is given back."""
        # `closedHoursOverflow.number` is about a field of an object that stands here as one.
        named = {wire: wire if wire in self._by_wire else wire.partition(".")[0] for wire in problems}
        self.refused = {named[wire]: text for wire, text in problems.items() if named[wire] in self._by_wire}
        left = {wire: text for wire, text in problems.items() if named[wire] not in self._by_wire}
        return [f"{wire} {text}" if wire else text for wire, text in left.items()]

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


def _names_in(record: Mapping[str, Any], specs: Sequence[FieldSpec]) -> dict[str, str]:
    """The names that a record holds beside ids: `companyCalendarName` beside `companyCalendarId`, or as declared."""
    found = {}
    for spec in specs:
        name = next((record[wire] for wire in spec.facet.named_by if record.get(wire)), None)
        if isinstance(about := record.get(spec.wire), str) and isinstance(name, str):
            found[about] = name
    for wire, value in record.items():
        about = wire.removesuffix("Id")
        name = record.get(f"{about}Name") or record.get(about)
        if about != wire and isinstance(value, str) and isinstance(name, str):
            found[value] = name
    return found


def _in_order(specs: Sequence[FieldSpec]) -> list[FieldSpec]:
    """Required fields first, then groups in the order in which they are declared."""
    groups: dict[str, list[FieldSpec]] = {}
    for spec in sorted(specs, key=lambda spec: (not spec.required, spec.wire != "name")):
        groups.setdefault(spec.facet.group, []).append(spec)
    return [spec for group in groups.values() for spec in group]


def _read(spec: FieldSpec, text: str) -> Any:
    if text == "":
        return None
    if spec.kind == "integer" and spec.default is False and text.lower() == "false":
        # A number or nothing at all, such as a time.
        return False
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
