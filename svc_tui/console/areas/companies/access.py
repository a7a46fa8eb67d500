"""The partner of a company, who may reach it, and whether it is read-only: for access rules."""

from __future__ import annotations

from dataclasses import replace

from svc_tui.interface.access import Caller, Role, Subject
from svc_tui.interface.companies import access
from svc_tui.interface.data import RecordData
from svc_tui.language import _

#: Roles that see companies beyond their own and the ones that it manages.
BROAD = frozenset({Role.SUPERADMIN, Role.SUPPORT, Role.BUSINESS_ADMIN})
PARTNERS = frozenset({Role.BP_ADMIN, Role.BP_FINANCE})


def company_subject(record: RecordData, caller: Caller) -> Subject:
    if record.get("id") != caller.company_id and "offerType" not in record:
        # A row of the list does not name its partner; a caller who gets it manages it.
        record = {"bpId": caller.company_id, "organisationId": caller.organisation_id, **record}
    # Records below it may belong to demo offers; callers limited to demo offers get no others.
    return replace(access.subject_of(record, managing_partner(record, caller)), is_demo=True)


def terminated(record: RecordData) -> str:
    """Why a company is read-only; empty if it is not."""
    return _("the company is terminated") if record.get("status") == "terminated" else ""


def managing_partner(record: RecordData, caller: Caller) -> RecordData | None:
    """The partner of a company, as far as known: a distributor gets other companies only through its resellers."""
    others = record.get("bpId") not in (None, "", caller.company_id) and record.get("id") != caller.company_id
    return {"bpId": caller.company_id} if others and caller.roles & PARTNERS and not caller.roles & BROAD else None
