"""One login for all requests: renewal ahead of time and on demand, and one question when the session ends."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from svc_tui.client.credentials import decode_token
from svc_tui.client.errors import SessionEnded
from svc_tui.interface.applications.operations import create_application, list_applications
from svc_tui.interface.authentication.mfa import get_mfa
from svc_tui.interface.authentication.sessions import renew_token
from tests.client.support import jwt

PAGE = {"data": [], "limit": 100, "offset": 0, "total": 0}
EXPIRED = {"errorCode": 401, "errorMsg": "Unauthorized", "errorDetails": "jwt expired", "errorDetailsCode": 401202}


class Service:
    """Accepts some tokens, renews them, and counts."""

    def __init__(self, *valid):
        self.valid = set(valid)
        self.renewals = 0
        self.next = iter(())
        self.served = []

    def __call__(self, request):
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token not in self.valid:
            return httpx.Response(401, json=EXPIRED)
        if request.url.path.endswith("/renew"):
            self.renewals += 1
            new = next(self.next)
            self.valid.add(new)
            return httpx.Response(200, json={"token": new, "loggedInUser": {"id": "u1"}})
        self.served.append(token)
        return httpx.Response(200, json=PAGE)


def replaced_on_asking(client, service, token, *, answer=True):
    """Stands in for the login box: logs in with this token; counts how often it was opened."""
    asked = []

    async def asks(ended):
        asked.append(ended)
        await asyncio.sleep(0)
        if answer:
            service.valid.add(token)
            client.session.accept({"token": token, "loggedInUser": {"id": decode_token(token).user_id}})
        return answer

    client.session.open_login = asks
    return asked


async def test_an_expired_session_asks_once_for_all_requests_and_they_continue(serve):
    service = Service()
    client = serve(service, token=jwt())
    asked = replaced_on_asking(client, service, jwt(renewed=1))
    answers = await asyncio.gather(*(client.send(list_applications) for _ in range(5)))
    assert [answer.body for answer in answers] == [PAGE] * 5
    assert len(asked) == 1
    assert asked[0].sentence == "Session expired. Log in to continue."


async def test_a_change_at_the_end_of_the_session_is_sent_after_the_login(serve):
    service = Service()
    client = serve(service, token=jwt())
    replaced_on_asking(client, service, jwt(renewed=1))
    await client.send(create_application, body={"name": "a"})
    assert len(service.served) == 1


async def test_a_cancelled_login_ends_all_waiting_requests(serve):
    service = Service()
    client = serve(service, token=jwt())
    asked = replaced_on_asking(client, service, "", answer=False)
    results = await asyncio.gather(*(client.send(list_applications) for _ in range(4)), return_exceptions=True)
    assert [type(result) for result in results] == [SessionEnded] * 4
    assert len(asked) == 1


async def test_a_request_during_the_login_waits_too(serve):
    service = Service()
    client = serve(service, token=jwt())
    opened, typed = asyncio.Event(), asyncio.Event()

    async def asks(ended):
        opened.set()
        await typed.wait()
        service.valid.add(jwt(renewed=2))
        client.session.accept({"token": jwt(renewed=2)})
        return True

    client.session.open_login = asks
    first = asyncio.create_task(client.send(list_applications))
    await opened.wait()
    second = asyncio.create_task(client.send(list_applications))
    await asyncio.sleep(0)
    assert not second.done()
    typed.set()
    await asyncio.gather(first, second)
    assert service.served == [jwt(renewed=2)] * 2


async def test_a_cancelled_request_does_not_close_the_login_of_the_others(serve):
    service = Service()
    client = serve(service, token=jwt())
    opened, typed = asyncio.Event(), asyncio.Event()

    async def asks(ended):
        opened.set()
        await typed.wait()
        service.valid.add(jwt(renewed=2))
        client.session.accept({"token": jwt(renewed=2)})
        return True

    client.session.open_login = asks
    tasks = [asyncio.create_task(client.send(list_applications)) for _ in range(2)]
    await opened.wait()
    tasks[0].cancel()
    typed.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert results[1].status == 200


async def test_a_request_of_one_user_is_not_sent_as_another(serve):
    service = Service()
    client = serve(service, token=jwt("u1"))
    asked = replaced_on_asking(client, service, jwt("u2"))
    with pytest.raises(SessionEnded, match="Another user logged in"):
        await client.send(create_application, body={"name": "a"})
    assert len(asked) == 1
    assert service.served == []


async def test_a_request_during_the_login_is_not_sent_as_another_user(serve):
    service = Service()
    client = serve(service, token=jwt("u1"))
    opened, typed = asyncio.Event(), asyncio.Event()

    async def asks(ended):
        opened.set()
        await typed.wait()
        service.valid.add(jwt("u2"))
        client.session.accept({"token": jwt("u2"), "loggedInUser": {"id": "u2"}})
        return True

    client.session.open_login = asks
    reading = asyncio.create_task(client.send(list_applications))
    await opened.wait()
    changing = asyncio.create_task(client.send(create_application, body={"name": "a"}))
    await asyncio.sleep(0)
    typed.set()
    results = await asyncio.gather(reading, changing, return_exceptions=True)
    assert [type(result) for result in results] == [SessionEnded, SessionEnded]
    assert service.served == []
    await client.send(list_applications)


async def test_a_useless_login_is_not_asked_for_endlessly(serve):
    service = Service()
    client = serve(service, token=jwt())
    count = 0

    async def asks(ended):
        nonlocal count
        count += 1
        client.session.accept({"token": jwt(renewed=count)})
        return True

    client.session.open_login = asks
    with pytest.raises(SessionEnded):
        await client.send(list_applications)
    assert count == 2


async def test_without_a_login_dialog_the_end_of_the_session_is_raised(serve):
    client = serve(Service(), token=jwt())
    with pytest.raises(SessionEnded, match="Session expired"):
        await client.send(list_applications)
    assert client.session.state == "none"


async def test_without_a_login_nothing_is_sent(serve):
    client = serve(Service())
    with pytest.raises(SessionEnded, match="You are not logged in"):
        await client.send(list_applications)
    assert client.log.exchanges == ()


async def test_closing_ends_requests_that_wait_for_a_login(serve):
    client = serve(Service(), token=jwt())
    opened = asyncio.Event()

    async def asks(ended):
        opened.set()
        await asyncio.Event().wait()
        return True

    client.session.open_login = asks
    waiting = asyncio.create_task(client.send(list_applications))
    await opened.wait()
    await client.aclose()
    with pytest.raises(SessionEnded):
        await waiting


async def test_a_limited_token_is_for_the_second_factor_only(serve):
    limited = jwt(mfaType="totp")
    client = serve(Service(limited), token=limited)
    assert client.session.state == "limited"
    await client.send(get_mfa, path={"userId": "u1"})
    with pytest.raises(SessionEnded):
        await client.send(list_applications)


async def test_an_expired_limited_token_does_not_open_a_second_login(serve):
    service = Service()
    client = serve(service, token=jwt(mfaType="totp"))
    asked = replaced_on_asking(client, service, jwt())
    with pytest.raises(SessionEnded):
        await client.send(get_mfa, path={"userId": "u1"})
    assert asked == []


async def test_a_late_code_in_the_login_dialog_does_not_wait_for_that_dialog(serve):
    limited = jwt(mfaType="totp")
    client = serve(Service(), token=jwt())
    failed = []

    async def asks(ended):
        client.session.accept({"token": limited})
        try:
            await client.send(get_mfa, path={"userId": "u1"})
        except SessionEnded as late:
            failed.append(late)
        return False

    client.session.open_login = asks
    with pytest.raises(SessionEnded):
        await asyncio.wait_for(client.send(list_applications), 5)
    assert len(failed) == 1


async def test_no_second_login_dialog_opens_during_the_second_factor(serve):
    service = Service()
    client = serve(service, token=jwt(mfaType="totp"))
    asked = replaced_on_asking(client, service, jwt())
    with pytest.raises(SessionEnded):
        await client.send(list_applications)
    assert asked == []
    assert client.session.state == "limited"


async def test_a_refused_api_key_opens_no_login(serve):
    service = Service()
    client = serve(service, method="api_key", api_key="key-of-a-user")
    asked = replaced_on_asking(client, service, jwt())
    with pytest.raises(SessionEnded):
        await client.send(list_applications)
    assert asked == []


async def test_an_api_key_has_no_session_to_renew(serve):
    client = serve(Service(), method="api_key", api_key="key-of-a-user")
    with pytest.raises(SessionEnded, match="needs a login"):
        await client.send(renew_token)
    assert client.log.exchanges == ()


async def test_every_request_names_its_client(serve):
    from svc_tui import __version__

    heads = []

    def answer(request):
        heads.append(request.headers)
        return httpx.Response(200, json=PAGE)

    await serve(answer, token=jwt(), app_token="app-token-1").send(list_applications)
    assert heads[0]["x-svc-client"] == "svc-tui"
    assert heads[0]["x-svc-client-version"] == __version__
    assert heads[0]["x-svc-client-id"] == "app"
    assert heads[0]["apikey"] == "app-token-1"
    assert heads[0]["accept"] == "application/json"


def test_the_text_of_a_session_has_no_token(serve):
    assert jwt() not in repr(serve(Service(), token=jwt()).session)
