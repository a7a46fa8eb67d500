"""Voice records of the demo: plausible, consistent, and as declared by the interface."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from svc_tui.interface import voice
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.problems import problems_of
from svc_tui.interface.records import Record
from svc_tui.interface.telephone_numbers import e164
from svc_tui.interface.texts import mac_address
from svc_tui.interface.voice.numbering import contradictions, free_numbers, unassignable
from svc_tui.server.demo import seed
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.store.database import Database
from svc_tui.server.voice.demo.lines import NEW

TODAY = date(2026, 11, 20)
MODELS: dict[str, type[Record]] = {
    "external_trunks": voice.ExternalTrunk,
    "cloudpbxs": voice.CloudPbx,
    "subscribers": voice.Subscriber,
    "ddis": voice.DdiNumber,
    "devices": voice.Device,
    "registrations": voice.Registration,
    "office_hours": voice.OfficeHours,
    "welcomes": voice.Welcome,
    "welcome_services": voice.WelcomeService,
    "recordings": voice.Recording,
}
NORTHWIND = id_of("company", "northwind")
SYSTEM = id_of("cloudpbx", "northwind")
Document = dict[str, Any]
Everything = dict[str, list[Document]]


async def everything(database: Database) -> Everything:
    kinds = (*MODELS, "prohibited_numbers", "companies", "users", "sites")
    async with database.unit() as store:
        return {kind: (await getattr(store, kind).find()).documents for kind in kinds}


@pytest.fixture
async def database(demo_database: Database) -> Database:
    return demo_database


@pytest.fixture
async def found(database: Database) -> Everything:
    return await everything(database)


def by_id(documents: list[Document]) -> dict[str, Document]:
    return {each["id"]: each for each in documents}


def of_northwind(documents: list[Document]) -> list[Document]:
    return [each for each in documents if each["systemId"] == SYSTEM]


async def test_every_record_matches_the_interface(found: Everything) -> None:
    # The field by which the server finds a registration.
    beside = {"registrations": {"systemId", "phoneNumberId"}}
    for kind, model in MODELS.items():
        assert found[kind], kind
        for document in found[kind]:
            assert set(document) <= set(field_by_wire(model)) | beside.get(kind, set()), kind
            model.model_validate(document)
    for each in found["prohibited_numbers"]:
        assert problems_of(voice.ProhibitedNumbers, {"patterns": each["patterns"]}) == []


async def test_each_cloudpbx_is_valid(found: Everything) -> None:
    settable = field_by_wire(voice.CloudPbxUpdate)
    trunks, companies, sites = by_id(found["external_trunks"]), by_id(found["companies"]), by_id(found["sites"])
    for each in found["cloudpbxs"]:
        settings = each["cloudpbx"]
        values = {wire: value for wire, value in {**settings, "name": each["name"]}.items() if wire in settable}
        assert problems_of(voice.CloudPbxUpdate, values) == [], each["name"]
        assert contradictions(settings) == [], each["name"]
        company = companies[each["companyId"]]
        assert (each.get("bpId"), each["country"]) == (company.get("bpId"), company["country"])
        assert {sites[site]["companyId"] for site in each["siteId"]} <= {company["id"]}
        if trunk := settings.get("externalTrunkId"):
            # A partner uses its own trunk.
            assert each.get("bpId", each["companyId"]) in trunks[trunk]["bpIds"]
            assert trunks[trunk]["status"] == "active"
    assert len(found["cloudpbxs"]) == 6
    assert {each["status"] for each in found["cloudpbxs"]} == {"created", "disconnected"}
    assert {each["trunkType"] for each in found["external_trunks"]} == {"hybrid_trunk", "bp_trunk"}
    assert {each["status"] for each in found["external_trunks"]} == {"new", "active"}


async def test_the_demo_company_uses_nearly_every_setting(found: Everything) -> None:
    own = by_id(found["cloudpbxs"])[SYSTEM]
    settable = set(field_by_wire(voice.CloudPbxUpdate)) - {"name", "pbxLdapId", "customSipHeader_2"}
    assert settable <= set(own["cloudpbx"])


async def test_subscribers_are_users_with_a_licence_and_a_number_of_the_plan(found: Everything) -> None:
    users, systems = by_id(found["users"]), by_id(found["cloudpbxs"])
    assert 36 <= len(of_northwind(found["subscribers"])) <= 44
    assert len({each["systemId"] for each in found["subscribers"]}) == len(systems)
    for each in found["subscribers"]:
        user, system = users[each["userId"]], systems[each["systemId"]]
        assert user["companyId"] == system["companyId"]
        assert not user["isTerminated"]
        assert {profile["offerReference"] for profile in user["profiles"]} & {"voice-line", "voice-phone"}
        assert unassignable(system["cloudpbx"], each["shortNumber"], system["country"]) == ""
        assert each["shortNumber"] != system["cloudpbx"]["voiceNumber"]
        entries = [entry for entry in user["phoneNumbers"] if entry.get("phoneNumberId") == each["id"]]
        assert [entry["shortNumber"] for entry in entries] == [each["shortNumber"]]
        assert each["isRecordingActivated"] is (each["recordingProfile"] != "none")
        assert problems_of(voice.SubscriberBody, {"userId": user["id"], **_made(each)}) == []


def _made(subscriber: Document) -> Document:
    return {name: subscriber[name] for name in ("shortNumber", "password")}


async def test_a_number_a_device_and_a_ddi_are_available_for_a_new_employee(found: Everything) -> None:
    users = by_id(found["users"])
    for id in NEW:
        assert users[id]["companyId"] == NORTHWIND
        assert "voice-line" in [each["offerReference"] for each in users[id]["profiles"]]
        assert id not in {each["userId"] for each in found["subscribers"]}
    assert users[NEW[0]]["isInitialized"] is False, "the user is new"
    taken = {each["shortNumber"] for each in of_northwind(found["subscribers"])}
    assert next(free_numbers(by_id(found["cloudpbxs"])[SYSTEM]["cloudpbx"], taken))
    free = [each for each in of_northwind(found["devices"]) if "phoneNumberId" not in each]
    assert [each for each in free if "macAddress" in each]
    assert len([each for each in of_northwind(found["ddis"]) if not {"userId", "ivrId"} & set(each)]) >= 10
    without = [each for each in found["users"] if each["companyId"] == NORTHWIND and not _speaks(each)]
    assert without, "a user has no licence"


def _speaks(user: Document) -> bool:
    return any(each["offerReference"].startswith("voice") for each in user["profiles"])


async def test_ddi_numbers_are_valid_and_match_the_records_that_name_them(found: Everything) -> None:
    ddis = by_id(found["ddis"])
    for each in found["ddis"]:
        assert e164(each["numberE164"], each["country"]) == each["numberE164"]
    defaults = Counter(each["systemId"] for each in found["ddis"] if each["isCloudPbxDefault"])
    assert defaults == {each["id"]: 1 for each in found["cloudpbxs"]}
    for system in found["cloudpbxs"]:
        default = ddis[system["cloudpbx"]["installationNumberId"]]
        assert default["numberE164"] == system["cloudpbx"]["installationNumber"]
        assert default["isCloudPbxDefault"]
    used: list[str] = []
    for each, owner in (
        *((each, {"userId": each["userId"]}) for each in found["subscribers"]),
        *((each, {"ivrId": each["id"]}) for each in found["welcome_services"]),
    ):
        numbers = [(each["externalNumberId"], each["externalNumber"])] if "externalNumberId" in each else []
        numbers += [(ddi["phoneNumberId"], ddi["numberE164"]) for ddi in each["secondaryDDIs"]]
        for order, (id, number) in enumerate(numbers):
            assert ddis[id]["numberE164"] == number
            assert ddis[id]["systemId"] == each["systemId"]
            assert owner.items() <= ddis[id].items()
            assert ddis[id].get("secondaryDdiOrder", 0) == order
            assert ddis[id]["isAssignedAsSecondaryCloudPbxDDI"] is (order > 0)
        used += [id for id, _ in numbers]
    assert len(set(used)) == len(used)
    assert set(used) == {each["id"] for each in found["ddis"] if {"userId", "ivrId"} & set(each)}
    assert max(len(each["secondaryDDIs"]) for each in found["subscribers"]) == 2


async def test_devices_and_their_registrations(found: Everything) -> None:
    subscribers, devices = by_id(found["subscribers"]), by_id(found["devices"])
    addresses = [each["macAddress"] for each in found["devices"] if "macAddress" in each]
    assert len(set(addresses)) == len(addresses)
    assert [mac_address(each) for each in addresses] == addresses
    for each in found["devices"]:
        if "phoneNumberId" in each:
            line = subscribers[each["phoneNumberId"]]
            shown = (each["userId"], each["shortNumber"], each["systemId"])
            assert shown == (line["userId"], line["shortNumber"], line["systemId"])
    assert any("expansionModules" in each for each in found["devices"])
    tomorrow = (TODAY + timedelta(days=1)).isoformat()
    for each in found["registrations"]:
        assert each["expirationDate"] > tomorrow, "they are online all day"
        assert devices.get(each.get("deviceId", ""), each)["phoneNumberId"] == each["phoneNumberId"]
        assert subscribers[each["phoneNumberId"]]["systemId"] == each["systemId"]
    online = {each.get("deviceId") for each in found["registrations"]}
    assert any("phoneNumberId" in each and each["id"] not in online for each in found["devices"]), "one is broken"
    assert any("deviceId" not in each for each in found["registrations"]), "a user has the soft phone"


async def test_recordings_are_within_the_retention_period(found: Everything) -> None:
    subscribers = by_id(found["subscribers"])
    recordings = found["recordings"]
    assert len(recordings) == 1_564
    keeps = {each["id"]: each.get("cloudPbxRecordingRetention") or 60 for each in found["companies"]}
    assert keeps[NORTHWIND] == 90
    now = datetime.fromisoformat(f"{TODAY}T00:00:00Z")
    for each in recordings:
        age = now - datetime.fromisoformat(each["date"])
        assert timedelta() < age < timedelta(days=keeps[each["companyId"]])
        assert each["duration"] >= voice.SHORTEST_RECORDING
        party = each["recordedParty"]
        line = subscribers[party["phoneNumberId"]]
        assert (line["systemId"], line["userId"]) == (each["systemId"], party["userId"])
        other = each["otherParty"]["number"]
        inside = not other.startswith("+")
        assert inside or e164(other) == other
        assert line["recordingProfile"] in ("all", "internal_only" if inside else "external_only")
    assert {each["direction"] for each in recordings} == {"in", "out"}
    companies = {each["companyId"] for each in recordings}
    group = {each["id"] for each in found["companies"] if each.get("organisationId")}
    assert len(companies & group) >= 2, "the organisation's administrator looks across companies"
    week = (TODAY - timedelta(days=7)).isoformat()
    often = Counter(each["otherParty"]["number"] for each in recordings if each["date"] > week)
    assert often.most_common(1)[0][1] >= 5, "one number called often last week"


async def test_welcome_services_use_every_kind_of_answer(found: Everything) -> None:
    users, hours = by_id(found["users"]), by_id(found["office_hours"])
    services = found["welcome_services"]
    targets = [each[when] for each in services for when in ("openHoursOverflow", "closedHoursOverflow")]
    assert {each["type"] for each in targets} == {"user", "auto_attendant", "office_hours", "closed_hours", "number"}
    assert {each["manualMode"]["mode"] for each in services} == {"default", "open", "closed"}
    of_user: dict[str, set[str]] = {}
    for each in services:
        assert hours[each["companyCalendarId"]]["systemId"] == each["systemId"]
        assert hours[each["companyCalendarId"]]["name"] == each["companyCalendarName"]
        for when in ("openHoursOverflow", "closedHoursOverflow"):
            if "userId" in each[when]:
                of_user.setdefault(each[when]["userId"], set()).add(each["id"])
                assert users[each[when]["userId"]]["displayName"] == each[when]["userDisplayName"]
    assert {len(ids) for ids in of_user.values()} == {1}, "a user answers one welcome service"
    assert any(each["officehours"]["exceptions"] for each in hours.values())


async def test_the_demo_is_the_same_at_each_start_and_other_records_are_removed(
    database: Database, found: Everything
) -> None:
    async with database.unit() as store:
        await store.recordings.remove(found["recordings"][0]["id"])
        await store.office_hours.put({"id": "f" * 24, "systemId": SYSTEM, "name": "Made by a user"})
        await store.prohibited_numbers.put({"id": "f" * 24, "patterns": []})
        await seed(store, "small", TODAY)
    assert await everything(database) == found
