"""What a document would change in a company, and doing it.

A plan is made of what the service has, never of what was sent before. So an `apply` that was killed is continued by the
same command: what exists under its natural name is not created again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from svc_tui.client.errors import OutcomeUnknown, Refused
from svc_tui.interface.access import Decision
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.data import RecordData
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.language import _
from svc_tui.workspace.core.service import Performer, Reader
from svc_tui.workspace.files.company_document import (
    COMPONENTS,
    EXACTLY,
    REFERRED,
    Component,
    Document,
    Entry,
    companies_named,
    named,
    records_of,
)

Effect = Literal["create", "update", "remove"]
Outcome = Literal["", "done", "refused", "unknown", "skipped"]


class PlanService(Reader, Performer, Protocol):
    """The service, with the rights of the caller."""

    def decide(self, operation_id: str) -> Decision: ...
    def why_not_settable(self, spec: FieldSpec) -> str: ...


class Created(str):
    """In a path or a body: the ID of a record that an earlier step creates, by its component and name."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field before and after. None: no value."""

    field: str
    before: Any
    after: Any


@dataclass(slots=True)
class Step:
    """One request. `refusal` is the reason why it would be refused, empty for none."""

    component: Component
    name: str
    effect: Effect
    operation_id: str
    path: dict[str, str]
    body: dict[str, Any] | None
    changes: list[FieldChange] = field(default_factory=list)
    refusal: str = ""
    outcome: Outcome = ""
    sentence: str = ""

    @property
    def place(self) -> Created:
        return _place(self.component.name, self.name)

    def needs(self) -> set[Created]:
        """The records that must be created first."""
        values = [*self.path.values(), *(self.body or {}).values()]
        return {value for value in values if isinstance(value, Created)}

    def wire(self) -> dict[str, Any]:
        """The step for programs."""
        return {
            "action": self.effect,
            "component": self.component.name,
            "name": self.name,
            "operation": self.operation_id,
            "path": self.path,
            "changes": [{"field": each.field, "before": each.before, "after": each.after} for each in self.changes],
            "refusal": self.refusal,
        }


@dataclass(slots=True)
class Plan:
    """The steps in the order in which they are done; removals are last."""

    company: str
    steps: list[Step]

    @property
    def id(self) -> str:
        """A text that is the same for the same steps only."""
        content = [self.company, [(step.operation_id, step.path, step.body, step.refusal) for step in self.steps]]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def refused(self) -> list[Step]:
        return [step for step in self.steps if step.refusal]


def _place(component: str, name: str) -> Created:
    return Created(f"{component}/{name}")


# --- making a plan -----------------------------------------------------------------------------------------------


async def planned(service: PlanService, document: Document, notice: Callable[[str], None]) -> Plan:
    """Compare a document with the service. ReadError when a part cannot be read."""
    wanted = document.company
    found = await companies_named(service, wanted.id, wanted.name)
    company_id: str = str(found[0]["id"]) if len(found) == 1 else _place("company", wanted.name)
    steps: list[Step] = []
    removals: list[Step] = []
    ids: dict[str, str] = {}
    for component in COMPONENTS:
        entries = [entry for entry in document.entries if entry.component is component]
        if not entries and component.kind not in REFERRED and component.name not in document.whole:
            continue
        notice(component.title)
        if component.name == "company":
            rows = found
        else:
            known = not isinstance(company_id, Created)
            rows = [row async for row in records_of(service, component, company_id)] if known else []
        matching = _Matching(component, rows)
        for row in rows:
            ids[_place(component.name, str(row.get(component.key) or "")).casefold()] = str(row["id"])
        for entry in entries:
            steps += _steps(service, matching, entry, company_id, ids)
        if component.name in document.whole:
            removals[:0] = [
                Step(
                    component,
                    str(row.get(component.key) or row["id"]),
                    "remove",
                    component.delete,
                    {component.parameter: str(row["id"])},
                    None,
                    refusal=service.decide(component.delete).reason,
                )
                for row in matching.left()
            ]
    steps += removals
    _refuse_dependent(steps)
    return Plan(str(company_id), steps)


