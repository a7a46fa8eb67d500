"""Telephony from a file: its formats, its users, numbers and devices, and the suggested numbers."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest

from svc_tui.interface.voice.numbering import MOST_FREE
from svc_tui.workspace.changes.bulk import created_by
from svc_tui.workspace.files.company_telephony import Telephony
from svc_tui.workspace.voice.bulk_create import (
    MOST_BYTES,
    MOST_LINES,
    PlannedPhones,
    RequestedSubscriber,
    SubscriberFileError,
    plan_phones,
    read_subscribers,
)

ANA = {"id": "a" * 24, "loginEmail": "Ana@x.example", "displayName": "Ana", "profiles": [{"isVoicePhone": True}]}
BO = {"id": "b" * 24, "loginEmail": "bo@x.example", "displayName": "Bo", "profiles": [{"offerId": "1"}]}
CY = {**ANA, "id": "c" * 24, "loginEmail": "cy@x.example", "phoneNumbers": [{"systemId": "pbx"}]}
DI = {**ANA, "id": "d" * 24, "loginEmail": "di@x.example", "profiles": []}
FREE = ["2000", "2001", "2002"]


#: An extension with a number and a device, a device without a user, and the model of both.
EVE = {
    **ANA,
    "id": "e" * 24,
    "loginEmail": "eve@x.example",
    "displayName": "Eve",
    "phoneNumbers": [{"systemId": "pbx"}],
}
EXTENSION = {"id": "s1", "userId": EVE["id"], "shortNumber": "1900"}
DESK = {"id": "m1", "vendor": "Meadow", "model": "M110 desk", "family": "desk_phone"}
DECT = {"id": "m2", "vendor": "Brightline", "model": "Roam DECT", "family": "dect"}
DEVICES = [
    {"id": "d1", "macAddress": "02:00:00:00:00:01", "deviceType": DESK, "phoneNumberId": "s1", "userId": EVE["id"]},
    {"id": "d2", "macAddress": "02:00:00:00:00:02", "deviceType": DESK, "description": "Old name"},
]
DEVICES[0]["userDisplayName"] = "Eve"
DDIS = [
    {"id": "n1", "numberE164": "+351210992001", "userId": EVE["id"], "names": "Eve"},
    {"id": "n2", "numberE164": "+351210992002"},
    {"id": "n3", "numberE164": "+351210992003"},
]


def there(free: list[str] | None = None, country: str | None = "PRT") -> Telephony:
    offered = FREE if free is None else free
    known = frozenset(offered) if len(offered) < MOST_FREE else None
    return Telephony("pbx", country, [EXTENSION], DDIS, DEVICES, [DESK, DECT], known, offered)


def plan(*wanted: RequestedSubscriber, free: list[str] | None = None) -> list[PlannedPhones]:
    return plan_phones(wanted, [ANA, BO, CY, DI, EVE], there(free))


def planned(text: str) -> list[PlannedPhones]:
    return plan(*read_subscribers(text.encode()).lines)


def sent(found: PlannedPhones) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Operation, path and body of each request."""
    assert found.request is not None, found.problem
    steps = (found.step, *found.step.following)
    return [(each.operation_id, dict(each.path), dict(each.body or {})) for each in steps]


@pytest.mark.parametrize(
    "text",
    [
        "loginEmail,shortNumber,password\nana@x.example,2000,secret12\n",
        "Login Email;Short Number;Password\r\nana@x.example;2000;secret12\r\n\r\n",
        "password\tnumber\tuser\nsecret12\t 2000 \tana@x.example",
        "\ufeffemail,extension,other,password\nana@x.example,2000,x,secret12\n,,,\n",
        'userId,number,password\n"ana@x.example","2000","secret12"\n',
    ],
)
def test_a_file_is_read_in_every_usual_format(text: str) -> None:
    assert read_subscribers(text.encode()).lines == [RequestedSubscriber(2, "ana@x.example", "2000", "secret12")]


@pytest.mark.parametrize(
    "heading",
    [
        "Extension Number",
        "Ext",
        "Ext.",
        "EXTENSION",
        "Short_Number",
        "Durchwahl",
        "Nebenstelle",
        "Numéro court",
        "Ramal",
    ],
)
@pytest.mark.parametrize("value", ["2353", '="2353"', '"2353"', "'2353", "2353.0", "2353,0", " 2353 ", "\u200e2353"])
def test_a_number_is_read_under_every_usual_heading_and_as_spreadsheets_keep_it(heading: str, value: str) -> None:
    for text in (
        f"E-Mail;Number;{heading};Cost centre\nana@x.example;7;{value};42\n",
        f"sep=;\r\nE-Mail;Number;{heading};Cost centre\r\nana@x.example;7;{value};42\r\n",
        f"E-Mail;Number;{heading};Cost centre\rana@x.example;7;{value};42\r",
        f"E-Mail\tNumber\t{heading}\tCost centre\nana@x.example\t7\t{value}\t42\n",
    ):
        for encoding in ("utf-8", "utf-8-sig", "utf-16"):
            found = read_subscribers(text.encode(encoding))
            (line,) = found.lines
            assert (line.who, line.number, line.problem) == ("ana@x.example", "2353", "")
            # What is not read is named: another number could be the one that the file means.
            assert found.unread == ["Number", "Cost centre"]


