"""The fields of a record as lines: money with its cents, whatever the number looks like on the wire."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from svc_tui.console.core.form import Form
from svc_tui.console.core.record_lines import record_lines, sentence_lines
from svc_tui.console.widgets.formatting import HIDDEN
from svc_tui.interface.access import Role
from svc_tui.interface.applications.records import Application
from svc_tui.interface.authentication.user_changes import UserUpdate
from svc_tui.interface.authentication.users import User
from svc_tui.interface.companies.records import Company
from svc_tui.interface.directory.records import DirectoryEntry, EntryCreation
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.records import Record
from svc_tui.interface.subscriptions.invoices import Invoice

ID = "9ea3ce3551da35ee4b16f2d6"


@pytest.mark.parametrize(
    ("value", "said"), [(3944.4, "3,944.40"), (0, "0.00"), (-1234567.89, "-1,234,567.89"), (None, "—"), ("?", "?")]
)
def test_an_amount_of_money_has_its_cents(value: object, said: str) -> None:
    lines = record_lines({"id": "i1", "amount": value}, fields_of(Invoice), 60)
    assert next(line.value for line in lines if line.key == "amount") == said


def test_a_garbled_record_is_not_interpreted() -> None:
    says = ("What it means", lambda record: [f"{record['seats'] * 2:d} seats"])
    assert [line.value for line in sentence_lines(says, {"seats": 2}, 60) if line.kind == "text"] == ["4 seats"]
    for garbled in ({"seats": "2"}, {"seats": None}, {}):
        assert list(sentence_lines(says, garbled, 60)) == []


def test_ids_are_dim_in_each_group_until_the_name_of_their_record_is_known() -> None:
    entry = {"id": ID, "companyId": ID, "lastName": "Berg"}
    styles = {line.key: line.style for line in record_lines(entry, fields_of(DirectoryEntry), 60)}
    assert (styles["id"], styles["companyId"], styles["lastName"]) == ("dim", "dim", "")
    named = record_lines(entry, fields_of(DirectoryEntry), 60, names=lambda kind, id: "Northwind")
    assert next((line.value, line.style) for line in named if line.key == "companyId") == ("Northwind", "")


def test_of_a_record_that_is_not_whole_no_field_is_called_empty() -> None:
    for whole in (True, False):
        lines = record_lines(
            {"id": "u1"}, fields_of(User), 60, empty=False, with_keys=lambda text: text.replace("{", ""), whole=whole
        )
        assert any("without a value" in line.value for line in lines) is whole


def test_before_the_declaration_is_loaded_the_number_is_unchanged() -> None:
    (line,) = [line for line in record_lines({"amount": 3944.4}, (), 60) if line.key == "amount"]
    assert line.value == "3944.4"


def test_a_field_that_does_not_apply_is_not_shown_and_an_empty_one_is() -> None:
    shown = {line.key: line.value for line in record_lines({"id": "u1", "failedLogins": None}, fields_of(User), 60)}
    assert (shown["failedLogins"], shown["jobTitle"]) == ("—", "—")
    assert not shown.keys() & {"lockedUntil", "useRoomCustomisation"}
    applied = {"id": "u1", "useRoomCustomisation": "same_than_company"}
    shown = {line.key: line.value for line in record_lines(applied, fields_of(User), 60)}
    assert shown["useRoomCustomisation"] == "As the company"


@pytest.mark.parametrize("specs", [(), fields_of(Application)])
def test_a_secret_is_hidden_with_and_without_its_declaration(specs: Sequence[FieldSpec]) -> None:
    record = {"name": "Campus", "appSecret": "0b78a2f8", "jid_password": "h1dden"}
    shown = {line.key: line.value for line in record_lines(record, specs, 60) if line.key}
    assert shown["name"] == "Campus"
    assert shown["appSecret"] == shown["jid_password"] == HIDDEN
    revealed = {line.key: line.value for line in record_lines(record, specs, 60, reveal=True) if line.key}
    assert (revealed["appSecret"], revealed["jid_password"]) == ("0b78a2f8", "h1dden")


@pytest.mark.parametrize(
    ("width", "note"),
    [
        (80, "9ea3ce3551da35ee4b16f2d6  enter opens it"),
        (40, "9ea3ce3551da35ee4b16f2d6"),
        (30, "enter opens it"),
        (14, ""),
    ],
)
def test_a_reference_has_its_name_with_its_id_where_there_is_room(width: int, note: str) -> None:
    record = {"ownerId": ID}
    lines = record_lines(
        record,
        fields_of(Application),
        width,
        with_keys=lambda text: text.replace("{open}", "enter"),
        names=lambda kind, id: "Ana \x1b[2J" if (kind, id) == ("users", record["ownerId"]) else "",
    )
    (line,) = [line for line in lines if line.key == "ownerId"]
    assert line.note == note
    assert "Ana" in line.value
    assert "\x1b" not in line.value


def test_a_choice_is_in_words_only() -> None:
    (line,) = [line for line in record_lines({"activity": "G"}, fields_of(Application), 60) if line.key == "activity"]
    assert (line.value, line.note) == ("Trade, vehicle repair", "")


def test_objects_that_do_not_fit_in_a_line_are_listed_by_their_labels() -> None:
    one = {"offerName": "Business API", "status": "active"}
    specs = fields_of(Application)

    def values(found: list[dict[str, str]], width: int) -> list[str]:
        lines = record_lines({"subscriptions": found}, specs, width)
        return [line.value for line in lines if line.key == "subscriptions"]

    assert values([one], 60) == ["Offer name Business API · Status active"]
    assert values([one], 30) == ["Offer name  Business API", "Status      active"]
    two = values([one, {"offerName": "Store", "status": "new"}], 30)
    assert two == ["• Offer name  Business API", "  Status      active", "• Offer name  Store", "  Status      new"]
    # A longer text is continued below itself, or begins below its name where one of its words is too long beside it.
    long = [{"offerName": "Business API for partners", "status": ID}, {"offerName": "Store", "status": "new"}]
    assert values(long, 30) == [
        "• Offer name  Business API for",
        "              partners",
        "  Status",
        f"  {ID}",
        "• Offer name  Store",
        "  Status      new",
    ]


@pytest.mark.parametrize(("width", "note"), [(24, "d shows all"), (20, "")])
def test_the_key_that_shows_all_entries_is_there_where_it_is_not_cut(width: int, note: str) -> None:
    entries = [{f"name{number}": number for number in range(8)}] * 2
    lines = record_lines({"entries": entries}, (), width, with_keys=lambda text: text.replace("{raw}", "d"))
    (line,) = [line for line in lines if line.key == "entries"]
    assert (line.value, line.note) == ("2 entries", note)


def test_a_record_that_has_the_name_of_what_it_refers_to_shows_both_in_one_line_without_a_request() -> None:
    user = {"id": "u1", "companyId": ID, "companyName": "Storm & Sons"}
    lines = [line for line in record_lines(user, fields_of(User), 60) if line.key in ("companyId", "companyName")]
    assert [(line.label, line.value, line.note) for line in lines] == [("Company", "Storm & Sons", ID)]
    (unnamed,) = [line for line in record_lines({"id": "u1", "companyId": ID}, fields_of(User), 60) if ID in line.value]
    assert (unnamed.label, unnamed.value) == ("Company", ID)


def test_the_employer_of_a_contact_is_not_the_name_of_the_company_whose_directory_has_it() -> None:
    entry = {"id": "e1", "companyId": ID, "companyName": "Cedar Insurance"}
    shown = {line.key: line.value for line in record_lines(entry, fields_of(DirectoryEntry), 60)}
    assert (shown["companyId"], shown["companyName"]) == (ID, "Cedar Insurance")
    assert Form(EntryCreation, entry).named == {}


@pytest.mark.parametrize(
    ("model", "wire", "value", "said", "note"),
    [
        (User, "timeToLive", -1, "Unlimited", ""),
        (User, "timeToLive", 3600, "3600", "s"),
        (Company, "contentPolicyLifeTime", -1, "Unlimited", ""),
        (Company, "documentGracePeriod", False, "Not restorable", ""),
        (Company, "documentGracePeriod", 10080, "10080", "minutes"),
        (User, "adminType", "undefined", "No administrator", ""),
        (User, "adminType", "company_admin", "company_admin", ""),
        # Minus one is an ordinary number elsewhere.
        (Company, "cloudPbxRecordingRetention", -1, "-1", "days"),
    ],
)
def test_a_value_that_is_none_is_a_word_without_a_unit(
    model: type[Record], wire: str, value: object, said: str, note: str
) -> None:
    (line,) = [line for line in record_lines({wire: value}, fields_of(model), 60) if line.key == wire]
    assert (line.value, line.note) == (said, note)


def test_the_word_for_a_number_that_is_none_can_be_typed() -> None:
    form = Form(UserUpdate, frozenset({Role.SUPERADMIN}), {"timeToLive": 60})
    form.type("timeToLive", "Unlimited")
    assert (form.body(), form.drawn("timeToLive")) == ({"timeToLive": -1}, "Unlimited")
    form.type("timeToLive", "soon")
    assert form.problem("timeToLive") == "must be a whole number"
