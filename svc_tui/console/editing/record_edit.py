"""Changes of records: from a form or an action to a preview, a request and an entry for undo."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.actions import Action
from svc_tui.console.core.changes import Change, FieldChange, field_changes
from svc_tui.console.core.form import PAGING, Form, Gate
from svc_tui.console.core.form_rules import Rules
from svc_tui.console.core.record_source import full_record
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.dialogs.preview import CheckOutcome, Outcome, Preview
from svc_tui.console.views.form import FormView, Review
from svc_tui.console.views.list import ListView
from svc_tui.console.views.long_form import MANY_FIELDS, LongFormView
from svc_tui.interface.access import Caller, Role, decide, of_another
from svc_tui.interface.catalogue import body_of, operation, query_of, record_of
from svc_tui.interface.errors import FIELD_OF_CODE
from svc_tui.interface.problems import may_not_set
from svc_tui.interface.records import FieldSpec, fields_of
from svc_tui.language import _
from svc_tui.late import late
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.console.dialogs import messages
    from svc_tui.console.editing import bulk
    from svc_tui.interface import records
    from svc_tui.workspace.changes.unconfirmed_writes import VerifiedOutcome
else:
    bulk = late("svc_tui.console.editing.bulk")
    messages = late("svc_tui.console.dialogs.messages")
    records = late("svc_tui.interface.records")


def _roles(context: Context) -> frozenset[Role]:
    caller = context.workspace.caller
    return caller.roles if caller else frozenset()


def _resource(context: Context) -> Resource:
    return context.require_resource()


def _path(context: Context, record_id: str = "") -> dict[str, str]:
    return _resource(context).path_at(context.view.place, context.workspace.caller, record_id)


# --- forms -----------------------------------------------------------------------------------------------------


def _gate(context: Context, operation_id: str, record: Mapping[str, Any], rules: Rules) -> Gate:
    """The reasons why the caller, or another role, may not set a field of this record."""
    resource, caller = _resource(context), context.workspace.caller or Caller("")

    def gate(spec: FieldSpec, lens: Role | None) -> str:
        who = resource.editing.seen_as(lens, record) if lens else caller
        if lens and not (allowed := decide(operation(operation_id).who, who)):
            return allowed.reason
        reason = (
            resource.editing.may_set(spec, who, record) if resource.editing.may_set else may_not_set(spec, who.roles)
        )
        if not lens:
            return reason or rules.field(spec.wire)
        return of_another(reason)

    return gate


def _view(context: Context, title: str, form: Form, review: Review, send: str) -> FormView:
    """The view of a form; that of many fields has a filter."""
    view = LongFormView if len(form.specs) > MANY_FIELDS else FormView
    return view(context.view.place, _resource(context), title, form, review, send=send)


def _set_parents(context: Context, form: Form) -> None:
    """Set the fields that refer to the records above a new one."""
    caller, place = context.workspace.caller, context.view.place
    own = {kind.parameter: kind.own_id(caller) for kind in KINDS.values() if kind.own == "company_id"}
    given = {wire: value for wire, value in own.items() if value}
    for wire, value in {**given, **_resource(context).query_at(place)}.items():
        if any(spec.wire == wire and spec.required for spec in form.specs):
            form.set(wire, value)
    form.begin()


async def edit_form(context: Context) -> FormView:
    """The form of the selected record."""
    resource = _resource(context)
    record_id = resource.record_id(context.require_record())
    before = resource.kind.flat(dict(await full_record(context, record_id)))
    rules = await resource.editing.rules(context, before, {}) if resource.editing.rules else Rules()
    before = {**before, **rules.before}
    gate = _gate(context, resource.update, before, rules)
    left_out = frozenset(spec.wire for spec in fields_of(body_of(resource.update)) if spec.facet.by_action)
    form = Form(body_of(resource.update), _roles(context), before, leave_out=left_out, gate=gate)
    form.consistency, form.judge = resource.editing.consistency, rules.broken
    place = context.view.place

    async def review(view: FormView) -> None:
        body = view.form.body()
        if not body:
            view.post_message(view.StatusMessage(_("No changes to send.")))
            return
        path = resource.path_at(place, context.workspace.caller, record_id)
        change = Change(
            label=_("Edit {singular} {label}").format(singular=resource.singular, label=resource.label(before)),
            operation=resource.update,
            path=path,
            body=_with_required(resource.update, before, body),
            fields=field_changes(resource.update, before, body, view.form.named),
            reach=_("Affects 1 {singular}.").format(singular=resource.singular),
            confirm=_confirmation(resource.update, resource.label(before)),
            warning=" ".join(filter(None, (rules.warns(body), rules.warning))),
            undo=UndoEntry.of_update(
                _("Edit {label}").format(label=resource.label(before)),
                resource.kind,
                resource.update,
                path,
                body,
                dict(before),
            ),
        )
        await _send_form(context, view, change, _("Changed."))

    title = _("Edit") if context.view.kind == "detail" else _("Edit {label}").format(label=resource.label(before))
    return _view(context, title, form, review, _("Review and send"))


def _confirmation(operation_id: str, name: str) -> str:
    """What must be typed before a change that costs is sent; empty for other changes."""
    return name if operation(operation_id).costs else ""


def _with_required(operation_id: str, before: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """The changed fields, and those that every update must have."""

    demanded = [spec.wire for spec in records.fields_of(body_of(operation_id)) if spec.required]
    return {**{wire: before.get(wire) for wire in demanded}, **body}


async def new_form(context: Context, start: Mapping[str, Any] = MappingProxyType({})) -> FormView:
    """The form of a new record; `start` are its first values."""
    resource = _resource(context)
    rules = await resource.editing.rules(context, None, start) if resource.editing.rules else Rules()
    gate = _gate(context, resource.create, {}, rules)
    form = Form(body_of(resource.create), _roles(context), leave_out=frozenset(rules.fixed), gate=gate)
    form.consistency, form.judge = resource.editing.consistency, rules.broken
    form.named |= dict.fromkeys(rules.fixed.values(), rules.name)
    form.values |= {wire: value for wire, value in start.items() if wire not in rules.fixed}
    _set_parents(context, form)

    async def review(view: FormView) -> None:
        body = {**rules.fixed, **view.form.body()}
        change = Change(
            label=rules.title or _("Create {singular}").format(singular=resource.singular),
            operation=resource.create,
            path=resource.path_at(context.view.place, context.workspace.caller),
            body=body,
            fields=field_changes(resource.create, {}, body, view.form.named),
            reach=_("Creates 1 {singular}.").format(singular=resource.singular),
            confirm=_confirmation(resource.create, rules.name),
            warning=rules.warning,
        )
        answer = await _send_form(context, view, change, _("Created."))
        if answer is not None:
            await go_to_created(context, resource, answer)
            await _show_secrets(context, resource, answer)

    return _view(
        context,
        rules.title or _("New {singular}").format(singular=resource.singular),
        form,
        review,
        _("Review and create"),
    )


async def filter_form(context: Context) -> FormView:
    """The form with every filter of the list operation."""

    resource, below = _resource(context), context.require_view(ListView)
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

    return FormView(context.view.place, resource, _("Filters"), form, review, send=_("Apply filters"))


async def _send_form(context: Context, view: FormView, change: Change, done: str) -> Mapping[str, Any] | None:
    outcome = await preview(context, change)
    if outcome is None:
        return None
    if outcome.error is not None:
        view.refuse(refused(outcome))
        return None
    await context.stage.back()
    context.stage.say((outcome.found or done) + _undo_hint(context, change), "ok")
    return outcome.answer


def _undo_hint(context: Context, change: Change) -> str:
    return f" {context.with_keys(_('{undo} undoes it.'))}" if change.undo else ""


def refused(outcome: Outcome) -> dict[str, str]:
    """Field -> why it was refused; without a field, the key is empty."""
    if outcome.found:
        return {"": outcome.found}
    error = outcome.error
    problems = {problem.param or "": problem.msg for problem in getattr(error, "problems", ())}
    about = FIELD_OF_CODE.get(getattr(error, "code", None), "")
    # Beside a field there is room for its problem only, not for the kind of refusal.
    return problems or {about: (getattr(error, "message", "") if about else "") or str(error)}


async def go_to_created(context: Context, resource: Resource, answer: Mapping[str, Any]) -> None:
    """Select a new record in its list, which is opened when the record was created elsewhere."""

    data = answer.get("data")
    if not isinstance(data, Mapping):
        return
    # A list can have other columns than its resource declares.
    current = context.view.resource
    opens = current is None or current.name != resource.name
    if opens:
        place = resource.place_near(context.view.place, data)
        await context.stage.open(place, owner=context.view.owner)
    view = context.stage.top
    if isinstance(view, ListView) and view.resource.name == resource.name:
        if opens:
            # The cursor waits for a row only while the list is read.
            await view.listing.wait_until_idle()
        view.go_to(resource.record_id(data))


async def _show_secrets(context: Context, resource: Resource, answer: Mapping[str, Any]) -> None:
    """Show secrets that the service returns only once, such as a new API key."""

    data = answer.get("data")
    created = record_of(resource.create)
    if not isinstance(data, Mapping) or created is None:
        return
    for spec in records.fields_of(created):
        if spec.facet.secret and spec.wire in created.NEVER and data.get(spec.wire):
            text = _("{label} of “{label_2}”. Save it now: it is shown only once.").format(
                label=spec.label, label_2=resource.label(data)
            )
            await context.stage.ask(messages.Secret(spec.label, str(data[spec.wire]), text))


# --- changes ---------------------------------------------------------------------------------------------------


async def preview(context: Context, change: Change) -> Outcome | None:
    """Show a change, and send it when it is confirmed."""
    return await context.stage.ask(Preview(change, lambda confirmed: send(context, confirmed), _checker(context)))


def _checker(context: Context) -> CheckOutcome:
    """A check of the outcome of a change that costs and got no response."""

    async def check(sent: Change) -> VerifiedOutcome | None:
        found = await context.workspace.verify(sent.operation, sent.path)
        _refresh_details(context)
        return found

    return check


async def send(context: Context, change: Change) -> Mapping[str, Any]:
    """Send a change and record how to undo it. ServiceError when it was refused."""
    answer = await context.workspace.perform(
        change.operation, path=change.path, query=change.query, body=change.body, undo=change.undo
    )
    _refresh_details(context)
    return answer


def _refresh_details(context: Context) -> None:
    """Refresh open detail views: a response need not contain the fields that were cleared."""
    for view in context.stage.views:
        if view.kind == "detail":
            view.refresh_now()


async def update_record(context: Context, body: Mapping[str, Any], label: str, warning: str) -> None:
    """Update the selected record with a fixed body, for example a new secret."""
    resource = _resource(context)
    record = context.require_record()
    record_id = resource.record_id(record)
    change = Change(
        label=f"{label}: {resource.label(record)}",
        operation=resource.update,
        path=_path(context, record_id),
        body=dict(body),
        reach=_("Affects 1 {singular}.").format(singular=resource.singular),
        confirm=resource.label(record),
        warning=warning,
    )
    outcome = await preview(context, change)
    if outcome is not None and outcome.error is None:
        shows = context.with_keys(_("{reveal} shows it in the detail view."))
        context.stage.say(_("{label}: done. {shows}").format(label=label, shows=shows), "ok")


async def call_on_records(context: Context, action: Action) -> Exception | None:
    """Call an operation without a body on the selected record, or as a job on all marked ones.

    Returns the error when a single record was refused.
    """
    if context.marked:
        await bulk.run_bulk(context, action)
        return None
    resource = _resource(context)
    record, record_id = context.require_record(), resource.record_id(context.require_record())
    operation_id = action.operation_id(context)
    path = _path(context, record_id)
    lost: tuple[FieldChange, ...] = ()
    reach = _("Affects 1 {singular}.").format(singular=resource.singular)
    if resource.deletion.consequences and operation_id == resource.delete:
        lost, reach = resource.deletion.consequences(record, context)
    change = Change(
        label=f"{action.label} {resource.singular} {resource.label(record)}",
        operation=operation_id,
        path=path,
        fields=lost,
        reach=reach,
        confirm=resource.label(record) if action.dangerous else "",
        warning=_("This cannot be undone.") if action.dangerous else f"{action.help_for(resource)}.",
        undo=_opposite(action, resource, path, record),
    )
    outcome = await preview(context, change)
    if outcome is None or outcome.error is not None:
        return outcome.error if outcome else None
    if action.dangerous and context.view.kind == "detail":
        await context.stage.back()
    status = outcome.found or str((outcome.answer or {}).get("status") or "")
    # The service names deleted records by their ID; users know their name.
    status = status.replace(f" {record_id} ", f" {resource.label(record)} ") if record_id else status
    context.stage.say(f"{status or action.label + _(': done.')}{_undo_hint(context, change)}", "ok")
    return None


def _opposite(
    action: Action, resource: Resource, path: Mapping[str, str], record: Mapping[str, Any]
) -> UndoEntry | None:
    if not action.undone_by:
        return None
    label = f"{action.label} {resource.label(record)}"
    return UndoEntry.of_opposite(label, resource.kind, action.undone_by, path, dict(record))


async def undo_last(context: Context) -> None:
    """Undo the last change, after a preview."""
    journal = context.workspace.journal
    if journal.not_undoable:
        sentence = _("The last change ({not_undoable}) cannot be undone.").format(not_undoable=journal.not_undoable)
        if journal.entries:
            offers = context.with_keys(_("{undo} now offers an older change"))
            sentence += f" {offers}: {journal.entries[-1].label}."
        context.stage.say(sentence, "warn")
        journal.not_undoable = ""
        return
    entry = journal.entries[-1]
    differs = await journal.later_changes(entry) if entry.body is not None else []
    warning = (
        _("Changed again since then: {fields}.").format(fields=", ".join(item.field for item in differs))
        if differs
        else ""
    )
    change = Change(
        label=_("Undo: {label}").format(label=entry.label),
        operation=entry.operation_id,
        path=entry.path,
        body=entry.body,
        fields=field_changes(entry.operation_id, entry.after, entry.body) if entry.body else (),
        reach=_("Affects 1 record."),
        confirm=_confirmation(entry.operation_id, entry.label),
        warning=warning,
    )

    async def undo(_: Change) -> Mapping[str, Any]:
        answer = await journal.undo(entry)
        _refresh_details(context)
        return answer

    outcome = await context.stage.ask(Preview(change, undo, _checker(context)))
    if outcome is not None and outcome.error is None:
        context.stage.say(_("Undone."), "ok")
