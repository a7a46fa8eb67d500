"""Voice in the console without a screen: where its records are, what is chosen from, how values read."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.console.core.places import Place
from svc_tui.console.core.value_sources import value_source
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.field_specs import field_by_wire

PBX, ONE = "e1" * 12, "a1" * 12


def test_records_of_a_cloudpbx_need_its_place_above_them() -> None:
    assert BY_NAME["subscribers"].missing(Place.parse("subscribers")) == "cloudpbxs"
    assert BY_NAME["subscribers"].missing(Place.parse(f"cloudpbxs/{PBX}/subscribers")) == ""
    registrations = BY_NAME["registrations"]
    assert registrations.missing(Place.parse(f"cloudpbxs/{PBX}/registrations")) == "subscribers"
    assert BY_NAME["mfasettings"].missing(Place.parse("mfasettings")) == "", "all users have a company"


def test_a_referenced_record_is_below_the_same_cloudpbx() -> None:
    here = Place.parse(f"cloudpbxs/{PBX}/subscribers/{ONE}")
    assert str(BY_NAME["ddis"].related_place(here, {}, "d1")) == f"cloudpbxs/{PBX}/ddis/d1"
    assert str(BY_NAME["users"].related_place(here, {}, "u1")) == "users/u1"
    assert str(BY_NAME["ddis"].related_place(Place.parse(f"cloudpbxs/{PBX}"), {}, "d1")) == f"cloudpbxs/{PBX}/ddis/d1"


def test_a_recording_across_companies_leads_to_the_one_of_its_cloudpbx() -> None:
    across = BY_NAME["allrecordings"]
    assert str(across.placement.leads({"id": ONE, "systemId": PBX})) == f"cloudpbxs/{PBX}/recordings/{ONE}"
    assert across.placement.leads({"id": ONE}) is None
    assert BY_NAME["recordings"].placement.leads({"id": ONE, "systemId": PBX}) is None


def test_choices_belong_to_the_cloudpbx_of_the_place() -> None:
    place = Place.parse(f"cloudpbxs/{PBX}/welcomeservices")
    wanted = {
        ("create_welcome_service", "externalNumberId"): "list_ddi_numbers",
        ("create_welcome_service", "companyCalendarId"): "list_office_hours",
        ("create_sip_device", "deviceTypeId"): "list_cloudpbx_device_models",
        ("create_subscriber", "shortNumber"): "list_free_internal_numbers",
    }
    for (operation_id, wire), listed in wanted.items():
        source = value_source(field_by_wire(body_of(operation_id))[wire], BY_NAME)
        assert source is not None and source.operation == listed
        assert source.path_at(place) == {"systemId": PBX}


def test_a_list_without_a_search_parameter_is_read_completely_and_searched_here() -> None:
    ddis = value_source(field_by_wire(body_of("create_welcome_service"))["externalNumberId"], BY_NAME)
    users = value_source(field_by_wire(body_of("create_subscriber"))["userId"], BY_NAME)
    assert ddis is not None and users is not None
    assert (ddis.searched, ddis.most) == ("", 1000)
    assert (users.searched, users.most) == ("displayName", 50)
    rows = [{"id": "1", "numberE164": "+351210992001"}, {"id": "2", "numberE164": "+351210992002"}]
    assert ddis.in_order(ddis.rows({"data": rows}), "2002") == [rows[1]]


def test_plain_values_are_chosen_like_records() -> None:
    numbers = value_source(field_by_wire(body_of("create_subscriber"))["shortNumber"], BY_NAME)
    assert numbers is not None
    rows = numbers.rows({"data": ["2000", "2001"]})
    assert [numbers.choice(row, []).value for row in rows] == ["2000", "2001"]
    assert numbers.rows({"data": None}) == numbers.rows(None) == []


@pytest.mark.parametrize(
    ("kind", "field", "record", "said"),
    [
        ("subscribers", "externalNumber", {"externalNumber": "+351210992001", "country": "PRT"}, "21 099 2001"),
        ("subscribers", "externalNumber", {}, "—"),
        ("ddis", "names", {"names": "Vera", "secondaryDdiOrder": 2}, "Vera (further 2)"),
        ("ddis", "names", {}, "free"),
        ("sipdevices", "userDisplayName", {"shortNumber": "2001", "userDisplayName": "Vera"}, "2001 Vera"),
        ("sipdevices", "userDisplayName", {}, "free"),
        ("sipdevices", "deviceType", {"deviceType": {"vendor": "Meadow", "model": "M110"}}, "Meadow M110"),
        ("recordings", "duration", {"duration": 59}, "0:59"),
        ("recordings", "duration", {"duration": 3_725}, "1:02:05"),
        ("recordings", "duration", {"duration": "long"}, "long"),
        ("recordings", "size", {"size": 1_500_000}, "1.5 MB"),
        ("recordings", "size", {"size": 46_483}, "46 kB"),
        ("recordings", "otherParty", {"otherParty": {"number": "+441134960001"}}, "+44 113 496 0001"),
        ("recordings", "recordedParty", {"recordedParty": {"name": "Vera", "number": "1"}}, "Vera"),
        ("recordings", "recordedParty", {"recordedParty": "garbled"}, "—"),
        ("welcomeservices", "openHoursOverflow", {"openHoursOverflow": {"type": "closed_hours"}}, "as when closed"),
        (
            "welcomeservices",
            "closedHoursOverflow",
            {"closedHoursOverflow": {"type": "user", "userDisplayName": "Vera", "toVoicemail": True}},
            "voicemail of Vera",
        ),
        ("welcomeservices", "manualMode", {"manualMode": {"mode": "open"}}, "manual"),
        ("welcomeservices", "manualMode", {"manualMode": {"mode": "default"}}, "—"),
        (
            "officehours",
            "officehours",
            {"officehours": {"openhours": [[], [["09:00", "12:00"]]], "exceptions": [{}]}},
            "1 day a week, 1 exception",
        ),
        ("cloudpbxs", "cloudpbx", {"cloudpbx": {"numberingPrefix": 8, "numberingDigits": 4}}, "8000 to 8999"),
    ],
)
def test_values_are_shown_in_words(kind: str, field: str, record: dict[str, Any], said: str) -> None:
    column = next(column for column in BY_NAME[kind].display.columns if column.field == field)
    assert column.text(record)[0].text == said


def test_titles_with_capitals_inside_keep_them_in_a_sentence() -> None:
    titles = ("CloudPBXs", "Subscribers", "SIP devices", "DDI numbers", "API keys", "Second factor policies")
    said = ["CloudPBXs", "subscribers", "SIP devices", "DDI numbers", "API keys", "second factor policies"]
    assert [title_in_sentence(title) for title in titles] == said
