"""Two servers with their own data folders on one PostgreSQL: a login at either is valid at both, also when one of
them is killed under load."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from svc_tui.interface.access import Caller
from svc_tui.interface.authentication.proof import APP_AUTH, app_auth, basic
from svc_tui.interface.dates import stamp
from svc_tui.server.http.uploads import UploadLimits
from svc_tui.server.refusal import TooManyRequests
from svc_tui.server.service import service_of
from svc_tui.server.settings import Settings
from svc_tui.server.store.conditions import In, Is, Not, StartsWith
from svc_tui.server.store.database import Database
from tests.support.clock import SetClock
from tests.support.postgres import Postgres
from tests.support.process import ServerProcess, start
from tests.support.world import APP, APP_SECRET, COMPANY, PASSWORD, World

LOGIN = "/api/svc/authentication/v1.0/login"
APPLICATIONS = "/api/svc/applications/v1.0/applications"
#: Clients that write without a pause, synchronisations that become due, and writes at each stage of a test.
CLIENTS, JOBS, STAGE = 6, 40, 30

Document = dict[str, Any]


class Machines:
    """Two servers, as different machines would run them."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder, self._url = folder, url
        self.servers: list[ServerProcess] = []

    def start(self, name: str) -> ServerProcess:
        """Start a server with its own data folder; again, if it was stopped."""
        log = self._folder / f"{name}-{len(self.servers)}.log"
        server = start(log, data_dir=self._folder / name, database=self._url)
        self.servers.append(server)
        return server

    def end(self) -> None:
        for server in self.servers:
            server.process.kill()
            server.process.wait()
            if server.process.stdout is not None:
                server.process.stdout.close()


@pytest.fixture
async def world(postgres: Postgres, clock: SetClock, tmp_path: Path) -> AsyncIterator[World]:
    """The records that both servers find: a company, its administrator and an application."""
    url = await postgres.fresh()
    service = service_of(Settings(database_url=url, data_dir=tmp_path / "here", cheap_hashes=True), clock=clock)
    async with httpx.AsyncClient(timeout=30) as http:
        made = World(Starlette(), service, clock, http)
        await made.company()
        await made.application()
        yield made
    await service.database.close()


@pytest.fixture
def machines(tmp_path: Path, world: World) -> Iterator[Machines]:
    made = Machines(tmp_path, world.service.settings.database)
    yield made
    made.end()


async def token(http: httpx.AsyncClient, url: str, login: str) -> str:
    headers = {"authorization": basic(login, PASSWORD), APP_AUTH: app_auth(APP, APP_SECRET, PASSWORD)}
    return str((await http.get(url + LOGIN, headers=headers)).json()["token"])


class Load:
    """Clients that create applications at all servers in turn, as a load balancer chooses them, and note what was
    acknowledged. `urls` may change during that time."""

    def __init__(self, http: httpx.AsyncClient, urls: list[str], token: str) -> None:
        self._http, self.urls = http, urls
        self._headers = {"authorization": f"Bearer {token}"}
        self.acknowledged, self.lost, self.answers = list[str](), list[str](), Counter[int]()
        self._written = asyncio.Condition()

    async def client(self, number: int) -> None:
        """Write until cancelled."""
        for count in range(10_000):
            name, url = f"Load {number}-{count}", self.urls[count % len(self.urls)]
            body = {"name": name, "type": "web", "activity": "J"}
            try:
                answer = await self._http.post(url + APPLICATIONS, json=body, headers=self._headers)
            except httpx.ConnectError:
                # The balancer chooses another one.
                continue
            except httpx.TransportError:
                # The server was killed before it answered: the application may be there or not.
                self.lost.append(name)
                continue
            self.answers[answer.status_code] += 1
            if answer.status_code == 200:
                self.acknowledged.append(name)
            async with self._written:
                self._written.notify_all()

    async def writes(self, more: int) -> None:
        """Wait until this many more writes were acknowledged."""
        enough = len(self.acknowledged) + more
        async with self._written:
            await self._written.wait_for(lambda: len(self.acknowledged) >= enough)


