"""The connection profile: what it refuses, and what it says of the link."""

from __future__ import annotations

import pytest

from svc_tui.client.profile import Profile


@pytest.mark.parametrize(
    "address",
    [
        "",
        "svc.example",
        "ftp://svc.example",
        "https://",
        "https://svc.example:0",
        "https://a b",
        "https://svc\x1b.example",
    ],
)
def test_an_invalid_address_is_refused_with_an_example(address):
    with pytest.raises(ValueError, match=r"for example https://service\.example"):
        Profile("p", address)


@pytest.mark.parametrize("address", ["https://me:pw@svc.example", "https://svc.example?x=1", "https://svc.example#a"])
def test_an_address_holds_no_login_query_or_fragment(address):
    with pytest.raises(ValueError, match="must not"):
        Profile("p", address)


def test_a_slash_at_the_end_of_the_address_does_not_matter():
    assert Profile("p", "https://svc.example/portal/").base_url == "https://svc.example/portal"


@pytest.mark.parametrize("word", ["", "Acme", "a", "ac me", "acmé", "4you"])
def test_a_brand_is_one_word_in_lower_case(word):
    with pytest.raises(ValueError, match="brand must be one word"):
        Profile("p", "https://svc.example", brand=word)


@pytest.mark.parametrize("field", ["app_id", "api_key", "app_token"])
def test_a_value_that_cannot_be_a_header_is_refused(field):
    with pytest.raises(ValueError, match=f"{field} contains a carriage return"):
        Profile("p", "https://svc.example", **{field: "line\r\nx-other: 1"})


def test_secrets_are_not_in_the_text_of_a_profile():
    profile = Profile(
        "p", "https://svc.example", app_secret="hidden-1", api_key="hidden-2", password="hidden-3", app_token="hidden-4"
    )
    assert "hidden" not in repr(profile)


@pytest.mark.parametrize(
    ("address", "verify", "verified"),
    [
        ("https://svc.example", True, True),
        ("https://svc.example", False, False),
        ("http://svc.example", True, False),
        ("http://127.0.0.1:8080", True, True),
        ("http://localhost:8080", True, True),
        ("http://[::1]:8080", True, True),
    ],
)
def test_a_link_counts_as_verified_over_checked_tls_or_on_this_machine(address, verify, verified):
    assert Profile("p", address, verify=verify).verified is verified


@pytest.mark.parametrize(
    ("address", "warns"),
    [
        ("http://portal.example.com", True),
        ("http://192.168.1.4:8080", True),
        ("http://localhost.example.com", True),
        ("http://localhost:8080", False),
        ("http://127.0.0.1:8080", False),
        ("http://[::1]:8080", False),
        ("https://portal.example.com", False),
    ],
)
def test_clear_text_to_another_machine_is_warned_of(address: str, warns: bool) -> None:
    profile = Profile("test", address)
    expected = (
        f"The connection to {profile.host} is not encrypted: password and data can be read on the way. Use https://."
    )
    assert profile.in_clear_text == (expected if warns else "")
