"""What `connect` takes: the environment, limits, headers and the log; and other options for single calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from svc_tui.client import api
from svc_tui.client.in_flight import Timeouts
from tests.client.support import jwt

ENVIRONMENT = {
    "SVC_TUI_BASE_URL": "https://svc.test",
    "SVC_TUI_APP_ID": "app",
    "SVC_TUI_APP_SECRET": "the secret of the app",
    "SVC_TUI_LOGIN": "jane@example.com",
    "SVC_TUI_PASSWORD": "Correct-horse-1",
}
PROFILE = api.Profile("test", "https://svc.test", app_id="app", app_secret="the secret of the app")
PAGE = {"data": [{"id": "1", "name": "CRM"}], "total": 1, "limit": 100, "offset": 0}


class Service:
    """Answers a login, and everything else with these answers, the last one for ever."""

    def __init__(self, *answers: httpx.Response, **login: Any) -> None:
        self.answers, self.login, self.requests = list(answers), login, []
        self.transport = httpx.MockTransport(self)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.url.path.endswith("/login"):
            return httpx.Response(200, json={"token": jwt(), "loggedInUser": {"id": "u1"}, **self.login})
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)

    @property
    def paths(self) -> list[str]:
        """The last part of the path of each request."""
        return [request.url.path.rpartition("/")[2] for request in self.requests]


def answer(status: int = 200, body: Any = PAGE, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=body, headers={name.replace("_", "-"): text for name, text in headers.items()})


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets the variables, with some replaced; empty for none of this name."""

    def set_all(**replaced: str) -> None:
        for name, value in {**ENVIRONMENT, "SVC_TUI_API_KEY": "", **replaced}.items():
            monkeypatch.setenv(name, value)

    return set_all


async def test_the_environment_is_the_default_and_logs_in_with_the_first_request(environment) -> None:
    environment()
    service = Service(answer())
    async with api.connect(transport=service.transport) as client:
        assert service.requests == []
        assert [each.name for each in await client.applications.list().all()] == ["CRM"]
        await client.applications.list().all()
    assert service.paths == ["login", "applications", "applications"]


async def test_an_api_key_in_the_environment_needs_no_login(environment) -> None:
    environment(SVC_TUI_LOGIN="", SVC_TUI_PASSWORD="", SVC_TUI_API_KEY="key-of-a-job")
    service = Service(answer())
    async with api.connect(transport=service.transport) as client:
        await client.applications.list().all()
    assert service.paths == ["applications"]


async def test_a_second_factor_is_not_passed_over(environment) -> None:
    environment()
    service = Service(answer(), mfaRequired=True, token=jwt(limited=True))
    async with api.connect(transport=service.transport) as client:
        with pytest.raises(api.SessionEnded):
            await client.applications.list().all()
    assert service.paths.count("login") == 1


async def test_a_profile_that_is_given_logs_in_only_when_it_is_asked_to(environment) -> None:
    environment()
    service = Service(answer())
    async with api.connect(PROFILE, transport=service.transport) as client:
        with pytest.raises(api.SessionEnded):
            await client.applications.list().all()
        await client.login("jane@example.com", "Correct-horse-1")
        await client.applications.list().all()
    assert service.paths == ["login", "applications"]


async def test_without_an_address_the_variable_is_named(environment) -> None:
    environment(SVC_TUI_BASE_URL="")
    with pytest.raises(ValueError, match="SVC_TUI_BASE_URL"):
        async with api.connect():
            pass


async def test_headers_go_with_each_request_and_replace_no_credentials() -> None:
    service = Service(answer())
    headers = {"X-Team": "billing", "authorization": "Bearer of another"}
    async with api.connect(PROFILE, transport=service.transport, headers=headers) as client:
        await client.login("jane@example.com", "Correct-horse-1")
        await client.with_options(headers={"x-run": "7"}).applications.list().all()
        await client.applications.list().all()
    assert [request.headers["x-team"] for request in service.requests] == ["billing"] * 3
    assert [request.headers.get("x-run") for request in service.requests] == [None, "7", None]
    assert "Bearer of another" not in [request.headers["authorization"] for request in service.requests]