@pytest.mark.parametrize("value", ["23 53x", "ext 2353", "2353.5", "2,35E+03", "+351 21"])
def test_a_number_that_is_none_is_not_replaced_by_another(value: str) -> None:
    (line,) = read_subscribers(f"user;ext\nana@x.example;{value}\n".encode()).lines
    (planned,) = plan(line)
    assert planned.problem == f"{value} is no internal number"


def test_a_line_with_more_values_than_the_header_is_not_created() -> None:
    found = read_subscribers(b"user,ext\nana@x.example,2000,2001\nbo@x.example,2002,\n").lines
    assert [bool(line.problem) for line in found] == [True, False]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the file is empty"),
        (b"number\n2000\n", "has no column loginEmail or userId"),
        (b"user\n", "has no lines after the header"),
        (b'user\n"ana\n', "is not CSV"),
        (b"user\nana\x00\n" + b"x" * MOST_BYTES, "larger than 4 MiB"),
        (b"user\n" + b"x\n" * (MOST_LINES + 1), f"more than {MOST_LINES} lines"),
    ],
)
def test_an_invalid_file_is_refused_in_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(SubscriberFileError, match=sentence):
        read_subscribers(data)


def test_short_lines_have_empty_values() -> None:
    assert read_subscribers(b"number,user\n2000\n,bo@x.example\n").lines == [
        RequestedSubscriber(2, "", "2000"),
        RequestedSubscriber(3, "bo@x.example"),
    ]


def test_a_line_without_a_number_gets_the_next_free_number_that_no_line_requests() -> None:
    first, second = plan(RequestedSubscriber(2, "ana@x.example"), RequestedSubscriber(3, BO["id"], "2000", "secret12"))
    assert (first.id, first.name, first.number, first.problem) == ("2", "Ana", "2001", "")
    system = {"systemId": "pbx"}
    assert sent(first) == [("create_subscriber", system, {"userId": ANA["id"], "shortNumber": "2001"})]
    assert sent(second)[0][2] == {"userId": BO["id"], "shortNumber": "2000", "password": "secret12"}


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        (RequestedSubscriber(2, ""), "no user given"),
        (RequestedSubscriber(2, "ada"), "the company has no user ada"),
        (RequestedSubscriber(2, "cy@x.example"), "already has an extension"),
        (RequestedSubscriber(2, "di@x.example"), "has no licence"),
        (RequestedSubscriber(2, "bo@x.example", "3000"), "3000 is not free"),
    ],
)
def test_a_line_with_a_problem_gets_no_number(wanted: RequestedSubscriber, problem: str) -> None:
    first, second = plan(wanted, RequestedSubscriber(3, "ana@x.example"))
    assert first.problem == problem
    assert (second.problem, second.number) == ("", "2000")


def test_a_user_or_a_number_can_be_in_one_line_only() -> None:
    _first, again = plan(RequestedSubscriber(2, "ana@x.example"), RequestedSubscriber(3, ANA["id"]))
    assert again.problem == "the user is also in an earlier line"
    both = plan(RequestedSubscriber(2, "ana@x.example", "2002"), RequestedSubscriber(3, "bo@x.example", "2002"))
    assert [each.problem for each in both] == ["2002 is in several lines"] * 2


def test_lines_without_a_free_number_have_a_problem() -> None:
    found = plan(RequestedSubscriber(2, "ana@x.example"), RequestedSubscriber(3, "bo@x.example"), free=["2000"])
    assert [(each.number, each.problem) for each in found] == [("2000", ""), ("", "no free number is left")]


def test_a_number_beyond_a_long_list_of_free_numbers_is_left_to_the_service() -> None:
    free_numbers: list[Any] = [str(20_000 + n) for n in range(MOST_FREE)]
    (found,) = plan(RequestedSubscriber(2, "ana@x.example", "29999"), free=free_numbers)
    assert found.problem == ""


def test_an_emergency_number_of_the_country_is_refused_in_the_plan() -> None:
    long = [str(number) for number in range(2000, 2000 + MOST_FREE)]
    for number, country, problem in (
        ("112", "PRT", "112 is an emergency number"),
        ("911", "USA", "911 is an emergency number"),
        ("911", "PRT", ""),
    ):
        requested = RequestedSubscriber(2, "ana@x.example", number)
        (line,) = plan_phones([requested], [ANA], there(long, country))
        assert line.problem == problem


