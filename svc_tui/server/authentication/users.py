"""Users, for their administrators (2.4, 2.6)."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.interface.access import ADMIN_TYPES, Role
from svc_tui.interface.authentication import users as declared
from svc_tui.interface.authentication.users import OwnUserQuery, User, UserQuery
from svc_tui.interface.envelopes import FormatQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import document_of
from svc_tui.server.reach import company_subject, user_subject, users_within
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.request_values import checked_id, known_values
from svc_tui.server.rules import AnyCall, Call, RuleResult, documents_page, page_of, rule
from svc_tui.server.security.guard import state_of
from svc_tui.server.store.conditions import AnyOf, Condition, Contains, ContainsAny, In, Is, Not
from svc_tui.server.store.tables import Document

#: In user records the three administrator types are the role `admin`, with the type in `adminType`.
_ADMIN = "admin"


@rule(declared.list_users)
async def list_users(call: Call[UserQuery]) -> RuleResult:
    query = call.query
    where: list[Condition] = [users_within(call.reached, call.known_caller), _with_roles(query.roles or "user")]
    where.append(Is("isTerminated", True) if query.is_terminated else Not(Is("isTerminated", True)))
    if query.company_id:
        where.append(await _of_company(call, query.company_id))
    for param, id in (("organisationId", query.organisation_id), ("siteId", query.site_id)):
        if id:
            where.append(Is(param, checked_id(param, id)))
    if query.login_email:
        where.append(Is("loginEmail", query.login_email))
    for field, part in (
        ("displayName", query.display_name),
        ("loginEmail", query.search_email),
        ("companyName", query.company_name),
    ):
        if part:
            where.append(Contains(field, part))
    of_company = any(isinstance(part, Is) and part.field == "companyId" for part in where)
    if query.sort_field == "isTerminated" or (query.sort_field == "companyName" and of_company):
        # All users of the list have the same value, and users with the same value are in the order of the list.
        query = query.model_copy(update={"sort_field": query.DEFAULT_SORT})
    if query.format != "full":
        return await page_of(call, call.store.users, User, query, *where)
    page = await documents_page(call, call.store.users, User, query, *where)
    return {**page, "data": await _with_login_state(call, page["data"])}


@rule(declared.get_user)
async def get_user(call: Call[FormatQuery]) -> RuleResult:
    user = await call.store.users.get(call.path["userId"])
    if user is None:
        raise not_found("User", call.path["userId"])
    call.require(await user_subject(call.store, user))
    if call.query.format != "full":
        return {"data": User.answered(user, call.query.format)}
    return {"data": await in_full(call, user)}


async def in_full(call: AnyCall, user: Document) -> Document:
    """A user as administrators read it in full."""
    return (await _with_login_state(call, [User.answered(user, "full")]))[0]


async def _with_login_state(call: AnyCall, users: Sequence[Document]) -> list[Document]:
    """Users with the reasons why a login fails, which only administrators read."""
    found = await call.store.login_guards.find(In("id", tuple(user["id"] for user in users)))
    guards = {each["id"]: each for each in found.documents}
    return [{**user, **state_of(guards.get(user["id"]), call.now)} for user in users]


@rule(declared.get_user_as_user)
async def get_user_as_user(call: Call[OwnUserQuery]) -> RuleResult:
    own_id(call)
    return {"data": User.answered(document_of(call.user), call.query.format)}


def own_id(call: AnyCall) -> str:
    """The id of the caller, who must be the user in the path. Refusal 403100 for another user."""
    if call.path["userId"] != call.user.id:
        raise Refusal(Code.NOT_SAME_USER)
    return call.user.id


async def _of_company(call: Call[UserQuery], id: str) -> Condition:
    company = await call.store.companies.get(checked_id("companyId", id))
    if company is None:
        raise not_found("Company", id)
    call.require(company_subject(company))
    return Is("companyId", id)


def _with_roles(text: str) -> Condition:
    """Users with at least one of these comma-separated roles. Refusal 400000 for an unknown role."""
    words = known_values("roles", text, (*(role.value for role in Role), _ADMIN))
    types = [word for word in words if word in ADMIN_TYPES]
    plain = [word for word in words if word not in ADMIN_TYPES]
    return AnyOf((ContainsAny("roles", plain), *(Is("adminType", each) for each in types)))
