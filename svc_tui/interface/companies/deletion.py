"""Conditions for deleting a company (4.4): what each one counts, its error code, and where to resolve it."""

from __future__ import annotations

from dataclasses import dataclass

from svc_tui.interface.errors import Code
from svc_tui.language import _


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
