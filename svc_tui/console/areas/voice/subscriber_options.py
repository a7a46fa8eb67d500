"""Editing all options of a subscriber in one form beside the company's values, with one review."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from svc_tui.console.areas.voice.change_sequence import ChangeSequence
from svc_tui.console.areas.voice.checked_edit import CheckedReview, data_of, review
from svc_tui.console.areas.voice.checked_form_view import SubscriberOptionsView
from svc_tui.console.areas.voice.number_rules import broken_number, stored_number
from svc_tui.console.core.actions import refusal
from svc_tui.console.core.call_line import CommandCall
from svc_tui.console.core.changes import CREATED, Change, FieldChange
from svc_tui.console.core.form import Form, Gate
from svc_tui.console.core.form_rules import Consistency
from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.core.resource import Context
from svc_tui.console.editing.conflicts import Conflicts, find_conflicts
from svc_tui.console.editing.many_edit import show_form
from svc_tui.console.views.form import FormView
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.interface.data import RecordData
from svc_tui.interface.field_specs import FieldSpec, field_by_wire, fields_of
from svc_tui.interface.telephone_numbers import e164
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import kind_of

if TYPE_CHECKING:
    from svc_tui.interface.voice import subscriber_editing
    from svc_tui.interface.voice.cloudpbx_editing import Part
else:
    subscriber_editing = lazy_import("svc_tui.interface.voice.subscriber_editing")

#: The external number that rings too.
_NUMBER = "pstn.numberE164"
#: What reads the options of a subscriber.
_OPTIONS = ("get_subscriber", "get_subscriber_pstn_device_options", "get_subscriber_sip_headers")


@dataclass(frozen=True)
class SubscriberSnapshot:
    """A subscriber as read: name, path of operations, options, and the options of the company."""

    id: str
    name: str
    path: Mapping[str, str]
    values: Mapping[str, Any]
    company: Mapping[str, Any]
    country: str | None = None


async def edit_options(context: Context) -> None:
    """Open the form with all options of the subscriber under the cursor, or of all marked ones."""
    if context.marked:
        await show_form(context, _OptionsEdit.begun, edit_options)
        context.view.refresh_now()
        return
    known = await _read(context)
    form = _form(context, known)

    async def again() -> SubscriberSnapshot:
        now = await _read(context)
        view.company = now.company
        return now

    async def reviewed(__: FormView) -> None:
        if await review(context, view, again, _OptionsReview):
            context.view.refresh_now()

    title = _("Options") if context.view.kind == "detail" else _("Options of {name}").format(name=known.name)

    def calls(__: FormView) -> Sequence[CommandCall]:
        return _OptionsReview(context, view, known, again).calls()

    view = SubscriberOptionsView(
        *(context.view.place, context.resource, title, form, reviewed),
        send=_("Review and send"),
        calls=calls,
        company=known.company,
    )
    await context.stage.show(view)


def _form(context: Context, known: SubscriberSnapshot) -> Form:
    form = Form(subscriber_editing.EDITED, frozenset(), known.values, gate=_gate(context))
    # A missing number can only be typed, so nothing is set automatically.
    form.consistency = Consistency(subscriber_editing.contradictions, lambda values, changed: values)
    return form


def form_fields(context: Context) -> list[tuple[FieldSpec, str]]:
    """The fields of the form, with the reasons why they cannot be set."""
    gate = _gate(context)
    return [(spec, gate(spec)) for spec in fields_of(subscriber_editing.EDITED)]


async def _read(context: Context) -> SubscriberSnapshot:
    """Read the subscriber and the CloudPBX. ReadError when that fails."""
    resource, record = context.require_resource(), context.require_record()
    path = resource.path_at(context.view.place, context.workspace.caller, resource.record_id(record))
    operations = (*_OPTIONS, "get_cloudpbx")
    answers = await asyncio.gather(*(context.workspace.read(each, path, {"format": "full"}) for each in operations))
    subscriber, pstn, sip, pbx = (data_of(answer) for answer in answers)
    company = subscriber_editing.company_has(pbx.get("cloudpbx") or {})
    return SubscriberSnapshot(
        path["phoneNumberId"],
        resource.label(subscriber),
        path,
        subscriber_editing.values_of(subscriber, pstn, sip),
        company,
        pbx.get("country"),
    )


async def set_since(path: Mapping[str, str], given: RecordData, context: Context) -> Sequence[str]:
    """What a new subscriber has got since its creation: options, DDI numbers and devices other than the given ones, by
    their labels. ReadError when it cannot be read."""
    operations = (*_OPTIONS, "list_subscriber_devices")
    answers = await asyncio.gather(*(context.workspace.read(each, path, {}) for each in operations))
    subscriber, pstn, sip = map(data_of, answers[:3])
    numbers = [
        subscriber.get("externalNumber"),
        *(each.get("numberE164") for each in subscriber.get("secondaryDDIs") or ()),
    ]
    devices = answers[3].get("data") if isinstance(answers[3], dict) else None
    values = subscriber_editing.values_of(subscriber, pstn, sip)
    specs = field_by_wire(subscriber_editing.EDITED)
    return [
        *(specs[wire].label for wire in subscriber_editing.own_values(values)),
        *([_("DDI number")] if any(each not in (None, given.get("externalNumber")) for each in numbers) else ()),
        *([_("Device")] if any(each.get("id") != given.get("device") for each in devices or ()) else ()),
    ]


async def alike(context: Context) -> Sequence[Change]:
    """The requests that give a new subscriber the options of the selected one, as far as the role may set them.
    ReadError when they cannot be read."""
    known = await _read(context)
    taken, path = subscriber_editing.shared(known.values), {**known.path, "phoneNumberId": CREATED}
    specs, changes = field_by_wire(subscriber_editing.EDITED), []
    for part, body in subscriber_editing.bodies(taken, known.values):
        if refusal(part.operation, context):
            continue
        own = [wire for wire in taken if subscriber_editing.part_of(wire) is part]
        fields = tuple(FieldChange(specs[wire].label, NOTHING, value_text(taken[wire], specs[wire])) for wire in own)
        changes.append(Change(part.group, part.operation, path, body, fields=fields))
    return changes


def _gate(context: Context) -> Gate:
    """Why an option is read-only: no operation, or the role does not allow it."""

    def gate(spec: FieldSpec) -> str:
        operation = subscriber_editing.part_of(spec.wire).operation
        return refusal(operation, context) if operation else _("only for the whole CloudPBX")

    return gate


class _OptionsReview(CheckedReview[SubscriberSnapshot]):
    """One review of a subscriber's options."""

    NOUN = "subscriber"

    def change(self, changed: Mapping[str, Any]) -> ChangeSequence:
        """The external number is reviewed and sent as it will be stored."""
        return super().change(stored_number(_NUMBER, self._read_number, changed))

    async def known_refusals(self, changed: Mapping[str, Any]) -> dict[str, str]:
        return self.broken(changed)

    def broken(self, changed: Mapping[str, Any]) -> dict[str, str]:
        """The number that the service would refuse."""
        return broken_number(_NUMBER, self._read_number, changed) if self._known.country else {}

    def _read_number(self, text: str) -> str:
        return e164(text, self._known.country)

    def label(self, part: Part | None = None) -> str:
        return _("Change {group} of {name}").format(
            group=part.group if part else _("the options"), name=self._known.name
        )

    def bodies(self, changed: Mapping[str, Any]) -> Sequence[tuple[Part, Mapping[str, Any]]]:
        return subscriber_editing.bodies(changed, self._view.form.values)

    def part_of(self, wire: str) -> Part:
        return subscriber_editing.part_of(wire)

    def wire_of(self, part: Part, param: str) -> str:
        return subscriber_editing.wire_of(part, param)

    def before(self, part: Part, wire: str) -> Any:
        return self._known.values.get(part.prefix + wire)

    def kind(self, part: Part) -> Kind:
        return kind_of(part.read)