class _Matching:
    """Finds the record of an entry: by its ID, or else by its natural name."""

    def __init__(self, component: Component, rows: list[RecordData]) -> None:
        self.component, self._rows = component, rows
        self._by_id = {str(row["id"]): row for row in rows}
        self._by_name: dict[str, list[RecordData]] = {}
        for row in rows:
            self._by_name.setdefault(str(row.get(component.key) or "").casefold(), []).append(row)
        self._taken: set[str] = set()

    def of(self, entry: Entry) -> list[RecordData]:
        if entry.id in self._by_id:
            found = [self._by_id[entry.id]]
        elif self.component.name == "cloudpbx":
            found = self._rows
        else:
            found = self._by_name.get(entry.name.casefold(), [])
        self._taken |= {str(row["id"]) for row in found}
        return found

    def left(self) -> list[RecordData]:
        return [row for row in self._rows if str(row["id"]) not in self._taken]


def _steps(service: PlanService, matching: _Matching, entry: Entry, company_id: str, ids: dict[str, str]) -> list[Step]:
    component, found = entry.component, matching.of(entry)
    name = entry.name or (str(found[0].get(component.key) or "") if found else "") or entry.id or component.name
    if len(found) > 1:
        step = Step(component, name, "update", component.update, {}, {})
        step.refusal = _("Several have this name: name one of them by its id.")
        return [step]
    row = found[0] if found else {}
    changes: list[FieldChange] = []
    body: dict[str, Any] = {}
    reasons: list[str] = []
    names = {id: place.partition("/")[2] for place, id in ids.items()}
    for wire, value in entry.values.items():
        spec = component.specs[wire]
        current = named(spec, row.get(wire), {})
        if spec.facet.refers in REFERRED and value is not None:
            target = _place(spec.facet.refers, str(value))
            known = ids.get(target.casefold())
            if known is None and str(value) in names:
                known = str(value)
            if known is None:
                reasons.append(_("{field}: there is no {name}.").format(field=wire, name=f"“{value}”"))
                continue
            value = known
        after = _merged(spec, current, value)
        if _same(spec, current, after):
            continue
        changes.append(FieldChange(wire, current, after))
        body[wire] = after
    merged = {**row, **body}
    for change in changes:
        spec = component.specs[change.field]
        if row and change.field not in component.takes(component.update):
            reasons.append(_("{field} can only be set at the creation.").format(field=change.field))
        elif why := service.why_not_settable(spec):
            reasons.append(f"{change.field}: {why}.")
        elif spec.facet.needs and change.after is not None and not spec.facet.needs.met(merged):
            reasons.append(f"{change.field}: {spec.condition}.")
    if row:
        ids[_place(component.name, name).casefold()] = str(row["id"])
        if not changes and not reasons:
            return []
        path = {component.parameter: str(row["id"])}
        steps = [Step(component, name, "update", component.update, path, body, changes)]
    else:
        if not entry.name and component.name != "cloudpbx":
            reasons.append(_("No record has this ID; a new one needs {key}.").format(key=component.key))
        ids[_place(component.name, name).casefold()] = _place(component.name, name)
        steps = _creation(component, name, company_id, body, changes)
        required = {spec.wire for spec in fields_of(body_of(component.create)) if spec.required}
        reasons += [
            _("{field} is required.").format(field=wire) for wire in sorted(required - set(steps[0].body or {}))
        ]
    for step in steps:
        why = service.decide(step.operation_id).reason
        step.refusal = " ".join([*reasons, *([f"{why}."] if why else ())])
    return steps


def _creation(
    component: Component, name: str, company_id: str, body: dict[str, Any], changes: list[FieldChange]
) -> list[Step]:
    """The creation, and an update for the fields that only the update takes."""
    taken = component.takes(component.create)
    values = {wire: value for wire, value in body.items() if wire in taken and value is not None}
    if component.name != "company":
        values[component.owner] = company_id
    first = Step(component, name, "create", component.create, {}, values)
    first.changes = [change for change in changes if change.field in values]
    rest = {wire: value for wire, value in body.items() if wire not in taken and value is not None}
    if not rest:
        return [first]
    later = Step(component, name, "update", component.update, {component.parameter: first.place}, rest)
    later.changes = [change for change in changes if change.field in rest]
    return [first, later]