@pytest.mark.parametrize("headers", [{"x-team": "a\r\nb"}, {"x team": "a"}, {"x-team": "ü"}, {"x-team": " a"}])
async def test_a_header_that_cannot_be_sent_is_refused_at_once(headers) -> None:
    with pytest.raises(ValueError, match="The header 'x"):
        async with api.connect(PROFILE, headers=headers):
            pass
    async with api.connect(PROFILE) as client:
        with pytest.raises(ValueError, match="The header 'x"):
            client.with_options(headers=headers)


async def test_the_log_is_off_unless_it_is_asked_for() -> None:
    service = Service(answer())
    for log, logged in ((False, []), (True, ["login", "list_applications"])):
        async with api.connect(PROFILE, transport=service.transport, log=log) as client:
            await client.login("jane@example.com", "Correct-horse-1")
            await client.applications.list().all()
            assert [exchange.operation_id for exchange in client.log.exchanges] == logged
            assert "Correct-horse-1" not in repr(client.log.exchanges)


async def test_retries_are_counted_after_the_first_attempt() -> None:
    service = Service(answer(503, {}, retry_after="0"))
    async with api.connect(PROFILE, transport=service.transport, retries=0) as client:
        await client.login("jane@example.com", "Correct-horse-1")
        with pytest.raises(api.Refused):
            await client.applications.list().all()
        assert service.paths.count("applications") == 1
        with pytest.raises(api.Refused):
            await client.with_options(retries=4).applications.list().all()
        assert service.paths.count("applications") == 6
        with pytest.raises(api.Refused):
            await client.applications.get("1")
        assert len(service.paths) == 8


async def test_a_change_waits_as_long_as_a_limit_of_requests_asks() -> None:
    service = Service(answer(429, {}, retry_after="0"), answer(body={"data": {"id": "1"}}))
    async with api.connect(PROFILE, transport=service.transport) as client:
        await client.login("jane@example.com", "Correct-horse-1")
        assert (await client.applications.stop("1")).id == "1"
    assert service.paths == ["login", "stop", "stop"]


async def test_a_longer_wait_than_allowed_ends_the_call() -> None:
    service = Service(answer(429, {"errorDetailsCode": 429000}, retry_after="30"))
    async with api.connect(PROFILE, transport=service.transport) as client:
        await client.login("jane@example.com", "Correct-horse-1")
        with pytest.raises(api.RateLimited) as refused:
            await client.applications.stop("1")
        assert (refused.value.retry_after, refused.value.code) == (30, 429000)
    assert service.paths == ["login", "stop"]


async def test_seconds_are_the_limit_of_all_parts_of_a_request() -> None:
    seen: list[dict[str, float]] = []

    def service(request: httpx.Request) -> httpx.Response:
        seen.append(request.extensions["timeout"])
        return answer(body={"name": "svc", "version": "1"})

    async with api.connect(PROFILE, transport=httpx.MockTransport(service), timeouts=5) as client:
        await client.authentication.get_about()
        await client.with_options(timeouts=Timeouts(read=90)).authentication.get_about()
        for wrong in (0, -1, float("nan"), True):
            with pytest.raises(ValueError, match="timeout"):
                client.with_options(timeouts=wrong)
        with pytest.raises(ValueError, match="retries"):
            client.with_options(retries=-1)
    assert [(each["connect"], each["read"], each["pool"]) for each in seen] == [(5, 5, 5), (6, 90, 120)]


async def test_other_options_share_the_session_and_keep_those_that_are_not_named() -> None:
    service = Service(answer(503, {}, retry_after="0"))
    async with api.connect(PROFILE, transport=service.transport, retries=1, headers={"x-team": "a"}) as client:
        await client.with_options(headers={"x-team": "b"}).login("jane@example.com", "Correct-horse-1")
        with pytest.raises(api.Refused):
            await client.with_options(timeouts=9).applications.list().all()
    assert [request.headers["x-team"] for request in service.requests] == ["b", "a", "a"]
