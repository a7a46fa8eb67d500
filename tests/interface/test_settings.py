"""The declared settings of companies against the specification's own table: values, defaults, setters, dependencies."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.access import Caller, Role
from svc_tui.interface.companies.access import exists_for, why_not_settable_in
from svc_tui.interface.companies.records import Company, CompanyCreation, CompanyUpdate
from svc_tui.interface.customisation.features import TEMPLATE_DEFAULTS
from svc_tui.interface.customisation.records import CompanyFeatures, TemplateFeatures, UserFeatures
from svc_tui.interface.field_specs import field_by_wire, fields_of
from svc_tui.interface.problems import problem_of, problems_of
from tests.interface.specification_2_7 import FEATURE_KEYS, RELATIONS, ROLES, SETTINGS, Setting, values_of

DECLARED = field_by_wire(CompanyUpdate)
COMPANY, MINE, RESELLER, ORGANISATION = "c0" * 12, "aa" * 12, "bb" * 12, "0a" * 12


def test_exactly_the_specified_settings_are_declared() -> None:
    assert set(DECLARED) == set(SETTINGS) | FEATURE_KEYS
    assert set(DECLARED) == set(field_by_wire(CompanyCreation))
    assert set(DECLARED) < set(field_by_wire(Company))


def test_every_setting_has_help_and_a_heading() -> None:
    for spec in fields_of(CompanyUpdate):
        assert spec.facet.help, spec.wire
        assert spec.facet.group != "General", spec.wire


@pytest.mark.parametrize("wire", SETTINGS)
def test_accepted_and_refused_values_of_settings(wire: str) -> None:
    setting = SETTINGS[wire]
    for value in setting.accepted:
        assert problem_of(CompanyUpdate, wire, value) == "", value
    assert setting.refused
    for value in setting.refused:
        assert problem_of(CompanyUpdate, wire, value), value
    assert DECLARED[wire].default == setting.default
    assert not DECLARED[wire].required


@pytest.mark.parametrize(
    ("wire", "value", "sentence"),
    [
        *(("documentGracePeriod", value, "must be a number of minutes or false") for value in ("x", True, 1.5, -1, [])),
        ("customData", "x", "must be an object"),
    ],
)
def test_a_wrong_value_is_one_problem_in_plain_english(wire: str, value: object, sentence: str) -> None:
    found = [(problem.param, problem.msg) for problem in problems_of(CompanyUpdate, {wire: value})]
    assert found == [(wire, sentence)]


@pytest.mark.parametrize("wire", sorted(FEATURE_KEYS))
def test_accepted_and_refused_values_of_feature_keys(wire: str) -> None:
    taken, refused = values_of(wire)
    for model in (CompanyUpdate, CompanyFeatures, TemplateFeatures):
        for value in taken:
            assert problem_of(model, wire, value) == "", value
        for value in refused:
            assert problem_of(model, wire, value), value
    in_users = set(field_by_wire(UserFeatures)[wire].choices)
    assert in_users == (taken | {"same_than_company"} if wire != "imPopupDuration" else set())


def test_templates_enable_all_features_except_the_transcription() -> None:
    assert set(TEMPLATE_DEFAULTS) == FEATURE_KEYS
    special = {"canUseTranscriptionCustomisation": "disabled", "imPopupDuration": None}
    for key, value in TEMPLATE_DEFAULTS.items():
        assert value == special.get(key, "enabled"), key
    assert problem_of(TemplateFeatures, "imPopupDuration", None) == ""


def related(role: str, relation: str) -> tuple[Caller, dict[str, Any], dict[str, Any] | None]:
    """A caller with this role, a company with this relation to the caller, and its BP."""
    company: dict[str, Any] = {"id": COMPANY}
    bp: dict[str, Any] | None = None
    home, organisation = MINE, ""
    match relation:
        case "own":
            home = COMPANY
        case "customer":
            company["bpId"] = MINE
            bp = {"id": MINE}
        case "reseller_customer":
            company["bpId"] = RESELLER
            bp = {"id": RESELLER, "bpId": MINE}
        case "organisation":
            company["organisationId"] = organisation = ORGANISATION
    return Caller("f0" * 12, frozenset({Role(role)}), home, organisation), company, bp


@pytest.mark.parametrize("wire", SETTINGS)
def test_roles_and_relations_of_settings(wire: str) -> None:
    setting: Setting = SETTINGS[wire]
    for role in ROLES:
        for relation in RELATIONS:
            caller, company, bp = related(role, relation)
            sentence = why_not_settable_in(DECLARED[wire], caller, {**company, **setting.company}, bp)
            allowed = relation in setting.who.get(role, ())
            assert (sentence == "") == allowed, (role, relation, sentence)


def test_a_company_admin_sets_custom_data_only_with_the_right() -> None:
    caller, company, _ = related("company_admin", "own")
    spec = DECLARED["customData"]
    assert "adminCanSetCustomData is true" in why_not_settable_in(spec, caller, company)
    assert why_not_settable_in(spec, caller, {**company, "adminCanSetCustomData": False})
    assert why_not_settable_in(spec, caller, {**company, "adminCanSetCustomData": True}) == ""
    assert why_not_settable_in(spec, caller, company, features=["ADMIN_CAN_SET_CUSTOM_DATA"]) == ""
    assert why_not_settable_in(spec, caller, company, features=["OTHER"])
    stranger, foreign, _ = related("company_admin", "stranger")
    assert why_not_settable_in(spec, stranger, {**foreign, "adminCanSetCustomData": True})


def test_one_of_several_roles_is_enough() -> None:
    caller, company, bp = related("bp_finance", "customer")
    both = Caller(caller.user_id, caller.roles | {Role.USER, Role.SUPPORT}, caller.company_id)
    assert why_not_settable_in(DECLARED["adminHasRightToUpdateSubscriptions"], both, company, bp) == ""


def test_a_creator_sets_all_settings_without_reserved_roles() -> None:
    caller, company, bp = related("bp_admin", "customer")
    for wire, setting in SETTINGS.items():
        sentence = why_not_settable_in(DECLARED[wire], caller, company, bp, creating=True)
        named = DECLARED[wire].facet.within is not None
        assert (sentence == "") == (not named or "customer" in setting.who.get("bp_admin", ())), wire


@pytest.mark.parametrize("wire", [wire for wire, setting in SETTINGS.items() if setting.elsewhere is not None])
def test_companies_for_which_a_setting_applies(wire: str) -> None:
    setting = SETTINGS[wire]
    assert exists_for(DECLARED[wire], setting.company) == ""
    assert exists_for(DECLARED[wire], setting.elsewhere or {}).startswith("only when ")


def test_all_other_settings_apply_to_every_company() -> None:
    for wire, spec in DECLARED.items():
        setting = SETTINGS.get(wire)
        if setting is None or setting.elsewhere is None:
            assert exists_for(spec, {}) == "", wire


def test_the_deprecated_setting_is_marked() -> None:
    assert [wire for wire, spec in DECLARED.items() if spec.facet.deprecated] == ["allowCloudPbxRecording"]


def test_periods_have_a_unit() -> None:
    units = {wire: spec.facet.unit for wire, spec in DECLARED.items() if spec.facet.unit}
    assert units == {
        "cloudPbxRecordingRetention": "days",
        "contentPolicyLifeTime": "minutes",
        "documentGracePeriod": "minutes",
        "imPopupDuration": "s",
    }
