"""Settings of a company in a form: found by a word, set by the permitted roles, edited in lines, sent as one update."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.console.areas.companies.resources import COMPANIES
from svc_tui.console.core.edited_lines import pairs
from svc_tui.console.core.field_text import declaration, matching
from svc_tui.console.core.form import Form
from svc_tui.console.core.value_sources import value_source
from svc_tui.console.editing.field_editors import amount, as_lines, read_lines
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.views.form_text import length_of_time
from svc_tui.interface.access import Caller, Role
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.field_specs import FieldSpec, field_by_wire
from svc_tui.interface.records import Record

UPDATE: type[Record] = body_of("update_company")
COMPANY: dict[str, Any] = {"id": "c1", "name": "Northwind", "country": "PRT", "bpId": "bp", "offerType": "premium"}


def _form(company: dict[str, Any], role: Role, company_id: str) -> Form:
    caller = Caller("u", frozenset({role}), company_id)
    may_set = COMPANIES.editing.may_set
    assert may_set is not None

    def gate(spec: FieldSpec) -> str:
        return may_set(spec, caller, company)

    return Form(UPDATE, caller.roles, company, gate=gate)


def _found(text: str) -> set[str]:
    return {spec.wire for spec in matching(tuple(field_by_wire(UPDATE).values()), text)}


def test_record_finds_everything_about_recordings() -> None:
    found = _found("record")
    assert {
        "allowCloudPbxRecording",
        "cloudPbxRecordingInboundOnly",
        "cloudPbxRecordingRetention",
        "recordingConversationCustomisation",
        "meetingRecordingCustomisation",
    } <= found
    assert len(found) < 12


def test_every_word_of_a_search_must_match_in_any_place() -> None:
    assert _found("Retention RECORD") == {"cloudPbxRecordingRetention"}
    assert _found("record nothing-of-this") == set()


def test_wire_names_labels_help_and_choices_are_searched() -> None:
    assert "bpCRDid" in _found("bpcrdid")
    assert "kamEmailList" in _found("key account")
    assert "billingModel" in _found("prepaid_3y")


@pytest.mark.parametrize(
    ("role", "company_id", "wire", "free"),
    [
        (Role.SUPERADMIN, "", "currency", True),
        (Role.COMPANY_ADMIN, "c1", "currency", False),
        (Role.COMPANY_ADMIN, "c1", "slogan", True),
        (Role.COMPANY_ADMIN, "other", "slogan", False),
        (Role.BP_FINANCE, "bp", "adminHasRightToUpdateSubscriptions", True),
        (Role.BP_ADMIN, "bp", "adminHasRightToUpdateSubscriptions", False),
        (Role.BP_ADMIN, "bp", "allowCloudPbxDeviceAccess", True),
        (Role.BP_ADMIN, "bp", "customData", True),
        (Role.COMPANY_ADMIN, "c1", "customData", False),
    ],
)
def test_what_a_caller_may_not_set_is_greyed(role: Role, company_id: str, wire: str, free: bool) -> None:
    assert (_form(COMPANY, role, company_id).why_not(wire) == "") is free


def test_custom_data_is_free_for_the_administrator_once_that_is_allowed() -> None:
    form = _form({**COMPANY, "adminCanSetCustomData": True}, Role.COMPANY_ADMIN, "c1")
    assert form.why_not("customData") == ""


def test_the_creator_of_a_company_may_set_what_a_partner_may_set_of_its_customers() -> None:
    may_set, specs = COMPANIES.editing.may_set, field_by_wire(UPDATE)
    assert may_set is not None
    partner = Caller("", frozenset({Role.BP_ADMIN}), "own", "own")
    assert may_set(specs["customData"], partner, {}) == may_set(specs["slogan"], partner, {}) == ""
    assert may_set(specs["currency"], partner, {}) == "needs superadmin"


def test_a_field_that_does_not_apply_to_this_company_shows_the_reason() -> None:
    form = _form(COMPANY, Role.SUPERADMIN, "")
    assert form.why_not("bpType") == "only when Business partner (BP) is yes"
    form.set("isBP", True)
    assert form.why_not("bpType") == ""


def test_an_update_holds_the_changed_settings_only() -> None:
    form = _form(COMPANY, Role.COMPANY_ADMIN, "c1")
    form.type("slogan", "On time")
    form.type("cloudPbxRecordingRetention", "90")
    form.set("csEmailList", ["a@b.example"])
    assert form.body() == {"slogan": "On time", "cloudPbxRecordingRetention": 90, "csEmailList": ["a@b.example"]}


def test_a_refused_setting_keeps_the_others() -> None:
    form = _form(COMPANY, Role.COMPANY_ADMIN, "c1")
    form.type("slogan", "On time")
    form.type("name", "Default")
    form.refuse({"name": "is reserved"})
    assert form.problem("name") == "is reserved"
    assert form.body() == {"slogan": "On time", "name": "Default"}


def test_a_list_of_addresses_has_at_most_ten() -> None:
    form, spec = _form(COMPANY, Role.COMPANY_ADMIN, "c1"), field_by_wire(UPDATE)["csEmailList"]
    ten = [f"a{n}@b.example" for n in range(10)]
    value, problem = read_lines(spec, "\n".join(ten))
    assert (value, problem, amount(spec, value)) == (ten, "", "10 of 10")
    assert form.problem_with("csEmailList", value) == ""
    assert "10" in form.problem_with("csEmailList", [*ten, "one@more.example"])
    assert form.problem_with("csEmailList", ["no address"])


def test_custom_data_is_edited_as_keys_and_values() -> None:
    form, spec = _form(COMPANY, Role.SUPERADMIN, ""), field_by_wire(UPDATE)["customData"]
    value, problem = read_lines(spec, "cost centre = 4711\n\nurl=https://a.example/?x=1")
    assert (value, problem) == ({"cost centre": "4711", "url": "https://a.example/?x=1"}, "")
    form.set("customData", value)
    assert as_lines(form, spec) == "cost centre=4711\nurl=https://a.example/?x=1"
    assert form.problem_with("customData", {f"k{n}": "v" for n in range(10)}) == ""
    assert form.problem_with("customData", {f"k{n}": "v" for n in range(11)})
    assert form.problem_with("customData", {"k" * 64: "v" * 512}) == ""
    assert form.problem_with("customData", {"k" * 65: "v"})
    assert form.problem_with("customData", {"k": "v" * 513})


def test_a_line_that_is_no_pair_is_named() -> None:
    assert pairs("a=1\nb") == "line 2 is not key=value"
    assert pairs("a=1\na=2") == "line 2: duplicate key a"
    assert pairs("a=") == {"a": ""}


def test_other_objects_are_edited_as_json() -> None:
    spec = field_by_wire(UPDATE)["endOfConferenceBehaviorSettings"]
    assert read_lines(spec, '[{"a": 1}]') == ([{"a": 1}], "")
    assert "JSON" in read_lines(spec, "[")[1]
    assert read_lines(spec, " ") == (None, "")


def test_minutes_are_shown_as_days_and_hours() -> None:
    spec = field_by_wire(UPDATE)["contentPolicyLifeTime"]
    assert length_of_time(spec, 1500) == "1 day 1 h"
    assert length_of_time(spec, 2 * 1440 + 30) == "2 days 30 min"
    assert length_of_time(spec, -1) == ""
    assert length_of_time(field_by_wire(UPDATE)["cloudPbxRecordingRetention"], 90) == ""


def test_a_time_can_be_minutes_or_nothing_at_all() -> None:
    form = _form({**COMPANY, "documentGracePeriod": 60}, Role.COMPANY_ADMIN, "c1")
    form.type("documentGracePeriod", "false")
    assert form.body() == {"documentGracePeriod": False} and form.problems() == {}
    form.type("documentGracePeriod", "soon")
    assert form.problem("documentGracePeriod")


def test_partner_catalog_country_contact_and_offer_groups_are_searched() -> None:
    specs = field_by_wire(UPDATE)
    wanted = {
        "bpId": "list_companies",
        "catalogId": "list_catalogs",
        "country": "list_countries",
        "companyContactId": "list_users",
        "defaultLicenseGroup": "list_all_offers",
        "defaultOptionsGroups": "list_all_offers",
    }
    found = {wire: value_source(specs[wire], BY_NAME) for wire in wanted}
    assert {wire: source.operation for wire, source in found.items() if source} == wanted
    partner = found["bpId"]
    assert partner is not None and partner.query_for(COMPANY, "har") == {"isBP": True, "name": "har"}


def test_all_limits_of_a_field_are_shown() -> None:
    said = declaration(field_by_wire(UPDATE)["allowCloudPbxRecording"])
    assert "allowCloudPbxRecording" in said and "default no" in said
    assert "set by superadmin" in said and "deprecated" in said
    assert "only when Business partner (BP) is yes" in declaration(field_by_wire(UPDATE)["bpType"])


def test_the_condition_on_a_role_has_the_label_of_the_field() -> None:
    form = _form(COMPANY, Role.COMPANY_ADMIN, "c1")
    condition = "company_admin only when Right to set custom data is yes"
    assert form.why_not("customData") == f"{condition} or with the feature ADMIN_CAN_SET_CUSTOM_DATA"


def test_what_was_found_out_of_a_field_is_not_found_out_again() -> None:
    asked: list[str] = []

    def gate(spec: FieldSpec) -> str:
        asked.append(spec.wire)
        return ""

    form = Form(UPDATE, frozenset(), COMPANY, gate=gate)
    form.problems()
    form.type("slogan", "x")
    form.problems()
    assert len(asked) == len(set(asked)) == len(form.specs)


def test_a_review_lists_the_settings_that_go_with_a_change() -> None:
    """The service removes what no longer applies: an administrator sees it before, and undo brings it back."""
    empties = BY_NAME["companies"].editing.empties
    american = {"country": "USA", "state": "Ohio", "city": "Columbus"}
    assert list(empties(american, {"country": "FRA"})) == ["state"]
    assert list(empties(american, {"country": "CAN"})) == []
    assert list(empties(american, {"country": "FRA", "state": None})) == []
    assert list(empties({"country": "USA"}, {"country": "FRA"})) == []
    assert list(BY_NAME["directoryentries"].editing.empties(american, {"country": "FRA"})) == ["state"]
    assert list(BY_NAME["directoryentries"].editing.empties(american, {"city": "Akron"})) == []
