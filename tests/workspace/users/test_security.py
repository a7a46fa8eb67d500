"""The security review: what it finds about users, API keys, applications and companies."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from svc_tui.workspace.users.security import application_rows, company_row, key_rows, user_rows

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
ADMIN = {"id": "u1", "roles": ["user", "admin"], "adminType": "company_admin", "lastLoginDate": "2026-11-19T00:00:00Z"}


@pytest.mark.parametrize(
    ("user", "found"),
    [
        (ADMIN, ["administrator without a second factor"]),
        ({**ADMIN, "mfaSvcAuth": {"mfaStatus": "enabled"}}, []),
        ({**ADMIN, "authenticationType": "SAML"}, []),
        ({**ADMIN, "isActive": False}, []),
        ({**ADMIN, "roles": ["user"], "adminType": "undefined"}, []),
        ({"id": "u1", "roles": ["user", "app_admin"], "lastLoginDate": "x"}, ["administrator without a second factor"]),
        ({"id": "u1", "creationDate": "2026-10-01T00:00:00Z"}, ["has never logged in, for 50 days"]),
        ({"id": "u1", "creationDate": "2026-11-01T00:00:00Z"}, []),
    ],
)
def test_users(user: dict[str, Any], found: list[str]) -> None:
    assert [row["finding"] for row in user_rows(user, NOW)] == found


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ({"creationDate": "2026-11-10T00:00:00Z"}, [("API key without an end, 10 days old", "low")]),
        ({"creationDate": "2026-08-01T00:00:00Z"}, [("API key without an end, 111 days old", "medium")]),
        ({"expirationDate": "2026-12-01T00:00:00Z"}, [("API key that ends in 11 days", "low")]),
        ({"expirationDate": "2027-12-01T00:00:00Z"}, []),
        ({"expirationDate": "2026-11-01T00:00:00Z"}, []),
        ({"isActive": False}, []),
    ],
)
def test_api_keys(key: dict[str, Any], found: list[tuple[str, str]]) -> None:
    rows = list(key_rows({"id": "u1", "displayName": "Ana"}, [{"id": "k1", **key}], NOW))
    assert [(row["finding"], row["risk"]) for row in rows] == found
    assert all((row["kind"], row["recordId"], row["userId"]) == ("apikeys", "k1", "u1") for row in rows)


def test_applications_and_companies() -> None:
    risky = {
        "id": "a1",
        "name": "CRM",
        "enableOAuthImplicitGrant": True,
        "disableOAuthConsentScreen": True,
        "enableOAuthRefreshTokenRotation": False,
        "oauthRedirectUris": ["https://crm.example"],
    }
    assert len(list(application_rows(risky, {}))) == 3
    assert not list(application_rows({**risky, "isSvcClientDefault": True}, {}))
    assert not list(application_rows({**risky, "state": "deleted"}, {}))
    assert not list(application_rows({"id": "a1", "enableOAuthRefreshTokenRotation": False}, {}))
    row = company_row({"id": "c1", "name": "North"}, 3)
    assert (row["companyId"], row["kind"], row["recordId"]) == ("c1", "companies", "c1")
    assert row["finding"] == "single sign-on (3 users) without allowed redirect domains"
