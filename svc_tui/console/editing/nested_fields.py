"""Fields that hold records: an object is edited in a form of its own, a list of references by choosing."""

from __future__ import annotations

from typing import Any

from svc_tui.console.core.form import Form
from svc_tui.console.core.resource import Context
from svc_tui.console.views.form import FormView
from svc_tui.interface.flat import record_in
from svc_tui.interface.records import FieldSpec, fields_of


async def edit_object(context: Context, view: FormView, spec: FieldSpec) -> None:
    """Open a form over the fields of an object; what it holds then is the value."""
    model, caller = record_in(spec), context.workspace.caller
    assert model is not None
    value = view.form.values.get(spec.wire)
    before = value if isinstance(value, dict) else {}
    form = Form(model, caller.roles if caller else frozenset(), before, keep_all=True)
    # What was chosen in the one is named in the other.
    view.form.named |= form.named
    form.named = view.form.named

    async def keep(inner: FormView) -> None:
        await context.stage.back()
        view.take_value(spec.wire, inner.form.body() or None)

    await context.stage.show(FormView(view.place, context.resource, spec.label, form, keep, send="Keep"))


def reference_in(spec: FieldSpec) -> FieldSpec | None:
    """The one field of the entries of a list, where that names a record of another kind."""
    model = record_in(spec) if spec.kind == "objects" else None
    fields = fields_of(model) if model is not None else ()
    return fields[0] if len(fields) == 1 and fields[0].facet.refers else None


def toggled(entries: object, wire: str, chosen: str) -> list[dict[str, Any]]:
    """A list of references in which a chosen one is added at the end, or taken out when it was there."""
    listed = entries if isinstance(entries, list) else []
    known = [each[wire] for each in listed if isinstance(each, dict) and each.get(wire)]
    kept = [each for each in known if each != chosen]
    return [{wire: each} for each in (kept if chosen in known else [*kept, chosen])]
