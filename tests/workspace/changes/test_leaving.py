"""Users who leave: what they hold is read, carried out as a job, continued after a stop, and undone."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from svc_tui.workspace.applications.holdings import ApplicationHoldings
from svc_tui.workspace.changes import leaving
from svc_tui.workspace.changes.bulk import Job
from svc_tui.workspace.changes.leaving import Leaving, Leavings, LeavingsError, job_of
from svc_tui.workspace.core.service import rows_of
from svc_tui.workspace.subscriptions.licences import LicenceHoldings
from svc_tui.workspace.users.holdings import UserHoldings
from svc_tui.workspace.voice.holdings import TelephoneHoldings
from tests.server.companies.support import put
from tests.server.voice.test_voice_licences import subscription
from tests.server.voice.world import OWN, exchanges
from tests.support.world import World
from tests.workspace.conftest import Desk

AREAS = (UserHoldings(), LicenceHoldings(), ApplicationHoldings(), TelephoneHoldings())
VOICE, TOOLS = "51" * 12, "52" * 12
NUMBERS, DEVICE, WELCOME = ("d1" * 12, "d2" * 12), "de" * 12, "ee" * 12
LICENCES = [
    {"subscriptionId": VOICE, "offerName": "Voice", "hasVoice": True},
    {"subscriptionId": TOOLS, "offerName": "Tools"},
]
SYSTEM = {"systemId": OWN}


class Office:
    """A user who leaves and another one, with telephones, and the console of an administrator."""

    def __init__(self, desk: Desk, world: World, folder: Path) -> None:
        self.desk, self.world, self.workspace = desk, world, desk.workspace
        self.store = Leavings(folder)

    async def user(self, login: str) -> dict[str, Any]:
        query = {"loginEmail": login, "format": "full", "roles": "user,admin,app_admin"}
        (found,) = [user async for user in rows_of(self.workspace, "list_users", {}, query)]
        return found

    async def extension(self, login: str, short: str, numbers: bool) -> None:
        user = await self.user(login)
        body = {"userId": user["id"], "shortNumber": short}
        made = (await self.workspace.perform("create_subscriber", path=SYSTEM, body=body))["data"]
        if numbers:
            for number in NUMBERS:
                path = {**SYSTEM, "phoneNumberId": number, "userId": user["id"]}
                await self.workspace.perform("assign_ddi_to_user", path=path, body={})
            at = {**SYSTEM, "phoneNumberId": made["id"]}
            await self.workspace.perform("assign_device_to_subscriber", path=at, body={"deviceId": DEVICE})

    async def plan(self, successor: str = "", day: str = "2020-01-01", **choices: str) -> Leaving:
        heir = await self.user(successor) if successor else None
        found, _unread = await leaving.plan(self.workspace, AREAS, await self.user("lee@x.example"), heir, day)
        chosen = {each.key: choices[each.kind] for each in found.holdings if each.kind in choices}
        return found.choosing(chosen)

    async def carry_out(self, *plans: Leaving) -> Job:
        self.store.add(plans)
        job = job_of(self.workspace, AREAS, plans, self.store)
        job.dry_run()
        await job.rest()
        self.store.add_results(job.results, self.workspace.now())
        return job

    async def holds(self, login: str) -> dict[str, list[str]]:
        """What a user holds by kind: the names, without the licence of the service and the login."""
        found, _unread = await leaving.plan(self.workspace, AREAS, await self.user(login), None, "2020-01-01")
        kinds = itertools.groupby(found.holdings, lambda each: each.kind)
        return {kind: sorted(each.name for each in held) for kind, held in kinds if kind != "login"}


@pytest.fixture
async def office(world: World, real: Callable[..., Awaitable[Desk]], tmp_path: Path) -> Office:
    await exchanges(world)
    for id in (VOICE, TOOLS):
        await subscription(world, id)
    for number, place in zip(NUMBERS, (10, 11), strict=True):
        await put(world, "ddis", id=number, systemId=OWN, numberE164=f"+3512100000{place}", number=f"2100000{place}")
    await put(world, "devices", id=DEVICE, systemId=OWN, description="Desk phone", deviceType={"model": "M1"})
    await world.user("lee@x.example", roles=("company_admin", "app_admin"), profiles=LICENCES)
    await world.user("kim@x.example", roles=("app_admin",), profiles=LICENCES[:1])
    found = Office(await real("superadmin"), world, tmp_path / "state")
    await found.extension("lee@x.example", "8001", numbers=True)
    return found


LEES = {
    "licence": ["Tools", "Voice"],
    "role": ["app_admin, company_admin"],
    "extension": ["8001"],
    "number": ["21 000 0010", "21 000 0011"],
    "device": ["Desk phone"],
}


async def test_a_successor_without_an_extension_gets_it_with_its_numbers_and_devices(office: Office) -> None:
    owner = await office.user("lee@x.example")
    await office.world.application("a9" * 12, name="Till", ownerId=owner["id"])
    held = await office.holds("lee@x.example")
    assert {kind: sorted(names) for kind, names in held.items()} == {
        **LEES,
        "role": held["role"],
        "application": ["Till"],
    }
    plan = await office.plan("kim@x.example", role="hand-over")
    assert {each.kind: each.choice for each in plan.holdings} == {
        "licence": "free",
        "application": "hand-over",
        "role": "hand-over",
        "login": "keep",
        "extension": "hand-over",
        "number": "hand-over",
        "device": "hand-over",
    }
    job = await office.carry_out(plan)
    assert [(each.step.label, each.sentence) for each in job.results if each.outcome != "done"] == []
    kims = await office.holds("kim@x.example")
    assert kims == {**LEES, "licence": ["Voice"], "application": ["Till"], "role": kims["role"]}
    assert set((await office.user("kim@x.example"))["roles"]) == {"user", "admin", "app_admin"}
    assert await office.holds("lee@x.example") == {}
    (kept,) = office.store.read()
    assert kept.ended and {each["outcome"] for each in kept.results.values()} == {"done"}
    assert office.store.due(date(2030, 1, 1)) == []


async def test_what_is_freed_while_the_extension_stays_comes_back_with_one_undo(office: Office) -> None:
    before = await office.holds("lee@x.example")
    job = await office.carry_out(await office.plan(extension="keep", number="free", device="free", login="free"))
    assert await office.holds("lee@x.example") == {"extension": ["8001"]}
    (entry,) = [each for each in office.workspace.journal.entries if each.number == job.number]
    for part in reversed(entry.parts):
        await office.workspace.journal.undo(part)
    after = await office.holds("lee@x.example")
    # A licence is named after its subscription when it is assigned.
    assert {**after, "licence": before["licence"]} == before and len(after["licence"]) == 2
    assert (await office.user("lee@x.example"))["isActive"]


async def test_a_welcome_service_goes_to_a_successor_with_an_extension_before_the_extension_ends(
    office: Office,
) -> None:
    lee = await office.user("lee@x.example")
    target = {"type": "user", "destinationId": lee["id"]}
    await put(
        office.world, "welcome_services", id=WELCOME, systemId=OWN, name="Reception", openHoursOverflow=target,
        secondaryDDIs=[],
    )  # fmt: skip
    plan = await office.plan("kim@x.example")
    held = {each.kind: each for each in plan.holdings}
    assert (held["welcome"].choices, held["extension"].choice) == (("keep",), "keep")
    forced = plan.choosing({held["extension"].key: "free"})
    assert "hand it over first" in leaving.objections(AREAS, forced)[held["welcome"].key]
    await office.extension("kim@x.example", "8002", numbers=False)
    plan = await office.plan("kim@x.example")
    assert leaving.objections(AREAS, plan) == {}
    await office.carry_out(plan)
    kims, kim = await office.holds("kim@x.example"), await office.user("kim@x.example")
    assert (kims["welcome"], kims["extension"], kims["number"]) == (["Reception"], ["8002"], LEES["number"])
    stored = await office.world.stored("welcome_services", WELCOME)
    assert stored["openHoursOverflow"]["destinationId"] == kim["id"]


@pytest.mark.parametrize("requests", (4, 11, 18, 25))
async def test_a_service_that_stops_after_any_request_is_continued_and_does_nothing_twice(
    office: Office, requests: int
) -> None:
    plan = await office.plan("kim@x.example")
    office.store.add([plan])
    job = job_of(office.workspace, AREAS, [plan], office.store)
    job.dry_run()
    line, sent = office.desk.line, len(office.desk.line.requests)

    class Cutting:
        """The service of the line, whose responses are lost after some requests."""

        def __init__(self) -> None:
            self.service = line.service

        async def handle_async_request(self, request: Any) -> Any:
            line.loses_answers = len(line.requests) - sent >= requests
            return await self.service.handle_async_request(request)

    whole, line.service = line.service, Cutting()  # type: ignore[assignment]
    job.subscribe(lambda: job.stop() if job.state == "paused" else None)
    await job.rest()
    office.store.add_results(job.results, office.workspace.now())
    line.service, line.loses_answers = whole, False
    office.workspace.retry_now()
    (open_plan,) = office.store.read()
    again = await office.carry_out(open_plan)
    assert [(each.step.label, each.sentence) for each in again.results if each.outcome in ("failed", "unknown")] == []
    assert await office.holds("lee@x.example") == {}
    kims = await office.holds("kim@x.example")
    assert (kims["extension"], kims["number"], kims["device"]) == (["8001"], LEES["number"], ["Desk phone"])


async def test_what_another_administrator_gave_away_since_the_plan_is_not_taken(office: Office) -> None:
    plan = await office.plan("kim@x.example", extension="keep", device="keep", number="free", licence="keep")
    await office.world.user("pat@x.example", profiles=LICENCES[:1])
    await office.extension("pat@x.example", "8003", numbers=False)
    lee, pat = await office.user("lee@x.example"), await office.user("pat@x.example")
    path = {**SYSTEM, "phoneNumberId": NUMBERS[0]}
    await office.workspace.perform("unassign_ddi_from_user", path={**path, "userId": lee["id"]})
    await office.workspace.perform("assign_ddi_to_user", path={**path, "userId": pat["id"]}, body={})
    job = await office.carry_out(plan)
    assert sorted(each.outcome for each in job.results) == ["done", "done", "unchanged"]
    assert (await office.holds("pat@x.example"))["number"] == ["21 000 0010"]


async def test_what_the_role_may_not_read_is_named_and_contradictions_are_found(
    office: Office, real: Callable[..., Awaitable[Desk]]
) -> None:
    desk = await real("company_admin", login="ann@x.example")
    lee = await office.user("lee@x.example")
    _plan, unread = await leaving.plan(desk.workspace, AREAS, lee, None, "2020-01-01")
    assert "OAuth tokens" in unread
    plan = await office.plan(number="keep", extension="free", device="hand-over")
    found = leaving.objections(AREAS, plan)
    assert {key.partition(":")[0]: text for key, text in found.items()} == {
        "number": "cannot be kept without the extension 8001",
        "device": "cannot be: hand over",
    }


async def test_the_file_of_plans_is_private_keeps_open_plans_once_and_is_never_overwritten_when_damaged(
    office: Office, tmp_path: Path
) -> None:
    plan = await office.plan(day="2030-05-01")
    office.store.add([plan])
    office.store.add([await office.plan(day="2030-06-01")])
    (kept,) = office.store.read()
    assert (kept.day, kept.is_due(date(2030, 5, 31)), kept.is_due(date(2030, 6, 1))) == ("2030-06-01", False, True)
    file = tmp_path / "state" / "leaving.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert office.store.remove(kept.id) and not office.store.remove(kept.id)
    for damage in ("[{", '{"a": 1}', '[{"user": {}, "day": "soon", "holdings": []}]', "[1]"):
        file.write_text(damage)
        with pytest.raises(LeavingsError, match=r"leaving\.json"):
            office.store.add([plan])
        assert file.read_text() == damage
