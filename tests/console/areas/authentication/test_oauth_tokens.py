"""What the list of OAuth tokens says about them, and what a revocation stops."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from svc_tui.console.areas.authentication.oauth_tokens import TOKENS
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context
from svc_tui.console.shell.resources import places_for
from svc_tui.interface.dates import stamp

NOWHERE = cast("Context", None)


def token(access: int, refresh: int | None = None) -> dict[str, Any]:
    """Tokens of an application that end in some minutes; negative: have ended."""
    now = datetime.now(UTC)
    ends = stamp(now + timedelta(minutes=access))
    found = {"id": "t1", "appId": "a1", "appName": "Campus Client", "accessTokenExpiresAt": ends}
    return found if refresh is None else {**found, "refreshTokenExpiresAt": stamp(now + timedelta(minutes=refresh))}


def access(record: dict[str, Any]) -> str:
    column = next(column for column in TOKENS.display.columns if column.title == "ACCESS")
    return column.text(record)[0].text


def sentences(record: dict[str, Any]) -> str:
    assert TOKENS.display.says is not None
    return " ".join(TOKENS.display.says[1](record))


def stops(record: dict[str, Any]) -> list[str]:
    assert TOKENS.deletion.consequences is not None
    found = asyncio.run(TOKENS.deletion.consequences(record, NOWHERE))
    assert found is not None
    changes, reach = found
    return [*(change.label for change in changes), reach]


def test_a_valid_refresh_token_renews_the_access() -> None:
    record = token(-10, 60 * 24)
    assert access(record) == "renews itself"
    assert "Campus Client can do everything that you can do" in sentences(record)
    assert "gives new ones without a login" in sentences(record)


def test_without_a_refresh_token_the_access_ends_within_the_hour() -> None:
    record = token(10)
    assert access(record) == "once, one hour"
    assert "It has no refresh token" in sentences(record)


def test_tokens_that_ended_are_called_that() -> None:
    for record in (token(-10), token(-10, -5)):
        assert access(record) == "ended"
        assert sentences(record) == "The tokens of Campus Client have ended."


def test_a_revocation_names_the_tokens_that_are_still_valid() -> None:
    last = "Campus Client can no longer act for you, until you allow it again in a browser."
    assert stops(token(10, 60)) == ["Access token", "Refresh token", last]
    assert stops(token(-10, 60)) == ["Refresh token", last]
    assert stops(token(-10, -5)) == [last]


def test_the_tokens_of_an_application_are_those_that_it_got() -> None:
    belongs = TOKENS.belongs_at(Place(("applications", "a1", "oauthtokens")))
    assert belongs is not None
    assert belongs(token(1))
    assert not belongs({**token(1), "appId": "a2"})


@pytest.mark.parametrize("word", ["token", "consent", "oauth", "authorization"])
def test_the_list_is_found_by_what_users_call_it(word: str) -> None:
    assert places_for(word)[0] == TOKENS.name
