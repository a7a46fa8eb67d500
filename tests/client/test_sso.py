"""Single sign-on from a terminal: discovery, the address to open, polling, the address that was pasted."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from svc_tui.client import sso
from svc_tui.client.errors import InvalidResponse, LoginRefused, Unreachable
from svc_tui.client.login import logout
from svc_tui.interface.authentication.single_sign_on import LoginUrl
from tests.client.support import Pauses, jwt

LOGIN_URL = "https://svc.test/api/svc/authentication/v1.0/oidc-client/login?companyId=c1&challenge=ch-1%2B"
ITEM = {
    "type": "OIDC",
    "name": "Corporate login",
    "loginUrl": LOGIN_URL,
    "useBackchannel": True,
    "backchannelSession": {"id": "session-1", "token": "polling-token"},
}
DONE = {"token": jwt(oidc={"iss": "x"}), "loggedInUser": {"id": "u1"}}
PENDING = {"data": {"status": "pending"}}


class Service:
    """Discovery with these items; polling answers one after another, the last one for ever."""

    def __init__(self, *polls, items=(ITEM,), discovery=200):
        self.polls, self.items, self.discovery = list(polls), items, discovery
        self.requests = []

    def __call__(self, request):
        self.requests.append(request)
        if request.url.path.endswith("/urls"):
            return httpx.Response(self.discovery, json={"data": list(self.items)})
        if "/backchannel-sessions/" in request.url.path:
            answer = self.polls.pop(0) if len(self.polls) > 1 else self.polls[0]
            if isinstance(answer, type):
                raise answer("on purpose", request=request)
            return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)
        return httpx.Response(200, json={"data": {"id": "u1", "loginEmail": "u1@example.com"}, "status": "done"})


async def test_discovery_asks_for_a_session_to_poll_and_sends_no_credentials(serve):
    service = Service()
    found = await sso.discover(serve(service), " u1@example.com ")
    assert [item.type for item in found] == ["OIDC"]
    sent = service.requests[0]
    assert dict(sent.url.params) == {"uid": "u1@example.com", "useBackchannelPolling": "true"}
    assert "authorization" not in sent.headers
    assert "x-svc-app-auth" not in sent.headers


@pytest.mark.parametrize("identifier", ["", "u1", "    u1    ", "x" * 256])
async def test_an_impossible_identifier_is_not_sent(serve, identifier):
    service = Service()
    assert [item.type for item in await sso.discover(serve(service), identifier)] == ["SVC"]
    assert service.requests == []


@pytest.mark.parametrize("service", [Service(items=()), Service(discovery=404), Service(discovery=400)])
async def test_without_other_methods_the_password_is_offered(serve, service):
    assert [item.type for item in await sso.discover(serve(service), "u1@example.com")] == ["SVC"]


async def test_an_unreachable_service_is_reported_while_typing(serve):
    def down(request):
        raise httpx.ConnectError("down", request=request)

    with pytest.raises(Unreachable):
        await sso.discover(serve(down), "u1@example.com")


def test_another_method_is_offered_first_with_the_password_as_fallback():
    oidc, password = LoginUrl(type="OIDC"), LoginUrl(type="SVC")
    assert sso.preferred([password, oidc]) == (oidc, password)
    assert sso.preferred([oidc]) == (oidc, None)
    assert sso.preferred([password]) == (password, None)


def test_a_login_without_password_uses_the_login_operation():
    passwordless = LoginUrl(type="PASSWORDLESS", login_url="https://svc.test/login")
    assert sso.preferred([passwordless]) == (passwordless, None)
    assert sso.preferred([passwordless, LoginUrl(type="OIDC")])[1] == passwordless


async def started(client):
    return await sso.sso_start(client, (await sso.discover(client, "u1@example.com"))[0])


async def test_the_address_to_open_has_the_proof_for_its_challenge(serve):
    login = await started(serve(Service()))
    assert login.url.startswith(LOGIN_URL + "&")
    query = dict(parse_qsl(urlsplit(login.url).query))
    proof = hashlib.sha256(b"s3cret-of-app" + b"ch-1+").hexdigest()
    assert base64.b64decode(query["x-svc-app-auth"]).decode() == f"app:{proof}"
    assert (query["companyId"], query["challenge"]) == ("c1", "ch-1+")
    assert "polling-token" not in repr(login)


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)?challenge=a",
        "http://svc.test/login?challenge=a",
        "file:///etc/passwd?challenge=a",
        "https://svc.test/\x1b]8;;evil?challenge=a",
        "https://svc.test/a b?challenge=a",
    ],
)
async def test_an_unsafe_address_is_not_shown(serve, address):
    with pytest.raises(InvalidResponse, match="not safe to open"):
        await sso.sso_start(serve(Service()), LoginUrl(type="OIDC", login_url=address))


async def test_a_company_with_the_implicit_flow_only_suggests_other_methods(serve):
    with pytest.raises(LoginRefused, match="Use a password or an API key"):
        await sso.sso_start(serve(Service()), LoginUrl(type="OIDC", only_use_implicit_flow=True))


async def test_polling_continues_until_the_browser_is_done(serve):
    service = Service(PENDING, PENDING, DONE)
    client = serve(service)
    pauses = Pauses()
    await sso.sso_wait(client, await started(client), sleep=pauses)
    assert client.session.state == "full"
    assert service.requests[-1].headers["authorization"] == "Bearer polling-token"
    assert service.requests[-1].url.path.endswith("/backchannel-sessions/session-1")
    assert pauses.seconds == [1.0, 1.25]


async def test_pauses_between_polls_grow_to_five_seconds(serve):
    client = serve(Service(*[PENDING] * 20, DONE))
    pauses = Pauses()
    await sso.sso_wait(client, await started(client), sleep=pauses)
    assert max(pauses.seconds) == pauses.seconds[-1] == 5.0


async def test_a_temporarily_lost_connection_does_not_end_polling(serve):
    client = serve(Service(httpx.ConnectError, httpx.ReadError, httpx.Response(503), httpx.Response(500), DONE))
    await sso.sso_wait(client, await started(client), sleep=Pauses())
    assert client.session.state == "full"


@pytest.mark.parametrize("status", [401, 404])
async def test_an_expired_session_asks_for_a_new_start(serve, status):
    client = serve(Service(PENDING, httpx.Response(status, json={})))
    with pytest.raises(LoginRefused, match="has expired or was already used"):
        await sso.sso_wait(client, await started(client), sleep=Pauses())
    assert client.session.state == "none"


async def test_polling_ends_after_its_time(serve):
    client = serve(Service(PENDING))
    with pytest.raises(LoginRefused, match="has expired"):
        await sso.sso_wait(client, await started(client), sleep=Pauses(), patience=0)


async def test_polling_can_be_cancelled(serve):
    client = serve(Service(PENDING))
    waiting = asyncio.Event()

    async def sleep(_):
        waiting.set()
        await asyncio.Event().wait()

    login = await started(client)
    task = asyncio.create_task(sso.sso_wait(client, login, sleep=sleep))
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert client.session.state == "none"


async def test_polling_works_in_a_read_only_console(serve):
    client = serve(Service(DONE), read_only=True)
    await sso.sso_wait(client, await started(client), sleep=Pauses())
    assert client.session.state == "full"


@pytest.mark.parametrize("pasted", [f"https://app.test/cb?x=1&tkn={jwt()}", f"  {jwt()}\n"])
async def test_the_address_that_the_browser_ended_on_logs_in(serve, pasted):
    client = serve(Service())
    answer = await sso.sso_finish(client, pasted)
    assert answer.logged_in_user.login_email == "u1@example.com"
    assert client.session.token == jwt()


async def test_an_address_with_an_error_raises_the_reason(serve):
    pasted = "https://app.test/cb?errtype=OIDC&errcode=401500&errmsg=Unknown%20user%1B"
    with pytest.raises(LoginRefused, match=r"The single sign-on failed: Unknown user\s*\.") as told:
        await sso.sso_finish(serve(Service()), pasted)
    assert told.value.code == 401500


@pytest.mark.parametrize("pasted", ["", "hello", "https://app.test/cb", "https://app.test/cb?tkn=", "a.b.c\nd"])
async def test_any_other_text_is_not_sent(serve, pasted):
    service = Service()
    with pytest.raises(LoginRefused, match="neither the final address"):
        await sso.sso_finish(serve(service), pasted)
    assert service.requests == []


async def test_a_single_sign_on_login_is_ended_in_a_browser(serve):
    service = Service(DONE, items=[{**ITEM, "logoutUrl": "https://svc.test/leave?a=1#top"}])
    client = serve(service)
    await sso.sso_wait(client, await started(client), sleep=Pauses())
    assert await logout(client) == "https://svc.test/leave?a=1"
    assert client.session.state == "none"
    assert not [request for request in service.requests if request.url.path.endswith("/logout")]


@pytest.mark.parametrize(
    ("answer", "address"),
    [
        (httpx.Response(404), "https://svc.test/api/svc/authentication/v1.0/oidc-client/logout"),
        (
            httpx.Response(200, json={"data": {"useWebView": True, "logoutUrl": "https://svc.test/x"}}),
            "https://svc.test/x",
        ),
        (httpx.Response(200, json={"data": {"useWebView": True, "logoutUrl": "javascript:x"}}), ""),
        (httpx.Response(200, json={"data": {"useWebView": False}}), ""),
    ],
)
async def test_the_logout_address_comes_from_the_service(serve, answer, address):
    client = serve(lambda request: answer, token=jwt(oidc={"iss": "x"}))
    assert await logout(client) == address
    assert client.session.state == "none"


@pytest.mark.parametrize(("claim", "path"), [("oidc", "oidc-client"), ("saml", "saml")])
async def test_a_service_without_logout_discovery_has_a_logout_address_for_each_kind(serve, claim, path):
    client = serve(lambda request: httpx.Response(404), token=jwt(**{claim: {}}))
    assert await logout(client) == f"https://svc.test/api/svc/authentication/v1.0/{path}/logout"


@pytest.mark.parametrize(
    "hidden",
    ["token={token}", "tkn={token}", "id_token_hint={token}", "x={token}", "x=eyJhbGciOi.eyJzdWIi.sig", "apikey=k"],
)
async def test_the_logout_address_has_no_token(serve, hidden):
    token = jwt(oidc={"iss": "x"})
    address = f"https://svc.test/leave?{hidden.format(token=token)}&client=1#{token}"
    answer = httpx.Response(200, json={"data": {"useWebView": True, "logoutUrl": address}})
    client = serve(lambda request: answer, token=token)
    assert await logout(client) == "https://svc.test/leave?client=1"


@pytest.mark.parametrize(
    ("environment", "languages"),
    [
        ({"LANG": "de_AT.UTF-8"}, "de-AT de"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "fr_CH@euro"}, "fr-CH fr"),
        ({"LANG": "fr_FR", "LC_ALL": "pt"}, "pt"),
        ({"LANG": "C.UTF-8"}, ""),
        ({"LANG": "POSIX"}, ""),
        ({"LANG": "de_AT; drop"}, ""),
        ({}, ""),
    ],
)
def test_the_languages_of_the_login_page_are_those_of_the_terminal(environment, languages):
    assert sso.ui_locales(environment) == languages


async def test_the_languages_are_sent_with_the_discovery(serve, monkeypatch):
    monkeypatch.setenv("LC_ALL", "de_AT.UTF-8")
    service = Service()
    await sso.discover(serve(service), "jane@example.com")
    assert service.requests[-1].url.params["uiLocales"] == "de-AT de"
