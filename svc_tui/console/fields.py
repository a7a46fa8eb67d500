"""What `enter` and `esc` do in a form: choosing, searching a record, editing several lines, leaving."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.console.actions import Context
from svc_tui.console.dialogs.messages import Ask
from svc_tui.console.dialogs.picker import Choice, Picker
from svc_tui.console.dialogs.text_editor import TextEditor
from svc_tui.console.form import entries
from svc_tui.console.views.form import REVIEW, FormView
from svc_tui.interface.records import FieldSpec


def _form(context: Context) -> FormView:
    assert isinstance(context.view, FormView)
    return context.view


async def edit_field(context: Context) -> None:
    """Go on to the next field, or open what the field is edited with; on the last line review."""
    view = _form(context)
    line = view.sheet.line
    if line is not None and line.key == REVIEW:
        await view.review()
        return
    if not view.wire:
        return
    spec = view.form.spec(view.wire)
    reason = view.form.why_not(view.wire)
    if reason:
        context.frame.say(f"{spec.label}: {reason}", "warn")
    elif spec.facet.refers and spec.facet.refers in context.frame.console.resources:
        await _search(context, view, spec)
    elif spec.kind == "choice":
        await _choose(context, view, spec)
    elif spec.kind in ("texts", "choices") or spec.facet.multiline:
        await _edit_lines(context, view, spec)
    else:
        view.move(1)


async def _choose(context: Context, view: FormView, spec: FieldSpec) -> None:
    words = dict(spec.facet.choices)
    choices = [Choice(value, value, words.get(value, "")) for value in spec.choices]
    chosen = await context.frame.console.ask(Picker(spec.label, choices))
    if chosen is not None:
        view.take_value(spec.wire, chosen)


async def _edit_lines(context: Context, view: FormView, spec: FieldSpec) -> None:
    value = view.form.values.get(spec.wire)
    is_list = spec.kind in ("texts", "choices")
    text = "\n".join(value) if isinstance(value, list) else str(value or "")
    hint = " · ".join(part for part in ("one a line" if is_list else "", spec.constraint) if part)
    edited = await context.frame.console.ask(TextEditor(spec.label, text, hint))
    if edited is not None:
        view.take_value(spec.wire, entries(edited) if is_list else edited or None)


async def _search(context: Context, view: FormView, spec: FieldSpec) -> None:
    """Choose a record of another kind by its name."""
    resource = context.frame.console.resources[spec.facet.refers]
    workspace = context.workspace

    async def found(text: str) -> Sequence[Choice]:
        query = {"format": "medium", "limit": 50, **({resource.label_field: text} if text else {})}
        body = await workspace.read(resource.list, {}, query)
        rows = body.get("data", []) if isinstance(body, dict) else []
        return [Choice(resource.record_id(row), resource.label(row), str(row.get("loginEmail") or "")) for row in rows]

    chosen = await context.frame.console.ask(Picker(spec.label, search=found))
    if chosen is not None:
        view.take_value(spec.wire, chosen)


async def leave_form(context: Context) -> None:
    """Leave the form; ask first when something typed would be lost."""
    view = _form(context)
    if not view.may_leave() and not await context.frame.console.ask(
        Ask("Leave without sending?", "What you typed in this form has not been sent and would be lost.")
    ):
        return
    await context.frame.back()
