"""Creation and update of users, a user's own new password, and deletion: terminated, with everything that they had in
every area removed or free for others (2.4).
"""

from __future__ import annotations

from svc_tui.interface.access import Role
from svc_tui.interface.authentication import user_changes as declared
from svc_tui.interface.authentication.user_changes import (
    NEW_USER,
    OwnPassword,
    UserCreation,
    UserCreationQuery,
    UserUpdate,
)
from svc_tui.interface.companies.access import DEFAULT_NAME
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.server.authentication import user_fields as fields
from svc_tui.server.authentication.user_fields import check_manageable
from svc_tui.server.authentication.users import in_full, own_id
from svc_tui.server.companies.access import load_company
from svc_tui.server.hooks import user_belongings
from svc_tui.server.reach import owned_subject, require_in_use, user_subject
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.request_values import checked_id, non_null_values, update_of
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.security import guard
from svc_tui.server.store.conditions import Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany, StoredSubscription, StoredUser, UserSecrets
from svc_tui.server.subscriptions.access import offer_of
from svc_tui.server.subscriptions.licence_counts import profile_of

#: Domain of the messaging addresses of users whose creator has none.
_DOMAIN = "svc"


@rule(declared.create_user)
async def create_user(call: Call[UserCreationQuery, UserCreation]) -> RuleResult:
    # A hash takes a while: no lock is held for it.
    hashed = await _hashed(call, call.body.password)
    values = fields.default_site(call, non_null_values(call.body))
    values.pop("password", None)
    if site_id := values.get("siteId"):
        # Neither the site nor the company is deleted before the user is stored.
        await call.store.lock(f"site:{checked_id('siteId', site_id)}")
    company_id = checked_id("companyId", call.body.company_id or call.known_caller.company_id)
    await call.store.lock(f"company:{company_id}")
    company = await load_company(call.store, company_id)
    user = fields.changed_user(_new(call, company), {**values, "companyId": company.id}, company)
    call.require(owned_subject(document_of(user), document_of(company)))
    require_in_use(company)
    fields.check_roles(call, None, user, company)
    await fields.check_site(call.store, user)
    await fields.check_logins(call.store, user, values)
    user.profiles = await _default_profiles(call.store, company.id, call.stamp)
    created = {**document_of(user), **fields.times_of(user, call.stamp)}
    await call.store.users.add(created)
    if hashed:
        await call.store.user_secrets.add({"id": user.id, "passwordHash": hashed})
    return {"data": await in_full(call, created)}


@rule(declared.update_user)
async def update_user(call: Call[Nothing, UserUpdate]) -> RuleResult:
    await reached_user(call, Code.NOT_FOUND_UPDATE)
    values = update_of(call.body, *fields.REQUIRED)
    hashed = await _hashed(call, call.body.password)
    if site_id := values.get("siteId"):
        await call.store.lock(f"site:{checked_id('siteId', site_id)}")
    if company_id := values.get("companyId"):
        await call.store.lock(f"company:{checked_id('companyId', company_id)}")
    if hashed:
        await call.store.lock(f"mfa:{call.path['userId']}")
    if "loginEmail" in values or "authenticationExternalUid" in values:
        await call.store.lock("logins")
    await call.store.lock(f"user:{call.path['userId']}")
    user = await reached_user(call, Code.NOT_FOUND_UPDATE)
    company = await load_company(call.store, values.get("companyId") or user.company_id or "")
    sent = {wire: value for wire, value in values.items() if wire != "password"}
    changed = fields.changed_user(document_of(user), sent, company)
    fields.check_roles(call, user, changed, company)
    fields.check_decisive(call, user, changed, values)
    if changed.company_id != user.company_id:
        await _move(call, user, changed, company)
    call.require(owned_subject(document_of(changed), document_of(company)))
    await fields.check_site(call.store, changed)
    await fields.check_logins(call.store, changed, values)
    stored = {**document_of(changed), **fields.times_of(changed, call.stamp), "lastUpdateDate": call.stamp}
    await call.store.users.put(stored)
    if hashed:
        await call.store.user_secrets.set_password(user.id, hashed)
        await guard.clear(user.id, call.store)
    return {"data": await in_full(call, await call.store.users.get(user.id) or stored)}


@rule(declared.change_own_password)
async def change_own_password(call: Call[Nothing, OwnPassword]) -> RuleResult:
    id, old, new = own_id(call), call.body.old_password, call.body.new_password
    before = typed(UserSecrets, await call.store.user_secrets.get(id) or {"id": id})
    correct = await call.service.passwords.verify(old, before.password_hash)
    hashed = await _hashed(call, new) if correct else ""
    await call.store.lock(f"mfa:{id}")
    await guard.count_attempt(correct, id, old, call.headers, call.store, call.service)
    if new == old:
        raise invalid(Problem("newPassword", "must differ from the current password"))
    now = typed(UserSecrets, await call.store.user_secrets.get(id) or {"id": id})
    if now.password_hash != before.password_hash:
        # An administrator set another one in this moment.
        raise Refusal(Code.WRONG_CREDENTIALS)
    await call.store.user_secrets.set_password(id, hashed)
    await guard.clear(id, call.store)
    return {"status": f"Password of user {id} successfully changed"}


