"""Subscribers from a file: its formats, its users and numbers, and the suggested numbers."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.voice.numbering import MOST_FREE
from svc_tui.workspace.voice.bulk_create import (
    MOST_BYTES,
    MOST_LINES,
    PlannedSubscriber,
    RequestedSubscriber,
    SubscriberFileError,
    plan_subscribers,
    read_subscribers,
)

ANA = {"id": "a" * 24, "loginEmail": "Ana@x.example", "displayName": "Ana", "profiles": [{"isVoicePhone": True}]}
BO = {"id": "b" * 24, "loginEmail": "bo@x.example", "displayName": "Bo", "profiles": [{"offerId": "1"}]}
CY = {**ANA, "id": "c" * 24, "loginEmail": "cy@x.example", "phoneNumbers": [{"systemId": "pbx"}]}
DI = {**ANA, "id": "d" * 24, "loginEmail": "di@x.example", "profiles": []}
FREE = ["2000", "2001", "2002"]


def plan(*wanted: RequestedSubscriber, free: list[str] | None = None) -> list[PlannedSubscriber]:
    return plan_subscribers(wanted, [ANA, BO, CY, DI], FREE if free is None else free, "pbx")


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
    assert first == PlannedSubscriber(2, "Ana", "2001", {"userId": ANA["id"], "shortNumber": "2001"})
    assert second == PlannedSubscriber(
        3, "Bo", "2000", {"userId": BO["id"], "shortNumber": "2000", "password": "secret12"}
    )


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
    _, again = plan(RequestedSubscriber(2, "ana@x.example"), RequestedSubscriber(3, ANA["id"]))
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
        (line,) = plan_subscribers([requested], [ANA], long, "pbx", country=country)
        assert line.problem == problem