ADDRESSES = ("02-00-00-00-00-0A", "02:00:00:00:00:0a", "0200.0000.000a", "02000000000A", "02 00 00 00 00 0a")


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_user_gets_extension_number_and_a_new_device_whose_address_has_any_notation(address: str) -> None:
    (found,) = planned(
        f"\ufefflogin;DDI;MAC;Modell;Beschreibung\r\n\r\nANA@x.example;21 099 2002;{address};m110 desk;Büro\r\n"
    )
    system, device = {"systemId": "pbx"}, "devices/02:00:00:00:00:0a"
    extension = {"systemId": "pbx", "phoneNumberId": created_by("extensions/Ana@x.example")}
    assert sent(found) == [
        ("create_sip_device", system, {"description": "Büro", "macAddress": "02:00:00:00:00:0a", "deviceTypeId": "m1"}),
        ("create_subscriber", system, {"userId": ANA["id"], "shortNumber": "2000"}),
        ("assign_ddi_to_user", {**system, "phoneNumberId": "n2", "userId": ANA["id"]}, {}),
        ("assign_device_to_subscriber", extension, {"deviceId": created_by(device)}),
    ]
    assert (found.id, found.gets) == ("3", "21 099 2002 · 02:00:00:00:00:0a")


def test_an_old_encoding_is_read_and_a_workbook_keeps_leading_zeros_and_its_line_numbers() -> None:
    text = "Benutzer;Gerätetyp;MAC-Adresse;Gerät\nana@x.example;M110 desk;02000000000a;Büro Köln\n"
    (line,) = read_subscribers(text.encode("cp1252")).lines
    assert (line.model, line.mac, line.description) == ("M110 desk", "02:00:00:00:00:0a", "Büro Köln")
    book, file = openpyxl.Workbook(), io.BytesIO()
    sheet = book.active
    for row in (
        ["login", "extension", "DDI"],
        [],
        ["ana@x.example", "0042", 351210992002],
        ["bo@x.example", 2001, None],
    ):
        sheet.append(row)
    book.save(file)
    first, second = read_subscribers(file.getvalue()).lines
    assert (first.line, first.who, first.number, first.ddi) == (3, "ana@x.example", "0042", "351210992002")
    assert (second.line, second.number, second.ddi) == (4, "2001", "")


def test_a_column_that_only_says_number_has_extensions_and_ddi_numbers() -> None:
    found = read_subscribers(b"login;number\nana@x.example;2000\nbo@x.example;+351 21 099 2002\n").lines
    assert [(each.number, each.ddi) for each in found] == [("2000", ""), ("", "+351 21 099 2002")]


def test_what_has_another_holder_is_named_with_it_and_the_line() -> None:
    found = planned(
        "login;ddi;mac;model\nana@x.example;210992001;;\nbo@x.example;;02:00:00:00:00:01;\neve@x.example;210992009;;\n"
    )
    assert [(each.id, each.problem) for each in found] == [
        ("2", "It belongs to Eve"),
        ("3", "It belongs to Eve"),
        ("4", "+351210992009 is no DDI number of this CloudPBX"),
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("ana@x.example;M999;02000000000a", "There is no device model “M999”. Use one of M110 desk"),
        ("ana@x.example;;02000000000a", "model is required"),
        ("ana@x.example;M110 desk;02000000000", "needs 12 hexadecimal digits"),
        ("ana@x.example;M110 desk;02:00:00:00:00:0x", "no hexadecimal digit"),
        ("ana@x.example;B40 desk;02:00:00:00:00:02", "no device model"),
        (";M110 desk;", "has its macAddress"),
        ("ana@x.example;Roam DECT;02000000000a", "Roam DECT is no desk phone: it has no MAC address"),
        (";;", None),
    ],
)
def test_a_device_that_cannot_be_is_refused_before_anything_is_sent(line: str, problem: str | None) -> None:
    text = f"login;model;mac\nbo@x.example;;\n{line}\n"
    found = planned(text)
    assert len(found) == (1 if problem is None else 2)
    assert problem is None or problem in found[-1].problem


def test_duplicate_lines_are_named_and_a_user_can_have_two_devices() -> None:
    found = planned(
        "login;model;mac\n"
        "eve@x.example;M110 desk;02:00:00:00:00:0a\n"
        "eve@x.example;M110 desk;02-00-00-00-00-0A\n"
        "eve@x.example;M110 desk;02:00:00:00:00:0b\n"
    )
    assert [(each.id, each.problem) for each in found] == [
        ("2, 4", ""),
        ("3", "02:00:00:00:00:0a is also in line 2"),
    ]
    bodies = [body["deviceId"] for operation, _path, body in sent(found[0]) if operation.startswith("assign")]
    assert bodies == [created_by(f"devices/02:00:00:00:00:0{sign}") for sign in "ab"]


def test_a_line_whose_values_the_cloudpbx_has_sends_nothing_and_a_device_without_a_user_goes_to_the_stock() -> None:
    found = planned(
        "login;extension;ddi;mac;model;description\n"
        "eve@x.example;1900;210992001;020000000001;M110 desk;\n"
        ";;;020000000002;;New name\n"
        ";;;02000000000c;M110 desk;Spare\n"
    )
    assert [(each.id, each.problem, each.request is None) for each in found] == [
        ("2", "", True),
        ("3", "", False),
        ("4", "", False),
    ]
    assert sent(found[1]) == [
        ("update_sip_device", {"systemId": "pbx", "deviceId": "d2"}, {"description": "New name"}),
    ]
    undo = found[1].step.undo
    assert undo is not None and undo.body == {"description": "Old name"}
    assert [operation for operation, _path, _body in sent(found[2])] == ["create_sip_device"]