async def reached_user(call: AnyCall, code: Code) -> StoredUser:
    """The user of the path. Refusal 404 with this code, also for a terminated user; 403301 out of reach."""
    user = typed(StoredUser, await call.store.users.get(call.path["userId"]))
    if user is None or user.is_terminated:
        raise not_found("User", call.path["userId"], code)
    call.require(await user_subject(call.store, document_of(user)))
    return user


async def _hashed(call: AnyCall, password: str | None) -> str:
    return await call.service.passwords.hash_in_thread(password) if password else ""


def _new(call: AnyCall, company: StoredCompany) -> Document:
    """A user without the values of the creation."""
    ids, creator = call.service.ids, call.user
    address, domain = ids.secret(), (creator.jid_im or "").partition("@")[2] or _DOMAIN
    organisation = {"organisationId": company.organisation_id} if company.organisation_id else {}
    return {
        **NEW_USER,
        **organisation,
        "id": ids.record(),
        "companyId": company.id,
        "companyName": company.name,
        "isInDefaultCompany": company.name == DEFAULT_NAME,
        "isTerminated": False,
        "guestMode": False,
        "createdBySelfRegister": False,
        "createdByAdmin": {"userId": creator.id, "loginEmail": creator.login_email},
        "jid_im": f"{address}@{domain}",
        "jid_tel": f"tel_{address}@{domain}",
        "jid_password": ids.secret(),
        "creationDate": call.stamp,
        "lastUpdateDate": call.stamp,
    }


async def _default_profiles(store: Store, company_id: str, stamp: str) -> list[Document]:
    """The licence of the company's default offer, which every user of the company has."""
    default = (Is("companyId", company_id), Is("isDefault", True), Not(Is("status", "terminated")))
    found = typed(StoredSubscription, await store.subscriptions.one(*default))
    return [profile_of(found, await offer_of(store, found), stamp)] if found else []


async def _move(call: AnyCall, user: StoredUser, changed: StoredUser, company: StoredCompany) -> None:
    """Let a user change to another company: with its default licence, and without what belongs to the earlier one.

    Refusal 403000 without the role superadmin, 403 while the user has an extension there.
    """
    if Role.SUPERADMIN not in call.known_caller.roles:
        raise Refusal(Code.ROLE_MISSING, [Problem("companyId", "needs superadmin", company.id).wire()])
    require_in_use(company)
    if any(number.is_from_system for number in user.phone_numbers or ()):
        raise Refusal(Code.ROLE_MISSING, "The user has an extension in this company: delete it first.")
    changed.company_name, changed.is_in_default_company = company.name, company.name == DEFAULT_NAME
    changed.organisation_id = company.organisation_id
    if changed.site_id == user.site_id:
        del changed.site_id
    changed.profiles = await _default_profiles(call.store, company.id, call.stamp)


#: What prevents a deletion, by the names of problems, and its code.
_CODES = {"applications": Code.OWNS_APPLICATIONS, "welcomeservices": Code.USER_IN_WELCOME}


@rule(declared.delete_user)
async def delete_user(call: Call) -> RuleResult:
    user = await _deletable(call)
    document = document_of(user)
    names = [name for each in user_belongings() for name in await each.locks(call.store, document)]
    await call.store.lock_all((*names, f"api_keys:{user.id}", f"mfa:{user.id}"))
    await call.store.lock(f"user:{user.id}")
    document = document_of(await _deletable(call))
    found = [problem for each in user_belongings() for problem in await each.preventing(call.store, document)]
    if found:
        raise Refusal(_CODES[found[0].param], [problem.wire() for problem in found])
    for each in user_belongings():
        await each.release(call.store, document)
    await _terminate(call, user.id)
    return {"status": f"User {user.id} successfully deleted", "data": []}


async def _deletable(call: AnyCall) -> StoredUser:
    """The user of the path. Refusal 404002, 403301, and 403000 for the caller and for roles that the caller has not."""
    user = await reached_user(call, Code.NOT_FOUND_DELETE)
    if user.id == call.user.id:
        raise Refusal(Code.ROLE_MISSING, "You cannot delete yourself: ask another administrator.")
    check_manageable(call, user)
    return user


async def _terminate(call: AnyCall, id: str) -> None:
    user = copied(await reached_user(call, Code.NOT_FOUND_DELETE))
    user.is_terminated, user.is_active, user.profiles = True, False, []
    user.last_update_date = call.now
    del user.mfa_svc_auth, user.last_avatar_update_date
    of_user = Is("userId", id)
    await call.store.users.put(document_of(user))
    await call.store.images.remove("avatar", id)
    await call.store.user_secrets.remove(id)
    await call.store.api_keys.remove_all(of_user)
    await call.store.trusted_applications.remove_all(of_user)
    await guard.clear(id, call.store)
