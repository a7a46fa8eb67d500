"""Every field of every record, for every role and relation to the record, against the table of who reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from svc_tui.interface.access import Caller, Role
from svc_tui.interface.catalogue import operations
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.field_specs import field_by_wire, fields_of, records_in
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.readers import Whose, guard_for
from svc_tui.interface.records import Record
from svc_tui.server.readers import Readers, listed_record
from tests.interface.specification_readers import everyone, limited
from tests.server.access.specified_access import ROLES
from tests.support.world import World

EVERYONE, LIMITED = everyone(), limited()

OWN, CUSTOMER, RESOLD, RESELLER, PARTNER, GROUP, STRANGER = (f"{digit}c" * 12 for digit in "1234567")
ORGANISATION, SITE, CALLER, OTHER = (f"{digit}d" * 12 for digit in "1234")
#: How a record is related to the caller, and whose it is.
RELATIONS = {
    "own_company": Whose(company_id=OWN),
    "end_customers": Whose(company_id=CUSTOMER),
    "resellers": Whose(company_id=RESOLD),
    "organisation": Whose(company_id=GROUP),
    "own_bp": Whose(company_id=PARTNER),
    "site": Whose(company_id=STRANGER, site_ids=(SITE,)),
    "own": Whose(company_id=STRANGER, user_id=CALLER),
    "stranger": Whose(company_id=STRANGER, user_id=OTHER),
}


def records() -> list[tuple[type[Record], AnyOperation]]:
    """Each record in a response, at any depth, with an operation that returns it."""
    found: dict[type[Record], AnyOperation] = {}

    def walk(annotation: Any, operation: AnyOperation) -> None:
        for model, _ in records_in(annotation):
            if model not in found:
                found[model] = operation
                for spec in fields_of(model):
                    walk(spec.annotation, operation)

    for operation in operations():
        walk(operation.result, operation)
    envelopes = {"Done", "Page", "Plain", "Single"}
    return [(model, operation) for model, operation in found.items() if model.__name__.split("[")[0] not in envelopes]


RECORDS = records()
#: The same with the operations that return fields which others do not.
ONLY = [
    (model, next(each for each in operations() if each.id == operation))
    for model, _ in RECORDS
    for operation in sorted(
        {id for (record, _), (_, only) in LIMITED.items() if record == model.__name__ for id in only or ()}
    )
]


def test_the_table_names_each_field_of_each_record() -> None:
    declared = {model.__name__: {spec.wire for spec in fields_of(model)} for model, _ in RECORDS}
    named: dict[str, set[str]] = {name: set(fields) for name, fields in EVERYONE.items()}
    for record, field in LIMITED:
        assert field not in named.get(record, ()), f"{record}.{field} is in both tables"
        named.setdefault(record, set()).add(field)
    missing = {f"{name}.{field}" for name, fields in declared.items() for field in fields - named.get(name, set())}
    assert not missing, f"say in tests/interface/specification_readers.py who reads {sorted(missing)}"
    assert named == declared, "the table names fields that are not declared"


def test_no_limited_field_is_promised_in_each_response() -> None:
    assert not [
        (model.__name__, wire) for model, _ in RECORDS for wire in model.ALWAYS if (model.__name__, wire) in LIMITED
    ]


@pytest.fixture
async def estate(world: World) -> World:
    for id, fields in {
        OWN: {"bpId": PARTNER},
        CUSTOMER: {"bpId": OWN},
        RESELLER: {"bpId": OWN},
        RESOLD: {"bpId": RESELLER},
        PARTNER: {},
        GROUP: {"organisationId": ORGANISATION},
        STRANGER: {},
    }.items():
        await world.company(id, name=f"Company {id}", **fields)
    return world


async def test_each_role_reads_exactly_the_fields_of_the_table(estate: World) -> None:
    faults: list[str] = []
    async with estate.service.database.unit() as store:
        for role in Role:
            caller = Caller(CALLER, frozenset({role}), OWN, ORGANISATION, SITE)
            for model, operation in [*RECORDS, *ONLY]:
                readers = Readers(caller, store, operation)
                document = {spec.wire: "a value" for spec in fields_of(model)}
                for relation, whose in RELATIONS.items():
                    seen = set(await readers.of_record(model, document, whose))
                    for field in sorted(seen ^ _expected(model, operation.id, str(role), relation)):
                        says = "reads" if field in seen else "does not read"
                        faults.append(f"{role} {says} {model.__name__}.{field} of {relation} ({operation.id})")
    assert not faults, "\n".join(faults[:20])


def _expected(model: type[Record], operation: str, role: str, relation: str) -> set[str]:
    name = model.__name__
    return set(EVERYONE.get(name, ())) | {
        field
        for (record, field), (readers, only) in LIMITED.items()
        if record == name
        and (only is None or operation in only)
        and (readers is None or {"any", relation} & readers.get(role, frozenset()))
    }


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.id)
def test_fields_of_some_operations_are_in_no_other_response(operation: AnyOperation) -> None:
    for role in ROLES:
        guard = guard_for(operation.result, operation.id, frozenset({Role(role)}))
        for model, _ in records_in(operation.result):
            for name, withheld in _withheld(model, guard):
                for (record, field), (_, only) in LIMITED.items():
                    if record == name and only is not None and operation.id not in only:
                        assert field in withheld, f"{operation.id} returns {name}.{field}"


#: Parameters of reads that choose something else than the records by their fields.
NO_FIELDS = {
    "format limit offset sortField sortOrder dateType view": "the form of the list",
    "selectedThemeObj ldapConfigId showActiveGuardian": "the form of a record",
    "offerId offerCanBeSold offerGroupName type bpType": "records that these are linked to",
    "organisationIds companyIds systemIds siteIds companyId": "whose records",
    "isAssignedToGroup isAssignedToAutoAttendant fileType": "nothing that this service stores",
}


def test_each_filter_of_a_list_names_the_fields_that_it_compares() -> None:
    known = {name for names in NO_FIELDS for name in names.split()}
    for operation in operations():
        model = listed_record(operation.result)
        if model is None or not issubclass(operation.query, ListQuery):
            continue
        for spec in fields_of(operation.query):
            compared = set(spec.facet.filters) or {spec.wire}
            is_known = compared <= set(field_by_wire(model)) or (spec.wire in known and not spec.facet.filters)
            assert is_known, f"{operation.id}: say in `filters` which fields {spec.wire} compares"


def _withheld(annotation: Any, guard: Any) -> Iterator[tuple[str, frozenset[str]]]:
    """Each record in a response, with the fields that are withheld from it."""
    for model, _ in records_in(annotation):
        yield model.__name__, guard.withheld if guard else frozenset()
        inner = dict(guard.inner) if guard else {}
        for spec in fields_of(model):
            guards = {each.model: each for each in inner[spec.wire].guards} if spec.wire in inner else {}
            for below, _named in records_in(spec.annotation):
                yield from _withheld(below, guards.get(below))
