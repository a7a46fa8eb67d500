"""Requests that are repeated, after which pause, and those that never are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from svc_tui.client import login as logins
from svc_tui.client.errors import OutcomeUnknown, Refused, Unreachable
from svc_tui.client.retry import Retries, asked_pause, pause_before
from svc_tui.interface.applications.operations import create_application, list_applications
from tests.client.support import Pauses, jwt

PAGE = {"data": [], "limit": 100, "offset": 0, "total": 0}
CREATION = {"name": "crm", "type": "web", "activity": "J"}


class Service:
    """Answers one after another, the last one for ever; keeps what it was sent."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []

    def __call__(self, request):
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, type):
            raise answer("on purpose", request=request)
        return answer


def busy(status=503, **headers):
    return httpx.Response(status, headers={name.replace("_", "-"): value for name, value in headers.items()})


async def test_a_read_is_repeated_after_a_temporary_failure(serve):
    service = Service(httpx.ReadError, busy(), httpx.Response(200, json=PAGE))
    client = serve(service, token=jwt())
    assert (await client.send(list_applications)).body == PAGE
    assert [exchange.retry for exchange in client.log.exchanges] == [0, 1, 2]


async def test_all_attempts_of_a_request_have_the_same_correlation_id(serve):
    service = Service(busy(), httpx.Response(200, json=PAGE))
    client = serve(service, token=jwt())
    await client.send(list_applications)
    await client.send(list_applications)
    ids = [request.headers["x-svc-correlation-id"] for request in service.requests]
    assert ids[0] == ids[1] != ids[2]
    assert all(len(id) == 16 for id in ids)


async def test_a_read_gives_up_after_three_attempts(serve):
    service = Service(httpx.ReadError)
    with pytest.raises(Unreachable, match="broke before"):
        await serve(service, token=jwt()).send(list_applications)
    assert len(service.requests) == 3


async def test_a_read_that_timed_out_is_not_repeated(serve):
    service = Service(httpx.ReadTimeout)
    with pytest.raises(Unreachable, match="within 30 s"):
        await serve(service, token=jwt()).send(list_applications)
    assert len(service.requests) == 1


@pytest.mark.parametrize("failure", [httpx.ReadError, httpx.ReadTimeout, httpx.WriteError, httpx.RemoteProtocolError])
async def test_a_change_without_a_response_is_sent_once_with_an_unknown_outcome(serve, failure):
    service = Service(failure)
    with pytest.raises(OutcomeUnknown, match="“Create an application” was sent, but its outcome is unknown"):
        await serve(service, token=jwt()).send(create_application, body=CREATION)
    assert len(service.requests) == 1


@pytest.mark.parametrize("failure", [httpx.ConnectError, httpx.ConnectTimeout])
async def test_a_change_is_repeated_when_it_was_not_sent(serve, failure):
    service = Service(failure, failure, httpx.Response(200, json={"data": {"id": "a"}}))
    answer = await serve(service, token=jwt()).send(create_application, body=CREATION)
    assert answer.body["data"]["id"] == "a"


async def test_a_postponed_change_is_not_repeated(serve):
    service = Service(busy(retry_after="1"), httpx.Response(200, json={}))
    with pytest.raises(Refused) as told:
        await serve(service, token=jwt()).send(create_application, body=CREATION)
    assert told.value.status == 503
    assert len(service.requests) == 1


@pytest.mark.parametrize("status", [502, 504])
async def test_a_change_with_a_gateway_timeout_has_an_unknown_outcome(serve, status):
    service = Service(busy(status))
    with pytest.raises(OutcomeUnknown):
        await serve(service, token=jwt()).send(create_application, body=CREATION)
    assert len(service.requests) == 1


async def test_an_internal_error_of_the_service_is_not_repeated(serve):
    service = Service(busy(500, x_svc_request_id="req-1"))
    with pytest.raises(Refused, match=r"internal error \(status 500, request ID req-1\)"):
        await serve(service, token=jwt()).send(list_applications)
    assert len(service.requests) == 1


async def test_retry_after_is_waited_for(serve):
    pauses = Pauses()
    service = Service(busy(429, retry_after="7"), httpx.Response(200, json=PAGE))
    await serve(service, token=jwt(), client={"sleep": pauses}).send(list_applications)
    assert pauses.seconds == [7.0]


async def test_a_long_retry_after_raises_an_error(serve):
    pauses = Pauses()
    service = Service(busy(429, retry_after="300"))
    with pytest.raises(Refused, match="Try again in 5 minutes"):
        await serve(service, token=jwt(), client={"sleep": pauses}).send(list_applications)
    assert pauses.seconds == []


async def test_a_login_without_a_response_is_repeated_with_the_same_correlation_id(serve):
    service = Service(httpx.ReadError, httpx.Response(200, json={"token": jwt(), "loggedInUser": {"id": "u1"}}))
    client = serve(service)
    await logins.login(client, "u1@example.com", "pass-word-1")
    first, second = service.requests
    assert first.headers["x-svc-correlation-id"] == second.headers["x-svc-correlation-id"]


async def test_an_api_key_is_sent_with_a_fresh_challenge_in_every_attempt(serve):
    service = Service(busy(), busy(), httpx.Response(200, json=PAGE))
    client = serve(service, method="api_key", api_key="key-of-a-user")
    await client.send(list_applications)
    assert len({request.headers["x-svc-challenge"] for request in service.requests}) == 3
    assert len({request.headers["x-svc-app-auth"] for request in service.requests}) == 3


def test_pauses_grow_to_a_limit_with_random_differences():
    retries = Retries(pause=1, longest_pause=5)
    assert [pause_before(n, retries, 0.0) for n in (1, 2, 3, 4)] == [1, 2, 4, 5]
    assert pause_before(1, retries, 1.0) == 0.5


NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0.0),
        ("12", 12.0),
        (format_datetime(NOW + timedelta(seconds=90), usegmt=True), 90.0),
        (format_datetime(NOW - timedelta(seconds=90), usegmt=True), 0.0),
        ("Fri, 20 Nov 2026 10:00:30", 30.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("٣", None),
        ("1" * 400, 111111111.0),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(text, seconds):
    assert asked_pause({"retry-after": text}, NOW) == seconds


def test_a_date_is_compared_with_the_services_own_clock():
    headers = {
        "retry-after": format_datetime(NOW + timedelta(seconds=3610), usegmt=True),
        "date": format_datetime(NOW + timedelta(hours=1), usegmt=True),
    }
    assert asked_pause(headers, NOW) == 10.0
