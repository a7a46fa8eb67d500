"""Lines of a file of new subscribers: read in every usual form, held against users and numbers, numbers proposed."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.voice.numbering import MOST_FREE
from svc_tui.workspace.voice.bulk_create import MOST_BYTES, MOST_LINES, Planned, Unreadable, Wanted, planned, wanted_in

ANA = {"id": "a" * 24, "loginEmail": "Ana@x.example", "displayName": "Ana", "profiles": [{"isVoicePhone": True}]}
BO = {"id": "b" * 24, "loginEmail": "bo@x.example", "displayName": "Bo", "profiles": [{"offerId": "1"}]}
CY = {**ANA, "id": "c" * 24, "loginEmail": "cy@x.example", "phoneNumbers": [{"systemId": "pbx"}]}
DI = {**ANA, "id": "d" * 24, "loginEmail": "di@x.example", "profiles": []}
FREE = ["2000", "2001", "2002"]


def plan(*wanted: Wanted, free: list[str] | None = None) -> list[Planned]:
    return planned(wanted, [ANA, BO, CY, DI], FREE if free is None else free, "pbx")


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
def test_a_file_is_read_in_every_usual_form(text: str) -> None:
    assert wanted_in(text.encode()) == [Wanted(2, "ana@x.example", "2000", "secret12")]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "names no column loginEmail or userId"),
        (b"number\n2000\n", "names no column loginEmail or userId"),
        (b"user\n", "has no line below its first one"),
        (b"user\n\xff\xfe\n", "is no text in UTF-8"),
        (b'user\n"ana\n', "is no CSV"),
        (b"user\nana\x00\n" + b"x" * MOST_BYTES, "larger than 4 MB"),
        (b"user\n" + b"x\n" * (MOST_LINES + 1), f"more than {MOST_LINES} lines"),
    ],
)
def test_what_is_no_such_file_is_told_in_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(Unreadable, match=sentence):
        wanted_in(data)


def test_short_lines_lack_what_they_do_not_have() -> None:
    assert wanted_in(b"number,user\n2000\n,bo@x.example\n") == [Wanted(2, "", "2000"), Wanted(3, "bo@x.example")]


def test_who_has_no_number_gets_the_next_free_one_that_nobody_asks_for() -> None:
    first, second = plan(Wanted(2, "ana@x.example"), Wanted(3, BO["id"], "2000", "secret12"))
    assert first == Planned(2, "Ana", "2001", {"userId": ANA["id"], "shortNumber": "2001"})
    assert second == Planned(3, "Bo", "2000", {"userId": BO["id"], "shortNumber": "2000", "password": "secret12"})


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        (Wanted(2, ""), "names no user"),
        (Wanted(2, "nobody"), "the company has no user nobody"),
        (Wanted(2, "cy@x.example"), "has an extension already"),
        (Wanted(2, "di@x.example"), "has no licence"),
        (Wanted(2, "bo@x.example", "3000"), "3000 is not free"),
    ],
)
def test_what_is_in_the_way_is_told_and_takes_no_number(wanted: Wanted, problem: str) -> None:
    first, second = plan(wanted, Wanted(3, "ana@x.example"))
    assert first.problem == problem
    assert (second.problem, second.number) == ("", "2000")


def test_a_user_or_a_number_stands_in_one_line() -> None:
    _, again = plan(Wanted(2, "ana@x.example"), Wanted(3, ANA["id"]))
    assert again.problem == "the user stands in a line above"
    both = plan(Wanted(2, "ana@x.example", "2002"), Wanted(3, "bo@x.example", "2002"))
    assert [each.problem for each in both] == ["2002 stands in several lines"] * 2


def test_when_numbers_run_out_the_lines_say_so() -> None:
    found = plan(Wanted(2, "ana@x.example"), Wanted(3, "bo@x.example"), free=["2000"])
    assert [(each.number, each.problem) for each in found] == [("2000", ""), ("", "no free number is left")]


def test_a_number_beyond_those_that_are_told_is_left_to_the_service() -> None:
    told: list[Any] = [str(20_000 + n) for n in range(MOST_FREE)]
    (found,) = plan(Wanted(2, "ana@x.example", "29999"), free=told)
    assert found.problem == ""
