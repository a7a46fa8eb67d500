"""The conditions of deleting a company (4.4): what each one counts, its code, and where to go to meet it."""

from __future__ import annotations

from dataclasses import dataclass

from svc_tui.interface.errors import Code


@dataclass(frozen=True, slots=True)
class Condition:
    """What stands in the way of a deletion. `param` names it in a refusal, whose value is how many there are.

    `kind` is the kind of record to look at and `filter` its parameter that takes the company's identifier.
    """

    param: str
    code: Code
    sentence: str
    kind: str = ""
    filter: str = ""


#: In the order in which they are told; the first that fails gives the refusal its code.
CONDITIONS: tuple[Condition, ...] = (
    Condition("status", Code.IS_TERMINATED, "the company is terminated already"),
    Condition("companies", Code.LINKED_COMPANIES, "companies are linked to this BP", "companies", "bpId"),
    Condition("sites", Code.HAS_SITES, "the company has sites", "sites", "companyId"),
    Condition("subscriptions", Code.HAS_SUBSCRIPTIONS, "the company has subscriptions", "subscriptions", "companyId"),
    Condition("users", Code.HAS_USERS, "the company has users", "users", "companyId"),
)
BY_PARAM: dict[str, Condition] = {condition.param: condition for condition in CONDITIONS}