class _OptionsEdit:
    """The edit of one of several marked subscribers."""

    #: No conflict is shown in its form: a subscriber that was changed elsewhere is not changed.
    conflicts, conflicting = Conflicts(), ()

    def __init__(self, context: Context, known: SubscriberSnapshot) -> None:
        self._context, self._known = context, known
        self.form = _form(context, known)
        self.form.check_together = self._broken

    @classmethod
    async def begun(cls, context: Context) -> _OptionsEdit:
        """The edit of the selected subscriber. ReadError when it cannot be read."""
        return cls(context, await _read(context))

    @property
    def name(self) -> str:
        return self._known.name

    def _review(self) -> _OptionsReview:
        return _OptionsReview(self._context, self, self._known, lambda: _read(self._context))

    def _broken(self, values: Mapping[str, Any]) -> Mapping[str, str]:
        return self._review().broken(values)

    def pending(self) -> Change | None:
        """The change with all its requests; None without one."""
        if not (changed := self.form.body()):
            return None
        whole = self._review().change(changed)
        first, *others = whole.parts
        return replace(first, fields=whole.fields, following=tuple(others))

    async def changes_now(self) -> list[str]:
        """Read the subscriber again; the labels of the edited options that have another value since."""
        now = await _read(self._context)
        found = find_conflicts(self.form.before, now.values, self.form.body()).edited
        self._known = now
        self.form.rebase(now.values)
        return [spec.label for spec in self.form.specs if spec.wire in found]

    def rebase(self, now: Mapping[str, Any], found: Conflicts) -> None:
        """Continue with the current options."""
        self.form.rebase(now)
