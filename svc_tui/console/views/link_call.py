"""The request for the target of a link, without opening it."""

from __future__ import annotations

from svc_tui.console.core.call_line import CommandCall
from svc_tui.console.core.places import Link
from svc_tui.console.core.record_source import list_request, order_query
from svc_tui.console.core.resource import Resource
from svc_tui.console.views.list_filter import filter_columns
from svc_tui.workspace.lists.filters import parse
from svc_tui.workspace.workspace import Workspace


def call_of(link: Link, resource: Resource, workspace: Workspace) -> CommandCall | None:
    """The request for the list or record of a link; None where a record above it is chosen first."""
    place, kind = link.place, resource.kind
    if resource.missing(place):
        return None
    if place.record_id and resource.list != kind.get:
        return CommandCall(kind.get, resource.path_at(place, workspace.caller, place.record_id))
    filtered = parse(link.filter, kind, filter_columns(resource.display.columns))
    path, query = list_request(resource, place, workspace)
    order = order_query(link.sort, link.descending)
    query = {**filtered.text_query, **query, **order, **filtered.query_with(link.where), **resource.query_at(place)}
    return CommandCall(resource.list, path, query, filtered=filtered.predicate is not None)
