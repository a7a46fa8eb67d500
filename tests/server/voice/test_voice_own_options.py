"""A subscriber's own options (2.15, 4.7), each with the setting of the company."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.companies.support import params, put
from tests.server.voice.world import OTHERS, at, checked, exchanges, member, subscriber
from tests.support.world import OTHER_COMPANY, World, granted, refused

Document = dict[str, Any]

UNKNOWN = "f0" * 12
#: Option -> a body that its update takes; recording has its own rules.
UPDATES: dict[str, Document] = {
    "pstn-device-options": {"policy": "none"},
    "sip-headers": {"customSipHeader_1": "X-One: 1"},
    "barge-options": {"telephonyBasicAttendantBargeIn": "enabled"},
    "barring-options": {"permissions": "local"},
    "call-forward-options": {"externalCallForward": "authorized"},
    "overflow": {"value": "custom", "unavailableOverflow": "default"},
}


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


@pytest.fixture
async def ada(voice: World) -> Document:
    return await subscriber(voice, "8001", externalNumber="+351210000001")


async def option(world: World, by: Document, who: Document, name: str) -> Document:
    return dict(granted(await world.get(at("own", f"/subscribers/{who['id']}/{name}"), by=by))["data"])


async def choose(world: World, by: Document, who: Document, name: str, **body: Any) -> Document:
    return dict(granted(await world.put(at("own", f"/subscribers/{who['id']}/{name}"), by=by, json=body))["data"])


async def company(world: World, by: Document, **fields: Any) -> None:
    granted(await world.put(at("own"), by=by, json=fields))


@pytest.mark.parametrize("name", ["cli-options", "pstn-device-options", "sip-headers", "barge-options", "overflow"])
async def test_roles_that_read_the_options(voice: World, name: str) -> None:
    await checked(voice, "GET", f"/subscribers/{UNKNOWN}/{name}", writes=False)


@pytest.mark.parametrize("name", UPDATES)
async def test_roles_that_change_the_options(voice: World, name: str) -> None:
    await checked(voice, "PUT", f"/subscribers/{UNKNOWN}/{name}", writes=True, json=UPDATES[name])


@pytest.mark.parametrize("name", UPDATES)
async def test_an_empty_update_is_refused(voice: World, boss: Document, ada: Document, name: str) -> None:
    answer = await voice.put(at("own", f"/subscribers/{ada['id']}/{name}"), by=boss, json={})
    refused(answer, 400100 if name in ("sip-headers", "barring-options") else 400000)


@pytest.mark.parametrize("wire", ["customSipHeader_1", "customSipHeader_2"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\x7f", "\x1b"])
async def test_a_header_has_no_line_break(voice: World, boss: Document, ada: Document, wire: str, end: str) -> None:
    for place in ("", f"/subscribers/{ada['id']}/sip-headers"):
        body = refused(await voice.put(at("own", place), by=boss, json={wire: f"X-One: 1{end}X-Two: 2"}), 400000)
        assert (params(body), "one line" in body["errorDetails"][0]["msg"]) == ([wire], True)
        granted(await voice.put(at("own", place), by=boss, json={wire: "X-One: é"}))


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("X-One", "must be a name, a colon and a value"),
        ("Tenant northwind", "must be a name, a colon and a value"),
        (": 42", "must be a name, a colon and a value"),
        (" X-One: 1", "must be a name, a colon and a value"),
        ("X One: 1", "must be a name, a colon and a value"),
        ("Größe: 1", "must be a name, a colon and a value"),
        # A second one of these would replace who calls, or where the message goes and ends (RFC 3261).
        *(
            (f"{name}: 1", f"must not be {name}, a header of the protocol itself")
            for name in ("From", "TO", "via", "Contact", "Content-Length", "CSeq", "Call-ID", "Route", "f", "l", "v")
        ),
        ("Max-Forwards : 0", "must not be Max-Forwards, a header of the protocol itself"),
    ],
)
async def test_a_header_has_a_name_and_a_colon_and_is_not_one_of_the_protocol(
    voice: World, boss: Document, ada: Document, header: str, reason: str
) -> None:
    for place in ("", f"/subscribers/{ada['id']}/sip-headers"):
        answer = refused(await voice.put(at("own", place), by=boss, json={"customSipHeader_2": header}), 400000)
        assert params(answer) == ["customSipHeader_2"]
        assert answer["errorDetails"][0]["msg"].startswith(reason)
        for other in ("X-One: 1", "Alert-Info: <http://x.example>;info=ring2", "X-Empty:", "X-Time: 10:30"):
            granted(await voice.put(at("own", place), by=boss, json={"customSipHeader_2": other}))


async def test_an_update_of_another_cloudpbx_s_subscriber_is_not_found(voice: World, boss: Document) -> None:
    other = await subscriber(voice, "8001", "customer")
    for name, body in UPDATES.items():
        refused(await voice.put(at("own", f"/subscribers/{other['id']}/{name}"), by=boss, json=body), 404000)


async def test_the_number_that_callees_see_follows_the_company(voice: World, boss: Document, ada: Document) -> None:
    number = granted(await voice.post(at("own", "/phone-numbers/ddi"), by=boss, json={"number": "210000009"}))["data"]
    granted(await voice.post(at("own", f"/phone-numbers/ddi/{number['id']}/default"), by=boss))
    granted(await voice.put(at("own", "/cli-options"), by=boss, json={"policy": "installation_ddi_number"}))
    found = await option(voice, boss, ada, "cli-options")
    assert (found["policy"], found["companyPolicy"], found["numberE164"]) == (
        "installation_ddi_number",
        "installation_ddi_number",
        "+351210000009",
    )
    granted(await voice.put(at("own", "/cli-options"), by=boss, json={"policy": "user_ddi_number"}))
    found = await option(voice, boss, ada, "cli-options")
    assert (found["policy"], found["numberE164"]) == ("user_ddi_number", "+351210000001")
    without = await subscriber(voice, "8002")
    assert (await option(voice, boss, without, "cli-options"))["numberE164"] == "+351210000009"


async def test_barge_options_are_shown_with_the_company_s(voice: World, boss: Document, ada: Document) -> None:
    await company(voice, boss, bargeOptions={"telephonyBasicAttendantBargeIn": "disabled"})
    found = await option(voice, boss, ada, "barge-options")
    assert found == {"telephonyBasicAttendantBargeIn": "company_policy", "companyPolicy": "disabled"}
    changed = await choose(voice, boss, ada, "barge-options", telephonyBasicAttendantBargeIn="enabled")
    assert changed == {"telephonyBasicAttendantBargeIn": "enabled", "companyPolicy": "disabled"}
    assert await option(voice, boss, ada, "barge-options") == changed
    read = granted(await voice.get(at("own", f"/subscribers/{ada['id']}"), by=boss))["data"]
    assert read["bargeOptions"] == changed


async def test_the_external_number(voice: World, boss: Document, ada: Document) -> None:
    name = "pstn-device-options"
    assert await option(voice, boss, ada, name) == {"policy": "company_policy", "numberE164": None}
    assert (await choose(voice, boss, ada, name, policy="subscriber_ddi"))["numberE164"] == "+351210000001"
    custom = await choose(voice, boss, ada, name, policy="custom_ddi_number", numberE164="912 345 678")
    assert custom == {"policy": "custom_ddi_number", "numberE164": "+351912345678"}
    assert await option(voice, boss, ada, name) == custom
    path = at("own", f"/subscribers/{ada['id']}/{name}")
    answer = refused(await voice.put(path, by=boss, json={"policy": "custom_ddi_number"}), 400000)
    assert params(answer) == ["numberE164"]
    answer = await voice.put(path, by=boss, json={"policy": "custom_ddi_number", "numberE164": "12"})
    refused(answer, 400210)
    assert await option(voice, boss, ada, name) == custom
    assert await choose(voice, boss, ada, name, policy="none", numberE164="912345678") == {
        "policy": "none",
        "numberE164": None,
    }
    read = granted(await voice.get(at("own", f"/subscribers/{ada['id']}"), by=boss))["data"]
    assert "pstnDeviceOptions" not in read


async def test_sip_headers_change_one_by_one_and_null_removes_one(voice: World, boss: Document, ada: Document) -> None:
    none = {"customSipHeader_1": None, "customSipHeader_2": None}
    assert await option(voice, boss, ada, "sip-headers") == none
    await choose(voice, boss, ada, "sip-headers", customSipHeader_1="X-One: 1", customSipHeader_2="X-Two: 2")
    changed = await choose(voice, boss, ada, "sip-headers", customSipHeader_1=None)
    assert changed == await option(voice, boss, ada, "sip-headers") == {**none, "customSipHeader_2": "X-Two: 2"}


async def test_barring_changes_one_by_one(voice: World, boss: Document, ada: Document) -> None:
    await choose(voice, boss, ada, "barring-options", permissions="local", restrictions="custom_numbers")
    changed = await choose(voice, boss, ada, "barring-options", permissions="default")
    assert changed == {"permissions": "default", "restrictions": "custom_numbers"}
    answer = await voice.put(
        at("own", f"/subscribers/{ada['id']}/barring-options"), by=boss, json={"permissions": None}
    )
    assert params(refused(answer, 400000)) == ["permissions"]


async def test_call_forward(voice: World, boss: Document, ada: Document) -> None:
    for value in ("company_policy", "authorized", "not_authorized"):
        changed = await choose(voice, boss, ada, "call-forward-options", externalCallForward=value)
        assert changed == {"externalCallForward": value}
        assert (await voice.stored("subscribers", ada["id"]))["callForwardOptions"] == changed


@pytest.mark.parametrize(
    ("value", "company_has", "expected"),
    [
        ("default", True, True),
        ("default", False, False),
        ("custom", False, True),
        ("disabled", True, False),
    ],
)
async def test_overflow_is_one_store_with_two_views(
    voice: World, boss: Document, ada: Document, value: str, company_has: bool, expected: bool
) -> None:
    pbx = await voice.stored("cloudpbxs", ada["systemId"])
    pbx["cloudpbx"]["overflowSubscribersToVoicemail"] = {"activate": company_has, "noReplyDelay": 20}
    async with voice.service.database.unit() as store:
        await store.cloudpbxs.put(pbx)
    body = {"value": value, "unavailableOverflow": "disabled"}
    own = {"noReplyDelay": 10} if value == "custom" else {}
    changed = await choose(voice, boss, ada, "overflow", **body, **own)
    assert changed == {**body, "noReplyDelay": 20, **own, "activate": expected}
    assert await option(voice, boss, ada, "overflow") == changed
    assert await option(voice, boss, ada, "overflow/status") == changed
    read = granted(await voice.get(at("own", f"/subscribers/{ada['id']}"), by=boss))["data"]
    assert read["overflowToVoicemail"] == changed


async def test_the_delay_of_the_company_is_shown_until_a_subscriber_has_its_own(
    voice: World, boss: Document, ada: Document
) -> None:
    assert (await option(voice, boss, ada, "overflow"))["noReplyDelay"] == 20
    pbx = await voice.stored("cloudpbxs", ada["systemId"])
    pbx["cloudpbx"]["overflowSubscribersToVoicemail"] = {"activate": True, "noReplyDelay": 35}
    await put(voice, "cloudpbxs", **pbx)
    read = granted(await voice.get(at("own", f"/subscribers/{ada['id']}"), by=boss))["data"]
    assert read["overflowToVoicemail"]["noReplyDelay"] == 35
    body = {"value": "custom", "unavailableOverflow": "default"}
    assert (await choose(voice, boss, ada, "overflow", **body))["noReplyDelay"] == 35
    assert (await choose(voice, boss, ada, "overflow", **body, noReplyDelay=10))["noReplyDelay"] == 10


async def test_users_read_the_overflow_of_their_own_extension_only(voice: World, ada: Document) -> None:
    himself = await voice.stored("users", ada["userId"])
    other = await subscriber(voice, "8002")
    assert (await option(voice, himself, ada, "overflow/status"))["value"] == "default"
    refused(await voice.get(at("own", f"/subscribers/{other['id']}/overflow/status"), by=himself), 403301)
    refused(await voice.get(at("own", f"/subscribers/{UNKNOWN}/overflow/status"), by=himself), 403301)
    refused(await voice.get(at("own", f"/subscribers/{ada['id']}/overflow"), by=himself), 403000)
    support = await member(voice, "support")
    assert (await option(voice, support, ada, "overflow/status"))["value"] == "default"
    refused(await voice.get(at("own", f"/subscribers/{UNKNOWN}/overflow/status"), by=support), 404000)


async def test_only_the_company_admin_sets_the_recording_profile(voice: World, boss: Document, ada: Document) -> None:
    path = at("own", f"/subscribers/{ada['id']}/recordings")
    for profile in ("internal_only", "external_only", "all", "none"):
        answer = granted(await voice.put(path, by=boss, json={"recordingProfile": profile}))
        assert answer["data"] == {"recordingProfile": profile}
        stored = await voice.stored("subscribers", ada["id"])
        assert (stored["recordingProfile"], stored["isRecordingActivated"]) == (profile, profile != "none")
    for role in ("superadmin", "support", "bp_admin", "organization_admin", "site_admin", *OTHERS):
        refused(await voice.put(path, by=await member(voice, role), json={"recordingProfile": "all"}), 403000)
    stranger = await member(voice, "company_admin", OTHER_COMPANY)
    refused(await voice.put(path, by=stranger, json={"recordingProfile": "all"}), 403301)
