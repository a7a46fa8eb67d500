"""The meaning of the OAuth settings of an application, against the text of the specification (2.6, 5.5)."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.workspace.applications.oauth_settings import FIELDS, loopback_redirects, meanings, redirects, warnings

HOME = "https://app.example/oauth"
#: An application as section 2.6 recommends it, with all defaults.
PLAIN = {
    "state": "active",
    "type": "web",
    "oauthRedirectUris": [HOME],
    "termsOfServiceUrl": ["https://app.example/terms"],
    "privacyPoliciesUrl": ["https://app.example/privacy"],
}


def said(**changes: Any) -> dict[str, str]:
    """Field -> its sentence."""
    return {each.field: each.sentence for each in meanings({**PLAIN, **changes})}


def warned(**changes: Any) -> list[tuple[str, str]]:
    """Effect and sentence of each warning."""
    return [(each.effect, each.sentence) for each in warnings({**PLAIN, **changes})]


def test_defaults_of_the_specification_need_no_warning() -> None:
    assert warned() == []
    assert warned(enableOAuthImplicitGrant=False, enableOAuthRefreshTokenRotation=True) == []


def test_each_sentence_and_warning_names_a_field_that_can_be_edited() -> None:
    everything = {"enableOAuthImplicitGrant": True, "enableOAuthRefreshTokenRotation": False, "termsOfServiceUrl": None}
    for record in (PLAIN, everything, {**PLAIN, "disableOAuthConsentScreen": True}):
        assert {each.field for each in meanings(record)} <= set(FIELDS)
        assert {each.field for each in warnings(record)} <= set(FIELDS)


# "required to use OAuth 2.0; tokens are only sent to these URIs"


@pytest.mark.parametrize("none", [None, [], ["javascript:alert(1)"], [f"{HOME}#part"], "https://no.list.example"])
def test_without_a_usable_redirect_address_no_user_can_authorize_it(none: Any) -> None:
    assert said(oauthRedirectUris=none)["oauthRedirectUris"].startswith("No user can authorize the application")
    assert warned(oauthRedirectUris=none)[0] == ("prevents", "OAuth 2.0 needs at least one redirect address.")


def test_the_browser_goes_back_only_to_the_addresses_and_by_default_to_the_first() -> None:
    found = said(oauthRedirectUris=[HOME, "https://test.app.example/oauth"])["oauthRedirectUris"]
    assert "only to these 2 addresses" in found
    assert found.endswith(f"gets {HOME}.")
    assert "only to this address" in said()["oauthRedirectUris"]


@pytest.mark.parametrize(
    ("address", "effect", "part"),
    [
        ("http://app.example/oauth", "limits", "without encryption"),
        (f"{HOME}#part", "limits", "is never used: it has a fragment"),
        ("data:text/html,x", "limits", "is never used: it must not begin with data:"),
        ("http://[", "limits", "is never used: it is not a URL"),
        ("https://*.app.example/oauth", "limits", "is never used: it must have a host of letters"),
        ("https://app.example/oauth/*", "limits", "* is not a wildcard"),
        ("myapp://oauth", "notes", "use PKCE"),
        ("http://localhost:8976/callback", "notes", "use 127.0.0.1"),
    ],
)
def test_addresses_that_are_not_safe_or_do_not_work_are_named(address: str, effect: str, part: str) -> None:
    ((found, sentence),) = warned(oauthRedirectUris=[HOME, address])
    assert found == effect
    assert sentence.startswith(address)
    assert part in sentence


def test_a_twenty_first_address_is_not_possible() -> None:
    nineteen, twenty = ([f"{HOME}/{number}" for number in range(count)] for count in (19, 20))
    assert warned(oauthRedirectUris=nineteen) == []
    assert warned(oauthRedirectUris=twenty) == [("notes", "The limit of 20 addresses is reached.")]


def test_the_addresses_of_this_machine_are_those_a_program_can_listen_on() -> None:
    local = ["http://127.0.0.1:8976/callback", "http://[::1]:8976/", "http://localhost:1/x"]
    others = ["http://127.0.0.1/no-port", "https://127.0.0.1:1/", "http://10.0.0.1:1/", HOME]
    record = {"oauthRedirectUris": ["http://127.0.0.1:99999/", *others, *local]}
    assert loopback_redirects(record) == local
    assert redirects(record) == [*others, *local]
    assert warned(oauthRedirectUris=local[:2]) == []


# "enableOAuthImplicitGrant | boolean, default false"


def test_the_implicit_grant_is_explained_with_a_warning() -> None:
    assert "implicit grant" not in said()["enableOAuthImplicitGrant"]
    assert "exchanges for tokens with its secret" in said()["enableOAuthImplicitGrant"]
    assert (
        "(implicit grant), without a secret and without a refresh"
        in said(enableOAuthImplicitGrant=True)["enableOAuthImplicitGrant"]
    )
    ((effect, sentence),) = warned(enableOAuthImplicitGrant=True)
    assert (effect, sentence.partition(",")[0]) == ("limits", "Access tokens are in addresses")


# "each refresh returns a new refresh token and revokes the old one", and from 5.5 "Access tokens last one hour"


def test_rotation_returns_a_new_refresh_token_and_revokes_the_old_one() -> None:
    on, off = said()["enableOAuthRefreshTokenRotation"], said(enableOAuthRefreshTokenRotation=False)
    assert "valid for 1 hour" in on
    assert "Each refresh returns a new refresh token, valid for 90 days, and revokes the old one." in on
    assert "A refresh returns the same refresh token." in off["enableOAuthRefreshTokenRotation"]
    assert [effect for effect, _ in warned(enableOAuthRefreshTokenRotation=False)] == ["limits"]


# "when false, a new authorization-code login revokes the user's earlier refresh tokens and their access tokens"


def test_without_several_refresh_tokens_a_login_revokes_the_earlier_tokens() -> None:
    assert "on several devices" in said()["enableOAuthAllowSeveralRefreshTokens"]
    off = said(enableOAuthAllowSeveralRefreshTokens=False)["enableOAuthAllowSeveralRefreshTokens"]
    assert off.startswith("A new login of a user revokes the user's earlier tokens")


# "disableOAuthConsentScreen"; "shown as links in the OAuth consent form; optional"


def test_without_the_consent_screen_users_are_not_asked_and_see_no_links() -> None:
    assert "users allow or deny" in said()["disableOAuthConsentScreen"]
    assert said(disableOAuthConsentScreen=True)["disableOAuthConsentScreen"].startswith("Users are not asked")
    found = warned(disableOAuthConsentScreen=True)
    assert [effect for effect, _ in found] == ["limits", "notes", "notes"]
    assert all("not shown without the consent screen" in sentence for _, sentence in found[1:])
    assert len(warned(disableOAuthConsentScreen=True, termsOfServiceUrl=[], privacyPoliciesUrl=None)) == 1


def test_the_links_of_the_consent_screen_are_named() -> None:
    assert "with links to the terms of service and the privacy policy." in said()["disableOAuthConsentScreen"]
    assert "with links to the privacy policy." in said(termsOfServiceUrl=None)["disableOAuthConsentScreen"]
    assert "without links" in said(termsOfServiceUrl=[], privacyPoliciesUrl=["ftp://x"])["disableOAuthConsentScreen"]
    assert warned(termsOfServiceUrl=[]) == [("notes", "Terms of service URLs: the consent screen has no link.")]


# "backend only"; applications that are not in use


@pytest.mark.parametrize(("kind", "count"), [("mobile", 1), ("desktop", 1), ("web", 0), ("server", 0)])
def test_the_secret_of_a_program_on_a_device_does_not_stay_one(kind: str, count: int) -> None:
    assert len(warned(type=kind)) == count


@pytest.mark.parametrize("state", ["stopped", "blocked", "deleted"])
def test_an_application_that_is_not_in_use_gives_no_tokens(state: str) -> None:
    assert warned(state=state) == [("prevents", f"No user can authorize it or refresh tokens: it is {state}.")]
    assert warned(state="new") == []


def test_the_worst_warning_is_the_first() -> None:
    found = warned(type="mobile", oauthRedirectUris=None, enableOAuthImplicitGrant=True)
    assert [effect for effect, _ in found] == ["prevents", "limits", "notes"]