def _refuse_dependent(steps: list[Step]) -> None:
    """A step that needs a record whose creation is refused is refused too."""
    refused = {step.place for step in steps if step.refusal and step.effect == "create"}
    for step in steps:
        if not step.refusal and (missing := sorted(step.needs() & refused)):
            step.refusal = _("Needs {place}, which is refused.").format(place=missing[0])
            if step.effect == "create":
                refused.add(step.place)


# --- comparing values --------------------------------------------------------------------------------------------


def _merged(spec: FieldSpec, current: Any, wanted: Any) -> Any:
    """The value that would be sent: objects keep what is not named, and lists what they have, without `exactly`."""
    if isinstance(wanted, dict) and list(wanted) == [EXACTLY] and isinstance(wanted[EXACTLY], list):
        return wanted[EXACTLY]
    if isinstance(wanted, list):
        kept = list(current) if isinstance(current, list) else []
        return kept + [item for item in wanted if not any(_covers(each, item) for each in kept)]
    if isinstance(wanted, dict) and isinstance(current, dict):
        return {**current, **wanted}
    return wanted


def _covers(current: Any, wanted: Any) -> bool:
    """Whether an item has everything that is wanted of it."""
    if isinstance(current, dict) and isinstance(wanted, dict):
        return all(_covers(current.get(name), value) for name, value in wanted.items())
    return bool(current == wanted)


def _same(spec: FieldSpec, current: Any, after: Any) -> bool:
    empty: tuple[Any, ...] = (None, "", [], {})
    if current in empty and after in empty:
        return True
    if isinstance(current, list) and isinstance(after, list):
        return len(current) == len(after) and all(_covers(a, b) for a, b in zip(current, after, strict=True))
    if isinstance(current, dict) and isinstance(after, dict):
        return _set(current) == _set(after)
    if spec.wire == "loginEmail":
        return str(current).casefold() == str(after).casefold()
    if spec.kind == "datetime" and current and after:
        return bool(_moment(current) == _moment(after))
    return bool(current == after)


def _set(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _moment(value: Any) -> Any:
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        return value


# --- doing it ----------------------------------------------------------------------------------------------------


async def apply(service: Performer, plan: Plan, *, prune: bool) -> AsyncIterator[Step]:
    """Do the steps of a plan, and yield each with its outcome. ServiceError when the service cannot be reached.

    A step whose record was not created, and a removal without `prune`, is not sent. No request is sent twice: one
    without a response is unknown, and the next plan finds out.
    """
    ids: dict[Created, str] = {}
    for step in plan.steps:
        missing = sorted(step.needs() - set(ids))
        if step.refusal:
            step.outcome, step.sentence = "refused", step.refusal
        elif missing:
            step.outcome = "skipped"
            step.sentence = _("Needs {place}, which was not created.").format(place=missing[0])
        elif step.effect == "remove" and not prune:
            step.outcome, step.sentence = "skipped", _("Removals need --prune.")
        else:
            await _perform(service, step, ids)
        yield step


async def _perform(service: Performer, step: Step, ids: dict[Created, str]) -> None:
    path, body = (
        {name: ids[value] if isinstance(value, Created) else value for name, value in values.items()}
        for values in (step.path, step.body or {})
    )
    try:
        answer = await service.perform(step.operation_id, path=path, body=body if step.body is not None else None)
    except Refused as error:
        step.outcome, step.sentence = "refused", error.sentence
    except OutcomeUnknown as error:
        step.outcome, step.sentence = "unknown", error.sentence
    else:
        step.outcome = "done"
        record = answer.get("data")
        if step.effect == "create" and isinstance(record, Mapping):
            ids[step.place] = str(record.get("id") or "")
