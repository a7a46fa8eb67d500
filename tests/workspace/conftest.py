"""Consoles' workspaces on a real service, or on a scripted one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from svc_tui.client.call_log import CallLog
from svc_tui.client.client import Client
from svc_tui.client.profile import Profile
from svc_tui.client.retry import Retries
from svc_tui.client.session import Session
from svc_tui.workspace.core.events import Event, ListChanged
from svc_tui.workspace.core.folders import Folders
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.workspace import Workspace
from tests.support.clock import SetClock
from tests.support.world import APP, APP_SECRET, World
from tests.workspace.line import Line, Script


class Pauses:
    """Pauses that a test ends: nothing here takes time."""

    def __init__(self) -> None:
        self.requests: list[float] = []
        self._waiting: list[tuple[float, asyncio.Future[None]]] = []

    async def __call__(self, seconds: float) -> None:
        self.requests.append(seconds)
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((seconds, over))
        await over

    def end(self, seconds: float | None = None) -> None:
        """End all pauses, or only those of this length."""
        waiting, self._waiting = self._waiting, []
        for length, over in waiting:
            if seconds not in (None, length):
                self._waiting.append((length, over))
            elif not over.done():
                over.set_result(None)


@dataclass
class Desk:
    """The workspace of one console, its line to the service, and its events."""

    workspace: Workspace
    line: Line
    clock: SetClock
    pauses: Pauses
    client: Client
    events: list[Event] = field(default_factory=list)

    def attach(self) -> None:
        self.workspace.attach(self.client)

    def list(self, operation_id: str = "list_applications", **options: Any) -> tuple[Listing, list[ListChanged]]:
        """An open list, and its changes from now on."""
        listing = self.workspace.listing(operation_id, **options)
        changes: list[ListChanged] = []
        listing.subscribe(changes.append)
        return listing, changes

    async def shown(self, first: int = 0, last: int = 20, **options: Any) -> Listing:
        """A list with loaded rows."""
        listing = self.workspace.listing("list_applications", **options)
        listing.request(first, last)
        await listing.wait_until_idle()
        return listing


@pytest.fixture
def places(tmp_path: Path) -> Folders:
    return Folders(tmp_path / "config", tmp_path / "cache", tmp_path / "data")


class Desks:
    """Creates workspaces that share folders and clock, like consoles on one machine."""

    def __init__(self, places: Folders, clock: SetClock) -> None:
        self.places, self.clock, self.made = places, clock, list[Desk]()

    def make(
        self,
        service: httpx.AsyncBaseTransport,
        user: dict[str, Any] | None = None,
        token: str = "",
        **options: Any,
    ) -> Desk:
        profile = Profile("work", "http://svc.test", app_id=APP, app_secret=APP_SECRET, login="jane@example.com")
        pauses, line = Pauses(), Line(service)
        now = lambda: self.clock.now().timestamp()  # noqa: E731
        workspace = Workspace(profile, self.places, now=now, pause=pauses, **options)
        session = Session(profile, clock=now)
        client = Client(profile, session, log=CallLog(most=20), transport=line, retries=Retries(attempts=1))
        if user is not None:
            session.accept({"token": token or "t.t.t", "loggedInUser": user})
        desk = Desk(workspace, line, self.clock, pauses, client)
        workspace.subscribe(desk.events.append)
        self.made.append(desk)
        return desk


@pytest.fixture
async def desks(places: Folders, clock: SetClock) -> AsyncIterator[Desks]:
    made = Desks(places, clock)
    yield made
    for desk in made.made:
        await desk.workspace.close()


JANE = {"id": "u0", "displayName": "Jane", "roles": ["user", "app_superadmin"], "companyId": "c0"}


@pytest.fixture
def script() -> Script:
    return Script(1000)


@pytest.fixture
async def desk(desks: Desks, script: Script) -> Desk:
    """A console logged in to a scripted service."""
    made = desks.make(script, JANE)
    made.attach()
    return made


@pytest.fixture
async def real(desks: Desks, world: World) -> Callable[..., Awaitable[Desk]]:
    """Consoles logged in to the real service as users with these roles."""

    async def make(*roles: str, login: str = "jane@example.com", **options: Any) -> Desk:
        user = await world.user(login, roles=roles or ("app_superadmin",))
        transport = httpx.ASGITransport(app=world.app, raise_app_exceptions=False)
        made = desks.make(transport, user, world.token(user), **options)
        made.attach()
        return made

    return make


async def seeded(world: World, count: int, **fields: Any) -> None:
    """Applications in the service's store: App 000, App 001 …"""
    async with world.service.database.unit() as store:
        for number in range(count):
            document = {
                "id": f"{number:024x}",
                "name": f"App {number:03}",
                "type": "web",
                "activity": "J",
                "kpi": "business",
                "state": "active",
                "env": "deployed",
                "ownerId": "f0" * 12,
                "appSecret": "sec-ret",
                "dateOfCreation": "2026-11-01T10:00:00.000Z",
                **fields,
            }
            await store.applications.put(document)
