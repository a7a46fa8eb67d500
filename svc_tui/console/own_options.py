"""Editing the options of a subscriber: all in one form beside what the company has, one review, a request a group."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from svc_tui.console.actions import Context
from svc_tui.console.changes import Change, FieldChange
from svc_tui.console.consistency import Consistency
from svc_tui.console.dialogs.preview import Preview
from svc_tui.console.form import Form, Gate
from svc_tui.console.several import Several, send_in_turn
from svc_tui.console.values import written
from svc_tui.console.views.form import FormView
from svc_tui.console.views.own_options import OwnOptionsView
from svc_tui.interface.access import Role
from svc_tui.interface.records import FieldSpec, field_by_wire
from svc_tui.interface.voice.editing import Part
from svc_tui.interface.voice.own_editing import (
    EDITED,
    bodies,
    broken,
    company_has,
    part_of,
    values_of,
    wire_of,
)
from svc_tui.workspace.journal import Entry
from svc_tui.workspace.kinds import kind_of
from svc_tui.workspace.list_source import NotRead


@dataclass(frozen=True)
class Known:
    """A subscriber as he was read: his name, the path of his operations, his options and those of the company."""

    name: str
    path: Mapping[str, str]
    values: Mapping[str, Any]
    company: Mapping[str, Any]


async def edit_options(context: Context) -> None:
    """Open the form with all options of the subscriber under the cursor."""
    known = await _read(context)
    form = Form(EDITED, frozenset(), known.values, gate=_gate(context))
    # A number that is missing can only be typed: nothing follows by itself.
    form.consistency = Consistency(broken, lambda values, changed: values)

    async def review(view: FormView) -> None:
        await _review(context, view, known)

    title = "Options" if context.view.kind == "detail" else f"Options of {known.name}"
    await context.frame.show(
        OwnOptionsView(
            context.view.place, context.resource, title, form, review, send="Review and send", company=known.company
        )
    )


async def _read(context: Context) -> Known:
    """The subscriber and his CloudPBX as they are now. NotRead when that fails."""
    resource, record = context.resource, context.record
    assert resource is not None and record is not None
    path = resource.path_at(context.view.place, context.workspace.caller, resource.record_id(record))
    operations = (
        "get_subscriber",
        "get_subscriber_pstn_device_options",
        "get_subscriber_sip_headers",
        "get_cloudpbx",
    )
    answers = await asyncio.gather(*(context.workspace.read(each, path, {"format": "full"}) for each in operations))
    subscriber, pstn, sip, pbx = (_data(answer) for answer in answers)
    company = company_has(pbx.get("cloudpbx") or {})
    return Known(resource.label(subscriber), path, values_of(subscriber, pstn, sip), company)


def _data(body: Any) -> dict[str, Any]:
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        raise NotRead("Not all options could be read.")
    return data


def _gate(context: Context) -> Gate:
    """Why an option may not be set: no operation does that, or the role does not allow the one that does."""

    def gate(spec: FieldSpec, _: Role | None) -> str:
        operation = part_of(spec.wire).operation
        return context.frame.refusal(operation, context) if operation else "only for the whole CloudPBX"

    return gate


async def _review(context: Context, view: FormView, known: Known) -> None:
    changed = view.form.body()
    if not changed:
        view.post_message(view.Said("Nothing was changed."))
        return
    sending = _Sending(context, view, known, changed)
    outcome = await context.frame.console.ask(Preview(sending.change(), sending.send))
    if outcome is None:
        return
    if outcome.error is not None:
        view.refuse(sending.refused(outcome.error))
        return
    await context.frame.back()
    context.view.refresh_now()
    more = f" Each of the {len(sending.parts)} requests is undone by itself." if len(sending.parts) > 1 else ""
    context.frame.say(f"Changed. ctrl+z undoes it.{more}", "ok")


@dataclass
class _Sending:
    """One review: what changed, the request of each group, and what a refusal is about."""

    context: Context
    view: FormView
    known: Known
    changed: Mapping[str, Any]
    parts: list[tuple[Part, Change]] = field(init=False)
    _failed: Part | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        found = bodies(self.changed, self.view.form.values)
        self.parts = [(part, self._request(part, body)) for part, body in found]

    def change(self) -> Change:
        """What is shown before it is sent."""
        _, first = self.parts[0]
        requests = f", with {len(self.parts)} requests" if len(self.parts) > 1 else ""
        return Several(
            label=f"Change the options of {self.known.name}",
            operation=first.operation,
            path=first.path,
            fields=tuple(self._field(wire, value) for wire, value in self.changed.items()),
            reach=f"Reaches 1 subscriber{requests}.",
            undo=first.undo,
            parts=tuple(change for _, change in self.parts),
        )

    def _field(self, wire: str, value: object) -> FieldChange:
        return FieldChange(self.view.form.spec(wire).label, written(self.known.values.get(wire)), written(value))

    def _request(self, part: Part, body: Mapping[str, Any]) -> Change:
        label = f"Change {part.group} of {self.known.name}"
        return Change(label, part.operation, self.known.path, body, undo=self._undo(label, part, body))

    def _undo(self, label: str, part: Part, body: Mapping[str, Any]) -> Entry | None:
        """The request that puts back what was there; None where that was less than the operation demands."""
        old = {wire: self.known.values.get(part.prefix + wire) for wire in body}
        if any(spec.required and old.get(wire) is None for wire, spec in field_by_wire(part.body).items()):
            return None
        record_id, kind = self.known.path["phoneNumberId"], kind_of(part.read)
        return Entry(label, kind.name, record_id, part.operation, dict(self.known.path), old, old, dict(body))

    async def send(self, _: Change) -> Mapping[str, Any]:
        """Send one request after the other. ServiceError when one is refused: what went through stays."""
        answers = await send_in_turn(self.context, [change for _, change in self.parts], self._stopped)
        return answers[-1]

    def _stopped(self, sent: int) -> None:
        """What went through is how it is now; it is not sent again."""
        self._failed = self.parts[sent][0]
        gone = [part for part, _ in self.parts[:sent]]
        form = self.view.form
        form.rebase({**form.before, **{wire: each for wire, each in self.changed.items() if part_of(wire) in gone}})

    def refused(self, error: Exception) -> dict[str, str]:
        """What was refused, by the field it belongs to; without one under an empty name."""
        part = self._failed
        found: dict[str, str] = {}
        for problem in getattr(error, "problems", ()) if part else ():
            assert part is not None
            found.setdefault(wire_of(part, problem.param or ""), problem.msg)
        return found or {"": str(error)}
