"""Sources of records: the operation that reads one, or its list; and the declared fields of a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context, Resource
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.listed_record import ListedRecord
from svc_tui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from svc_tui.interface import catalogue, records
    from svc_tui.interface.records import FieldSpec
    from svc_tui.workspace.lists.record_view import RecordView
else:
    catalogue = lazy_import("svc_tui.interface.catalogue")
    records = lazy_import("svc_tui.interface.records")


def record_source(
    resource: Resource, place: Place, workspace: Workspace, path: Mapping[str, str] | None = None
) -> RecordView | ListedRecord:
    """The source of the record at a place: the operation that reads one, otherwise its list.

    `path` are the path parameters if they differ from those of the place.
    """
    if path is None:
        record_id = "" if resource.placement.only else place.record_id
        path = resource.path_at(place, workspace.caller, record_id)
    if resource.list != resource.kind.get:
        return workspace.record(resource.kind.get, path=path)
    query = {**resource.query, **resource.query_at(place)}
    return ListedRecord(workspace.listing(resource.list, path=path, query=query), place.record_id)


def list_request(resource: Resource, place: Place, workspace: Workspace) -> tuple[dict[str, str], dict[str, Any]]:
    """Path and query of the list at a place, as it would open: with the order that the user chose."""
    kept = workspace.preferences.of(resource.name)
    field, down = (kept.sort, kept.descending) if kept.sort else (resource.sort, resource.descending)
    order = order_query(field, down)
    return resource.path_at(place, workspace.caller), {**resource.query, **order, **resource.query_at(place)}


def order_query(field: str, descending: bool) -> dict[str, Any]:
    """The query parameters for the order of a list; none without a field."""
    return {"sortField": field, "sortOrder": -1 if descending else 1} if field else {}


def specs_of(resource: Resource) -> Sequence[FieldSpec]:
    """The declared fields of a resource's records, including those of an object that its bodies contain flat."""

    record = catalogue.record_of(resource.kind.get)
    specs = [spec for spec in records.fields_of(record) if _is_read(spec, resource.kind.get)] if record else []
    inner = next((spec for spec in specs if resource.kind.nested and spec.wire == resource.kind.nested), None)
    if inner is None:
        return specs
    within = next(part for part in get_args(inner.annotation) if issubclass(part, records.Record))
    return [*(spec for spec in specs if spec is not inner), *records.fields_of(within)]


def _is_read(spec: FieldSpec, operation_id: str) -> bool:
    return spec.facet.only_in is None or operation_id in spec.facet.only_in


async def full_record(context: Context, record_id: str) -> Mapping[str, Any]:
    """The record with all its fields, read again. ReadError when parts of it are missing, or when it was deleted."""
    resource = context.resource
    if resource is None:
        raise LookupError("no resource")
    # A list over all companies has the company in its rows, not in its place.
    place = resource.related_place(context.view.place, context.record or {}, record_id)
    path = resource.path_at(place, context.workspace.caller, record_id)
    view = context.workspace.record(resource.kind.get, path=path)
    try:
        await view.wait_until_idle()
        if view.missing:
            # A copy in the cache is of no use.
            raise ReadError(_("This {singular} no longer exists.").format(singular=resource.singular), missing=True)
        if view.data is None or view.partial:
            # Fields that could not be read would look empty in a form.
            raise ReadError(f"{_('This record could not be read completely.')} {view.error_message}".strip())
        return view.data
    finally:
        view.close()
