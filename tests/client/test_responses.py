"""Refusals and invalid responses: each becomes one clear sentence."""

from __future__ import annotations

import httpx
import pytest

from svc_tui.client.errors import (
    Forbidden,
    InvalidResponse,
    LoginRefused,
    OutcomeUnknown,
    RateLimited,
    Refused,
    SessionEnded,
    plain,
)
from svc_tui.interface.applications.operations import create_application, list_applications
from svc_tui.interface.audit.operations import get_audit_record, list_audit_records
from svc_tui.interface.authentication.mfa import get_mfa
from svc_tui.interface.authentication.oauth import oauth_token
from svc_tui.interface.authentication.sessions import login
from tests.client.support import jwt

ONE = {"data": [{"id": "a"}], "limit": 100, "offset": 0, "total": 1}


def refuses(status, **body):
    return lambda request: httpx.Response(status, json=body, headers={"x-svc-request-id": "req-9"})


async def refusal_of(client, operation=list_applications, **options):
    with pytest.raises(Refused) as told:
        await client.send(operation, **options)
    return told.value


async def test_a_refusal_has_code_message_and_request_id(serve):
    body = {"errorCode": 404, "errorDetailsCode": 404000, "errorDetails": "Application with id 1 not found"}
    refused = await refusal_of(serve(refuses(404, **body), token=jwt()))
    assert (refused.status, refused.code, refused.request_id) == (404, 404000, "req-9")
    assert refused.sentence == "The record was not found: Application with id 1 not found."
    assert str(refused) == refused.sentence


@pytest.mark.parametrize("status", [404, 405])
async def test_a_service_without_an_extension_of_this_server_is_not_a_missing_record(serve, status):
    refused = await refusal_of(serve(refuses(status, errorCode=status), token=jwt()), list_audit_records)
    assert refused.sentence == "This service does not offer the audit log, an extension of svc-tui's own server."
    client = serve(refuses(404, errorCode=404, errorDetailsCode=404000), token=jwt())
    refused = await refusal_of(client, get_audit_record, path={"auditId": "1"})
    assert refused.sentence == "The record was not found."


@pytest.mark.parametrize("status", [400, 401])
async def test_the_token_endpoint_refuses_in_its_own_words_and_ends_no_session(serve, status):
    body = {"error": "invalid_client", "error_description": "the application or its secret is wrong"}
    refused = await refusal_of(serve(refuses(status, **body), token=jwt()), oauth_token, body={})
    assert type(refused) is Refused
    assert refused.sentence == f"The service refused ({status}): the application or its secret is wrong."


@pytest.mark.parametrize("listed", [True, False])
async def test_refused_values_are_named(serve, listed):
    problem = {"param": "name", "msg": "must not be empty", "value": ""}
    body = {"errorCode": 400, "errorDetailsCode": 400000, "errorDetails": [problem] if listed else problem}
    refused = await refusal_of(serve(refuses(400, **body), token=jwt()), create_application, body={"name": ""})
    assert refused.sentence == "The service did not accept name: must not be empty."
    assert [(found.param, found.msg, found.value) for found in refused.problems] == [("name", "must not be empty", "")]


async def test_an_echoed_secret_is_masked(serve):
    problem = {"param": "body.appSecret", "msg": "too short", "value": "hidden"}
    refused = await refusal_of(serve(refuses(400, errorDetailsCode=400000, errorDetails=[problem]), token=jwt()))
    assert refused.problems[0].value is None
    assert "hidden" not in repr(vars(refused))


@pytest.mark.parametrize(
    ("status", "code", "operation", "kind"),
    [
        (401, 401500, login, LoginRefused),
        (401, None, login, LoginRefused),
        (403, 403020, login, LoginRefused),
        (401, 401202, list_applications, SessionEnded),
        (401, None, list_applications, SessionEnded),
        (401, 401500, get_mfa, LoginRefused),
        (403, 403000, list_applications, Forbidden),
        (429, None, list_applications, RateLimited),
    ],
)
async def test_the_class_of_a_refusal_depends_on_the_next_step(serve, status, code, operation, kind):
    client = serve(refuses(status, errorDetailsCode=code), token=jwt())
    path = {"userId": "u1"} if operation is get_mfa else {}
    assert type(await refusal_of(client, operation, path=path)) is kind


@pytest.mark.parametrize("body", [None, [], "text", 7, {"errorDetails": [1, None]}, {"errorDetailsCode": [4]}])
async def test_a_refusal_of_any_shape_becomes_a_sentence(serve, body):
    client = serve(lambda request: httpx.Response(403, json=body), token=jwt())
    assert (await refusal_of(client)).sentence == "The service refused (403): Forbidden."


async def test_a_text_from_outside_is_one_printable_line():
    assert plain("a\x1b]52;c;x\x07\nb\u202ec") == "a ]52;c;x b c"
    assert plain("x" * 500).endswith("…")


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (httpx.Response(200, html="<html>Welcome to the hotel</html>"), "responded with a web page"),
        (httpx.Response(200, text="hello"), "is not JSON"),
        (httpx.Response(200, text="[" * 100_000), "is not JSON"),
        (httpx.Response(302, headers={"location": "https://other.example/?tkn=abc"}), "redirects to"),
    ],
)
async def test_an_unexpected_response_is_invalid(serve, response, said):
    with pytest.raises(InvalidResponse, match=said) as told:
        await serve(lambda request: response, token=jwt()).send(list_applications)
    assert "abc" not in told.value.sentence


async def test_a_wrongly_compressed_response_is_invalid(serve):
    def answer(request):
        return httpx.Response(200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip"))

    with pytest.raises(InvalidResponse, match="could not be decompressed"):
        await serve(answer, token=jwt()).send(list_applications)


async def test_a_change_with_an_unreadable_response_has_an_unknown_outcome(serve):
    client = serve(lambda request: httpx.Response(200, html="<html>"), token=jwt())
    with pytest.raises(OutcomeUnknown, match="responded with a web page"):
        await client.send(create_application, body={"name": "a"})


async def test_credentials_are_not_sent_to_another_address(serve):
    asked = []

    def answer(request):
        asked.append(request.url.host)
        return httpx.Response(307, headers={"location": "https://evil.example/"})

    with pytest.raises(InvalidResponse):
        await serve(answer, token=jwt()).send(create_application, body={"name": "a"})
    assert asked == ["svc.test"]


async def test_a_wrong_type_in_a_response_is_named(serve):
    client = serve(lambda request: httpx.Response(200, json={**ONE, "data": [{"name": ["x"]}]}), token=jwt())
    with pytest.raises(
        InvalidResponse, match=r"list_applications does not match the interface: data\.0\.name must be text"
    ):
        await client.call(list_applications)


async def test_undeclared_fields_are_kept(serve):
    client = serve(lambda request: httpx.Response(200, json={**ONE, "data": [{"id": "a", "newField": 1}]}), token=jwt())
    page = await client.call(list_applications)
    assert page.data[0].wire() == {"id": "a", "newField": 1}


async def test_an_empty_response_is_an_empty_object(serve):
    client = serve(lambda request: httpx.Response(204), token=jwt())
    assert (await client.send(list_applications)).body == {}


async def test_an_endless_response_is_given_up(serve, monkeypatch):
    from svc_tui.client import transport

    monkeypatch.setattr(transport, "MOST_BYTES", 1024)
    client = serve(lambda request: httpx.Response(200, text="x" * 5000), token=jwt())
    with pytest.raises(InvalidResponse, match="is longer than"):
        await client.send(list_applications)
