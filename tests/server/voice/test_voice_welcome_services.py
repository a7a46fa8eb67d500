"""Welcome services (2.17, 4.7): roles, overflows, numbers, and opening hours."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.server.companies.support import params, put
from tests.server.voice.world import OWN, at, checked, exchange_id, exchanges, member, subscriber
from tests.support.world import COMPANY, ORGANISATION, PARTNER, World, granted, refused

Document = dict[str, Any]

SERVICES = at("own", "/ivrs/welcomeservices")
UNKNOWN = "f0" * 12
ATTENDANT = {"type": "auto_attendant", "destinationId": "a7" * 12}
WEEKDAYS = [[], *[[["09:00", "12:00"], ["13:00", "18:00"]]] * 5, []]


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


def one(service: Document) -> str:
    return at("own", f"/ivrs/{service['id']}")


async def made(world: World, by: Document, **fields: Any) -> Document:
    """A welcome service that was created over the interface."""
    sent = {"name": "Reception", "openHoursOverflow": ATTENDANT, **fields}
    service: Document = granted(await world.post(SERVICES, by=by, json=sent))["data"]
    return service


async def changed(world: World, by: Document, service: Document, **fields: Any) -> Document:
    result: Document = granted(await world.post(one(service), by=by, json=fields))["data"]
    return result


async def ddi(world: World, digit: int, exchange: str = "own", **fields: Any) -> str:
    """A DDI number; its id."""
    id, number = f"d{digit}" * 12, f"+35121123456{digit}"
    await put(world, "ddis", id=id, systemId=exchange_id(exchange), number=number, numberE164=number, **fields)
    return id


async def to(world: World, short: str) -> Document:
    """An overflow to a user with this number."""
    return {"type": "user", "destinationId": (await subscriber(world, short))["userId"]}


async def test_roles_for_welcome_services(voice: World) -> None:
    await checked(voice, "GET", "/ivrs/welcomeservices", writes=False)
    sent = {"name": "Reception", "openHoursOverflow": ATTENDANT}
    await checked(voice, "POST", "/ivrs/welcomeservices", writes=True, json=sent)
    await checked(voice, "POST", f"/ivrs/{UNKNOWN}", writes=True, json={"name": "x"})
    await checked(voice, "DELETE", f"/ivrs/{UNKNOWN}", writes=True)


async def test_a_service_is_created_and_listed(voice: World, boss: Document) -> None:
    service = await made(voice, boss)
    assert (service["name"], service["systemId"], service["state"]) == ("Reception", OWN, "open")
    assert service["openHoursOverflow"] == ATTENDANT
    assert service["voiceAutoAttendantId"] == ATTENDANT["destinationId"]
    assert (service["manualMode"], service["secondaryDDIs"]) == ({"mode": "default"}, [])
    assert granted(await voice.get(SERVICES, by=boss)) == {"data": [service]}


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({}, ["name", "openHoursOverflow"]),
        ({"openHoursOverflow": None}, ["openHoursOverflow"]),
        ({"openHoursOverflow": {}}, ["openHoursOverflow.type"]),
        ({"openHoursOverflow": {"type": "choir"}}, ["openHoursOverflow.type"]),
        ({"openHoursOverflow": {"type": "user"}}, ["openHoursOverflow.destinationId"]),
        ({"openHoursOverflow": {"type": "group", "destinationId": "x"}}, ["openHoursOverflow.destinationId"]),
        ({"openHoursOverflow": {"type": "user", "destinationId": UNKNOWN}}, ["openHoursOverflow.destinationId"]),
        ({"openHoursOverflow": {"type": "office_hours"}}, ["openHoursOverflow.type"]),
        ({"openHoursOverflow": {"type": "number", "number": "8001"}}, ["openHoursOverflow.type"]),
        ({"openHoursOverflow": {**ATTENDANT, "toVoicemail": True}}, ["openHoursOverflow.toVoicemail"]),
        ({"closedHoursOverflow": {"type": "closed_hours"}}, ["closedHoursOverflow.type"]),
        ({"closedHoursOverflow": {"type": "number"}}, ["closedHoursOverflow.number"]),
        ({"closedHoursOverflow": {"type": "number", "number": "12"}}, ["closedHoursOverflow.number"]),
        (
            {"closedHoursOverflow": {"type": "number", "number": "8001", "destinationId": UNKNOWN}},
            ["closedHoursOverflow.destinationId"],
        ),
        (
            {"openHoursOverflow": {"type": "closed_hours"}, "closedHoursOverflow": {"type": "office_hours"}},
            ["closedHoursOverflow.type"],
        ),
        ({"companyCalendarId": UNKNOWN}, ["companyCalendarId"]),
        ({"welcomeId": UNKNOWN}, ["welcomeId"]),
        ({"externalNumberId": UNKNOWN}, ["externalNumberId"]),
        ({"secondaryDDIs": [{"phoneNumberId": UNKNOWN}]}, ["externalNumberId"]),
        ({"secondaryDDIs": [{}]}, ["secondaryDDIs.0.phoneNumberId"]),
        ({"manualMode": {"mode": "ajar"}}, ["manualMode.mode"]),
        (
            {"manualMode": {"mode": "open", "startDate": "2026-11-20T12:00:00Z", "endDate": "2026-11-20T12:00:00Z"}},
            ["manualMode.endDate"],
        ),
    ],
)
async def test_invalid_services_are_refused(voice: World, boss: Document, sent: Document, expected: list[str]) -> None:
    whole = {"name": "Reception", "openHoursOverflow": ATTENDANT, **sent} if sent else sent
    assert params(refused(await voice.post(SERVICES, by=boss, json=whole), 400000)) == expected
    assert granted(await voice.get(SERVICES, by=boss))["data"] == []


@pytest.mark.parametrize(
    ("typed", "kept"), [("8001", "8001"), ("211 234 567", "+351211234567"), ("+49 40 123456", "+4940123456")]
)
async def test_in_closed_hours_calls_may_go_to_a_number(voice: World, boss: Document, typed: str, kept: str) -> None:
    await subscriber(voice, "8001")
    service = await made(voice, boss, closedHoursOverflow={"type": "number", "number": typed})
    assert service["closedHoursOverflow"] == {"type": "number", "number": kept}


async def test_a_user_is_shown_with_the_current_name_and_number(voice: World, boss: Document) -> None:
    target = {**await to(voice, "8001"), "toVoicemail": True}
    user = await voice.stored("users", target["destinationId"])
    service = await made(voice, boss, openHoursOverflow=target)
    shown = {
        "name": user["displayName"],
        "userDisplayName": user["displayName"],
        "userId": user["id"],
        "number": "8001",
    }
    assert service["openHoursOverflow"] == {**target, **shown}
    await put(voice, "users", **{**user, "displayName": "Jane Married"})
    (listed,) = granted(await voice.get(SERVICES, by=boss))["data"]
    assert listed["openHoursOverflow"]["userDisplayName"] == "Jane Married"
    # A client that sends back the read values changes nothing.
    again = await changed(voice, boss, service, openHoursOverflow=listed["openHoursOverflow"])
    assert again["openHoursOverflow"] == listed["openHoursOverflow"]


async def test_a_user_or_a_group_is_called_by_one_service(voice: World, boss: Document) -> None:
    user, group = await to(voice, "8001"), {"type": "group", "destinationId": "9a" * 12}
    first = await made(voice, boss, openHoursOverflow=user, closedHoursOverflow={**user, "toVoicemail": True})
    await made(voice, boss, name="Sales", openHoursOverflow=group)
    for target, code in ((user, 403744), (group, 403745)):
        sent = {"name": "Third", "openHoursOverflow": target}
        refused(await voice.post(SERVICES, by=boss, json=sent), code)
        third = await made(voice, boss, name="Third")
        refused(await voice.post(one(third), by=boss, json={"closedHoursOverflow": target}), code)
        granted(await voice.delete(one(third), by=boss))
    # An attendant may be called by several services; a deleted service calls no user.
    await made(voice, boss, name="Third")
    granted(await voice.delete(one(first), by=boss))
    await made(voice, boss, name="Fourth", openHoursOverflow=user)


async def test_of_two_concurrent_services_that_call_a_user_one_is_refused(world_on_both: World) -> None:
    world = await exchanges(world_on_both)
    boss = await member(world, "company_admin")
    user = await to(world, "8001")
    answers = await asyncio.gather(
        *(world.post(SERVICES, by=boss, json={"name": name, "openHoursOverflow": user}) for name in "ABC")
    )
    assert sorted(answer.status_code for answer in answers) == [200, 403, 403]


async def test_only_changed_values_are_checked(voice: World, boss: Document) -> None:
    member_ = await subscriber(voice, "8001")
    target = {"type": "user", "destinationId": member_["userId"]}
    service = await made(voice, boss, openHoursOverflow=target)
    async with voice.service.database.unit() as store:
        await store.subscribers.remove(member_["id"])
    renamed = await changed(voice, boss, service, name="Front desk")
    assert (renamed["name"], renamed["openHoursOverflow"]["destinationId"]) == ("Front desk", member_["userId"])
    refused(await voice.post(one(service), by=boss, json={}), 400100)
    for wire in ("name", "openHoursOverflow"):
        assert params(refused(await voice.post(one(service), by=boss, json={wire: None}), 400000)) == [wire]
    refused(await voice.post(at("own", f"/ivrs/{UNKNOWN}"), by=boss, json={"name": "x"}), 404000)


async def test_an_overflow_is_replaced_as_a_whole_or_removed(voice: World, boss: Document) -> None:
    service = await made(voice, boss, closedHoursOverflow={**await to(voice, "8001"), "toVoicemail": True})
    again = await changed(voice, boss, service, closedHoursOverflow={"type": "office_hours"})
    assert again["closedHoursOverflow"] == {"type": "office_hours"}
    sent = {"openHoursOverflow": {"type": "closed_hours"}}
    assert params(refused(await voice.post(one(service), by=boss, json=sent), 400000)) == ["closedHoursOverflow.type"]
    assert (await changed(voice, boss, service, closedHoursOverflow=None))["closedHoursOverflow"] is None


async def test_main_and_further_numbers_in_their_order(voice: World, boss: Document) -> None:
    main, second, third = [await ddi(voice, digit) for digit in (1, 2, 3)]
    further = [{"phoneNumberId": third}, {"phoneNumberId": second}]
    service = await made(voice, boss, externalNumberId=main, secondaryDDIs=further)
    assert (service["externalNumber"], service["externalNumberId"]) == ("+351211234561", main)
    assert service["secondaryDDIs"] == [
        {"phoneNumberId": third, "numberE164": "+351211234563"},
        {"phoneNumberId": second, "numberE164": "+351211234562"},
    ]
    held = [await voice.stored("ddis", id) for id in (main, third, second)]
    assert [(each["ivrId"], each["names"]) for each in held] == [(service["id"], "Reception")] * 3
    assert [each.get("secondaryDdiOrder") for each in held] == [None, 1, 2]
    assert [each["isAssignedAsSecondaryCloudPbxDDI"] for each in held] == [False, True, True]


async def test_without_its_main_number_the_first_further_one_becomes_main(voice: World, boss: Document) -> None:
    main, second, third = [await ddi(voice, digit) for digit in (1, 2, 3)]
    further = [{"phoneNumberId": second}, {"phoneNumberId": third}]
    service = await made(voice, boss, externalNumberId=main, secondaryDDIs=further)
    service = await changed(voice, boss, service, externalNumberId=None)
    assert service["externalNumberId"] == second
    assert [each["phoneNumberId"] for each in service["secondaryDDIs"]] == [third]
    freed = await voice.stored("ddis", main)
    assert not {"ivrId", "names", "secondaryDdiOrder"} & set(freed)
    for _ in range(2):
        service = await changed(voice, boss, service, externalNumberId=None)
    assert service["externalNumberId"] is service["externalNumber"] is None


async def test_a_further_number_becomes_the_main_one(voice: World, boss: Document) -> None:
    main, second = await ddi(voice, 1), await ddi(voice, 2)
    service = await made(voice, boss, externalNumberId=main, secondaryDDIs=[{"phoneNumberId": second}])
    service = await changed(voice, boss, service, externalNumberId=second)
    assert (service["externalNumberId"], service["secondaryDDIs"]) == (second, [])
    assert "ivrId" not in await voice.stored("ddis", main)
    both = {"externalNumberId": main, "secondaryDDIs": [{"phoneNumberId": second}]}
    service = await changed(voice, boss, service, **both)
    assert service["externalNumberId"] == main
    twice = {"secondaryDDIs": [{"phoneNumberId": main}]}
    assert params(refused(await voice.post(one(service), by=boss, json=twice), 400000)) == ["secondaryDDIs"]


async def test_numbers_of_other_holders_are_refused(voice: World, boss: Document) -> None:
    theirs, users = await ddi(voice, 1), await ddi(voice, 2, userId="1e" * 12)
    await made(voice, boss, name="First", externalNumberId=theirs)
    service = await made(voice, boss)
    for id in (theirs, users):
        for sent in ({"externalNumberId": id}, {"secondaryDDIs": [{"phoneNumberId": id}]}):
            refused(await voice.post(one(service), by=boss, json=sent), 409000)
    away = await ddi(voice, 3, "sister")
    refused(await voice.post(one(service), by=boss, json={"externalNumberId": away}), 400000)


async def test_deleting_a_service_frees_its_numbers(voice: World, boss: Document) -> None:
    number = await ddi(voice, 1)
    service = await made(voice, boss, externalNumberId=number)
    answer = granted(await voice.delete(one(service), by=boss))
    assert (answer["status"], answer["data"]) == (f"Welcome service {service['id']} successfully deleted", [])
    assert "ivrId" not in await voice.stored("ddis", number)
    assert granted(await voice.get(SERVICES, by=boss))["data"] == []
    refused(await voice.delete(one(service), by=boss), 404000)


async def test_the_service_of_the_companys_number_is_the_default_one(voice: World, boss: Document) -> None:
    service = await made(voice, boss, externalNumberId=await ddi(voice, 1))
    assert service["isDefaultIvr"] is False
    pbx = await voice.stored("cloudpbxs", OWN)
    await put(voice, "cloudpbxs", **{**pbx, "cloudpbx": {**pbx["cloudpbx"], "installationNumberId": "d1" * 12}})
    assert granted(await voice.get(SERVICES, by=boss))["data"][0]["isDefaultIvr"] is True


async def test_filters_and_pages_of_the_list(voice: World, boss: Document) -> None:
    for digit, name in enumerate(("Support", "accounts", "Sales"), start=1):
        await made(voice, boss, name=name, externalNumberId=await ddi(voice, digit))
    await put(voice, "welcome_services", id="5e" * 12, systemId=exchange_id("sister"), name="Sister's")

    async def found(query: str = "") -> list[str]:
        return [each["name"] for each in granted(await voice.get(f"{SERVICES}?{query}", by=boss))["data"]]

    assert await found() == ["accounts", "Sales", "Support"]
    assert await found("name=S") == ["accounts", "Sales", "Support"]
    assert await found("name=sUP") == ["Support"]
    assert await found("externalNumber=4561") == ["Support"]
    assert await found("externalNumber=211 234 562") == ["accounts"]
    assert await found("limit=2&offset=1") == ["Sales", "Support"]
    assert await found("limit=2&offset=5") == []
    for query, param in (("limit=2", "offset"), ("offset=2", "limit"), ("limit=two&offset=0", "limit")):
        assert params(refused(await voice.get(f"{SERVICES}?{query}", by=boss), 400000)) == [param]


async def hours(world: World, by: Document, **fields: Any) -> Document:
    sent = {"name": "Office", "officehours": {"openhours": WEEKDAYS, "exceptions": []}, **fields}
    result: Document = granted(await world.post(at("own", "/ivrs/officehours"), by=by, json=sent))["data"]
    return result


async def test_office_hours_in_the_companys_time_zone_open_and_close_it(voice: World, boss: Document) -> None:
    # It is Friday, 20 November 2026, 10:00 UTC.
    office = await hours(voice, boss)
    service = await made(voice, boss, companyCalendarId=office["id"])

    async def state() -> tuple[str, str]:
        (listed,) = granted(await voice.get(SERVICES, by=boss))["data"]
        return listed.get("state"), listed["timezone"]

    assert service["companyCalendarName"] == "Office"
    assert await state() == ("open", "UTC")
    await voice.company(COMPANY, name="Own", bpId=PARTNER, organisationId=ORGANISATION, timezone="America/Los_Angeles")
    assert await state() == ("closed", "America/Los_Angeles")
    voice.clock.forward(hours=1)
    assert (await state())[0] == "closed"
    voice.clock.forward(hours=6)
    assert (await state())[0] == "open"
    await voice.company(COMPANY, name="Own", bpId=PARTNER, organisationId=ORGANISATION, timezone="Mars/Base")
    assert await state() == (None, "Mars/Base")


async def test_a_welcome_still_gives_its_hours(voice: World, boss: Document) -> None:
    await put(voice, "welcomes", id="3e" * 12, systemId=OWN, name="Hello", officehours={"openhours": [[]] * 7})
    service = await made(voice, boss, welcomeId="3e" * 12)
    assert (service["welcomeName"], service["state"]) == ("Hello", "closed")
    service = await changed(voice, boss, service, companyCalendarId=(await hours(voice, boss))["id"])
    assert service["state"] == "open"


async def test_manual_mode(voice: World, boss: Document) -> None:
    office = await hours(voice, boss)
    service = await made(voice, boss, companyCalendarId=office["id"])
    await made(voice, boss, name="Alike", companyCalendarId=office["id"])
    until = {"mode": "closed", "endDate": "2026-11-20T11:00:00.000Z"}
    service = await changed(voice, boss, service, manualMode=until)
    assert (service["state"], service["manualMode"]) == ("closed", until)
    alike = [(each["name"], each["mode"]) for each in service["welcomeServicesManualMode"]]
    assert alike == [("Alike", "default"), ("Reception", "closed")]
    voice.clock.forward(hours=1)
    states = {each["name"]: each["state"] for each in granted(await voice.get(SERVICES, by=boss))["data"]}
    assert states == {"Alike": "open", "Reception": "open"}
    service = await changed(voice, boss, service, manualMode={"mode": "default"})
    assert service["manualMode"] == {"mode": "default"}


async def test_a_manual_mode_without_end_in_a_time_zone_east_of_utc(voice: World, boss: Document) -> None:
    await voice.company(COMPANY, name="Own", bpId=PARTNER, organisationId=ORGANISATION, timezone="Asia/Tokyo")
    calendar = await hours(voice, boss)
    manual = {"mode": "closed", "endDate": "9999-12-31T23:59:59.999Z"}
    service = await made(voice, boss, companyCalendarId=calendar["id"], manualMode=manual)
    assert service["state"] == "closed"
    (listed,) = granted(await voice.get(SERVICES, by=boss))["data"]
    assert (listed["state"], listed["manualMode"]) == ("closed", manual)


async def test_every_company_has_its_own_services(voice: World) -> None:
    organisation = await member(voice, "organization_admin")
    await put(voice, "welcome_services", id="5e" * 12, systemId=exchange_id("sister"), name="Theirs")
    refused(await voice.post(at("own", f"/ivrs/{'5e' * 12}"), by=organisation, json={"name": "x"}), 404000)
    refused(await voice.delete(at("own", f"/ivrs/{'5e' * 12}"), by=organisation), 404000)
