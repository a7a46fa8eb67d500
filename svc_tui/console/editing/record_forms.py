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
from svc_tui.console.core.lazy import load
from svc_tui.console.core.record_source import full_record
from svc_tui.console.core.resource import AlsoEdited, Context, Resource
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
from svc_tui.console.views.reference_names import ReferenceNames
from svc_tui.interface.access import Caller, Role
from svc_tui.interface.catalogue import body_of, query_of, record_of
from svc_tui.interface.problems import why_not_settable
from svc_tui.interface.records import FieldSpec, Record, fields_of
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.console.dialogs import messages
else:
    messages = lazy_import("svc_tui.console.dialogs.messages")


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
    resource = context.require_resource()
    record_id = resource.record_id(context.require_record())
    read = resource.kind.flat(dict(await full_record(context, record_id)))
    rules = await _rules_of(context, read)
    before = {**read, **rules.before}
    name = resource.label(before)
    gate = gate_of(resource, context.workspace.caller, before, rules)
    also = _also_edited(resource)
    before |= also.before(before) if also else {}
    left_out = frozenset(spec.wire for spec in fields_of(body_of(resource.update)) if spec.facet.by_action)
    form = Form(_form_model(resource.update, also), _roles(context), before, leave_out=left_out, gate=gate)
    form.consistency, form.check_together = resource.editing.consistency, rules.broken
    names = ReferenceNames(context.workspace.referenced, context.stage.resources)
    references = names.in_record(before, form.specs)
    await names.load(references, cached_only=True)
    form.named |= {found: known for kind, found in references if (known := names.name(kind, found))}
    place = context.view.place
    #: The fields that another administrator has changed too, found by the last review.
    changed_elsewhere = ""

    def pending(form: Form) -> Change | None:
        body, before = dict(rules.stored(form.body())), form.before
        more = _take(body, also)
        following = tuple(also.changes(before, more, record_id, form.named)) if also and more else ()
        if not body:
            return _in_turn(following)
        path = resource.path_at(place, context.workspace.caller, record_id)
        emptied = dict.fromkeys(resource.editing.empties(before, body))
        return Change(
            label=_("Edit {singular} {label}").format(singular=resource.singular, label=name),
            operation=resource.update,
            path=path,
            body=_with_required(resource.update, before, body),
            fields=(
                *field_changes(resource.update, before, {**body, **emptied}, form.named),
                *(changed for each in following for changed in each.fields),
            ),
            following=following,
            reach=_("Affects 1 {singular}.").format(singular=resource.singular),
            confirm=confirmation_of(resource.update, name),
            warning=" ".join(filter(None, (rules.warns(body), rules.warning, changed_elsewhere))),
            undo=UndoEntry.of_update(
                _("Edit {label}").format(label=name),
                resource.kind,
                resource.update,
                path,
                {**body, **emptied},
                dict(before),
            ),
        )

    async def take_changes() -> list[str]:
        """Read the record again into the form, with its rules; the labels of the edited fields that have another value
        since.

        The API has no versions. Without a response the record stays as it was read. ChangedSinceReview when it was
        deleted, or cannot be edited any more.
        """
        nonlocal read, rules
        try:
            now = resource.kind.flat(dict(await full_record(context, record_id)))
            if now == read:
                return []
            rules = await _rules_of(context, now)
        except ReadError as error:
            if error.missing:
                raise ChangedSinceReview(error.sentence) from error
            return []
        except Forbidden as error:
            raise ChangedSinceReview(str(error)) from error
        read, current = now, {**now, **rules.before}
        current |= also.before(current) if also else {}
        edited = form.body()
        found = [
            form.spec(wire).label for wire in edited if current.get(wire) not in (form.before.get(wire), edited[wire])
        ]
        form.rebase(current)
        form.use_rules(gate_of(resource, context.workspace.caller, current, rules), rules.broken)
        return found

    async def check_unchanged() -> None:
        if labels := await take_changes():
            raise changed_since_review(labels)

    async def review(view: FormView) -> None:
        nonlocal changed_elsewhere
        form = view.form
        if not form.body():
            view.post_message(view.StatusMessage(_("No changes to send.")))
            return
        labels = await take_changes()
        changed_elsewhere = (
            _("Changed by another administrator since you opened the form: {fields}.").format(fields=", ".join(labels))
            if labels
            else ""
        )
        view.edited()
        if view.show_problem():
            return
        if (change := pending(form)) is None:
            view.post_message(view.StatusMessage(_("Nothing to send: the record already has these values.")))
            return
        await _send_form(context, view, change, _("Changed."), check_unchanged)

    title = _("Edit") if context.view.kind == "detail" else _("Edit {label}").format(label=name)
    return _view(context, title, form, review, pending, _("Review and send"))


async def _rules_of(context: Context, record: Mapping[str, Any]) -> Rules:
    """The rules for the form of a record. Forbidden when it cannot be edited."""
    rules = context.require_resource().editing.rules
    return await rules(context, record, {}) if rules else Rules()


def _also_edited(resource: Resource) -> AlsoEdited | None:
    """The fields of its forms that other operations set."""
    found: AlsoEdited | None = load(resource.editing.also) if resource.editing.also else None
    return found


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


async def new_form(context: Context, start: Mapping[str, Any] = MappingProxyType({})) -> FormView:
    """The form of a new record; `start` are its first values."""
    resource = context.require_resource()
    rules = await resource.editing.rules(context, None, start) if resource.editing.rules else Rules()
    gate = gate_of(resource, context.workspace.caller, {}, rules)
    also = _also_edited(resource)
    model = _form_model(resource.create, also)
    form = Form(model, _roles(context), leave_out=frozenset(rules.fixed), gate=gate)
    form.consistency, form.check_together = resource.editing.consistency, rules.broken
    form.named |= dict.fromkeys(rules.fixed.values(), rules.name)
    form.values |= {wire: value for wire, value in start.items() if wire not in rules.fixed}
    _set_parents(context, form)

    place = context.view.place

    def pending(form: Form) -> Change:
        body = {**rules.fixed, **rules.stored(form.body())}
        more = _take(body, also)
        following = tuple(also.changes({}, more, CREATED, form.named)) if also and more else ()
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
        answer = await _send_form(context, view, pending(view.form), _("Created."))
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
