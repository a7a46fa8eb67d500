"""The kinds of all areas agree with the declared operations and records."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import svc_tui.workspace.kinds
from svc_tui.interface.access import OWN_COMPANY_ONLY, Reach
from svc_tui.interface.catalogue import operation, operations
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.workspace.kinds.kind import fields_of
from svc_tui.workspace.kinds.registry import AREAS, KINDS, SEARCH_RULES, kind_of

#: Modules of the package that are not of an area.
GENERAL = {"__init__", "kind", "registry", "search_rule"}


def test_every_area_module_is_registered() -> None:
    folder = Path(next(iter(svc_tui.workspace.kinds.__path__)))
    assert {path.stem for path in folder.glob("*.py")} - GENERAL == set(AREAS)


def test_no_two_areas_declare_the_same_kind() -> None:
    declared = [kind for area in AREAS for kind in import_module(f"svc_tui.workspace.kinds.{area}").KINDS]
    assert len(declared) == len(KINDS)


def test_an_operation_belongs_to_one_kind_that_is_not_derived() -> None:
    owners: dict[str, str] = {}
    for kind in KINDS.values():
        for operation_id in {kind.list, kind.get} if not kind.derived else ():
            assert owners.setdefault(operation_id, kind.name) == kind.name


def test_kinds_that_a_change_affects_exist() -> None:
    assert {name for kind in KINDS.values() for name in kind.affects} <= set(KINDS)


def test_operations_fields_and_filters_of_a_kind_are_declared() -> None:
    creating = {each.creates: each for each in operations() if each.creates}
    for kind in KINDS.values():
        listing, getting = operation(kind.list), operation(kind.get)
        # Some are looked up in their list, some are made of records of another kind.
        if listing is not getting and kind_of(kind.get) is kind:
            assert getting.path.startswith(creating.get(kind.name, listing).path + "/"), kind.name
            assert kind.parameter == getting.parameters[-1]
        assert kind.id in fields_of(kind)
        for column, server_filter in kind.server_filters.items():
            # Without a column the service searches several of them.
            assert not column or column in fields_of(kind), (kind.name, column)
            assert server_filter.parameter in field_by_wire(listing.query), (kind.name, server_filter)


def test_a_change_of_a_record_declares_the_kind_of_the_record_and_what_reverses_it() -> None:
    own = {
        kind.name: operation(kind.get).path for kind in KINDS.values() if kind.parameter and kind_of(kind.get) is kind
    }
    for each in operations():
        assert [each.creates, each.updates, each.deletes].count("") >= 2, each.id
        above = {name for name, path in own.items() if f"{each.path}/".startswith(f"{path}/")}
        if each.reads or not each.changed_kind:
            # Only to read, or about something that no list shows.
            assert each.reads or not above or each.id == "set_bot_company_avatar", each.id
            continue
        kind = KINDS[each.changed_kind]
        if each.creates:
            assert kind.parameter not in each.parameters, each.id
        elif kind.parameter and each.id != "delete_recordings":
            assert kind.parameter in each.parameters, each.id
        if each.undone_by:
            opposite = operation(each.undone_by)
            assert (opposite.changed_kind, opposite.path.split("/{")[0]) == (kind.name, each.path.split("/{")[0])
            assert opposite.undone_by == each.id


def test_operations_fields_and_parameters_of_a_search_rule_are_declared() -> None:
    for rule in SEARCH_RULES:
        kind = KINDS[rule.kind]
        listing, fields = operation(kind.list), fields_of(kind)
        parameters = field_by_wire(listing.query)
        followed = {follow.parameter for follow in rule.follows if follow.parameter}
        queried = {name for query in rule.queries for name in query}
        assert {*rule.asks.values(), *queried, *followed} <= set(parameters), rule.kind
        assert not rule.together or rule.together in parameters
        assert ("sortField" in parameters) >= bool(rule.sorted_by)
        names = {name for held in rule.holds.values() for name in held} | set(rule.shows)
        assert {name.partition(".")[0] for name in names} <= set(fields), rule.kind
        assert set(rule.sorted_by.values()) <= set(fields)
        above = KINDS[rule.within].parameter if rule.within and not rule.together else ""
        assert list(listing.parameters) == [above] * bool(above), rule.kind
        if rule.within_query:
            assert set(rule.within_query) <= set(field_by_wire(operation(KINDS[rule.within].list).query))


def test_records_that_a_search_rule_follows_have_the_fields_that_it_takes() -> None:
    for rule in SEARCH_RULES:
        for follow in rule.follows:
            taken = {follow.takes, follow.same} - {""}
            assert taken <= set(fields_of(KINDS[follow.kind])), (rule.kind, follow.kind)
            assert not follow.field or follow.field in fields_of(KINDS[rule.kind])


def test_every_kind_is_found_by_one_search_rule() -> None:
    kinds = [rule.kind for rule in SEARCH_RULES]
    assert len(kinds) == len(set(kinds))
    assert {rule.instead for rule in SEARCH_RULES} <= {"", *kinds}


def test_roles_of_one_company_list_no_records_of_another() -> None:
    beyond = {Reach.ANY, Reach.END_CUSTOMERS, Reach.ORGANISATION, Reach.RESELLERS}
    for kind in KINDS.values():
        assert not operation(kind.list).who.of(OWN_COMPANY_ONLY) & beyond, kind.name
