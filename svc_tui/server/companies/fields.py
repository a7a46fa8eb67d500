"""Checks of the fields in a creation or update of a company (2.7): setters, dependencies, references, names."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import Caller
from svc_tui.interface.companies.access import exists_for, is_reserved_name, why_not_settable_in
from svc_tui.interface.companies.records import CompanySettings
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import field_by_wire, fields_of
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.request_values import with_values
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany, StoredProfile, StoredUser

#: Fields that always have a value.
_REQUIRED = ("name", "status")


def check_setters(
    call: AnyCall,
    values: Document,
    caller: Caller,
    company: StoredCompany,
    bp: StoredCompany | None,
    *,
    creating: bool = False,
) -> None:
    """Refuse (403000) fields that the caller may not set for this company, each with the required roles."""
    body: type[Record] = type(call.body)
    specs = field_by_wire(body)
    features, current, partner = _features(call.user), document_of(company), document_of(bp)
    problems = [
        Problem(wire, reason, _plain(value))
        for wire, value in values.items()
        if (reason := why_not_settable_in(specs[wire], caller, current, partner, features=features, creating=creating))
    ]
    if problems:
        raise Refusal(Code.ROLE_MISSING, [problem.wire() for problem in problems])


def _features(user: StoredUser) -> frozenset[str]:
    profiles = all_typed(StoredProfile, user.profiles or ())
    return frozenset(name for profile in profiles for name in profile.features or ())


def _plain(value: Any) -> Any:
    """A value for a refusal; None for lists and objects."""
    return value if isinstance(value, (str, int, float)) else None


def check_needs(model: type[Record], values: Document, company: StoredCompany) -> None:
    """Refuse (400000) fields that do not apply to the resulting company."""
    specs = field_by_wire(model)
    problems = [
        Problem(wire, sentence, _plain(value))
        for wire, value in values.items()
        if value is not None and (sentence := exists_for(specs[wire], document_of(company)))
    ]
    if problems:
        raise invalid(*problems)


def defaults() -> Document:
    """The defaults of a new company."""
    values = {spec.wire: spec.default for spec in fields_of(CompanySettings) if spec.default is not None}
    conditional = {spec.wire for spec in fields_of(CompanySettings) if spec.facet.needs is not None}
    return {wire: value for wire, value in values.items() if wire not in conditional}


def merged(company: StoredCompany, values: Document) -> StoredCompany:
    """The company with these values; null restores the default. Fields that no longer apply are removed.

    Refusal 400000 for null in a required field.
    """
    changed = with_values(document_of(company), values, defaults=defaults(), required=_REQUIRED)
    for spec in fields_of(CompanySettings):
        if spec.wire in changed and exists_for(spec, changed):
            del changed[spec.wire]
    return typed(StoredCompany, changed)


async def check_references(store: Store, values: Document, company: StoredCompany) -> None:
    """Refuse (400000, 400552) identifiers of missing or unsuitable records."""
    sent = typed(CompanySettings, values)
    problems: list[Problem] = []
    if sent.bp_id:
        if sent.bp_id == company.id:
            raise Refusal(Code.SAME_COMPANY)
        bp = typed(StoredCompany, await store.companies.get(sent.bp_id))
        if bp is None or not bp.is_bp or bp.status == "terminated":
            problems.append(Problem("bpId", "must be a partner (BP)", sent.bp_id))
    if sent.catalog_id and await store.catalogs.get(sent.catalog_id) is None:
        problems.append(Problem("catalogId", "is not a catalog", sent.catalog_id))
    if sent.company_contact_id and await store.users.get(sent.company_contact_id) is None:
        problems.append(Problem("companyContactId", "is not a user", sent.company_contact_id))
    groups = [("defaultLicenseGroup", sent.default_license_group)]
    groups += [("defaultOptionsGroups", name) for name in sent.default_options_groups or ()]
    for wire, name in groups:
        if name and not await store.offers.count(Is("groupName", name)):
            problems.append(Problem(wire, "is not a group of offers", name))
    if sent.is_bp is False and company.is_bp and await count_linked(store, company.id):
        problems.append(Problem("isBP", "cannot be false while companies are linked to this partner (BP)", False))
    if problems:
        raise invalid(*problems)


def check_visibility(company: StoredCompany, values: Document) -> None:
    """Refuse (403212) a visibility that this company cannot have."""
    if typed(CompanySettings, values).visibility == "organization" and not company.organisation_id:
        raise Refusal(Code.VISIBILITY, "the company does not belong to an organisation")


async def check_name(store: Store, company: StoredCompany) -> None:
    """Refuse a reserved name (400500) and the name of another company (400504), ignoring case."""
    if is_reserved_name(company.name):
        raise Refusal(Code.RESERVED_NAME)
    # Of two simultaneous requests with the same name, the second waits here and then finds the first.
    await store.lock("company names")
    if await store.companies.count(Is("name", company.name), Not(Is("id", company.id))):
        raise Refusal(Code.NAME_EXISTS)


async def count_linked(store: Store, partner_id: str) -> int:
    """How many companies that are not terminated are linked to this partner (BP)."""
    return await store.companies.count(Is("bpId", partner_id), Not(Is("status", "terminated")))
