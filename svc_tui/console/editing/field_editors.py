"""Editors of fields: pickers, searches for records, editors of several lines and of tables."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from svc_tui.console.core.choice import Choice, ChoiceLimits
from svc_tui.console.core.edited_lines import entries, entries_as_text, pairs, pairs_as_text
from svc_tui.console.core.form import Form
from svc_tui.console.core.resource import Context
from svc_tui.console.core.table_rows import EditedRows, is_table
from svc_tui.console.core.value_sources import Source, told_apart, value_source
from svc_tui.console.dialogs import table, text_editor
from svc_tui.console.dialogs.messages import Question
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.views.form import REVIEW, FormView
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text, order
from svc_tui.workspace.core.service import ReadError

#: A typed text that can be the ID of a record.
_ID = re.compile(r"[0-9A-Za-z]{24,36}")
#: Edits a field of a form.
FieldEditor = Callable[[Context, FormView, FieldSpec], Awaitable[None]]
#: The most characters that are edited as lines: with more, each typed character would take a noticeable time.
MOST_EDITED = 100_000


def _form(context: Context) -> FormView:
    return context.require_view(FormView)


async def review(context: Context) -> None:
    """Review the form, once each name that was typed for a record is that record; another text is a problem."""
    view = _form(context)
    for spec in view.form.specs:
        if (text := _typed_name(view.form, spec)) and (problem := await _take_named(context, view, spec, text)):
            view.refuse({spec.wire: problem})
            return
    await view.review()


def _typed_name(form: Form, spec: FieldSpec) -> str:
    """What was typed for a record that is not chosen from a list; empty where nothing was, or an ID."""
    value = form.values.get(spec.wire) if form.changed(spec.wire) and not form.why_not(spec.wire) else None
    if spec.kind != "text" or not isinstance(value, str) or _holds_ids(spec):
        return ""
    return "" if value in form.named or value in dict(spec.facet.codes) or _ID.fullmatch(value) else value


async def _take_named(context: Context, view: FormView, spec: FieldSpec, text: str) -> str:
    """Set a field to the only record that a text names; the problem when it names none, or several."""
    source = value_source(spec, context.stage.resources, view.form.values)
    # A list of plain values proposes them: others may be right too.
    if source is None or source.value == source.label or not all(source.path_at(view.place).values()):
        return ""
    try:
        choices = await _choices(context, view, source, await _limits(context, spec), (), text)
    except ReadError:
        return ""
    exact = [choice for choice in choices if order(text.strip()) in (order(choice.label), order(choice.value))]
    found = exact or choices
    if len(found) != 1:
        several, none = _("names several, {enter_field} lists them"), _("names none of them, {enter_field} lists all")
        return view.with_keys(several if found else none)
    (choice,) = found
    if not choice.reason:
        if not spec.facet.codes:
            view.form.named[choice.value] = choice.label
        view.take_value(spec.wire, choice.value)
    return choice.reason


async def _limits(context: Context, spec: FieldSpec) -> ChoiceLimits:
    """What a field accepts."""
    narrows = context.resource.editing.narrows if context.resource else None
    return (await narrows(context, spec.wire) if narrows else None) or ChoiceLimits()


async def _choices(
    context: Context, view: FormView, source: Source, limits: ChoiceLimits, taken: Sequence[Any], text: str
) -> list[Choice]:
    """The records that a text finds. ReadError when they cannot be read."""
    # Some lists take both or neither of limit and offset.
    query = {"format": "medium", "limit": source.most, "offset": 0}
    query |= {**source.query_for({**view.form.before, **view.form.values}, text), **limits.query}
    rows = source.rows(await context.workspace.read(source.operation, source.path_at(view.place), query))
    return told_apart(
        [source.choice(row, list(taken), limits.unfit_reason(row)) for row in source.in_order(rows, text)]
    )


async def edit_field(context: Context) -> None:
    """Open the editor of a field, or go to the next field; on the last line, review."""
    view = _form(context)
    line = view.sheet.line
    if line is not None and line.key == REVIEW:
        await review(context)
        return
    if not view.wire:
        view.unfold()
        return
    spec = view.form.spec(view.wire)
    reason = view.form.why_not(view.wire)
    if reason:
        context.stage.show_message(f"{spec.label}: {reason}", "warn")
    elif (edit := _editor(context, view, spec)[1]) is not None:
        await edit(context, view, spec)
    else:
        view.move(1)


def label_of_enter(context: Context) -> str:
    """What enter does on the selected line of a form."""
    view = context.view
    line = view.sheet.line if isinstance(view, FormView) else None
    if not isinstance(view, FormView) or line is None:
        return _("Choose")
    if line.key == REVIEW:
        return _("Review")
    spec = next((spec for spec in view.form.specs if spec.wire == line.key), None)
    if spec is None:
        return _("Show")
    return _("Reason") if view.form.why_not(spec.wire) else _editor(context, view, spec)[0]


def _editor(context: Context, view: FormView, spec: FieldSpec) -> tuple[str, FieldEditor | None]:
    """The verb for a field, and its editor; None for a text that is typed in its line, which holds no line break."""
    if context.resource is not None and spec.wire in context.resource.editing.editors:
        return _("Edit"), _edit_its_own_way
    if reference_in(spec) is not None or value_source(spec, context.stage.resources, view.form.values):
        return _("Search"), _search
    if spec.kind == "objects" and is_table(spec.record):
        return _("Edit"), _edit_rows
    if spec.kind == "object" and spec.record is not None:
        return _("Edit"), edit_object
    if spec.kind in ("choice", "choices"):
        return _("Choose"), _choose
    lines = spec.kind == "text" and "\n" in view.form.typed(spec.wire)
    if spec.kind in ("texts", "object", "objects") or spec.facet.multiline or lines:
        return _("Edit"), _edit_lines
    return _("Next"), None


async def _edit_its_own_way(context: Context, view: FormView, spec: FieldSpec) -> None:
    """Edit a field with the editor that its resource has for it."""
    editor = context.require_resource().editing.editors[spec.wire]
    edited = await editor(context, spec.label, view.form.values.get(spec.wire))
    if edited is not None:
        view.take_value(spec.wire, edited)


async def _choose(context: Context, view: FormView, spec: FieldSpec) -> None:
    """Choose a value by its words. In a list, a chosen one is added, or removed again."""
    several, taken = spec.kind == "choices", view.form.values.get(spec.wire) or []
    choices = [
        Choice(value, spec.worded(value), _("chosen") if several and value in taken else _code(spec, value))
        for value in spec.choices
    ]
    chosen = await context.stage.ask(Picker(spec.label, choices, current="" if several else str(taken or "")))
    if chosen is None:
        return
    if not several:
        view.take_value(spec.wire, chosen)
        return
    kept = [value for value in taken if value != chosen]
    view.take_value(spec.wire, kept if chosen in taken else [*kept, chosen])


def _code(spec: FieldSpec, value: str) -> str:
    """The name that the API has for a choice; empty where it is the word itself."""
    return "" if value.casefold() == spec.worded(value).casefold() else value


async def _edit_rows(context: Context, view: FormView, spec: FieldSpec) -> None:
    """Edit a list of records as a table. Without entries the list is empty, not missing."""

    model = spec.record
    assert model is not None
    rows = EditedRows(model, view.form.values.get(spec.wire) or (), spec.facet.unique, spec.most_items)
    edited = await context.stage.ask(table.TableEditor(spec.label, rows))
    if edited is not None and rows.changed:
        view.take_value(spec.wire, edited)


async def _edit_lines(context: Context, view: FormView, spec: FieldSpec) -> None:
    form = view.form

    before, text = form.values.get(spec.wire), as_lines(form, spec)

    def check(edited: str) -> tuple[str, str]:
        value, problem = (before, "") if edited == text else read_lines(spec, edited, before)
        return amount(spec, value), problem or _problem(form, spec, value)

    if len(text) > MOST_EDITED:
        context.stage.show_message(
            _("{label} has more than {most_edited} characters. It cannot be edited here.").format(
                label=spec.label, most_edited=number_text(MOST_EDITED)
            ),
            "warn",
        )
        return
    limits = spec.constraint_in_words or ("" if spec.kind == "text" else spec.facet.help)
    quotes = _("in quotes as in JSON") if _has_quoted(spec, text) else ""
    hint = " · ".join(part for part in (_written_as(spec), quotes, limits) if part)
    edited = await context.stage.ask(text_editor.TextEditor(spec.label, text, hint, check))
    if edited is None or edited == text:
        return
    value, problem = read_lines(spec, edited, before)
    if problem:
        context.stage.show_message(
            _("{label}: {problem}. The value was not changed.").format(label=spec.label, problem=problem), "warn"
        )
        return
    view.take_value(spec.wire, value)


def _problem(form: Form, spec: FieldSpec, value: Any) -> str:
    """The problem of a value; in a list, with the entry in question."""
    for entry in value if spec.kind == "texts" and value else ():
        if problem := form.problem_with(spec.wire, [entry]):
            return f"{entry} {problem}"
    return form.problem_with(spec.wire, value)


def as_lines(form: Form, spec: FieldSpec) -> str:
    """The value as text of several lines."""
    value = form.values.get(spec.wire)
    if value is None:
        return ""
    if _holds_pairs(spec):
        return pairs_as_text(value)
    if spec.kind in ("object", "objects"):
        return json.dumps(value, indent=2, ensure_ascii=False)
    return entries_as_text(value) if isinstance(value, list) else str(value)


def read_lines(spec: FieldSpec, text: str, before: object = None) -> tuple[Any, str]:
    """The value of a text of several lines, which was `before`, and why it cannot be read."""
    if not text.strip():
        return None, ""
    if spec.kind == "texts":
        return entries(text, before), ""
    if _holds_pairs(spec):
        found = pairs(text, before)
        return (None, found) if isinstance(found, str) else (found, "")
    if spec.kind in ("object", "objects"):
        try:
            return json.loads(text), ""
        except ValueError as error:
            return None, _("not valid JSON: {error}").format(error=error)
    return text, ""


def amount(spec: FieldSpec, value: Any) -> str:
    """The number of entries, and their limit."""
    if not isinstance(value, (list, Mapping)):
        return ""
    if spec.most_items:
        return _("{value} of {most_items}").format(value=len(value), most_items=spec.most_items)
    return counted(len(value), "entry", "entries")


def _holds_pairs(spec: FieldSpec) -> bool:
    """Whether the field is an object of texts; others are edited as JSON."""
    return spec.facet.pairs


def _written_as(spec: FieldSpec) -> str:
    if spec.kind == "texts":
        return _("one per line")
    if _holds_pairs(spec):
        return _("key=value, one per line")
    return _("as JSON") if spec.kind in ("object", "objects") else ""


def _has_quoted(spec: FieldSpec, text: str) -> bool:
    """Whether a line has a text in quotes, because a line cannot hold it otherwise."""
    return (spec.kind == "texts" or _holds_pairs(spec)) and '"' in text


def _holds_ids(spec: FieldSpec) -> bool:
    """Whether the field is a text of several IDs with commas between them, such as `companyIds`."""
    return spec.kind == "text" and spec.wire.endswith("Ids")


async def _search(context: Context, view: FormView, spec: FieldSpec) -> None:
    """Choose a record of another kind by its name. In a list, a chosen one is added, or removed again."""
    reference = reference_in(spec)
    source = value_source(reference or spec, context.stage.resources, view.form.values)
    assert source is not None
    path = source.path_at(view.place)
    if outside := next((kind for name, kind in source.path.items() if not path[name]), ""):
        one = context.stage.resources[outside].singular
        context.stage.show_message(
            _("{label}: records can be searched only inside one {one}. Type the ID here.").format(
                label=spec.label, one=one
            ),
            "warn",
        )
        return
    edited = {**view.form.before, **view.form.values}
    if awaited := source.awaits(edited):
        other = next((each.label for each in view.form.specs if each.wire == awaited), awaited)
        context.stage.show_message(_("{label}: choose {other} first.").format(label=spec.label, other=other), "warn")
        return
    value = view.form.values.get(spec.wire)
    names: dict[str, str] = {}
    taken = value if isinstance(value, list) else [value]
    if several := _holds_ids(spec):
        taken = [each.strip() for each in str(value or "").split(",") if each.strip()]
    elif reference is not None:
        taken = [each.get(reference.wire) for each in taken if isinstance(each, Mapping)]

    limits = await _limits(context, spec)
    one = "" if isinstance(value, list) or several else str(value or "")

    async def found(text: str) -> Sequence[Choice]:
        choices = await _choices(context, view, source, limits, taken, text)
        names.update((choice.value, choice.label) for choice in choices)
        chosen = [Choice(each, view.form.named[each], _("chosen")) for each in _left_out(view.form, taken, choices)]
        return [*(chosen if not text else ()), *sorted(choices, key=lambda choice: bool(choice.reason))]

    known = one in view.form.named or one == view.form.before.get(spec.wire) or _ID.fullmatch(one)
    picker = Picker(
        spec.label, search=found, current=one, text="" if known else one, empty=_why_empty(context, source, edited)
    )
    chosen = await context.stage.ask(picker)
    if chosen is None:
        return
    if not spec.facet.codes:
        # A code is written with its name already.
        view.form.named.update((each, names[each]) for each in (chosen, *taken) if each in names)
    if reference is not None:
        view.take_value(spec.wire, toggled(value, reference.wire, chosen))
    elif several or spec.kind == "texts":
        kept = [item for item in taken if item and item != chosen]
        now = kept if chosen in taken else [*kept, chosen]
        view.take_value(spec.wire, (",".join(now) or None) if several else now)
    else:
        view.take_value(spec.wire, chosen)


def _left_out(form: Form, taken: Sequence[Any], choices: Sequence[Choice]) -> list[str]:
    """The chosen records that a list does not offer, for example because they are no longer free."""
    offered = {choice.value for choice in choices}
    return [each for each in taken if isinstance(each, str) and each in form.named and each not in offered]


def _why_empty(context: Context, source: Source, edited: Mapping[str, Any]) -> str:
    """Why there is nothing to choose, and what to do."""
    resource = context.stage.resources.get(source.kind)
    if resource is None:
        return _("There is nothing to choose.")
    title = title_in_sentence(resource.title)
    if source.query_for(edited, ""):
        sentence = _("There are no {title} that fit the other fields of this form.").format(title=title)
    else:
        sentence = _("There are no {title}.").format(title=title)
    place = f":{resource.aliases[0] if resource.aliases else resource.name}"
    return f"{sentence} " + _("{place} lists them, where they are created.").format(place=place)


async def leave_form(context: Context) -> None:
    """Close the form; ask first when unsaved changes would be lost."""
    view = _form(context)
    if view.step_back():
        return
    if not view.may_leave() and not await context.stage.ask(
        Question(_("Discard unsaved changes?"), _("The changes in this form have not been sent."))
    ):
        return
    await context.stage.back()


async def edit_object(context: Context, view: FormView, spec: FieldSpec) -> None:
    """Edit the fields of an object in a form."""
    model, caller = spec.record, context.workspace.caller
    assert model is not None
    value = view.form.values.get(spec.wire)
    before = value if isinstance(value, dict) else {}
    form = Form(model, caller.roles if caller else frozenset(), before, keep_all=True)
    # Both forms show the same names of chosen records.
    view.form.named |= form.named
    form.named = view.form.named

    async def save(inner: FormView) -> None:
        await context.stage.back()
        if inner.form.dirty:
            view.take_value(spec.wire, inner.form.body() or None)

    await context.stage.show(FormView(view.place, context.resource, spec.label, form, save, send=_("Save")))


def reference_in(spec: FieldSpec) -> FieldSpec | None:
    """The only field of the entries of a list, when it refers to a record of another kind."""
    model = spec.record if spec.kind == "objects" else None
    fields = fields_of(model) if model is not None else ()
    return fields[0] if len(fields) == 1 and fields[0].facet.refers else None


def toggled(entries: object, wire: str, chosen: str) -> list[dict[str, Any]]:
    """A list of references with a chosen one added at the end, or removed if it was listed."""
    listed = entries if isinstance(entries, list) else []
    known = [each[wire] for each in listed if isinstance(each, dict) and each.get(wire)]
    kept = [each for each in known if each != chosen]
    return [{wire: each} for each in (kept if chosen in known else [*kept, chosen])]
