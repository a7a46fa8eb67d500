"""Rows are checked by the specification, and by the constraints of the fields of an entry."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.companies.regions import region_of
from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.columns import COLUMNS, header, nearest
from svc_tui.interface.directory.csv.fast_checks import is_email_address, is_international_number, is_national_number
from svc_tui.interface.directory.csv.faults import BadFile, Fault
from svc_tui.interface.directory.records import EntryFields
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import problem_of
from svc_tui.interface.telephone_numbers import e164

#: The columns as clients of the service send them.
_NAMED = (
    ["__action__", "ldap_id", "firstName", "lastName", "companyName"]
    + [f"{kind}PhoneNumber{index}" for kind in ("work", "mobile", "other") for index in range(10)]
    + [f"tag{index}" for index in range(5)]
    + ["department", "street", "city", "postalCode", "state", "country", "jobTitle", "eMail", "custom1", "custom2"]
)


def check(values: dict[str, str], *, synchronizing: bool = False, country: str = "FRA") -> list[Fault]:
    columns = header(list(values), 1, synchronizing=synchronizing)
    return Checker(columns, synchronizing, country).check(list(values.values()))


def wrong(values: dict[str, str], *, synchronizing: bool = False) -> set[str]:
    return {fault.column for fault in check(values, synchronizing=synchronizing)}


def test_the_columns_are_those_of_the_interface() -> None:
    assert set(COLUMNS) == set(_NAMED)


@pytest.mark.parametrize(
    ("written", "suggestion"),
    [
        ("workPhoneNumber", "workPhoneNumber0"),
        ("work_phone_number", "workPhoneNumber0"),
        ("workPhoneNumbers", "workPhoneNumber0"),
        ("Workphonenumber3", "workPhoneNumber3"),
        ("workPhone", "workPhoneNumber0"),
        ("first name", "firstName"),
        ("FirstName", "firstName"),
        ("email", "eMail"),
        ("e-mail", "eMail"),
        ("workEmail0", "eMail"),
        ("tag", "tag0"),
        ("postcode", "postalCode"),
        ("shoeSize", ""),
    ],
)
def test_an_unknown_column_has_a_suggestion(written: str, suggestion: str) -> None:
    assert nearest(written) == suggestion


def test_all_faults_of_the_first_line_are_reported_together() -> None:
    with pytest.raises(BadFile) as caught:
        header(["firstName", "workPhoneNumber", "", "firstName"], 3)
    assert caught.value.code is Code.BAD_COLUMN and caught.value.line == 3
    for part in ("did you mean workPhoneNumber0?", "column 3 has no name", "firstName appears twice"):
        assert part in caught.value.sentence


def test_a_column_that_is_there_is_not_suggested() -> None:
    # The same as the repair of the line uses.
    with pytest.raises(BadFile, match=r"homePhoneNumber0 is not a column \(did you mean otherPhoneNumber1\?\)$"):
        header(["lastName", "homePhoneNumber0", "otherPhoneNumber0"], 1)
    with pytest.raises(BadFile, match=r"mail is not a column$"):
        header(["lastName", "eMail", "mail"], 1)


def test_a_command_requires_action_and_identifier() -> None:
    with pytest.raises(BadFile, match="__action__ is missing; ldap_id is missing"):
        header(["firstName"], 1, synchronizing=True)
    assert wrong({"__action__": "sync", "ldap_id": "", "lastName": "A"}, synchronizing=True) == {"ldap_id"}
    assert wrong({"__action__": "", "ldap_id": "1", "lastName": "A"}, synchronizing=True) == {"__action__"}


@pytest.mark.parametrize("action", ["delete", "upsert", "sync"])
def test_the_three_actions_are_accepted(action: str) -> None:
    assert not check({"__action__": action, "ldap_id": "1", "lastName": "A"}, synchronizing=True)


@pytest.mark.parametrize("action", ["Delete", "update", "insert"])
def test_other_actions_are_refused(action: str) -> None:
    assert wrong({"__action__": action, "lastName": "A"}) == {"__action__"}


def test_an_entry_requires_a_name_except_in_deletes_and_upserts() -> None:
    assert wrong({"firstName": "", "city": "Lyon"}) == {"firstName"}
    assert not check({"__action__": "delete", "ldap_id": "1", "lastName": ""}, synchronizing=True)
    assert not check({"__action__": "upsert", "ldap_id": "1", "lastName": ""}, synchronizing=True)
    assert wrong({"__action__": "sync", "ldap_id": "1", "lastName": ""}, synchronizing=True) == {"lastName"}
    assert not check({"companyName": "Acme"})


@pytest.mark.parametrize(
    ("column", "good", "bad"),
    [
        ("lastName", "x" * 255, "x" * 256),
        ("tag0", "x" * 64, "x" * 65),
        ("country", "FRA", "FR"),
        ("eMail", "ann@acme.example", "ann at acme"),
        ("workPhoneNumber0", "+33 6 12 34 56 78", "12"),
        ("mobilePhoneNumber9", "0612345678", "+33612"),
        ("otherPhoneNumber0", "+33612345678", "reception"),
    ],
)
def test_values_are_accepted_up_to_their_limit(column: str, good: str, bad: str) -> None:
    assert not check({"companyName": "Acme", column: good})
    (fault,) = check({"companyName": "Acme", column: bad})
    assert (fault.column, fault.value) == (column, bad) and fault.msg and fault.rule


def test_a_number_is_read_with_the_country_of_its_entry() -> None:
    assert not check({"lastName": "A", "workPhoneNumber0": "020 7946 0018", "country": "GBR"})
    assert wrong({"lastName": "A", "workPhoneNumber0": "020 7946 0018", "country": "NOR"}) == {"workPhoneNumber0"}
    entry = Checker(header(["lastName", "workPhoneNumber0"], 1), country="GBR").entry(["A", "020 7946 0018"])
    assert entry == {"lastName": "A", "workPhoneNumbers": ["+442079460018"]}


def test_a_state_is_for_two_countries() -> None:
    assert not check({"lastName": "A", "state": "Ohio", "country": "USA"})
    assert wrong({"lastName": "A", "state": "Ohio", "country": "FRA"}) == {"state"}


def test_a_row_with_a_wrong_number_of_values_has_one_fault() -> None:
    (fault,) = Checker(header(["firstName", "lastName"], 1)).check(["A", "B", "C"])
    assert fault.column == "" and "3 values" in fault.msg and "2 columns" in fault.msg


def test_all_faults_of_a_row_are_reported() -> None:
    assert wrong({"lastName": "x" * 300, "eMail": "no", "country": "XX"}) == {"lastName", "eMail", "country"}


@pytest.mark.parametrize(
    "number",
    ["+33612345678", "+442079460018", "+14155550132", "+390612345678", "+3906123456789012", "+4940123", "+999123456"],
)
def test_the_fast_check_never_accepts_a_value_that_the_full_check_refuses(number: str) -> None:
    if is_international_number(number):
        assert e164(number) == number


def _numbers(country: str) -> st.SearchStrategy[str]:
    """Texts that are numbers of a country, or nearly."""
    import phonenumbers as library

    region = region_of(country)
    example = library.example_number(region) if region else None
    home = library.format_number(example, library.PhoneNumberFormat.NATIONAL) if example else "0123456789"
    digits = "".join(sign for sign in home if sign.isdigit())
    begun = st.integers(0, len(digits)).flatmap(
        lambda kept: st.text("0123456789", max_size=len(digits) - kept + 2).map(lambda end: digits[:kept] + end)
    )
    return st.one_of(st.just(home), begun, st.text("0123456789 .-", max_size=16))


@settings(max_examples=1_000, deadline=None)
@given(st.data())
def test_the_fast_check_of_national_numbers_accepts_only_valid_numbers(
    data: st.DataObject,
) -> None:
    country = data.draw(st.sampled_from(sorted(COUNTRIES)))
    number = data.draw(_numbers(country))
    if is_national_number(number, country):
        assert e164(number, country)
        assert not problem_of(EntryFields, "workPhoneNumbers", [number])


@pytest.mark.parametrize(
    ("number", "country"),
    # One that begins as calls abroad do, one too short once its prefix is gone, one without its area code.
    [("0070064759", "ITA"), ("16808488", "CAN"), ("9353644", "CAN"), ("11830669976", "PRI")],
)
def test_unusual_numbers_take_the_full_check(number: str, country: str) -> None:
    with pytest.raises(ValueError):
        e164(number, country)
    assert not is_national_number(number, country)


def test_usual_numbers_take_the_fast_check() -> None:
    usual = {
        "FRA": "01 23 45 67 89",
        "PRT": "213 456 789",
        "GBR": "020 7946 0018",
        "USA": "415-555-0132",
        "ITA": "06 12345678",
    }
    assert all(is_national_number(number, country) for country, number in usual.items())
    assert not is_national_number("00 33 1 23 45 67 89", "FRA")
    assert not is_national_number("01 23 45 67 89", "")


@pytest.mark.parametrize("text", ["a@b.c", "ann@acme.example", "@b.c", "a@b", "a b@c.d", "a@b.c ", "a" * 252 + "@b.c"])
def test_the_fast_check_of_email_addresses_agrees_with_the_field(text: str) -> None:
    assert is_email_address(text) == (problem_of(EntryFields, "eMail", text) == "")


def test_a_nul_character_is_a_fault_of_its_cell() -> None:
    (fault,) = check({"firstName": "A\x00", "lastName": "Miller"})
    assert (fault.column, fault.rule) == ("firstName", "invalid character")
    assert fault.wire()["value"] == "A␀"
