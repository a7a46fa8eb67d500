"""Generated requests to existing records of voice: every response is as documented."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import given
from schemathesis.checks import CHECKS
from starlette.types import Receive, Scope, Send

from svc_tui.interface.access import Role
from svc_tui.interface.catalogue import operations_of
from svc_tui.interface.operations import AnyOperation
from svc_tui.server.http.application import build
from svc_tui.server.service import Service, service_of
from svc_tui.server.settings import Settings
from svc_tui.server.voice.devices import DEVICE_MODELS, device_type
from tests.server.companies.support import put
from tests.server.generated import NAMES, repeatable
from tests.server.test_openapi import ROOT
from tests.support.clock import SetClock
from tests.support.world import COMPANY, World

#: Requests for each operation that takes a body; the others are tried with no record there.
EXAMPLES = 4
OPERATIONS = [operation for operation in operations_of("voice").values() if operation.sends_body]


async def fill(world: World) -> None:
    """One record of each kind, each with the same identifier; whatever an earlier request changed is as before."""
    async with world.service.database.unit() as store:
        for kind in ("cloudpbxs", "subscribers", "ddis", "devices", "welcome_services", "welcomes", "office_hours"):
            await getattr(store, kind).remove_all()
    own = {"id": ROOT, "systemId": ROOT}
    plan = {"numberingPrefix": 8, "numberingDigits": 4, "outgoingPrefix": 0}
    of_company = {"companyId": COMPANY, "country": "PRT", "status": "created"}
    await put(world, "cloudpbxs", id=ROOT, name="Exchange", **of_company, cloudpbx=plan)
    await put(world, "subscribers", **own, userId=ROOT, shortNumber="8001", names="Root")
    await put(world, "ddis", **own, number="+351210000001", numberE164="+351210000001")
    await put(world, "devices", **own, deviceType=device_type(DEVICE_MODELS[2]), macAddress="00:00:5e:00:53:01")
    await put(world, "welcomes", **own, name="Welcome")
    await put(world, "office_hours", **own, name="Hours", officehours={"openhours": [[]] * 7})
    await put(
        world, "welcome_services", **own, name="Service", openHoursOverflow={"type": "user", "destinationId": ROOT}
    )


class Place:
    """A service in this process; its database is closed between requests, which come from other event loops.

    Its background work does not run: it would use the database from the event loop of the requests, beside others.
    """

    def __init__(self, folder: Path) -> None:
        self.clock = SetClock()
        self.service: Service = service_of(Settings(data_dir=folder, cheap_hashes=True), clock=self.clock)
        self.app = build(self.service.settings, service=self.service)
        self.world = World(self.app, self.service, self.clock, None)  # type: ignore[arg-type]
        self.tokens = asyncio.run(self._people())
        self.schema: Any = schemathesis.openapi.from_asgi("/openapi.json", self._only_requests)

    async def _only_requests(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self.app(scope, receive, send)

    async def _people(self) -> list[str]:
        await self.service.database.upgrade()
        await self.service.tokens.keys.refresh()
        await self.world.company()
        await self.world.application()
        root = await self.world.user(
            "root@example.com", roles=("superadmin",), id=ROOT, profiles=[{"isVoicePhone": True}]
        )
        boss = await self.world.user("boss@example.com", roles=("company_admin",))
        await self.service.database.close()
        return [self.world.token(root), self.world.token(boss)]

    def refill(self) -> None:
        async def again() -> None:
            await fill(self.world)
            await self.service.database.close()

        asyncio.run(again())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("voice"))


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_any_request_gets_a_documented_response(place: Place, operation: AnyOperation) -> None:
    described = place.schema[operation.path][operation.method]
    recording = set(operation.who.roles()) == {Role.COMPANY_ADMIN}
    headers = {"authorization": f"Bearer {place.tokens[1 if recording else 0]}"}

    @repeatable(EXAMPLES)
    @given(case=described.as_strategy())
    def holds(case: schemathesis.Case) -> None:
        place.refill()
        case.path_parameters = dict.fromkeys(operation.parameters, ROOT)
        case.call_and_validate(headers=headers, checks=[CHECKS.get_one(name) for name in NAMES])

    holds()
