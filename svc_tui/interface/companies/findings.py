"""Findings about a company itself, what is near a limit (2.7, 5.6, 8), and the conditions for deleting it (4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from svc_tui.interface import catalogue
from svc_tui.interface.companies.kinds import MOST_KEYS
from svc_tui.interface.data import RecordData
from svc_tui.interface.errors import Code, Effect, Finding
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.language import _, day_text

#: Fields with a limited number of entries.
_LIMITED = ("customData", "csEmailList", "csmEmailList")


def company_findings(company: RecordData) -> Iterator[Finding]:
    """All findings about a company. A field that is missing in the record decides nothing."""
    status, since = company.get("status"), _since(company)
    if status == "alerting":
        yield _finding(_("In alert{since}.").format(since=since), "limits", "status", "2.7")
    elif status == "hold":
        yield _finding(
            _("On hold{since}: its users cannot log in.").format(since=since),
            "prevents",
            "status",
            "5.6",
            Code.COMPANY_INACTIVE,
        )
    elif status == "terminated":
        yield _finding(_("Terminated{since}.").format(since=since), "prevents", "status", "3", Code.COMPANY_INACTIVE)
    elif status == "initializing":
        yield _finding(_("Not set up completely{since}.").format(since=since), "notes", "status", "2.7")
    if company.get("isBP") and "bpHasRightToSell" in company and not company.get("bpCRDid"):
        yield _finding(_("Cannot sell: it has no order system number."), "limits", "bpCRDid", "2.7")
    yield from _full(company)


def _full(company: RecordData) -> Iterator[Finding]:
    """Lists without room, or with room for one more."""
    specs = field_by_wire(catalogue.body_of("update_company"))
    for wire in _LIMITED:
        value, spec = company.get(wire), specs[wire]
        most = spec.most_items or MOST_KEYS
        if isinstance(value, dict | list) and len(value) >= most - 1:
            effect: Effect = "limits" if len(value) >= most else "notes"
            yield _finding(
                _("{label}: {value} of at most {most} entries.").format(label=spec.label, value=len(value), most=most),
                effect,
                wire,
                "8",
            )


def _since(company: RecordData) -> str:
    day = day_text(str(company.get("statusUpdatedDate") or ""))
    return _(" since {day}").format(day=day) if day else ""


def _finding(sentence: str, effect: Effect, field: str, rule: str, code: Code | None = None) -> Finding:
    return Finding(_("Company"), sentence, effect, "companies", field, rule, code)


@dataclass(frozen=True, slots=True)
class DeletionCondition:
    """A condition that blocks a deletion. A refusal names it by `param`, with the count as value.

    `kind` is the kind of record to list, and `filter` is its query parameter for the company's identifier.
    """

    param: str
    code: Code
    sentence: str
    kind: str = ""
    filter: str = ""


#: In the order of the refusal; the first condition that fails gives the error code.
CONDITIONS: tuple[DeletionCondition, ...] = (
    DeletionCondition("status", Code.IS_TERMINATED, _("the company is already terminated")),
    DeletionCondition("companies", Code.LINKED_COMPANIES, _("companies are linked to this BP"), "companies", "bpId"),
    DeletionCondition("sites", Code.HAS_SITES, _("the company has sites"), "sites", "companyId"),
    DeletionCondition(
        "subscriptions", Code.HAS_SUBSCRIPTIONS, _("the company has subscriptions"), "subscriptions", "companyId"
    ),
    DeletionCondition("users", Code.HAS_USERS, _("the company has users"), "users", "companyId"),
)
BY_PARAM: dict[str, DeletionCondition] = {condition.param: condition for condition in CONDITIONS}