async def order(database: Database, first: int = 0) -> set[str]:
    """Subscriptions whose synchronisations become due one after the other. Returns their ids, from a first one."""
    now, ids = datetime.now(UTC), [f"{number:024x}" for number in range(first, first + JOBS)]
    async with database.unit() as store:
        for number, id in enumerate(ids):
            due = stamp(now + timedelta(seconds=3, milliseconds=100 * number))
            waiting = {"status": "creating", "syncOngoing": True, "syncAction": "create", "syncDue": due}
            await store.subscriptions.put({"id": id, "companyId": COMPANY, "offerId": "0f" * 12, **waiting})
    return set(ids)


async def all_done(database: Database, ordered: set[str], user: str) -> list[str]:
    """Wait until these synchronisations are complete. Returns the subscriptions of all events for a user."""
    while True:
        async with database.unit() as store:
            waiting = await store.subscriptions.count(In("id", tuple(ordered)), Not(Is("syncDue", None)))
            if not waiting and not await store.events.waiting():
                log = await store.events.log_of(user, limit=10_000)
                return [
                    event["content"]["subscriptionId"] for _, event in log if event["name"] == "companysubscription"
                ]
        await asyncio.sleep(0.1)


async def test_a_killed_machine_loses_no_acknowledged_write_and_no_job(machines: Machines, world: World) -> None:
    """Takes some seconds: three server processes start."""
    admin, database = await world.user(roles=("company_admin", "app_admin")), world.service.database
    ordered = await order(database)
    first, second = await asyncio.gather(*(asyncio.to_thread(machines.start, name) for name in ("first", "second")))
    async with asyncio.timeout(120):
        # The token of one is used at both.
        issued = await token(world.http, first.url, admin["loginEmail"])
        load = Load(world.http, [first.url, second.url], issued)
        clients = [asyncio.create_task(load.client(number)) for number in range(CLIENTS)]
        await load.writes(STAGE)
        first.process.kill()
        await load.writes(STAGE)
        load.urls[0] = (await asyncio.to_thread(machines.start, "first")).url
        await load.writes(STAGE)
        told = await all_done(database, ordered, admin["id"])
        for client in clients:
            client.cancel()
        await asyncio.gather(*clients, return_exceptions=True)
    assert set(load.answers) == {200}
    # Only requests that were in progress at the killed machine have no answer.
    assert len(load.lost) <= CLIENTS
    async with database.unit() as store:
        names = Counter(each["name"] for each in (await store.applications.find(StartsWith("name", "load "))).documents)
        active = {each["id"] for each in (await store.subscriptions.find(Is("status", "active"))).documents}
    assert set(load.acknowledged) <= set(names)
    assert set(names.values()) == {1}
    assert ordered <= active
    assert Counter(id for id in told if id in ordered) == dict.fromkeys(ordered, 1)


async def test_uploads_count_together_and_those_of_a_killed_server_are_forgotten(world: World) -> None:
    other = service_of(world.service.settings, clock=world.clock)
    here, there = world.service.part(UploadLimits), other.part(UploadLimits)
    anna, ben = (Caller(user_id=name, company_id=COMPANY) for name in ("anna", "ben"))
    async with here.upload_of(anna), here.upload_of(anna):
        async with there.upload_of(anna):
            with pytest.raises(TooManyRequests, match="This user has 3 uploads"):
                await there.upload_of(anna).__aenter__()
            async with there.upload_of(ben):
                pass
        killed = there.upload_of(anna)
        await killed.__aenter__()
        gone = service_of(world.service.settings, clock=world.clock)
        with pytest.raises(TooManyRequests):
            await gone.part(UploadLimits).upload_of(anna).__aenter__()
        world.clock.forward(minutes=4)
        async with gone.part(UploadLimits).upload_of(anna):
            pass
    await gone.database.close()
    await other.database.close()


async def test_an_upload_of_many_minutes_counts_until_its_end(world: World) -> None:
    other = service_of(world.service.settings.model_copy(update={"user_uploads": 1}), clock=world.clock)
    here, there = world.service.part(UploadLimits), other.part(UploadLimits)
    anna, asleep, woken = Caller(user_id="anna", company_id=COMPANY), asyncio.Event(), asyncio.Event()

    async def sleep(_seconds: float) -> None:
        asleep.set()
        await woken.wait()
        woken.clear()

    async with here.upload_of(anna, sleep):
        for _ in range(6):
            await asleep.wait()
            asleep.clear()
            world.clock.forward(minutes=2)
            woken.set()
        await asleep.wait()
        with pytest.raises(TooManyRequests):
            await there.upload_of(anna).__aenter__()
    async with there.upload_of(anna):
        pass
    await other.database.close()
