"""What a creation or update may set of a company (2.7): setters, dependencies, references, defaults, names."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import Caller
from svc_tui.interface.companies.access import exists_for, is_reserved_name, may_not_set_of
from svc_tui.interface.companies.records import CompanySettings
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import Record, field_by_wire, fields_of
from svc_tui.interface.typed_access import document_of
from svc_tui.server.companies.seen import bp_of
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.rules import Call
from svc_tui.server.store.conditions import Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: Fields that never are without a value.
_KEPT = ("name", "status")


def given(body: Record) -> Document:
    """The declared fields that were sent, as they are stored; null stands for 'none'. Unknown ones are left out."""
    known = field_by_wire(type(body))
    return {name: value for name, value in body.wire().items() if name in known}


def check_setters(
    call: Call[Any, Any],
    values: Document,
    caller: Caller,
    company: Document,
    bp: Document | None,
    *,
    creating: bool = False,
) -> None:
    """Refuse (403000) fields that the caller may not set of this company, each with who may."""
    body: type[Record] = type(call.body)
    specs = field_by_wire(body)
    features = _features(document_of(call.user))
    problems = [
        Problem(wire, reason, value if isinstance(value, (str, int, float)) else None)
        for wire, value in values.items()
        if (reason := may_not_set_of(specs[wire], caller, company, bp, features=features, creating=creating))
    ]
    if problems:
        raise Refusal(Code.ROLE_MISSING, [problem.wire() for problem in problems])


def _features(user: Document) -> frozenset[str]:
    return frozenset(str(name) for profile in user.get("profiles") or () for name in profile.get("features") or ())


def check_needs(model: type[Record], values: Document, company: Document) -> None:
    """Refuse (400000) fields that do not exist for the resulting company."""
    specs = field_by_wire(model)
    problems = [
        Problem(wire, sentence, value if isinstance(value, (str, int, float)) else None)
        for wire, value in values.items()
        if value is not None and (sentence := exists_for(specs[wire], company))
    ]
    if problems:
        raise invalid(*problems)


def defaults() -> Document:
    """What a new company has where nothing is given."""
    found = {spec.wire: spec.default for spec in fields_of(CompanySettings) if spec.default is not None}
    conditional = {spec.wire for spec in fields_of(CompanySettings) if spec.facet.needs is not None}
    return {wire: value for wire, value in found.items() if wire not in conditional}


def merged(company: Document, values: Document) -> Document:
    """The company with these values; null brings back the default. What does not exist for it any more is dropped.

    Refusal 400000 for what must have a value.
    """
    changed = dict(company)
    for wire, value in values.items():
        if value is not None:
            changed[wire] = value
        elif wire in _KEPT:
            raise invalid(Problem(wire, "must not be empty"))
        elif wire in defaults():
            changed[wire] = defaults()[wire]
        else:
            changed.pop(wire, None)
    for spec in fields_of(CompanySettings):
        if spec.wire in changed and exists_for(spec, changed):
            del changed[spec.wire]
    return changed


async def check_references(store: Store, values: Document, company: Document) -> None:
    """Refuse (400000, 400552) identifiers of what is not there or is not what the field asks for."""
    problems: list[Problem] = []
    if values.get("bpId"):
        if values["bpId"] == company["id"]:
            raise Refusal(Code.SAME_COMPANY)
        bp = await bp_of(store, values)
        if bp is None or not bp.get("isBP") or bp.get("status") == "terminated":
            problems.append(Problem("bpId", "must be a company with isBP true", values["bpId"]))
    if values.get("catalogId") and await store.catalogs.get(values["catalogId"]) is None:
        problems.append(Problem("catalogId", "is no catalog", values["catalogId"]))
    if values.get("companyContactId") and await store.users.get(values["companyContactId"]) is None:
        problems.append(Problem("companyContactId", "is no user", values["companyContactId"]))
    groups = [("defaultLicenseGroup", values.get("defaultLicenseGroup"))]
    groups += [("defaultOptionsGroups", name) for name in values.get("defaultOptionsGroups") or ()]
    for wire, name in groups:
        if name and not await store.offers.count(Is("groupName", name)):
            problems.append(Problem(wire, "is no group of offers", name))
    if values.get("isBP") is False and company.get("isBP") and await linked(store, company):
        problems.append(Problem("isBP", "must stay while companies are linked to this BP", False))
    if problems:
        raise invalid(*problems)


def check_visibility(company: Document, values: Document) -> None:
    """Refuse (403212) a visibility that this company cannot have."""
    if values.get("visibility") == "organization" and not company.get("organisationId"):
        raise Refusal(Code.VISIBILITY, "the company belongs to no organisation")


async def check_name(store: Store, company: Document) -> None:
    """Refuse a reserved name (400500) and one that another company has (400504), whatever the case."""
    name = str(company["name"])
    if is_reserved_name(name):
        raise Refusal(Code.RESERVED_NAME)
    # Two of the same name at once: the second one waits here, and then finds the first.
    await store.lock("company names")
    if await store.companies.count(Is("name", name), Not(Is("id", company["id"]))):
        raise Refusal(Code.NAME_EXISTS)


async def linked(store: Store, company: Document) -> int:
    """How many companies that are not terminated have this one as their BP."""
    return await store.companies.count(Is("bpId", company["id"]), Not(Is("status", "terminated")))
