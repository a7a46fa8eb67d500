"""Fields of users in a creation or update (2.4): what is stored, and what the caller may not set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from svc_tui.interface.access import ADMIN_TYPES, Reach, Role, roles_of
from svc_tui.interface.authentication.user_changes import (
    ADMIN,
    BP_ROLES,
    DECISIVE,
    NEW_USER,
    STATE_COUNTRIES,
    UserUpdate,
    why_not_given,
)
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.telephone_numbers import e164
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.request_values import checked_id, unavailable, with_values
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import AnyOf, Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany, StoredUser

#: Fields that always have a value.
REQUIRED = ("loginEmail", "firstName", "lastName", "companyId", "password")
#: The fields by which a user is recognised at a login.
_LOGINS = ("loginEmail", "authenticationExternalUid")


def changed_user(before: Document, values: Document, company: StoredCompany) -> StoredUser:
    """The user with these values, which are not those of a password. Null restores the default.

    Refusal 400000 for values that contradict each other, 400210 for a telephone number that is none.
    """
    changed = with_values(before, values, defaults=NEW_USER, required=REQUIRED)
    _settle_administrator(changed, values)
    _settle_state(changed, values)
    if "phoneNumbers" in values:
        kept = [each for each in before.get("phoneNumbers") or () if each.get("isFromSystem")]
        changed["phoneNumbers"] = [*kept, *_numbers(values["phoneNumbers"] or (), changed, company)]
    if any(changed.get(wire) != before.get(wire) for wire in ("firstName", "lastName")):
        changed["displayName"] = f"{changed['firstName']} {changed['lastName']}"
    return typed(StoredUser, changed)


def _settle_administrator(changed: Document, values: Document) -> None:
    sent = values.get("adminType")
    if ADMIN not in changed["roles"]:
        if sent in ADMIN_TYPES:
            raise invalid(Problem("adminType", f"needs the role {ADMIN}", sent))
        changed["adminType"] = NEW_USER["adminType"]
    elif changed.get("adminType") not in ADMIN_TYPES:
        raise invalid(Problem("adminType", f"is required with the role {ADMIN}"))


def _settle_state(changed: Document, values: Document) -> None:
    sent = {"country": changed.get("country"), "state": values.get("state")}
    if problems := unavailable(UserUpdate, sent):
        raise invalid(*problems)
    if changed.get("country") not in STATE_COUNTRIES:
        changed.pop("state", None)


def _numbers(sent: Iterable[Document], user: Document, company: StoredCompany) -> list[Document]:
    found: list[Document] = []
    problems: list[Problem] = []
    for place, each in enumerate(sent):
        country = each.get("country") or user.get("country") or company.country
        try:
            number = e164(each["number"], country)
        except ValueError as error:
            problems.append(Problem(f"phoneNumbers.{place}.number", str(error), each["number"]))
        else:
            types = {"type": "work", "deviceType": "landline", "isVisibleByOthers": True}
            found.append({**types, **each, **({"country": country} if country else {}), "numberE164": number})
    if problems:
        raise Refusal(Code.INVALID_NUMBER, [problem.wire() for problem in problems])
    return found


def check_roles(call: AnyCall, before: StoredUser | None, after: StoredUser, company: StoredCompany) -> None:
    """Refuse (403000, with the role) roles that the caller cannot give or take, and changes of the caller's own."""
    old = roles_of(before.roles, before.admin_type) if before else frozenset()
    new = roles_of(after.roles, after.admin_type)
    if old == new and before is not None and before.company_id == after.company_id:
        return
    own = call.known_caller.roles
    if old != new and after.id == call.user.id:
        role = sorted(old ^ new, key=list(Role).index)[0].value
        raise Refusal(Code.ROLE_MISSING, f"You cannot change your own roles: the role {role} stays as it is.")
    partner = "" if company.is_bp else why_not_given((Role.SUPERADMIN,), new & BP_ROLES, is_bp=False)
    if reason := why_not_given(own, new - old) or why_not_given(own, old - new) or partner:
        raise Refusal(Code.ROLE_MISSING, reason)


def check_decisive(call: AnyCall, before: StoredUser, after: StoredUser, values: Document) -> None:
    """Refuse (403000) what decides on logins of a user with a role that the caller could not give, or of the caller."""
    old, new = document_of(before), document_of(after)
    decided = [wire for wire in DECISIVE if wire in values and (wire == "password" or old.get(wire) != new.get(wire))]
    if not decided:
        return
    if before.id == call.user.id and "password" in decided:
        raise Refusal(Code.ROLE_MISSING, "Your own password is changed with the current one, by its own operation.")
    if before.id == call.user.id and "isActive" in decided:
        raise Refusal(Code.ROLE_MISSING, "You cannot deactivate yourself: ask another administrator.")
    check_manageable(call, before)


def check_manageable(call: AnyCall, user: StoredUser) -> None:
    """Refuse (403000) a user with a role that the caller could not give."""
    if reason := why_not_given(call.known_caller.roles, roles_of(user.roles, user.admin_type)):
        raise Refusal(Code.ROLE_MISSING, f"This user has a role that you cannot give. {reason}")


async def check_site(store: Store, user: StoredUser) -> None:
    """Refuse (400000) a site that is not one of the user's company. It is locked."""
    if user.site_id:
        site = await store.sites.get(checked_id("siteId", user.site_id))
        if site is None or site.get("companyId") != user.company_id:
            raise invalid(Problem("siteId", "is not a site of this company", user.site_id))


async def check_logins(store: Store, user: StoredUser, values: Document) -> None:
    """Refuse (409000) a login or an identifier at an identity provider by which another user is recognised."""
    document = document_of(user)
    for wire in _LOGINS:
        value = document.get(wire) if wire in values else None
        if not value:
            continue
        # Of two simultaneous requests with the same login, the second waits here and then finds the first.
        await store.lock("logins")
        if await store.users.count(AnyOf(tuple(Is(each, value) for each in _LOGINS)), Not(Is("id", user.id))):
            raise Refusal(Code.ALREADY_EXISTS, [Problem(wire, "another user has this login", value).wire()])


def default_site(call: AnyCall, values: Document) -> Document:
    """The values with the caller's site, for a caller who reaches only its users."""
    caller = call.known_caller
    elsewhere = values.get("companyId", caller.company_id) != caller.company_id
    if "siteId" in values or elsewhere or call.reached != {Reach.SITE} or not caller.site_id:
        return values
    return {**values, "siteId": caller.site_id}


def times_of(user: StoredUser, stamp: str) -> dict[str, Any]:
    """The times that a new state brings with it."""
    document = document_of(user)
    states = (("activationDate", "isActive"), ("initializationDate", "isInitialized"))
    return {date: stamp for date, wire in states if document.get(wire) and not document.get(date)}
