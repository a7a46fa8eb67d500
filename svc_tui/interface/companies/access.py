"""What a caller may do with a company and its fields, by the relation of the two: one function for both sides (4.4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from svc_tui.interface.access import Access, Caller, Decision, Role, Subject, access, decide, needs, reaches
from svc_tui.interface.companies.kinds import OF_COMPANY, PARTNERS
from svc_tui.interface.field_specs import FieldSpec
from svc_tui.language import _

#: Two companies always exist: they cannot be renamed or deleted, and no other company can have their names.
DEFAULT_NAME, TERMINATED_NAME = "Default", "Terminated"
RESERVED_NAMES = (DEFAULT_NAME, TERMINATED_NAME)
#: Kinds of partners that have invoices.
INVOICED = ("DR", "VAD")

LIST_COMPANIES = access(
    any=(Role.SUPERADMIN, Role.SUPPORT, Role.BUSINESS_ADMIN),
    own_company=(
        *OF_COMPANY,
        *PARTNERS,
        Role.TELEPHONY_CPAAS,
        Role.CUSTOMER_SUCCESS_ADMIN,
        Role.SALES_ANALYTICS,
    ),
    organisation=(Role.ORGANIZATION_ADMIN,),
    end_customers=PARTNERS,
    resellers=PARTNERS,
)
CREATE_COMPANY = access(any=(Role.SUPERADMIN,), end_customers=PARTNERS, organisation=(Role.ORGANIZATION_ADMIN,))
DELETE_COMPANY = access(
    any=(Role.SUPERADMIN,),
    end_customers=PARTNERS,
    organisation=(Role.ORGANIZATION_ADMIN,),
    own_company=(Role.COMPANY_ADMIN,),
)
#: Default right to set a field: superadmin for any company, an admin for their own company.
UPDATE_PLAIN = access(any=(Role.SUPERADMIN,), own_company=(*PARTNERS, Role.ORGANIZATION_ADMIN, Role.COMPANY_ADMIN))
#: Right to send an update at all; it includes roles that may set only a few fields of the companies they manage.
UPDATE_COMPANY = access(
    any=(Role.SUPERADMIN, Role.BUSINESS_ADMIN),
    own_company=(*PARTNERS, Role.ORGANIZATION_ADMIN, Role.COMPANY_ADMIN),
    end_customers=PARTNERS,
    resellers=PARTNERS,
    organisation=(Role.ORGANIZATION_ADMIN,),
)


def subject_of(company: Mapping[str, Any], bp: Mapping[str, Any] | None = None) -> Subject:
    """A company as the subject of access rules. Its BP, when given, identifies the distributor."""
    return Subject(
        company_id=str(company.get("id") or ""),
        organisation_id=str(company.get("organisationId") or ""),
        bp_id=str(company.get("bpId") or ""),
        vad_id=str((bp or {}).get("bpId") or ""),
    )


def may(
    rule: Access, caller: Caller | None, company: Mapping[str, Any], bp: Mapping[str, Any] | None = None
) -> Decision:
    """Whether the caller may do this to the company. The reserved companies are never deleted."""
    if rule is DELETE_COMPANY and is_reserved(company):
        return Decision(False, _("The company {name} cannot be deleted").format(name=company.get("name")))
    return decide(rule, caller, subject_of(company, bp))


def is_reserved(company: Mapping[str, Any]) -> bool:
    """Whether it is one of the two reserved companies, which always exist."""
    return is_reserved_name(str(company.get("name") or ""))


def is_standalone(company: Mapping[str, Any]) -> bool:
    """Whether it is neither a partner (BP) nor the customer of one."""
    return not (company.get("bpId") or company.get("isBP") or is_reserved(company))


def is_reserved_name(name: str) -> bool:
    """Whether a name belongs to a reserved company, ignoring case."""
    return name.strip().casefold() in {reserved.casefold() for reserved in RESERVED_NAMES}


def why_not_settable_in(
    spec: FieldSpec,
    caller: Caller,
    company: Mapping[str, Any],
    bp: Mapping[str, Any] | None = None,
    *,
    features: Collection[str] = (),
    creating: bool = False,
    labels: bool = False,
    subject: Subject | None = None,
) -> str:
    """Why the caller may not set this field of this company (`needs superadmin`); empty when allowed.

    `company` is the stored company (for a creation, the new one); `features` are those of the caller's profiles. With
    `labels`, conditions contain labels instead of names of the API. `subject` is the company as rights see it, where
    that is known in another way.
    """
    rule = spec.facet.within
    if rule is None:
        if creating:
            return ""
        rule = UPDATE_PLAIN
    roles = caller.roles & frozenset(rule.reaches)
    if not roles:
        return needs(rule.roles())
    subject = subject or subject_of(company, bp)
    unmet = ""
    for role in roles:
        if any(reaches(caller, reach, subject) for reach in rule.reaches[role]):
            condition = next((each for each in spec.facet.provided if each.role is role), None)
            if condition is None or condition.met(company, features):
                return ""
            unmet = spec.in_words(condition) if labels else str(condition)
    return unmet or decide(rule, caller, subject).reason


def exists_for(spec: FieldSpec, company: Mapping[str, Any]) -> str:
    """Why the field does not apply to this company (`only when isBP is true`); empty when it applies."""
    condition = spec.facet.needs
    return "" if condition is None or condition.met(company) else str(condition)
