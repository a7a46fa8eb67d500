"""What the copy menu offers: field, row, JSON, curl, link. Copies keep the original characters."""

from __future__ import annotations

from dataclasses import dataclass

from svc_tui.console.actions import Context


@dataclass(frozen=True, slots=True)
class Copy:
    label: str
    text: str


def copies(context: Context) -> list[Copy]:
    """Everything of the present record that can be copied."""
    from svc_tui.console.views.detail import DetailView
    from svc_tui.console.views.raw import as_json

    assert context.resource is not None and context.record is not None
    resource, record, view = context.resource, context.record, context.view
    offered = [Copy("Id", resource.record_id(record)), Copy("Name", resource.label(record))]
    if isinstance(view, DetailView) and view.field is not None:
        wire, value = view.field
        offered.insert(0, Copy(f"Field {wire}", value if isinstance(value, str) else as_json({wire: value})))
    row = "\t".join(str(column.value(record) or "") for column in resource.columns)
    if row:
        offered.append(Copy("Row", row))
    offered.append(Copy("JSON", as_json(record)))
    place = view.place if view.kind == "detail" else view.place.record(resource.record_id(record))
    offered.append(Copy("Link", f"svc-tui open {place}"))
    for exchange in reversed(list(context.workspace.log.exchanges)):
        if exchange.operation_id in (resource.kind.get, resource.list):
            offered.append(Copy("curl", exchange.as_curl()))
            break
    return offered
