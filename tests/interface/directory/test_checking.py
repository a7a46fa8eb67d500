"""Rows are checked by the specification, and by the constraints of the fields of an entry."""

from __future__ import annotations

import pytest

from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.columns import all_columns, header, nearest
from svc_tui.interface.directory.csv.faults import BadFile, Fault, is_doubtful
from svc_tui.interface.errors import Code

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
    assert set(all_columns()) == set(_NAMED)


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


def test_several_numbers_of_a_cell_fill_the_next_free_columns_of_their_kind() -> None:
    names = ["lastName", "workPhoneNumber0", "workPhoneNumber1", "mobilePhoneNumber0"]
    checker = Checker(header(names, 1), country="FRA")
    cells = ["A", "01 42 68 53 00 ::: 01 42 68 53 01", "0142685302", "0612345678; +49 30 123456"]
    assert not checker.check(cells)
    work, mobile = ["+33142685300", "+33142685302", "+33142685301"], ["+33612345678", "+4930123456"]
    assert checker.entry(cells) == {"lastName": "A", "workPhoneNumbers": work, "mobilePhoneNumbers": mobile}
    sent = [column.name for column in checker.columns_needed]
    assert sent == [*names, "workPhoneNumber2", "mobilePhoneNumber1"]
    resolved = checker.resolved(cells, checker.columns_needed)
    assert resolved == ["A", work[0], work[1], mobile[0], work[2], mobile[1]]


def test_numbers_without_a_free_column_are_a_fault() -> None:
    names = ["lastName", *(f"workPhoneNumber{place}" for place in range(10))]
    numbers = [f"01 42 68 53 {place:02}" for place in range(10)]
    checker = Checker(header(names, 1), country="FRA")
    assert not checker.check(["A", *numbers])
    (fault,) = checker.check(["A", *numbers[:9], f"{numbers[9]} / 01 42 68 53 10"])
    assert (fault.column, fault.rule, fault.doubtful) == ("workPhoneNumber9", "too many numbers", False)


def test_a_doubtful_number_makes_its_row_doubtful_unless_it_has_another_fault() -> None:
    columns = header(["lastName", "workPhoneNumber0", "eMail"], 1)
    checker = Checker(columns, country="DEU")
    cells = ["A", "30123456", "a@b.example"]
    faults = checker.check(cells)
    assert is_doubtful(faults) and [fault.suggestion for fault in faults] == ["+4930123456"]
    assert "did you mean +4930123456?" in faults[0].msg
    accepted = ["A", str(faults[0].suggestion), "a@b.example"]
    assert not checker.check(accepted)
    assert checker.resolved(accepted, columns) == ["A", "+4930123456", "a@b.example"]
    assert not is_doubtful(checker.check(["A", "30123456", "ab"]))
    assert not is_doubtful(checker.check(["A", "030 123456", "a@b.example"]))


def test_the_row_of_a_deletion_is_sent_without_numbers() -> None:
    checker = Checker(header(["__action__", "ldap_id", "workPhoneNumber0"], 1, synchronizing=True), True, "DEU")
    assert not checker.check(["delete", "1", "30 privat"])
    assert checker.resolved(["delete", "1", "30 privat"], checker.columns) == ["delete", "1", ""]


def test_a_nul_character_is_a_fault_of_its_cell() -> None:
    (fault,) = check({"firstName": "A\x00", "lastName": "Miller"})
    assert (fault.column, fault.rule) == ("firstName", "invalid character")
    assert fault.wire()["value"] == "A␀"
