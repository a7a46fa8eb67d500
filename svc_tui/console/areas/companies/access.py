"""Whose a company is, as access rules need to know it."""

from __future__ import annotations

from dataclasses import replace

from svc_tui.interface.access import Caller, Role, Subject
from svc_tui.interface.data import RecordData

#: Roles that see companies other than their own and those that it manages.
BROAD = frozenset({Role.SUPERADMIN, Role.SUPPORT, Role.BUSINESS_ADMIN})
PARTNERS = frozenset({Role.BP_ADMIN, Role.BP_FINANCE})


def company_subject(record: RecordData, caller: Caller) -> Subject:
    from svc_tui.interface.companies.access import subject_of

    if record.get("id") != caller.company_id and "offerType" not in record:
        # A row of the list does not say whose customer it is: that the caller sees it says that he manages it.
        record = {"bpId": caller.company_id, "organisationId": caller.organisation_id, **record}
    # What is below it may be of demo offers: whoever sees these only is shown no others.
    return replace(subject_of(record, managing_partner(record, caller)), is_demo=True)


def managing_partner(record: RecordData, caller: Caller) -> RecordData | None:
    """The partner of a company, as far as it is known: a distributor sees others only as customers of his resellers."""
    others = record.get("bpId") not in (None, "", caller.company_id) and record.get("id") != caller.company_id
    return {"bpId": caller.company_id} if others and caller.roles & PARTNERS and not caller.roles & BROAD else None
