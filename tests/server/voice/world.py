"""CloudPBXs in a small world of companies, their records for tests, and the roles that reach them."""

from __future__ import annotations

from typing import Any

import httpx

from tests.server.companies.support import CUSTOMER, GRANDCHILD, PARTNER, SISTER, caller, populated, put
from tests.support.world import COMPANY, OTHER_COMPANY, SITE, World, refused

Document = dict[str, Any]

BASE = "/api/svc/voiceprovisioning/v1.0"
ALL = f"{BASE}/cloudpbxs"
#: A CloudPBX in each company, by its name; the own one stands at a site.
EXCHANGES = {
    "own": COMPANY,
    "sister": SISTER,
    "customer": CUSTOMER,
    "grandchild": GRANDCHILD,
    "stranger": OTHER_COMPANY,
}

#: Role, company -> CloudPBXs that the role reads; whether it also changes them (4.7).
REACH: list[tuple[str, str, set[str], bool]] = [
    ("superadmin", OTHER_COMPANY, set(EXCHANGES), True),
    ("support", OTHER_COMPANY, set(EXCHANGES), False),
    ("bp_admin", PARTNER, {"own", "customer"}, True),
    ("organization_admin", COMPANY, {"own", "sister"}, True),
    ("company_admin", COMPANY, {"own"}, True),
    ("site_admin", COMPANY, {"own"}, False),
]
OTHERS = ("user", "directory_admin", "bp_finance", "business_admin", "app_admin")


def exchange_id(name: str) -> str:
    return f"e{sorted(EXCHANGES).index(name)}" * 12


def at(name: str, path: str = "") -> str:
    """The address of something in a CloudPBX."""
    return f"{ALL}/{exchange_id(name)}{path}"


OWN = exchange_id("own")


async def exchanges(world: World) -> World:
    """A CloudPBX in each company."""
    await populated(world)
    for name, company in EXCHANGES.items():
        await put(
            world,
            "cloudpbxs",
            id=exchange_id(name),
            type="cloud_pbx",
            name=f"{name} exchange",
            companyId=company,
            siteId=[SITE] if name == "own" else [],
            country="PRT",
            status="created",
            cloudpbx={"numberingPrefix": 8, "numberingDigits": 4, "outgoingPrefix": 0},
        )
    return world


async def member(world: World, role: str, home: str = COMPANY) -> Document:
    """A user with this role; a site administrator belongs to the site of the own CloudPBX."""
    return await caller(world, role, home, **({"siteId": SITE} if role == "site_admin" else {}))


async def subscriber(world: World, short: str, exchange: str = "own", **fields: Any) -> Document:
    """A subscriber with this number, and the user whose extension it is."""
    user = await caller(world, "user", EXCHANGES[exchange])
    document = {
        "id": world.service.ids.record(),
        "systemId": exchange_id(exchange),
        "userId": user["id"],
        "shortNumber": short,
        "names": f"User {short}",
        "status": "activated",
        **fields,
    }
    return await put(world, "subscribers", **document)


async def checked(world: World, method: str, path: str, *, writes: bool, **options: Any) -> None:
    """Send this for every role to the CloudPBX of every company: exactly those of 4.7 get through.

    `path` follows the CloudPBX's own; whatever it answers, it must not be a refusal of who calls.
    """
    for role, home, reached, changes in REACH:
        by = await member(world, role, home)
        for name in EXCHANGES:
            answer = await world.send(method, at(name, path), by=by, **options)
            if writes and not changes:
                refused(answer, 403000)
            elif name in reached:
                assert not is_no(answer), (role, name, answer.text)
            else:
                refused(answer, 403301)
    for role in OTHERS:
        refused(await world.send(method, at("own", path), by=await member(world, role), **options), 403000)


def is_no(answer: httpx.Response) -> bool:
    """Whether a response refuses the caller."""
    return answer.status_code in (401, 403, 405, 500)
