"""Which roles are given and taken, and of whom a password is set: every caller, user and role through HTTP (2.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from svc_tui.server.rules import AnyCall, Rule
from tests.support.world import COMPANY, ORGANISATION, OTHER_COMPANY, PARTNER, SITE, World, granted, refused

USERS = "/api/svc/admin/v1.0/users"
TYPES = ("site_admin", "company_admin", "organization_admin")
PLAIN = (
    *("user", "superadmin", "support", "business_admin", "customer_success_admin", "sales_analytics", "bp_admin"),
    *("bp_finance", "directory_admin", "app_admin", "app_superadmin", "app_support", "telephony_cpaas"),
)
ROLES = (*PLAIN, *TYPES)
#: Who administers users at all.
CALLERS = ("superadmin", "bp_admin", *TYPES)
SECOND = "Another-horse-2"

Document = dict[str, Any]


def gives(own: set[str], role: str) -> bool:
    """The rule in words: roles that the caller has, of administrators those that are not above; `superadmin` and
    `support` only by a superadmin, who gives all."""
    if role == "user" or "superadmin" in own:
        return True
    if role in TYPES:
        return any(each in own for each in TYPES[TYPES.index(role) :])
    return role in own and role != "support"


def fields(role: str) -> Document:
    """The fields of a user with this role."""
    if role in TYPES:
        return {"roles": ["user", "admin"], "adminType": role}
    return {"roles": ["user"] if role == "user" else ["user", role], "adminType": "undefined"}


def in_body(role: str) -> Document:
    return {wire: value for wire, value in fields(role).items() if value != "undefined"}


@dataclass
class Partner:
    """A partner (BP) with a caller of each role."""

    world: World
    callers: dict[str, Document] = field(default_factory=dict)

    async def post(self, role: str, body: Document) -> httpx.Response:
        return await self.world.post(USERS, by=self.callers[role], json=body)

    async def put(self, role: str, user: Document, body: Document) -> httpx.Response:
        return await self.world.put(f"{USERS}/{user['id']}", by=self.callers[role], json=body)

    async def delete(self, role: str, user: Document) -> httpx.Response:
        return await self.world.delete(f"{USERS}/{user['id']}", by=self.callers[role])


@pytest.fixture
async def partner(world: World, monkeypatch: pytest.MonkeyPatch) -> Partner:
    """A partner in which no request changes anything: the next one finds the same users."""
    await world.company(isBP=True, organisationId=ORGANISATION)
    async with world.service.database.unit() as store:
        await store.sites.put({"id": SITE, "companyId": COMPANY, "name": "Site"})
    await world.application()
    made = Partner(world, {role: await member(world, f"{role}@callers.example", role) for role in ROLES})
    monkeypatch.setattr("svc_tui.server.http.application._ruled", rolled_back)
    return made


async def rolled_back(rule: Rule, call: AnyCall) -> object:
    answer = await rule(call)
    await call.store.rollback()
    return answer


async def member(world: World, login: str, role: str, **more: Any) -> Document:
    roles = () if role == "user" else (role,)
    within = {"siteId": SITE, "organisationId": ORGANISATION, **more}
    return await world.user(login, roles=("user", *roles), **within)


@pytest.mark.parametrize("role", CALLERS)
async def test_a_caller_gives_a_new_user_only_roles_that_the_caller_has(partner: Partner, role: str) -> None:
    faults = []
    for given in ROLES:
        body = {"loginEmail": "new@example.com", "firstName": "N", "lastName": "N", "siteId": SITE, **in_body(given)}
        answer = await partner.post(role, body)
        if answer.status_code != (200 if gives({role}, given) else 403):
            faults.append((given, answer.status_code, answer.text))
        elif answer.status_code == 403:
            assert given in refused(answer, 403000)["errorDetails"]
    assert not faults


@pytest.mark.parametrize("role", CALLERS)
async def test_roles_of_a_user_change_only_between_those_that_the_caller_gives(partner: Partner, role: str) -> None:
    faults = []
    for before in ROLES:
        user = await member(partner.world, f"{before}@users.example", before)
        for after in ROLES:
            answer = await partner.put(role, user, in_body(after))
            allowed = before == after or (gives({role}, before) and gives({role}, after))
            if answer.status_code != (200 if allowed else 403):
                faults.append((before, after, answer.status_code, answer.text))
    assert not faults


@pytest.mark.parametrize("role", CALLERS)
async def test_logins_are_decided_only_for_users_whose_roles_the_caller_gives(partner: Partner, role: str) -> None:
    decisive: tuple[Document, ...] = (
        {"password": SECOND},
        {"loginEmail": "taken-over@example.com"},
        {"isActive": False},
        {"timeToLive": 0},
        {"authenticationType": "OIDC"},
        {"authenticationExternalUid": "mine@idp.example"},
    )
    faults = []
    for before in ROLES:
        user = await member(partner.world, f"{before}@users.example", before)
        status = 200 if gives({role}, before) else 403
        answers = [*[await partner.put(role, user, body) for body in decisive], await partner.delete(role, user)]
        faults += [(before, each.request.method, each.text) for each in answers if each.status_code != status]
        # Anything else can be changed, together with what stays as it is.
        same = {"title": "Dr.", "loginEmail": user["loginEmail"], "isActive": True, **in_body(before)}
        granted(await partner.put(role, user, same))
    assert not faults


@pytest.mark.parametrize("role", [role for role in ROLES if role not in CALLERS])
async def test_other_roles_administer_no_users(partner: Partner, role: str) -> None:
    jane = await member(partner.world, "jane@users.example", "user")
    refused(await partner.post(role, {"loginEmail": "new@example.com", "firstName": "N", "lastName": "N"}), 403000)
    for user in (jane, partner.callers[role]):
        refused(await partner.put(role, user, {"title": "Dr."}), 403000)
        refused(await partner.delete(role, user), 403000)


@pytest.mark.parametrize("role", CALLERS)
async def test_no_administrator_does_that_to_the_own_account(partner: Partner, role: str) -> None:
    own = partner.callers[role]
    for given in ROLES:
        if given != role:
            answer = await partner.put(role, own, in_body(given))
            assert "your own roles" in refused(answer, 403000)["errorDetails"]
    refused(await partner.put(role, own, {"password": SECOND}), 403000)
    refused(await partner.put(role, own, {"isActive": False}), 403000)
    refused(await partner.delete(role, own), 403000)
    granted(await partner.put(role, own, {"title": "Dr.", **in_body(role)}))


async def test_roles_of_partners_are_for_users_of_partners(world: World) -> None:
    await world.company(isBP=False)
    await world.company(PARTNER, isBP=True)
    root = await world.user("root@example.com", roles=("superadmin",))
    both = await world.user("both@example.com", roles=("bp_admin", "bp_finance", "company_admin"))
    jane = await member(world, "jane@example.com", "user")
    old = await world.user("old@example.com", roles=("bp_admin",), companyId=PARTNER)
    for role in ("bp_admin", "bp_finance"):
        for by in (root, both):
            answer = await world.put(f"{USERS}/{jane['id']}", by=by, json=in_body(role))
            assert role in refused(answer, 403000)["errorDetails"]
    refused(await world.put(f"{USERS}/{old['id']}", by=root, json={"companyId": COMPANY}), 403000)
    granted(await world.put(f"{USERS}/{old['id']}", by=root, json={"companyId": COMPANY, "roles": ["user"]}))


async def test_a_role_is_not_gained_with_several_roles(world: World) -> None:
    """Of several roles each is given, and none beside them."""
    await world.company(isBP=True)
    own = {"company_admin", "bp_admin", "app_admin", "support"}
    admin = await world.user("admin@example.com", roles=tuple(own))
    for given in ROLES:
        body = {"loginEmail": f"{given}@example.com", "firstName": "N", "lastName": "N", **in_body(given)}
        answer = await world.post(USERS, by=admin, json=body)
        assert answer.status_code == (200 if gives(own, given) else 403), (given, answer.text)


@pytest.mark.parametrize(
    ("role", "inside", "outside"),
    [
        ("bp_admin", {"companyId": OTHER_COMPANY}, {"companyId": "c9" * 12}),
        ("organization_admin", {"companyId": "c8" * 12}, {"companyId": OTHER_COMPANY}),
        ("company_admin", {}, {"companyId": OTHER_COMPANY}),
        ("site_admin", {"siteId": SITE}, {}),
    ],
)
async def test_users_are_administered_within_the_reach(
    world: World, role: str, inside: Document, outside: Document
) -> None:
    await world.company(isBP=True, organisationId=ORGANISATION)
    await world.company(OTHER_COMPANY, bpId=COMPANY)
    await world.company("c8" * 12, organisationId=ORGANISATION)
    await world.company("c9" * 12)
    async with world.service.database.unit() as store:
        await store.sites.put({"id": SITE, "companyId": COMPANY, "name": "Site"})
        await store.sites.put({"id": "52" * 12, "companyId": COMPANY, "name": "Other site"})
    by = await member(world, "admin@example.com", role)
    reached = await world.user("in@example.com", **inside)
    beyond = await world.user("out@example.com", **outside)
    body = {"loginEmail": "new@example.com", "firstName": "N", "lastName": "N"}
    granted(await world.put(f"{USERS}/{reached['id']}", by=by, json={"title": "Dr."}))
    made = granted(await world.post(USERS, by=by, json={**body, **inside}))["data"]
    refused(await world.put(f"{USERS}/{beyond['id']}", by=by, json={"title": "Dr."}), 403301)
    refused(await world.delete(f"{USERS}/{beyond['id']}", by=by), 403301)
    new = {**body, "loginEmail": "newer@example.com", **(outside or {"siteId": "52" * 12})}
    refused(await world.post(USERS, by=by, json=new), 403301)
    if role == "site_admin":
        refused(await world.put(f"{USERS}/{made['id']}", by=by, json={"siteId": None}), 403301)
        unnamed = {**body, "loginEmail": "third@example.com"}
        assert granted(await world.post(USERS, by=by, json=unnamed))["data"]["siteId"] == SITE
    granted(await world.delete(f"{USERS}/{made['id']}", by=by))
