"""Files of users: what each row changes, its faults with what was probably meant, and exports that are read again."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from svc_tui.interface.authentication.user_changes import meets_rule
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.workspace.changes.bulk import Job, JobStep, StepResult
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.users.file import KnownUsers, UserFile, UserRow, read_users
from svc_tui.workspace.users.importing import (
    ImportRecord,
    PasswordFileError,
    made_passwords,
    new_password,
    passwords_left,
    read_passwords,
    steps_of,
    without_password,
    write_passwords,
)

HEADER = (
    "__action__;loginEmail;password;title;firstName;lastName;nickName;businessPhone0;mobilePhone0;email0;jobTitle;"
    "department;country;language;timezone"
)
ANA: dict[str, Any] = {
    "id": "a1",
    "loginEmail": "Ana@acme.com",
    "firstName": "Ana",
    "lastName": "Lopes",
    "jobTitle": "Clerk",
    "country": "PRT",
    "roles": ["user"],
    "isActive": True,
    "phoneNumbers": [
        {"number": "2001", "numberE164": "+351210992001", "isFromSystem": True, "systemId": "s", "phoneNumberId": "p"},
        {"number": "+351213456789", "numberE164": "+351213456789", "type": "work", "deviceType": "landline"},
        {"number": "+351912345678", "numberE164": "+351912345678", "type": "work", "deviceType": "mobile"},
    ],
    "emails": [{"email": "ana@acme.com", "type": "work"}],
}
KNOWN = KnownUsers({"ana@acme.com": ANA}, "PRT", "admin@acme.com")


def read(text: str, known: KnownUsers = KNOWN, **options: Any) -> UserFile:
    return read_users(io.BytesIO(text.encode()), known, **options)


def only(text: str, known: KnownUsers = KNOWN) -> UserRow:
    """The only row of a file; it must have no faults."""
    (row,) = read(text, known).rows
    assert not row.faults, row.faults
    return row


def faults(row: UserRow) -> dict[str, tuple[str, str]]:
    return {fault.column: (fault.msg, fault.suggestion) for fault in row.faults}


def test_a_file_in_the_public_format_creates_updates_and_deletes() -> None:
    file = read(
        f"{HEADER}\n% a comment; with signs\n"
        "create;bo@acme.com;Secret-Pass-1;Dr.;Bo;Berg;;21 345 67 80;912 345 600;bo@acme.com;Agent;Sales;PRT;pt;"
        "Europe/Lisbon\n"
        "update;ana@acme.com;;;;;;;;;Manager;;;;\n"
    )
    new, old = file.rows
    assert (new.line, new.effect, new.faults) == (3, "create", [])
    assert new.body["phoneNumbers"] == [
        {"number": "+351213456780", "type": "work", "deviceType": "landline"},
        {"number": "+351912345600", "type": "work", "deviceType": "mobile"},
    ]
    assert new.body["emails"] == [{"email": "bo@acme.com", "type": "work"}]
    assert (new.body["loginEmail"], new.body["timezone"]) == ("bo@acme.com", "Europe/Lisbon")
    # An empty value changes nothing, and neither does a value that the service has.
    assert (old.effect, old.body) == ("update", {"jobTitle": "Manager"})
    assert only("__action__;loginEmail\ndelete;ana@acme.com\n").effect == "delete"


def test_without_an_action_new_logins_are_created_and_known_ones_updated_where_they_differ() -> None:
    file = read("loginEmail,firstName,lastName\nana@acme.com,Ana,Lopes\nbo@acme.com,Bo,Berg\n")
    assert [row.effect for row in file.rows] == ["same", "create"]
    assert file.count("create") == 1


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("businessPhone0", "213 456 000", ["+351213456000", "+351912345678"]),
        # A second number of a kind is added behind those of all kinds.
        ("businessPhone1", "213 456 000", ["+351213456789", "+351912345678", "+351213456000"]),
        ("businessPhone0", "", None),
        ("businessPhone0", "+351 21 345 67 89", None),
        ("mobilePhone0", "213456000 / 213456001", ["+351213456789", "+351213456000", "+351213456001"]),
    ],
)
def test_number_columns_change_their_number_and_leave_the_others(
    column: str, value: str, expected: list[str] | None
) -> None:
    row = only(f"loginEmail;{column}\nana@acme.com;{value}\n")
    found = [each["number"] for each in row.body["phoneNumbers"]] if "phoneNumbers" in row.body else None
    assert found == expected


def test_numbers_are_read_in_the_country_of_the_row_of_the_user_and_of_the_company() -> None:
    text = "loginEmail;firstName;lastName;businessPhone0;country\n{};B;B;030 12345678;{}\n"
    row = only(text.format("b@acme.com", "DEU"))
    assert row.body["phoneNumbers"][0]["number"] == "+493012345678"
    german = KnownUsers({"b@acme.com": {"id": "b", "country": "DEU"}}, "PRT")
    assert only(text.format("b@acme.com", ""), german).body["phoneNumbers"][0]["number"] == "+493012345678"
    of_company = only(text.format("b@acme.com", ""), KnownUsers({}, "DEU"))
    assert of_company.body["phoneNumbers"][0]["number"] == "+493012345678"
    (wrong,) = read(text.format("b@acme.com", "")).rows
    assert "businessPhone0" in faults(wrong) and not wrong.body


def test_every_wrong_value_is_named_with_what_was_probably_meant() -> None:
    (row,) = read(
        f"{HEADER}\ncreat;bob@acme.com;Short-1;;Bob;;;123 privat;0912345678;bob;;;Portugl;portugese;Europe/Lisbn\n"
    ).rows
    found = faults(row)
    assert found["__action__"] == ("must be one of create, update, delete (did you mean create?)", "create")
    assert found["country"][1] == "PRT" and found["language"][1] == "pt"
    assert found["timezone"][1] == "Europe/Lisbon"
    assert found["businessPhone0"][0] == "contains the words: privat"
    assert found["email0"][0] == "is no email address"
    assert found["lastName"][0] == "is required for a new user"
    assert "12 to 64 characters" in found["password"][0]
    # A password is not shown, not even a wrong one.
    assert next(fault for fault in row.faults if fault.column == "password").value == ""
    assert row.body == {}


@pytest.mark.parametrize(
    ("text", "column", "words", "suggestion"),
    [
        ("__action__;loginEmail\ncreate;ana@acme.com\n", "__action__", "has this login already", "update"),
        ("__action__;loginEmail\nupdate;anna@acme.com\n", "loginEmail", "no user of the company", "Ana@acme.com"),
        ("__action__;loginEmail\ndelete;noone@else.org\n", "loginEmail", "no user of the company", ""),
        ("__action__;loginEmail\ndelete;ADMIN@acme.com\n", "loginEmail", "your own login", ""),
        ("loginEmail;isActive\nana@acme.com;maybe\n", "isActive", "must be true or false", ""),
        ("loginEmail;firstName\n;Bo\n", "loginEmail", "is required", ""),
        ("loginEmail;firstName\nBo;Bo\n", "loginEmail", "is no email address", ""),
        ("loginEmail;firstName\nana@acme.com;A;B\n", "", "has 3 values, but the file has 2 columns", ""),
        ("loginEmail;firstName\nana@acme.com\n", "", "has 1 values, but the file has 2 columns", ""),
        ("loginEmail;title\nana@acme.com;" + "x" * 41 + "\n", "title", "has more than 40 characters", ""),
    ],
)
def test_a_row_that_cannot_be_done_has_the_reason(text: str, column: str, words: str, suggestion: str) -> None:
    (row,) = read(text).rows
    assert len(row.faults) == 1, row.faults
    assert (row.faults[0].column, row.faults[0].suggestion) == (column, suggestion)
    assert words in row.faults[0].msg


def test_a_login_twice_is_a_fault_of_the_second_row() -> None:
    first, second = read("loginEmail;jobTitle\nana@acme.com;A\nANA@acme.com;B\n").rows
    assert not first.faults
    assert faults(second) == {"loginEmail": ("is also in line 2", "")}


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        ("loginEmail;fistName", "fistName is not a column (did you mean firstName?)"),
        ("loginEmail;businesPhone0", "did you mean businessPhone0"),
        ("firstName;lastName", "loginEmail is missing"),
        ("loginEmail;jobTitle;jobTitle", "jobTitle appears twice"),
    ],
)
def test_a_header_that_cannot_be_read_lists_its_faults(header: str, sentence: str) -> None:
    with pytest.raises(BadFile, match=sentence.replace("(", r"\(").replace("?", r"\?").replace(")", r"\)")):
        read(f"{header}\na;b;c\n")


def test_a_repaired_header_is_read() -> None:
    file = read("loginEmail;fistName\nana@acme.com;Anna\n", corrected={1: "loginEmail;firstName"})
    assert file.rows[0].body == {"firstName": "Anna"}


def test_headings_of_other_programs_are_understood_and_what_is_left_out_is_named() -> None:
    file = read("First name,Last name,Email,Business Phone,Mobile Phone,Shoe size\nBo,Berg,bo@acme.com,213456780,,1\n")
    assert file.rows[0].body["phoneNumbers"][0]["number"] == "+351213456780"
    assert file.rows[0].login == "bo@acme.com"
    assert file.notes()[-1] == "Left out: Shoe size."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("sign", [";", ",", "\t"])
def test_encodings_and_separators_are_those_of_contact_files(encoding: str, sign: str) -> None:
    text = f"loginEmail{sign}firstName{sign}lastName\njose@acme.com{sign}José{sign}Simões\n"
    file = read_users(io.BytesIO(text.encode(encoding)), KNOWN)
    assert file.rows[0].body == {"loginEmail": "jose@acme.com", "firstName": "José", "lastName": "Simões"}


def test_a_foreign_byte_is_a_fault_of_its_row_only() -> None:
    first, second = read_users(
        io.BytesIO("loginEmail;firstName;lastName\nzoë@acme.com;Bo;B\nzo@acme.com;Zo".encode() + b"\xeb;Z\n"), KNOWN
    ).rows
    assert not [fault for fault in first.faults if "byte" in fault.msg]
    assert "0xEB" in second.faults[0].msg


def test_a_correction_is_checked_again_and_suggestions_are_taken() -> None:
    file = read(f"{HEADER}\ncreat;bob@acme.com;;;Bob;;;;;;;;;;\n")
    (row,) = file.rows
    assert file.accept_suggestions(file.left) == 1
    assert set(faults(row)) == {"lastName"}
    file.edit(row, "lastName", "Bell")
    assert (row.faults, row.effect, row.body["lastName"]) == ([], "create", "Bell")


def test_a_doubtful_number_is_not_sent_before_it_is_accepted() -> None:
    german = KnownUsers({"ana@acme.com": {"id": "a1"}}, "DEU")
    file = read("loginEmail;businessPhone0\nana@acme.com;4917112345678\n", german)
    (row,) = file.rows
    assert row.doubtful and not row.body
    assert file.accept_suggestions(file.left, doubtful_only=True) == 1
    assert row.body["phoneNumbers"][0]["number"] == "+4917112345678"


def exported(user: Mapping[str, Any]) -> str:
    cells = [value if isinstance(value, str) else json.dumps(value) for value in user.values()]
    return ",".join(user) + "\n" + ",".join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\n"


def test_an_export_changes_nothing_and_an_edited_one_only_what_was_edited() -> None:
    assert only(exported({**ANA, "displayName": "Ana Lopes", "lastLoginDate": None, "profiles": []})).effect == "same"
    row = only(exported({**ANA, "jobTitle": "'=Boss", "roles": "user, app_admin"}))
    assert row.body == {"jobTitle": "=Boss", "roles": ["user", "app_admin"]}


# --- the import --------------------------------------------------------------------------------------------------


class Service:
    """What an import reads: the users by login."""

    def __init__(self, logins: list[str] | None = None) -> None:
        self.logins = logins

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        if self.logins is None:
            raise ReadError("offline")
        return {"data": [{"loginEmail": login} for login in self.logins if login == query.get("loginEmail")]}


def record_in(folder: Path, service: Service | None = None) -> ImportRecord:
    return ImportRecord(folder, b"content", "company", "user", service or Service())


STEP = JobStep("bo@acme.com", body={"password": "Secret-Pass-1"}, operation_id="create_user")


def test_an_interrupted_import_knows_what_it_sent_and_has_no_values(tmp_path: Path) -> None:
    first = record_in(tmp_path)
    first.sending(STEP)
    assert record_in(tmp_path).states == {"bo@acme.com": ("create", "sent")}
    first.ended(StepResult(STEP, "done"))
    assert record_in(tmp_path).continues == 1
    (file,) = tmp_path.iterdir()
    assert "Secret" not in file.read_text() and file.stat().st_mode & 0o077 == 0
    file.write_text(file.read_text() + '["x')
    assert record_in(tmp_path).continues == 1
    first.close()
    assert record_in(tmp_path).states == {}


async def test_a_row_is_recorded_before_its_request_is_sent(tmp_path: Path) -> None:
    seen: list[dict[str, tuple[str, str]]] = []

    class Sent(Service):
        user_id = ""

        def decide(self, *about: object) -> bool:
            return True

        async def perform(self, operation_id: str, **request: Any) -> dict[str, Any]:
            seen.append(record_in(tmp_path).states)
            return {}

    job = Job(cast(Any, Sent()), "update_user", [STEP], recorder=record_in(tmp_path))
    await job.rest()
    assert seen == [{"bo@acme.com": ("create", "sent")}]
    assert record_in(tmp_path).states == {"bo@acme.com": ("create", "done")}


def test_rows_that_were_sent_before_are_not_sent_again(tmp_path: Path) -> None:
    text = "__action__;loginEmail;firstName;lastName\ncreate;ana@acme.com;A;L\ncreate;bo@acme.com;B;B\n"
    earlier = {"ana@acme.com": ("create", "sent"), "bo@acme.com": ("create", "sent")}
    ana, bo = read(text, KnownUsers(KNOWN.users, "PRT", earlier=earlier)).rows
    assert (ana.effect, ana.faults) == ("same", []) and "the user exists" in ana.earlier
    # No user has this login: the request did not arrive.
    assert (bo.effect, bo.earlier) == ("create", "")


async def test_a_request_without_a_response_is_looked_up(tmp_path: Path) -> None:
    made = await record_in(tmp_path, Service(["bo@acme.com"])).verify(STEP)
    lost = await record_in(tmp_path, Service([])).verify(STEP)
    assert made is not None and made.done is True
    assert lost is not None and lost.done is False
    assert await record_in(tmp_path).verify(STEP) is None


def test_passwords_are_made_for_new_users_and_kept_in_a_private_file(tmp_path: Path) -> None:
    file = read(
        "loginEmail;firstName;lastName;password\nbo@acme.com;B;B;\ncy@acme.com;C;C;Secret-Pass-1\nana@acme.com;;;\n"
    )
    fresh = without_password(file)
    assert [row.login for row in fresh] == ["bo@acme.com"]
    made = made_passwords(fresh, {})
    path = tmp_path / "passwords.csv"
    write_passwords(path, made)
    assert path.stat().st_mode & 0o777 == 0o600
    # An interrupted import keeps the passwords that it has made.
    assert made_passwords(fresh, read_passwords(path)) == made
    steps, reasons = steps_of(file, "company", made)
    assert steps[0].body is not None and steps[0].body["password"] == made["bo@acme.com"]
    assert "password" not in steps[0].label and reasons["ana@acme.com"] == "nothing to change"
    results = [StepResult(steps[0], "failed")]
    assert passwords_left(results, made, {}) == {}
    write_passwords(path, {})
    assert not path.exists()


def test_another_file_is_not_overwritten_with_passwords(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("a;b\n1;2\n")
    with pytest.raises(PasswordFileError, match="is no file of passwords"):
        read_passwords(path)


def test_every_password_that_is_made_meets_the_rule() -> None:
    assert all(meets_rule(new_password()) for _number in range(300))
