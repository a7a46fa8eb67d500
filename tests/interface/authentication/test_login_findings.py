"""What prevents a login, against the specification: 4.1, 5.6 and 5.7."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from svc_tui.interface.authentication.user_rules import login_findings, refusals
from svc_tui.interface.errors import Code

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
USER: dict[str, Any] = {
    "id": "u",
    "isActive": True,
    "isTerminated": False,
    "timeToLive": -1,
    "creationDate": "2026-11-21T12:00:00.000Z",
    "authenticationType": "DEFAULT",
    "profiles": [{"offerName": "Business"}, {"offerName": "Desk phone", "isVoicePhone": True}],
}
FOR_ALL = {"mfaId": "all", "mfaType": "totp", "mfaPolicy": "always", "enabledForAllCompanyUsers": True}


def found(
    company: dict[str, Any] | None = None, policies: tuple[dict[str, Any], ...] | None = (), **changes: Any
) -> list[tuple[str, str, str, Code | None]]:
    """Sentence, kind and field, and code of each finding about a user with these changes."""
    findings = login_findings({**USER, **changes}, company, policies, NOW)
    return [(each.sentence, f"{each.kind}.{each.field}", each.rule, each.code) for each in findings]


def test_nothing_prevents_the_login_of_an_active_user_of_an_active_company() -> None:
    assert found({"status": "active"}) == []


def test_a_user_who_is_not_active_is_refused() -> None:
    assert found(isActive=False) == [("Refused: the user is not active.", "users.isActive", "5.6", Code.USER_INACTIVE)]


def test_a_terminated_user_is_refused_once() -> None:
    refused = ("Refused: the user is terminated.", "users.isTerminated", "5.6", Code.USER_INACTIVE)
    assert found(isActive=False, isTerminated=True) == [refused]


@pytest.mark.parametrize(("status", "words"), [("hold", "on hold"), ("terminated", "terminated")])
def test_a_user_of_a_company_that_is_closed_is_refused(status: str, words: str) -> None:
    refused = (f"Refused: the company is {words}.", "companies.status", "5.6", Code.COMPANY_INACTIVE)
    assert found({"status": status}) == [refused]


@pytest.mark.parametrize("status", ["active", "alerting", "initializing"])
def test_other_statuses_of_the_company_prevent_no_login(status: str) -> None:
    assert found({"status": status}) == []


def test_an_account_ends_with_its_lifetime_in_seconds_since_its_creation() -> None:
    assert found(timeToLive=86_401) == []
    assert found(timeToLive=86_400) == [
        ("Refused: the account has expired.", "users.timeToLive", "5.6", Code.ACCOUNT_EXPIRED)
    ]
    assert found(timeToLive=10**18) == []


def test_a_user_with_voice_phone_licences_only_is_refused() -> None:
    # The words of 5.6: “a user holding a voice phone license only is refused at login”.
    only = [{"isVoicePhone": True}, {"isVoicePhone": True}]
    assert found(profiles=only) == [
        ("Refused: all licences are for voice phones.", "users.profiles", "5.6", Code.VOICE_ONLY)
    ]
    assert found(profiles=[]) == []


@pytest.mark.parametrize("method", ["SAML", "OIDC"])
def test_single_sign_on_replaces_the_password(method: str) -> None:
    assert found(authenticationType=method) == [
        (f"With single sign-on ({method}), not a password.", "users.authenticationType", "4.1", None)
    ]


def test_a_second_factor_that_is_required_and_not_set_up_is_found() -> None:
    missing = ("A second factor is required, but not set up.", "users.mfaSvcAuth", "5.7", None)
    assert found(policies=(FOR_ALL,)) == [missing]
    assert found(policies=({**FOR_ALL, "mfaPolicy": "untrusted_only"},)) == [missing]
    assert found(policies=(FOR_ALL,), mfaSvcAuth={"mfaStatus": "init"}) == [missing]
    assert found(policies=(FOR_ALL,), mfaSvcAuth={"mfaStatus": "enabled"}) == []
    assert found(policies=({**FOR_ALL, "mfaPolicy": "never"},)) == []
    assert found(policies=({**FOR_ALL, "mfaType": "none"},)) == []
    assert found(policies=({**FOR_ALL, "enabledForAllCompanyUsers": False},)) == []
    assert found(policies=None) == []


def test_the_policy_of_the_enrolment_comes_before_the_one_for_all_users() -> None:
    own = {"mfaId": "own", "mfaType": "totp", "mfaPolicy": "never"}
    assert found(policies=(FOR_ALL, own), mfaSvcAuth={"mfaStatus": "init", "mfaSvcPolicyId": "own"}) == []


def test_a_request_with_valid_credentials_is_refused_by_the_state_alone() -> None:
    user = {**USER, "isActive": False, "authenticationType": "OIDC", "profiles": [{"isVoicePhone": True}]}
    assert [each.code for each in refusals(user, {"status": "hold"}, NOW)] == [
        Code.USER_INACTIVE,
        Code.COMPANY_INACTIVE,
    ]
