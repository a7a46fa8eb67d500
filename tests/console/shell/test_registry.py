"""One registry of actions and resources: every name in it leads somewhere."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from svc_tui.console.core.resource import Context
from svc_tui.console.shell.registry import registry
from svc_tui.console.shell.resources import ALL, AREAS, BY_NAME, find, nearest, places_for
from svc_tui.interface.catalogue import operation, query_of, record_of
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.server.store.tables import DOCUMENT_TABLES


def _context(kind: str) -> Context:
    view = SimpleNamespace(kind="list")
    return Context(cast("Any", None), cast("Any", None), cast("Any", view), BY_NAME[kind], {"id": "1"})


def test_every_operation_that_a_resource_or_action_names_is_declared() -> None:
    for resource in ALL:
        for name in (resource.kind.list, resource.kind.get, resource.create, resource.update, resource.delete):
            assert not name or operation(name).id == name
    for action in registry():
        # A special view chooses its operation itself.
        for kind in [action.resource] if action.resource in BY_NAME else [] if action.resource else BY_NAME:
            name = action.operation_id(_context(kind))
            assert not name or operation(name).id == name, action.name


def test_a_change_of_the_selected_record_alone_needs_that_no_other_is_marked() -> None:
    forms = {"cloudpbxs.edit", "officehours.week"}
    on_a_copy = {
        "new_like",
        "templates.copy",
        "offers.subscribe",
        "quote",
        "applications.oauth_change",
        "companies.document",
        "report-seats.lower",
    }
    selected = {action.name for action in registry() if action.needs == "record" and action.group == "Change"}
    assert selected == forms | on_a_copy


def test_every_line_of_the_start_page_leads_to_a_place() -> None:
    lines = [*(item for area in AREAS for item in area.attention), *(task for area in AREAS for task in area.tasks)]
    assert {line.place for line in lines} <= set(BY_NAME)


def test_every_column_is_a_field_of_its_record() -> None:
    for resource in ALL:
        record = record_of(resource.kind.get)
        if record is None:
            assert not resource.display.columns, resource.name
            continue
        for column in resource.display.columns:
            declared = column.field.partition(".")[0] in field_by_wire(record)
            assert declared or column.of or column.looks_up, (resource.name, column.field)


def test_every_order_of_a_column_is_one_that_the_service_has() -> None:
    tables = {name.replace("_", ""): table for name, table in DOCUMENT_TABLES.items()}
    for resource in ALL:
        table = tables.get(resource.name)
        if table is not None and "sortField" in field_by_wire(query_of(resource.kind.list)):
            fields = {column.sort_field for column in resource.display.columns if column.sort_field}
            left = fields - {*table.keys, "id"}
            assert not left, f"{resource.name}: a sort_field needs a Key in server/store/tables.py: {sorted(left)}"


def test_every_filter_that_is_served_is_a_parameter_of_the_list_operation() -> None:
    for resource in ALL:
        if resource.list:
            query = field_by_wire(operation(resource.list).query)
            for served in resource.kind.server_filters.values():
                assert served.parameter in query
            assert set(resource.query) <= set(query)
            assert set(resource.placement.parents.values()) <= set(query)


def test_path_parameters_of_a_resource_are_those_of_its_operations() -> None:
    for resource in ALL:
        given = {*resource.placement.path, resource.kind.parameter} - {""}
        looked_up = resource.kind.get == resource.kind.list and not resource.placement.only
        asked = set(operation(resource.update if looked_up and resource.update else resource.kind.get).parameters)
        # What is looked up in its list can have a parameter that no operation asks for.
        assert asked == (given & asked if looked_up else given), resource.name


def test_a_resource_is_found_by_name_alias_or_unique_beginning() -> None:
    assert find("apps") is find("applications") is find("applic")
    assert find("nothing") is None
    assert find("") is None


def test_every_action_has_a_label_and_a_line_of_help() -> None:
    for action in registry():
        assert action.label, action.name
        assert action.help, action.name
        assert len(action.help) < 90, action.name


def test_a_place_is_found_by_its_name_by_a_word_of_its_title_and_mistyped() -> None:
    assert places_for("") == [resource.name for resource in ALL if resource.report is None]
    assert places_for("idle") == ["report-licences"]
    assert places_for("sub")[:2] == ["subscriptions", "subscribers"]
    assert places_for("due") == ["overview"]
    assert places_for("phone n") == ["ddis", "subscribers"]
    assert all(find(alias) is BY_NAME["users"] for alias in BY_NAME["users"].aliases)
    assert nearest("compnies") == "companies"
    assert nearest("nonsense") == ""


def test_no_two_places_have_the_same_name() -> None:
    names = [each.place_name or each.title for each in ALL]
    assert sorted(names) == sorted(set(names))
