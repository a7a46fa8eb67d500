"""Requests of places and links: the operation that reads a record, or its list; and the declared fields of a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.call_line import CommandCall
from svc_tui.console.core.places import Link, Place
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface import catalogue
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.filters import Filter, parse
from svc_tui.workspace.lists.listed_record import ListedRecord
from svc_tui.workspace.lists.matching import FilterColumn
from svc_tui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from svc_tui.interface.field_specs import FieldSpec
    from svc_tui.workspace.lists.open_record import OpenRecord


def record_at(
    resource: Resource, place: Place, workspace: Workspace, path: Mapping[str, str] | None = None
) -> OpenRecord | ListedRecord:
    """The source of the record at a place: the operation that reads one, otherwise its list.

    `path` are the path parameters if they differ from those of the place.
    """
    if path is None:
        record_id = "" if resource.placement.only else place.record_id
        path = resource.path_at(place, workspace.caller, record_id)
    if resource.list != resource.kind.get:
        return workspace.record(resource.kind.get, path=path)
    query = list_request(resource, Link(place), workspace).query
    return ListedRecord(workspace.listing(resource.list, path=path, query=query), place.record_id)


@dataclass(frozen=True)
class ListRequest:
    """The request for a list: path and query, and the filter with the terms that the service does not apply."""

    path: dict[str, str]
    query: dict[str, Any]
    filtered: Filter

    @property
    def nearest_query(self) -> dict[str, Any]:
        """The query with what the service can come nearest to."""
        return {**self.filtered.text_query, **self.query}


def list_request(resource: Resource, link: Link, workspace: Workspace, *, cached: bool = False) -> ListRequest:
    """The request for the list of a link. `cached`: the service does not filter, rows in the cache are searched."""
    kind = replace(resource.kind, server_filters={}, period_filters={}) if cached else resource.kind
    filtered = parse(link.filter, kind, filter_columns(resource.display.columns))
    order = {"sortField": link.sort, "sortOrder": -1 if link.descending else 1} if link.sort else {}
    # The parents come last, so that no filter can replace them.
    # Groups of companies are those of this profile: the service does not know them.
    where = {name: value for name, value in link.where.items() if name != "group"}
    query = {**resource.query, **filtered.query_with(where), **order, **resource.query_at(link.place)}
    return ListRequest(resource.path_at(link.place, workspace.caller), query, filtered)


def as_opened(resource: Resource, link: Link, workspace: Workspace) -> Link:
    """A link with the order in which its list opens: its own, the last one that was chosen, or that of the resource."""
    if link.sort:
        return link
    kept = workspace.preferences.of(resource.name)
    field, down = (kept.sort, kept.descending) if kept.sort else (resource.sort, resource.descending)
    return replace(link, sort=field, descending=down)


def call_of_link(link: Link, resource: Resource, workspace: Workspace) -> CommandCall | None:
    """The request for the list or record of a link; None where a record above it is chosen first."""
    place, kind = link.place, resource.kind
    if resource.missing(place):
        return None
    if place.record_id and resource.list != kind.get:
        return CommandCall(kind.get, resource.path_at(place, workspace.caller, place.record_id))
    asked = list_request(resource, as_opened(resource, link, workspace), workspace)
    return CommandCall(resource.list, asked.path, asked.nearest_query, filtered=asked.filtered.predicate is not None)


def filter_columns(columns: Sequence[Column]) -> list[FilterColumn]:
    """The columns of a list as a filter searches them: their values, and their texts on the screen."""
    return [
        FilterColumn(
            column.field,
            column.title,
            column.words,
            column.value,
            {value: word for value, (word, _) in column.state.items() if isinstance(value, str)},
        )
        for column in columns
        # What is read only for the rows on the screen cannot choose among all of them.
        if column.looks_up is None
    ]


def specs_of(resource: Resource) -> Sequence[FieldSpec]:
    """The declared fields of a resource's records, including those of an object that its bodies contain flat."""

    record = catalogue.record_of(resource.kind.get)
    specs = [spec for spec in fields_of(record) if _is_read(spec)] if record else []
    inner = next((spec for spec in specs if resource.kind.nested and spec.wire == resource.kind.nested), None)
    if inner is None or inner.record is None:
        return specs
    return [*(spec for spec in specs if spec is not inner), *fields_of(inner.record)]


def _is_read(spec: FieldSpec) -> bool:
    """Whether a field is in a response to a read: of one record or of a list, from which a record can be opened."""
    only_in = spec.facet.only_in
    return only_in is None or any(catalogue.operation(each).method == "GET" for each in only_in)


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
