"""Editing a CloudPBX: everything of it in one form, one review, and never over what somebody else changed unseen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from svc_tui.client.errors import ServiceError
from svc_tui.console.actions import Context
from svc_tui.console.changes import Change, FieldChange
from svc_tui.console.consistency import Consistency
from svc_tui.console.dialogs.preview import Preview
from svc_tui.console.form import Form, Gate
from svc_tui.console.meanwhile import ChangedMeanwhile, meanwhile
from svc_tui.console.several import Several, send_in_turn
from svc_tui.console.values import written
from svc_tui.console.views.cloudpbx import CloudPbxView, drawn, entry
from svc_tui.console.views.form import FormView
from svc_tui.interface.access import Caller, Role, decide
from svc_tui.interface.catalogue import operation
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import may_not_set
from svc_tui.interface.records import FieldSpec, field_by_wire
from svc_tui.interface.voice.editing import EDITED, PROHIBITED, Part, bodies, part_of, values_of, wire_of
from svc_tui.interface.voice.numbering import broken_by
from svc_tui.workspace.journal import Entry
from svc_tui.workspace.kinds import KINDS, kind_of
from svc_tui.workspace.list_source import NotRead

_TRUNK, _OUT, _PLAN = "externalTrunkId", "outgoingPrefix", "numberingPlan"
#: Refusals that are about one field, whatever they name.
_ABOUT: Mapping[int | None, str] = {
    Code.TRUNK_LOCKED: _TRUNK,
    Code.OUTGOING_PREFIX_LOCKED: _OUT,
    Code.PLAN_LOCKED: _PLAN,
    Code.SAME_PREFIXES: _OUT,
}


@dataclass(frozen=True)
class Known:
    """A CloudPBX as it was read: its fields where bodies have them, and the values that can be edited."""

    settings: Mapping[str, Any]
    values: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.settings.get("id") or "")

    @property
    def name(self) -> str:
        return str(self.settings.get("name") or self.id)


async def read(context: Context) -> Known:
    """The CloudPBX under the cursor as it is now, asked for again. NotRead when that fails."""
    assert context.resource is not None and context.record is not None
    return await read_pbx(context, context.resource.record_id(context.record))


async def read_pbx(context: Context, system_id: str) -> Known:
    """A CloudPBX as it is now. NotRead when that fails."""
    path = {"systemId": system_id}
    answer = await context.workspace.read("get_cloudpbx", path, {"format": "full"})
    listed = await context.workspace.read("get_cloudpbx_custom_numbers_restriction", path, {})
    settings = KINDS["cloudpbxs"].flat(data_of(answer))
    return Known(settings, values_of(settings, data_of(listed).get("patterns") or []))


def data_of(body: Any) -> dict[str, Any]:
    """The record that an answer holds. NotRead when it holds none."""
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        raise NotRead("Not all of this record could be read.")
    return data


async def edit_cloudpbx(context: Context) -> None:
    """Open the form with everything that can be changed of the CloudPBX under the cursor."""
    known = await read(context)
    caller = context.workspace.caller
    form = Form(EDITED, caller.roles if caller else frozenset(), known.values, gate=_gate(context, known))
    # What contradicts can be mended in more than one way: nothing follows by itself.
    form.consistency = Consistency(lambda values: broken_by(form.before, values), lambda values, changed: values)
    if trunk := known.settings.get("externalTrunkAdditionalInfo"):
        form.named[str(trunk.get("id"))] = str(trunk.get("name") or "")
    title = "Edit" if context.view.kind == "detail" else f"Edit {known.name}"

    async def review(view: FormView) -> None:
        assert isinstance(view, CloudPbxView)
        await _review(context, view)

    view = CloudPbxView(
        context.view.place, context.resource, title, form, review, send="Review and send", settings=known.settings
    )
    await context.frame.show(view)


def _gate(context: Context, known: Known) -> Gate:
    """Why a field may not be set: the operation that takes it, the role, or a trunk that is locked."""
    locked = bool((known.settings.get("externalTrunkAdditionalInfo") or {}).get("locked"))
    caller = context.workspace.caller or Caller("")

    def gate(spec: FieldSpec, lens: Role | None) -> str:
        taken_by = part_of(spec.wire).operation
        if lens is not None:
            seen = Caller("", frozenset({lens}))
            return decide(operation(taken_by).who, seen).reason or may_not_set(spec, seen.roles)
        if reason := context.frame.refusal(taken_by, context) or may_not_set(spec, caller.roles):
            return reason
        return "stays as it is while the trunk is locked" if locked and spec.wire in (_TRUNK, _OUT) else ""

    return gate


# --- review ----------------------------------------------------------------------------------------------------


async def _review(context: Context, view: CloudPbxView) -> None:
    """Show what will be sent, after looking at what somebody else changed since editing began."""
    form = view.form
    if not form.dirty:
        view.post_message(view.Said("Nothing was changed."))
        return
    known = await _look(context, view)
    changed = form.body()
    if not changed:
        view.post_message(view.Said("It is so already: somebody else made the same changes meanwhile."))
        return
    sending = Sending(context, view, known)
    outcome = await context.frame.console.ask(Preview(sending.change(changed), sending.send))
    if outcome is None:
        return
    if outcome.error is not None:
        view.refuse(sending.refused(outcome.error))
        return
    await context.frame.back()
    more = f" Each of the {len(sending.changes)} requests is undone by itself." if len(sending.changes) > 1 else ""
    context.frame.say(f"Changed. ctrl+z undoes it.{more}", "ok")


async def _look(context: Context, view: CloudPbxView) -> Known:
    """The CloudPBX as it is now; the form goes on from there."""
    known, form = await read(context), view.form
    found = meanwhile(form.before, known.values, form.body())
    view.rebase(known.values, found)
    return known


class Sending:
    """One review: its requests, which of them were sent, and what a refusal is about."""

    def __init__(self, context: Context, view: CloudPbxView, known: Known) -> None:
        self._context, self._view, self._known = context, view, known
        self._specs = field_by_wire(EDITED)
        self.changes: list[tuple[Part, Change]] = []
        self._failed: Part | None = None

    def change(self, changed: Mapping[str, Any]) -> Change:
        """What is shown before it is sent."""
        self.changes = [(part, self._request(part, body)) for part, body in bodies(changed)]
        labels = {wire: spec.label for wire, spec in self._specs.items()}
        requests = f", with {len(self.changes)} requests" if len(self.changes) > 1 else ""
        return Several(
            label=f"Change CloudPBX {self._known.name}",
            operation=self.changes[0][1].operation,
            path=self.changes[0][1].path,
            fields=tuple(self._field(wire, value) for wire, value in changed.items()),
            reach=f"Reaches 1 CloudPBX{requests}.",
            warning=self._view.meanwhile.told(labels, self._view.contested),
            parts=tuple(change for _, change in self.changes),
        )

    def _field(self, wire: str, value: object) -> FieldChange:
        old, label = self._known.values.get(wire), self._specs[wire].label
        was = ""
        if wire in self._view.contested:
            was = f"  (somebody else changed it too; it was {drawn(self._view.meanwhile.changed[wire])})"
        if isinstance(old, list) and isinstance(value, list):
            return FieldChange(label, f"{len(old)}", _differences(old, value) + was)
        return FieldChange(label, self._called(old), self._called(value) + was)

    def _called(self, value: object) -> str:
        """A value as people read it: a trunk by its name."""
        return written(self._view.form.named.get(value, value) if isinstance(value, str) else value)

    def _request(self, part: Part, body: Mapping[str, Any]) -> Change:
        path = {"systemId": self._known.id}
        return Change(part.operation, part.operation, path, body, undo=self._undo(part, path, body))

    def _undo(self, part: Part, path: Mapping[str, str], body: Mapping[str, Any]) -> Entry | None:
        """The request that puts back what was there, objects whole."""
        if part.under == PROHIBITED:
            there: Mapping[str, Any] = {"patterns": self._known.values.get(f"{PROHIBITED}.patterns")}
        else:
            there = self._known.settings.get(part.under) or {} if part.under else self._known.settings
        old = {wire: there.get(wire) for wire in body}
        if any(spec.required and old.get(wire) is None for wire, spec in field_by_wire(part.body).items()):
            return None
        kind = KINDS["cloudpbxs"] if part.read == "get_cloudpbx" else kind_of(part.read)
        label = f"Change {self._known.name}"
        return Entry(label, kind.name, self._known.id, part.operation, dict(path), old, old, dict(body))

    # --- sending -----------------------------------------------------------------------------------------------

    async def send(self, _: Change) -> Mapping[str, Any]:
        """Send one request after the other. ChangedMeanwhile, before the first, when the record is not as it was
        reviewed; ServiceError when one is refused: what went through before it is not sent again."""
        await self._unchanged()
        answers = await send_in_turn(self._context, [change for _, change in self.changes], self._stopped)
        return answers[-1]

    def _stopped(self, sent: int) -> None:
        """A request was refused: what went through before it is how the record is now."""
        self._failed = self.changes[sent][0]
        gone = [part for part, _ in self.changes[:sent]]
        form = self._view.form
        form.rebase({**form.before, **{wire: value for wire, value in form.body().items() if part_of(wire) in gone}})

    async def _unchanged(self) -> None:
        try:
            now = await read(self._context)
        except NotRead as trouble:
            raise ServiceError(f"{trouble.sentence} Nothing was sent.") from trouble
        form = self._view.form
        found = meanwhile(form.before, now.values, form.body())
        if found.changed:
            self._view.rebase(now.values, found)
            raise ChangedMeanwhile("Somebody else changed it just now, so nothing was sent: review it again.")

    def refused(self, error: Exception) -> dict[str, str]:
        """What was refused, by the field it belongs to; without one under an empty name."""
        part, code = self._failed, getattr(error, "code", None)
        if isinstance(error, ChangedMeanwhile) or part is None:
            return {"": str(error)}
        found: dict[str, str] = {}
        for problem in getattr(error, "problems", ()):
            found.setdefault(wire_of(part, problem.param or "") or _ABOUT.get(code, ""), problem.msg)
        if code == Code.PLAN_LOCKED:
            numbers = ", ".join(str(problem.value) for problem in getattr(error, "problems", ()))
            found = {_PLAN: f"leaves out numbers in use: {numbers}"}
        return found or {_ABOUT.get(code, ""): str(error)}


def _differences(old: Sequence[Any], new: Sequence[Any]) -> str:
    """How a list differs: what was added and taken out, and how many there are."""
    added = [f"+ {entry(each)}" for each in new if each not in old]
    gone = [f"- {entry(each)}" for each in old if each not in new]
    said = "; ".join((*added, *gone)) or "in another order"
    return f"{len(new)}: {said}"
