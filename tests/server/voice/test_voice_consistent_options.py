"""Options that depend on others (2.15, 2.17, 4.7): a value without effect is refused, and ends with its reason."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from svc_tui.interface.dates import stamp
from tests.server.companies.support import params, put
from tests.server.voice.test_voice_welcome_services import ddi, made, one
from tests.server.voice.world import at, exchanges, member, subscriber
from tests.support.world import World, granted, refused

Document = dict[str, Any]


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


@pytest.fixture
async def overflow(voice: World) -> str:
    """The address of the overflow of a subscriber whose company lets calls ring for 20 seconds."""
    pbx = await voice.stored("cloudpbxs", "e2" * 12)
    delay = {"overflowSubscribersToVoicemail": {"activate": True, "noReplyDelay": 20}}
    await put(voice, "cloudpbxs", **{**pbx, "cloudpbx": {**pbx["cloudpbx"], **delay}})
    return at("own", f"/subscribers/{(await subscriber(voice, '8001'))['id']}/overflow")


@pytest.mark.parametrize("value", ["default", "disabled"])
async def test_the_delay_of_a_subscriber_ends_with_the_choice_of_one(
    voice: World, boss: Document, overflow: str, value: str
) -> None:
    custom = {"value": "custom", "unavailableOverflow": "default", "noReplyDelay": 60}
    assert granted(await voice.put(overflow, by=boss, json=custom))["data"]["noReplyDelay"] == 60
    chosen = {"value": value, "unavailableOverflow": "default"}
    assert granted(await voice.put(overflow, by=boss, json=chosen))["data"]["noReplyDelay"] == 20
    assert granted(await voice.get(overflow, by=boss))["data"]["noReplyDelay"] == 20
    # A new choice of its own begins with the company's delay, not with that of before.
    again = {"value": "custom", "unavailableOverflow": "default"}
    assert granted(await voice.put(overflow, by=boss, json=again))["data"]["noReplyDelay"] == 20
    answer = refused(await voice.put(overflow, by=boss, json={**chosen, "noReplyDelay": 30}), 400000)
    assert params(answer) == ["noReplyDelay"]
    # As it was answered.
    granted(await voice.put(overflow, by=boss, json={**chosen, "noReplyDelay": 20}))
    assert granted(await voice.get(overflow, by=boss))["data"]["value"] == value


async def test_a_delay_that_was_kept_beside_the_companys_choice_is_not_shown(voice: World, boss: Document) -> None:
    holder = await subscriber(voice, "8001", overflowToVoicemail={"value": "default", "noReplyDelay": 60})
    path = at("own", f"/subscribers/{holder['id']}")
    assert granted(await voice.get(f"{path}/overflow", by=boss))["data"]["noReplyDelay"] == 20
    assert granted(await voice.get(path, by=boss))["data"]["overflowToVoicemail"]["noReplyDelay"] == 20


async def test_the_number_of_a_subscriber_rings_too_only_where_there_is_one(voice: World, boss: Document) -> None:
    holder = await subscriber(voice, "8001")
    path = at("own", f"/subscribers/{holder['id']}/pstn-device-options")
    assert params(refused(await voice.put(path, by=boss, json={"policy": "subscriber_ddi"}), 400000)) == ["policy"]
    number = at("own", f"/phone-numbers/ddi/{await ddi(voice, 1)}/users/{holder['userId']}")
    granted(await voice.post(number, by=boss))
    chosen = {"policy": "subscriber_ddi", "numberE164": "+351211234561"}
    assert granted(await voice.put(path, by=boss, json={"policy": "subscriber_ddi"}))["data"] == chosen
    # As it was answered.
    granted(await voice.put(path, by=boss, json=chosen))
    # With its last number the choice ends: the company's setting applies.
    granted(await voice.delete(number, by=boss))
    found = granted(await voice.get(path, by=boss))["data"]
    assert found == {"policy": "company_policy", "numberE164": None}


async def test_a_manual_mode_does_not_end_in_the_past(voice: World, boss: Document) -> None:
    service = await made(voice, boss)
    past, soon = (stamp(voice.service.clock.now() + timedelta(minutes=minutes)) for minutes in (-1, 1))
    for mode in ("open", "closed"):
        body = {"manualMode": {"mode": mode, "endDate": past}}
        assert params(refused(await voice.post(one(service), by=boss, json=body), 400000)) == ["manualMode.endDate"]
        granted(await voice.post(one(service), by=boss, json={"manualMode": {"mode": mode, "endDate": soon}}))
    # A mode that is over may be sent back with other changes.
    stored = await voice.stored("welcome_services", service["id"])
    over = {"mode": "open", "endDate": past}
    await put(voice, "welcome_services", **{**stored, "manualMode": over})
    granted(await voice.post(one(service), by=boss, json={"name": "Front desk", "manualMode": over}))
    granted(await voice.post(one(service), by=boss, json={"manualMode": {"mode": "default"}}))
