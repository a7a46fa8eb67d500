"""The steps of a plan for a company, and doing them."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from svc_tui.client.errors import OutcomeUnknown, Refused, ServiceError
from svc_tui.interface.data import RecordData
from svc_tui.interface.errors import Code
from svc_tui.language import _
from svc_tui.workspace.core.service import Performer
from svc_tui.workspace.files.company_document import Component
from svc_tui.workspace.files.company_purchases import Journal, Price

Effect = Literal["create", "update", "remove"]
Outcome = Literal["", "done", "refused", "unknown", "skipped"]
#: Seconds between attempts while the billing systems still process a subscription, and how many there are.
_PAUSE, _ATTEMPTS = 1.0, 120
_IN_PROGRESS = (Code.ASSIGNED_WHILE_SYNCING, Code.UPDATED_WHILE_SYNCING)


class Created(str):
    """In a path or a body: the ID of a record that an earlier step creates, by its component and name."""


class Model(Created):
    """In a body: the ID of a device model by its name, which is known when the CloudPBX of the step exists."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field before and after. None: no value."""

    field: str
    before: Any
    after: Any


@dataclass(slots=True)
class Step:
    """One request. `refusal` is the reason why it would be refused, empty for none. `price` is that of a purchase."""

    component: Component
    name: str
    effect: Effect
    operation_id: str
    path: dict[str, str]
    body: dict[str, Any] | None
    changes: list[FieldChange] = field(default_factory=list)
    refusal: str = ""
    price: Price | None = None
    #: What earlier steps do first, besides the records in path and body.
    after: frozenset[Created] = frozenset()
    outcome: Outcome = ""
    sentence: str = ""

    @property
    def place(self) -> Created:
        return place_of(self.component.name, self.name)

    def needs(self) -> set[Created]:
        """The records that must be created first, and what else must be done."""
        values = _texts([self.path, self.body])
        return {value for value in values if isinstance(value, Created) and not isinstance(value, Model)} | self.after

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
            **({"price": self.price.wire()} if self.price else {}),
        }


@dataclass(slots=True)
class Plan:
    """The steps in the order in which they are done; removals are last."""

    company: str
    steps: list[Step]
    journal: Callable[[str], Journal]
    #: What could not be checked, in sentences.
    unchecked: Sequence[str] = ()

    @property
    def id(self) -> str:
        """A text that is the same for the same steps only."""
        content = [
            self.company,
            [
                (step.operation_id, step.path, step.body, step.refusal, step.price.wire() if step.price else None)
                for step in self.steps
            ],
        ]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def refused(self) -> list[Step]:
        return [step for step in self.steps if step.refusal]


def place_of(component: str, name: str) -> Created:
    return Created(f"{component}/{name}")


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def _filled(value: Any, ids: Mapping[Created, str]) -> Any:
    """A value with the IDs of the records that were created."""
    if isinstance(value, Created):
        return ids[value]
    if isinstance(value, dict):
        return {name: _filled(each, ids) for name, each in value.items()}
    return [_filled(each, ids) for each in value] if isinstance(value, list) else value


# --- doing it ----------------------------------------------------------------------------------------------------


async def apply(
    service: Performer, plan: Plan, *, prune: bool, pause: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> AsyncIterator[Step]:
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
        elif reason := await _find_models(service, step, ids):
            step.outcome, step.sentence = "refused", reason
        else:
            company_id = ids.get(plan.company, "") if isinstance(plan.company, Created) else plan.company
            await _perform(service, step, ids, plan.journal(company_id) if company_id else None, pause)
        yield step
    company_id = ids.get(plan.company, "") if isinstance(plan.company, Created) else plan.company
    if company_id and all(step.outcome == "done" for step in plan.steps):
        plan.journal(company_id).close()


async def _find_models(service: Performer, step: Step, ids: dict[Created, str]) -> str:
    """Find the device models that a step names, once the CloudPBX exists. Why that is not possible; else empty."""
    for model in {value for value in (step.body or {}).values() if isinstance(value, Model)} - set(ids):
        system = step.path["systemId"]
        path = {"systemId": ids[system] if isinstance(system, Created) else system}
        answer = await service.perform("list_cloudpbx_device_models", path=path)
        found, reason = model_named(answer.get("data") or (), model)
        if reason:
            return reason
        ids[model] = found
    return ""


def model_named(models: Iterable[RecordData], name: str) -> tuple[str, str]:
    """The ID of the device model with a name, with its vendor or without, or an ID; or why it is none."""
    names: dict[str, RecordData] = {}
    for each in models:
        if name == each.get("id"):
            return name, ""
        model = str(each.get("model") or "")
        names |= {model.casefold(): each, f"{each.get('vendor') or ''} {model}".strip().casefold(): each}
    if found := names.get(name.casefold()):
        return str(found["id"]), ""
    known = ", ".join(dict.fromkeys(str(each.get("model")) for each in names.values()))
    return "", _("There is no device model “{name}”. Use one of {names}.").format(name=name, names=known)


async def _perform(
    service: Performer,
    step: Step,
    ids: dict[Created, str],
    journal: Journal | None,
    pause: Callable[[float], Awaitable[None]],
) -> None:
    path, body = _filled(step.path, ids), _filled(step.body or {}, ids)
    if journal:
        journal.sending(step.operation_id, path, body)
    try:
        answer = await _sent(service, step, path, body if step.body is not None else None, pause)
    except Refused as error:
        step.outcome, step.sentence = "refused", error.sentence
    except OutcomeUnknown as error:
        step.outcome, step.sentence = "unknown", error.sentence
    except ServiceError:
        if journal:
            journal.ended("failed", step.operation_id, path, body)
        raise
    else:
        step.outcome = "done"
        record = answer.get("data")
        if step.effect == "create" and isinstance(record, Mapping):
            ids[step.place] = str(record.get("id") or "")
        elif step.effect == "remove":
            ids[step.place] = ""
    if journal:
        journal.ended(step.outcome, step.operation_id, path, body)


async def _sent(
    service: Performer,
    step: Step,
    path: Mapping[str, str],
    body: Mapping[str, Any] | None,
    pause: Callable[[float], Awaitable[None]],
) -> dict[str, Any]:
    """The response to a step, which is repeated while the service still processes its subscription."""
    for _attempt in range(_ATTEMPTS):
        try:
            return await service.perform(step.operation_id, path=path, body=body)
        except Refused as error:
            if error.code not in _IN_PROGRESS:
                raise
        await pause(_PAUSE)
    return await service.perform(step.operation_id, path=path, body=body)
