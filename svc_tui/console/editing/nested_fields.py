"""Nested fields: an object is edited in its own form, a list of references with a picker."""

from __future__ import annotations

from typing import Any

from svc_tui.console.core.form import Form
from svc_tui.console.core.resource import Context
from svc_tui.console.views.form import FormView
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.language import _


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
