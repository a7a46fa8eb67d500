"""Simulated activity of voice in the demo."""

from __future__ import annotations

import random

import pytest

from svc_tui.interface.voice.recordings import Recording
from svc_tui.server.demo.accounts import account
from svc_tui.server.demo.activity import simulate_event
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.store.conditions import Is
from svc_tui.server.voice.demo import DEMO
from svc_tui.server.voice.demo.activity import telephone_plugged
from tests.support.world import World


@pytest.fixture
def demo(demo_world: World) -> World:
    return demo_world


async def test_simulated_recordings_and_registrations(demo: World) -> None:
    async with demo.service.database.unit() as store:
        recordings = {each["id"] for each in (await store.recordings.find()).documents}
        online = {each["id"]: each for each in (await store.registrations.find()).documents}
    chance = random.Random(2)
    for _ in range(300):
        await simulate_event(demo.service, chance)
    async with demo.service.database.unit() as store:
        new = [each for each in (await store.recordings.find()).documents if each["id"] not in recordings]
        after = {each["id"]: each for each in (await store.registrations.find()).documents}
        devices = {each["id"]: each for each in (await store.devices.find()).documents}
        systems = {each["companyId"]: each["id"] for each in (await store.cloudpbxs.find()).documents}
    assert len(new) >= 20
    now = "2026-11-20T10:00:00.000Z"
    for each in new:
        Recording.model_validate(each)
        assert each["date"] < now
        assert each["systemId"] == systems[each["companyId"]]
    assert {each["companyId"] for each in new} == {account(name).company_id for name in ("company_admin", "demo")}
    assert set(online) - set(after), "a telephone is offline"
    assert set(after) - set(online), "a telephone is online again"
    renewed = [each for id, each in after.items() if each["expirationDate"] != online.get(id, each)["expirationDate"]]
    assert len(renewed) >= 10
    for each in after.values():
        assert each["expirationDate"] > now
        device = devices.get(each.get("deviceId", ""), each)
        assert device["phoneNumberId"] == each["phoneNumberId"]


async def test_only_offline_telephones_register_again(demo: World) -> None:
    chance = random.Random(3)
    back = 0
    async with demo.service.database.unit() as store:
        while await telephone_plugged(store, demo.service, chance):
            back += 1
        online = {each.get("deviceId") for each in (await store.registrations.find()).documents}
        devices = (await store.devices.find(Is("systemId", id_of("cloudpbx", "northwind")))).documents
    assert back >= 1
    assert all(each["id"] in online for each in devices if "phoneNumberId" in each)


def test_recordings_arrive_and_telephones_come_and_go() -> None:
    assert {event.__name__.strip("_") for event, _ in DEMO.events} == {
        "recording_arrived",
        "registrations_renewed",
        "telephone_unplugged",
        "telephone_plugged",
    }
