"""The forms of records: to edit one, to create one, and to filter their list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.call_line import CommandCall
from svc_tui.console.core.changes import CREATED, Change, field_changes
from svc_tui.console.core.form import PAGING, Form, Gate
from svc_tui.console.core.form_rules import Forbidden, Rules
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.record_lines import ReferenceNames
from svc_tui.console.core.resource import AlsoEdited, Context, Resource
from svc_tui.console.dialogs import messages
from svc_tui.console.editing.conflicts import find_conflicts
from svc_tui.console.editing.record_edit import (
    ChangedSinceReview,
    changed_since_review,
    confirmation_of,
    go_to_created,
    preview,
    refused,
    undo_hint,
)
from svc_tui.console.views.form import FormView, Review
from svc_tui.console.views.list import ListView
from svc_tui.console.views.long_form import MANY_FIELDS, LongFormView
from svc_tui.interface.access import Caller, Role
from svc_tui.interface.catalogue import body_of, query_of, record_of
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.problems import why_not_settable
from svc_tui.language import _
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.interface.records import Record


#: Reads the selected record as the fields of a body. ReadError when that fails.
ReadRecord = Callable[[Context], Awaitable[dict[str, Any]]]
#: Values that say nothing.
_NOTHING: tuple[object, ...] = (None, "", [], {}, "undefined")


def gate_of(resource: Resource, caller: Caller | None, record: Mapping[str, Any], rules: Rules | None = None) -> Gate:
    """The reasons why the caller may not set a field of this record."""
    caller = caller or Caller("")

    def gate(spec: FieldSpec) -> str:
        reason = (
            resource.editing.may_set(spec, caller, record)
            if resource.editing.may_set
            else why_not_settable(spec, caller.roles)
        )
        return reason or (rules.field(spec.wire) if rules else "")

    return gate


def _view(
    context: Context, title: str, form: Form, review: Review, pending: Callable[[Form], Change | None], send: str
) -> FormView:
    """The view of a form; that of many fields has a filter. `pending` is the change that would be sent now."""
    view = LongFormView if len(form.specs) > MANY_FIELDS else FormView

    def calls(view: FormView) -> Sequence[CommandCall]:
        change = pending(view.form)
        return change.calls if change is not None else ()

    return view(context.view.place, context.require_resource(), title, form, review, send=send, calls=calls)


def _set_parents(context: Context, form: Form) -> None:
    """Set the fields that refer to the records above a new one."""
    caller, place = context.workspace.caller, context.view.place
    own = {kind.parameter: kind.own_id(caller) for kind in KINDS.values() if kind.own == "company_id"}
    given = {wire: value for wire, value in own.items() if value}
    for wire, value in {**given, **context.require_resource().query_at(place)}.items():
        if any(spec.wire == wire and spec.required for spec in form.specs):
            form.set(wire, value)
    form.begin()


async def edit_form(context: Context) -> FormView:
    """The form of the selected record."""
    return (await RecordEdit.begun(context)).view()


class RecordEdit:
    """The edit of one record in a form: begun, reviewed, sent unless another administrator has changed the record.

    The API has no versions: the record is read again for the review, and once more before the change is sent.
    """

    def __init__(self, context: Context, read: Mapping[str, Any], rules: Rules) -> None:
        """`read` is the record as the service has it, with its rules."""
        self._context, self._read, self._rules = context, read, rules
        self._resource, self._place = context.require_resource(), context.view.place
        self.record_id = self._resource.record_id(context.require_record())
        self._also = _also_edited(self._resource)
        self.name = self._resource.label({**read, **rules.before})
        #: What the last review found: the fields that another administrator has changed too.
        self._changed_elsewhere = ""
        body, before = body_of(self._resource.update), self._editable
        left_out = frozenset(spec.wire for spec in fields_of(body) if spec.facet.by_action)
        model = _form_model(self._resource.update, self._also)
        gate = self._gate(before)
        self.form = Form(model, _roles(context), before, leave_out=left_out, gate=gate, choices=rules.choices)
        self.form.named |= self._also.names(read) if self._also else {}
        self.form.consistency, self.form.check_together = self._resource.editing.consistency, rules.broken

    @classmethod
    async def begun(cls, context: Context) -> RecordEdit:
        """The edit of the selected record, as it is now, or of one of the marked ones. ReadError, or Forbidden when it
        cannot be edited."""
        read = await _read_again(context)
        edit = cls(context, read, await _rules_of(context, read))
        # For many records, no further ones are read.
        await _name_references(context, edit.form, edit.form.before, cached_only=bool(context.marked))
        return edit

    def view(self) -> FormView:
        """The view of its form."""
        context = self._context
        title = _("Edit") if context.view.kind == "detail" else _("Edit {label}").format(label=self.name)
        return _view(context, title, self.form, self._review, lambda _form: self.pending(), _("Review and send"))

    @property
    def _editable(self) -> dict[str, Any]:
        """The values of the record in the notation in which they are sent, also those that other operations set."""
        values = {**self._read, **self._rules.before}
        return {**values, **(self._also.before(values) if self._also else {})}

    def _gate(self, values: Mapping[str, Any]) -> Gate:
        return gate_of(self._resource, self._context.workspace.caller, values, self._rules)

    def pending(self) -> Change | None:
        """The change that would be sent now; None without one."""
        resource, form, rules = self._resource, self.form, self._rules
        body, before = dict(rules.stored(form.body())), form.before
        more = _take(body, self._also)
        also_changed = self._also.changes(before, more, self.record_id, form.named) if self._also and more else ()
        following = tuple(also_changed)
        if not body:
            return _in_turn(following)
        path = resource.path_at(self._place, self._context.workspace.caller, self.record_id)
        sent = {**body, **dict.fromkeys(resource.editing.empties(before, body))}
        label = _("Edit {label}").format(label=self.name)
        return Change(
            label=_("Edit {singular} {label}").format(singular=resource.singular, label=self.name),
            operation=resource.update,
            path=path,
            body=_with_required(resource.update, before, body),
            fields=(
                *field_changes(resource.update, before, sent, form.named),
                *(changed for each in following for changed in each.fields),
            ),
            following=following,
            reach=_("Affects 1 {singular}.").format(singular=resource.singular),
            confirm=confirmation_of(resource.update, self.name),
            warning=" ".join(filter(None, (rules.warns(body), rules.warning, self._changed_elsewhere))),
            undo=UndoEntry.of_update(label, resource.kind, resource.update, path, sent, dict(before)),
        )

    async def _review(self, view: FormView) -> None:
        if not self.form.body():
            view.post_message(view.StatusMessage(_("No changes to send.")))
            return
        self._changed_elsewhere = ""
        if labels := await self._changes_since():
            self._changed_elsewhere = _("Changed by another administrator since you opened the form: {fields}.").format(
                fields=", ".join(labels)
            )
        view.edited()
        if view.show_problem():
            return
        if (change := self.pending()) is None:
            view.post_message(view.StatusMessage(_("Nothing to send: the record already has these values.")))
            return
        await _send_form(self._context, view, change, _("Changed."), self._check_unchanged)

    async def _check_unchanged(self) -> None:
        if labels := await self._changes_since():
            raise changed_since_review(labels)

    async def _changes_since(self) -> list[str]:
        """As `_take_changes`; without a response the record stays as it was read."""
        try:
            return await self._take_changes(_read_again)
        except ReadError:
            return []

    async def changes_now(self) -> list[str]:
        """As `_take_changes`, never with a record of the cache."""
        return await self._take_changes(_read_now)

    async def _take_changes(self, read: ReadRecord) -> list[str]:
        """Read the record again into the form, with its rules; the labels of the edited fields that have another value
        since.

        ChangedSinceReview when it was deleted, or cannot be edited any more. ReadError without a response.
        """
        try:
            now = await read(self._context)
            if now == self._read:
                return []
            self._rules = await _rules_of(self._context, now)
        except ReadError as error:
            if error.missing:
                raise ChangedSinceReview(error.sentence) from error
            raise
        except Forbidden as error:
            raise ChangedSinceReview(str(error)) from error
        self._read = now
        form, current = self.form, self._editable
        conflicting = find_conflicts(form.before, current, form.body()).edited
        form.rebase(current)
        form.use_rules(self._gate(current), self._rules.broken)
        return [spec.label for spec in form.specs if spec.wire in conflicting]


async def _read_again(context: Context) -> dict[str, Any]:
    """The selected record with all its fields, where bodies have them. ReadError as `full_record`."""
    resource = context.require_resource()
    return resource.kind.flat(dict(await full_record(context, resource.record_id(context.require_record()))))


async def _read_now(context: Context) -> dict[str, Any]:
    """The selected record with all its fields, never from the cache. ReadError when it cannot be read now."""
    resource, record = context.require_resource(), context.require_record()
    path = resource.path_to(record, context.view.place, context.workspace.caller)
    body = await context.workspace.read(resource.kind.get, path, {"format": "full"})
    found = resource.kind.record_in(body.get("data") if isinstance(body, dict) else None, resource.record_id(record))
    if found is None:
        raise ReadError(_("This {singular} no longer exists.").format(singular=resource.singular), missing=True)
    return resource.kind.flat(found)


async def _rules_of(context: Context, record: Mapping[str, Any]) -> Rules:
    """The rules for the form of a record. Forbidden when it cannot be edited."""
    rules = context.require_resource().editing.rules
    return await rules(context, record, {}) if rules else Rules()


async def _name_references(
    context: Context, form: Form, values: Mapping[str, Any], *, cached_only: bool = False
) -> None:
    """Show the names of the records that fields refer to, in the form and in its preview."""
    names = ReferenceNames(context.workspace.referenced, context.stage.resources)
    references = names.in_record(values, form.specs)
    await names.load(references, cached_only=cached_only)
    form.named |= {found: known for kind, found in references if (known := names.name(kind, found))}


def _also_edited(resource: Resource) -> AlsoEdited | None:
    """The fields of its forms that other operations set."""
    return resource.editing.also() if resource.editing.also else None


def _form_model(operation_id: str, also: AlsoEdited | None) -> type[Record]:
    """The fields of a form: those of the body, and those that other operations set."""
    return _with_fields(body_of(operation_id), also.fields) if also else body_of(operation_id)


@cache
def _with_fields(body: type[Record], fields: type[Record]) -> type[Record]:
    return type(f"{body.__name__}Form", (fields, body), {"__module__": body.__module__})


def _take(body: dict[str, Any], also: AlsoEdited | None) -> dict[str, Any]:
    """Take what other operations set out of a body."""
    return {spec.wire: body.pop(spec.wire) for spec in fields_of(also.fields) if spec.wire in body} if also else {}


def _in_turn(changes: Sequence[Change]) -> Change | None:
    """Several changes as one: the first one, which the others follow."""
    if not changes:
        return None
    fields = tuple(changed for each in changes for changed in each.fields)
    return replace(changes[0], fields=fields, following=tuple(changes[1:]))


def _with_required(operation_id: str, before: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """The changed fields, and those that every update must have."""

    demanded = [spec.wire for spec in fields_of(body_of(operation_id)) if spec.required]
    return {**{wire: before.get(wire) for wire in demanded}, **body}


async def new_form(
    context: Context,
    start: Mapping[str, Any] = MappingProxyType({}),
    named: Mapping[str, str] = MappingProxyType({}),
    alike: Sequence[Change] = (),
) -> FormView:
    """The form of a new record; `start` are its first values, `named` the names of IDs among them, `alike` what is
    sent after it."""
    resource = context.require_resource()
    rules = await resource.editing.rules(context, None, start) if resource.editing.rules else Rules()
    gate = gate_of(resource, context.workspace.caller, {}, rules)
    also = _also_edited(resource)
    model = _form_model(resource.create, also)
    form = Form(model, _roles(context), leave_out=frozenset(rules.fixed), gate=gate, choices=rules.choices)
    form.consistency, form.check_together = resource.editing.consistency, rules.broken
    form.named |= {**dict.fromkeys(rules.fixed.values(), rules.name), **named}
    form.values |= {wire: value for wire, value in start.items() if wire not in rules.fixed}
    _set_parents(context, form)
    await _name_references(context, form, form.values)

    place = context.view.place

    def pending(form: Form) -> Change:
        body = {**rules.fixed, **rules.stored(form.body())}
        more = _take(body, also)
        following = (*(also.changes({}, more, CREATED, form.named) if also and more else ()), *alike)
        return Change(
            label=rules.title or _("Create {singular}").format(singular=resource.singular),
            operation=resource.create,
            path=resource.path_at(place, context.workspace.caller),
            body=body,
            fields=(
                *field_changes(resource.create, {}, body, form.named),
                *(changed for each in following for changed in each.fields),
            ),
            following=following,
            reach=_("Creates 1 {singular}.").format(singular=resource.singular),
            confirm=confirmation_of(resource.create, rules.name),
            warning=" ".join(filter(None, (rules.warns(body), rules.warning))),
        )

    async def review(view: FormView) -> None:
        change = pending(view.form)
        if rules.price is not None:
            parts = (await rules.price(change.body or {}), rules.warns(change.body or {}))
            change = replace(change, warning=" ".join(filter(None, parts)))
        answer = await _send_form(context, view, change, _("Created."))
        if answer is not None:
            await go_to_created(context, resource, answer)
            await _show_secrets(context, resource, answer)

    return _view(
        context,
        rules.title or _("New {singular}").format(singular=resource.singular),
        form,
        review,
        pending,
        _("Review and create"),
    )


async def form_alike(context: Context, start: Mapping[str, Any]) -> FormView:
    """The form of a new record with all values of the selected one that it may share. ReadError as `full_record`."""
    resource, read = context.require_resource(), await _read_again(context)
    also = _also_edited(resource)
    values = {**read, **(also.before(read) if also else {})}
    apart = resource.editing.not_alike or frozenset()
    specs = fields_of(_form_model(resource.create, also))
    shared = (spec for spec in specs if spec.wire not in apart and not spec.facet.secret and not spec.facet.deprecated)
    alike = {spec.wire: values[spec.wire] for spec in shared if values.get(spec.wire) not in _NOTHING}
    further = await resource.editing.alike(context) if resource.editing.alike else ()
    return await new_form(context, {**start, **alike}, also.names(read) if also else {}, further)


async def filter_form(context: Context) -> FormView:
    """The form with every filter of the list operation."""

    resource, below = context.require_resource(), context.require_view(ListView)
    form = Form(
        query_of(resource.list),
        _roles(context),
        below.form_query or {},
        leave_out=PAGING,
        keep_all=bool(below.form_query),
    )

    async def review(view: FormView) -> None:
        await context.stage.back()
        below.filter_query(view.form.body())

    def calls(view: FormView) -> Sequence[CommandCall]:
        asked = below.request(ordered=False)
        return (CommandCall(below.resource.list, asked.path, {**asked.nearest_query, **view.form.body()}),)

    return FormView(context.view.place, resource, _("Filters"), form, review, send=_("Apply filters"), calls=calls)


async def _send_form(
    context: Context,
    view: FormView,
    change: Change,
    done: str,
    check_unchanged: Callable[[], Awaitable[None]] | None = None,
) -> Mapping[str, Any] | None:
    outcome = await preview(context, change, check_unchanged)
    if outcome is None:
        return None
    if outcome.error is not None:
        view.refuse(refused(outcome))
        return None
    await context.stage.back()
    if change.refused:
        context.stage.show_message(f"{outcome.found or done} {' '.join(change.refused)}", "warn")
    else:
        context.stage.show_message((outcome.found or done) + undo_hint(context, change), "ok")
    return outcome.answer


async def _show_secrets(context: Context, resource: Resource, answer: Mapping[str, Any]) -> None:
    """Show secrets that the service returns only once, such as a new API key."""

    data = answer.get("data")
    created = record_of(resource.create)
    if not isinstance(data, Mapping) or created is None:
        return
    for spec in fields_of(created):
        if spec.facet.secret and resource.create in (spec.facet.only_in or ()) and data.get(spec.wire):
            text = _("{label} of “{label_2}”. Save it now: it is shown only once.").format(
                label=spec.label, label_2=resource.label(data)
            )
            await context.stage.ask(messages.Secret(spec.label, str(data[spec.wire]), text))


def _roles(context: Context) -> frozenset[Role]:
    caller = context.workspace.caller
    return caller.roles if caller else frozenset()
