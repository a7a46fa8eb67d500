"""A company, site or template deleted at the moment when something is added to it or refers to it, on PostgreSQL (4.4).

The deletion has checked its conditions and waits to write; then the other request arrives. One of the two is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import world_at
from tests.server.companies.support import ALL, CUSTOMER, GRANDCHILD, SISTER, caller, populated, put
from tests.support.clock import SetClock
from tests.support.databases import RUNNING
from tests.support.held_writes import writes_held
from tests.support.pictures import picture
from tests.support.postgres import Postgres
from tests.support.world import OTHER_COMPANY, SITE, World, granted, refused

Document = dict[str, Any]

PBXS = "/api/svc/voiceprovisioning/v1.0/cloudpbxs"
SITES = "/api/svc/admin/v1.0/sites"
TEMPLATES, TEMPLATE = "/api/svc/admin/v1.0/customisations/templates", "a7" * 12
#: A partner (BP) without customers.
DEALER = "b2" * 12
DELETED = ("DELETE", f"{ALL}/{SISTER}", {})
NO_PARTNER = ("PUT", f"{ALL}/{DEALER}", {"isBP": False})

#: The table that the first request waits to write to, the two requests, and the refusal of the second.
CASES = {
    "a site for a company": ("companies", DELETED, ("POST", SITES, {"name": "New", "companyId": SISTER}), 400000),
    "a site moves": ("companies", DELETED, ("PUT", f"{SITES}/{SITE}", {"companyId": SISTER}), 400000),
    "a CloudPBX for a company": ("companies", DELETED, ("POST", PBXS, {"companyId": SISTER}), 400000),
    "a CloudPBX at a site": (
        "sites",
        ("DELETE", f"{SITES}/{SITE}", {}),
        ("POST", PBXS, {"companyId": CUSTOMER, "siteId": SITE}),
        400000,
    ),
    "a new customer": (
        "companies",
        ("DELETE", f"{ALL}/{DEALER}", {}),
        ("POST", ALL, {"name": "New", "bpId": DEALER}),
        400000,
    ),
    "a linked company": ("companies", NO_PARTNER, ("PUT", f"{ALL}/{GRANDCHILD}", {"bpId": DEALER}), 400000),
    "an avatar": ("companies", DELETED, ("POST", f"{ALL}/{SISTER}/avatar", picture()), 400000),
    "a splash screen": ("companies", DELETED, ("POST", f"{ALL}/{SISTER}/splashscreen", picture()), 400000),
    "a template": (
        "templates",
        ("DELETE", f"{TEMPLATES}/{TEMPLATE}", {}),
        ("POST", f"{TEMPLATES}/apply", {"name": "Quiet", "companyId": CUSTOMER}),
        404000,
    ),
}


@dataclass
class Running:
    world: World
    database: str
    boss: Document


@pytest.fixture
async def running(postgres: Postgres, clock: SetClock, tmp_path: Path) -> AsyncIterator[Running]:
    database = await postgres.fresh(RUNNING)
    async with world_at(database, tmp_path, clock) as world:
        await populated(world)
        await world.company(DEALER, name="Dealer", isBP=True, bpType="DR")
        await put(world, "sites", id=SITE, name="Site", companyId=CUSTOMER, status="active")
        await put(
            world, "templates", id=TEMPLATE, name="Quiet", type="other", visibility="private", ownedByCompany=CUSTOMER
        )
        yield Running(world, database, await caller(world, "superadmin", OTHER_COMPANY))


@pytest.mark.parametrize("case", CASES)
async def test_nothing_refers_to_a_record_that_is_being_deleted(running: Running, case: str) -> None:
    table, first, second, refusal = CASES[case]

    def started(request: tuple[str, str, Document | bytes]) -> asyncio.Task[httpx.Response]:
        method, address, body = request
        image = {"content": body, "headers": {"content-type": "image/png"}}
        options = image if isinstance(body, bytes) else {"json": body or None}
        return asyncio.create_task(running.world.send(method, address, by=running.boss, **options))

    async with writes_held(running.database, table) as waiting:
        deletion = started(first)
        await waiting(1, deletion)
        other = started(second)
        await waiting(2, other)
    granted(await deletion)
    refused(await other, refusal)
