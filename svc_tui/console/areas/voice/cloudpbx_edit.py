"""Editing all settings of a CloudPBX in one form with one review, without overwriting unseen changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from svc_tui.client.errors import code_of, problems_of
from svc_tui.console.areas.voice.checked_edit import CheckedReview, data_of, review
from svc_tui.console.areas.voice.checked_form_view import CloudPbxView
from svc_tui.console.core.actions import refusal
from svc_tui.console.core.call_line import CommandCall
from svc_tui.console.core.form import Form, Gate
from svc_tui.console.core.form_rules import Consistency
from svc_tui.console.core.resource import Context
from svc_tui.console.views.form import FormView
from svc_tui.interface.access import Caller
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.problems import why_not_settable
from svc_tui.interface.voice.dialling import CallSettings
from svc_tui.interface.voice.numbering import PLAN, left_out, lost, new_contradictions
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.core.service import LARGEST_REQUEST, ReadError
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS, kind_of

if TYPE_CHECKING:
    from svc_tui.interface.voice import cloudpbx_editing
else:
    cloudpbx_editing = lazy_import("svc_tui.interface.voice.cloudpbx_editing")

_TRUNK, _OUT = "externalTrunkId", "outgoingPrefix"
#: Most numbers in one message.
_LISTED = 5
#: Fields of error codes that do not name their field.
_ABOUT: Mapping[int | None, str] = {
    Code.TRUNK_LOCKED: _TRUNK,
    Code.OUTGOING_PREFIX_LOCKED: _OUT,
    Code.PLAN_LOCKED: PLAN[0],
    Code.SAME_PREFIXES: _OUT,
}
_TRUNK, _INFORMATION = "externalTrunkId", "externalTrunkAdditionalInfo"


@dataclass(frozen=True)
class CloudPbxSnapshot:
    """A CloudPBX as it was read: its fields in the structure of requests, and the editable values."""

    settings: Mapping[str, Any]
    values: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.settings.get("id") or "")

    @property
    def name(self) -> str:
        return str(self.settings.get("name") or self.id)

    @property
    def path(self) -> Mapping[str, str]:
        return {"systemId": self.id}


def exchange_of(settings: Mapping[str, Any], values: Mapping[str, Any], named: Mapping[str, str]) -> CallSettings:
    """The rules for a call: the settings of a CloudPBX with edited values; `named` are trunks by ID."""
    edited = {**settings, **cloudpbx_editing.settings_of(values)}
    if edited.get(_TRUNK) != settings.get(_TRUNK):
        edited[_INFORMATION] = {"name": named.get(str(edited.get(_TRUNK)))}
    prohibited = values.get(f"{cloudpbx_editing.PROHIBITED}.patterns") or ()
    return CallSettings(edited, settings.get("country"), prohibited)


async def read(context: Context) -> CloudPbxSnapshot:
    """Read the CloudPBX under the cursor again. ReadError when that fails."""
    return await read_pbx(context, context.require_resource().record_id(context.require_record()))


async def read_pbx(context: Context, system_id: str) -> CloudPbxSnapshot:
    """Read a CloudPBX. ReadError when that fails."""
    path = {"systemId": system_id}
    answer = await context.workspace.read("get_cloudpbx", path, {"format": "full"})
    listed = await context.workspace.read("get_cloudpbx_custom_numbers_restriction", path, {})
    settings = KINDS["cloudpbxs"].flat(data_of(answer))
    return CloudPbxSnapshot(settings, cloudpbx_editing.values_of(settings, data_of(listed).get("patterns") or []))


async def edit_cloudpbx(context: Context) -> None:
    """Open the form with all editable settings of the CloudPBX under the cursor."""
    known = await read(context)
    caller = context.workspace.caller
    form = Form(
        cloudpbx_editing.EDITED, caller.roles if caller else frozenset(), known.values, gate=_gate(context, known)
    )
    # Contradictions can be resolved in more than one way, so nothing is set automatically.
    form.consistency = Consistency(
        lambda values: new_contradictions(form.before, values), lambda values, changed: values
    )
    if trunk := known.settings.get("externalTrunkAdditionalInfo"):
        form.named[str(trunk.get("id"))] = str(trunk.get("name") or "")
    title = _("Edit") if context.view.kind == "detail" else _("Edit {name}").format(name=known.name)

    async def reviewed(view: FormView) -> None:
        assert isinstance(view, CloudPbxView)
        await review(context, view, lambda: read(context), CloudPbxReview)

    def calls(view: FormView) -> Sequence[CommandCall]:
        assert isinstance(view, CloudPbxView)
        return CloudPbxReview(context, view, known, lambda: read(context)).calls()

    view = CloudPbxView(
        *(context.view.place, context.resource, title, form, reviewed),
        send=_("Review and send"),
        calls=calls,
        settings=known.settings,
    )
    await context.stage.show(view)


def form_fields(context: Context) -> list[tuple[FieldSpec, str]]:
    """The fields of the form, with the reasons why they cannot be set."""
    settings = KINDS["cloudpbxs"].flat(dict(context.require_record()))
    gate = _gate(context, CloudPbxSnapshot(settings, {}))
    return [(spec, gate(spec)) for spec in fields_of(cloudpbx_editing.EDITED)]


def _gate(context: Context, known: CloudPbxSnapshot) -> Gate:
    """Why a field is read-only: no operation, the role, or a locked trunk."""
    locked = bool((known.settings.get("externalTrunkAdditionalInfo") or {}).get("locked"))
    caller = context.workspace.caller or Caller("")

    def gate(spec: FieldSpec) -> str:
        taken_by = cloudpbx_editing.part_of(spec.wire).operation
        if reason := refusal(taken_by, context) or why_not_settable(spec, caller.roles):
            return reason
        return _("read-only while the trunk is locked") if locked and spec.wire in (_TRUNK, _OUT) else ""

    return gate


class CloudPbxReview(CheckedReview[CloudPbxSnapshot]):
    """One review of a CloudPBX."""

    NOUN = "CloudPBX"
    ABOUT = _ABOUT

    def label(self, part: cloudpbx_editing.Part | None = None) -> str:
        return (
            _("Change {name}").format(name=self._known.name)
            if part
            else _("Change CloudPBX {name}").format(name=self._known.name)
        )

    def bodies(self, changed: Mapping[str, Any]) -> Sequence[tuple[cloudpbx_editing.Part, Mapping[str, Any]]]:
        return cloudpbx_editing.bodies(changed, self._view.form.values)

    def part_of(self, wire: str) -> cloudpbx_editing.Part:
        return cloudpbx_editing.part_of(wire)

    def wire_of(self, part: cloudpbx_editing.Part, param: str) -> str:
        return cloudpbx_editing.wire_of(part, param)

    def before(self, part: cloudpbx_editing.Part, wire: str) -> Any:
        """Objects are restored with all fields."""
        if part.under == cloudpbx_editing.PROHIBITED:
            return self._known.values.get(f"{cloudpbx_editing.PROHIBITED}.{wire}")
        settings = self._known.settings
        there: Mapping[str, Any] = settings.get(part.under) or {} if part.under else settings
        return there.get(wire)

    def kind(self, part: cloudpbx_editing.Part) -> Kind:
        return KINDS["cloudpbxs"] if part.read == "get_cloudpbx" else kind_of(part.read)

    async def known_refusals(self, changed: Mapping[str, Any]) -> dict[str, str]:
        """Numbers in use that would be outside the numbering plan, as far as found with one request per range."""
        if not changed.keys() & set(PLAN):
            return {}
        old, new = (
            cloudpbx_editing.settings_of(self._known.values),
            cloudpbx_editing.settings_of(self._view.form.values),
        )
        used: list[str] = []
        for each in left_out(old, new):
            asked = {"shortNumber": each.prefix, "limit": LARGEST_REQUEST, "offset": 0}
            try:
                body = await self._context.workspace.read("list_system_phone_numbers", self._known.path, asked)
            except ReadError:
                # Then only the service checks it.
                continue
            used += [str(row.get("shortNumber")) for row in body.get("data") or ()]
        if voicemail := self._known.settings.get("voiceNumber"):
            used.append(str(voicemail))
        return self._left_out(lost(old, new, dict.fromkeys(used)))

    def _left_out(self, numbers: Sequence[str]) -> dict[str, str]:
        """Numbers that would be outside the plan, reported at the first changed field of the plan."""
        if not numbers:
            return {}
        text = ", ".join(numbers[:_LISTED]) + (
            _(" and {numbers} more").format(numbers=len(numbers) - _LISTED) if len(numbers) > _LISTED else ""
        )
        at = next((wire for wire in PLAN if self._view.form.changed(wire)), PLAN[0])
        return {at: _("excludes numbers in use: {text}").format(text=text)}

    def refused(self, error: Exception) -> dict[str, str]:
        if code_of(error) == Code.PLAN_LOCKED:
            return self._left_out([str(problem.value) for problem in problems_of(error)])
        return super().refused(error)
