"""The call log and its curl commands: everything is there but the secrets."""

from __future__ import annotations

import json
import shlex
import subprocess

import httpx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from svc_tui.client import login as logins
from svc_tui.client import masking
from svc_tui.client.call_log import CallLog
from svc_tui.client.masking import secrets_in
from svc_tui.interface.applications.operations import create_application, list_applications
from svc_tui.interface.authentication.mfa import get_mfa, reset_mfa_recovery_code, verify_mfa
from svc_tui.interface.authentication.sessions import login
from svc_tui.interface.authentication.single_sign_on import logout_oidc, oidc_id_token_login
from tests.client.support import jwt
from tests.support.world import APP_SECRET, PASSWORD

SECRET_NAMES = [
    "token",
    "password",
    "appSecret",
    "apiKey",
    "mfaSecret",
    "mfaRecoveryCode",
    "jid_password",
    "jid_pbxagent_password",
    "access_token",
    "refresh_token",
    "id_token",
    "tkn",
    "client_secret",
    "otpAuthUrl",
    "qrcode",
    "x-svc-app-auth",
    "x-acme-api-key",
    "APIKey",
    "Authorization",
    "Set-Cookie",
]
SECRET_PARAMETERS = ["token", "tkn", "id_token", "access_token", "x-svc-app-auth", "x-acme-app-auth"]
OPEN_NAMES = ["name", "status", "dateOfLastTokenWhenRenew", "maxTokenRenew", "mfaRequired", "challenge"]

#: Nothing else in these tests contains it.
SECRET = st.text(st.sampled_from("QWXZ0789-_~"), min_size=8, max_size=40).map(lambda text: f"qqS{text}")


def bodies(secret):
    """JSON with the secret under secret names, at any depth, among other things."""
    kept = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(OPEN_NAMES), inner, max_size=3),
        max_leaves=6,
    )
    return st.recursive(
        st.dictionaries(
            st.sampled_from(SECRET_NAMES), st.just(secret) | st.just([secret]) | st.just({"a": secret}), min_size=1
        ),
        lambda inner: (
            st.lists(inner, min_size=1, max_size=3)
            | st.fixed_dictionaries({"data": inner, "name": kept})
            | st.fixed_dictionaries({"param": st.sampled_from(SECRET_NAMES), "value": st.just(secret), "x": inner})
        ),
        max_leaves=6,
    )


def everything(log):
    return repr(log.exchanges) + "".join(exchange.as_curl() for exchange in log.exchanges)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_secret_is_never_in_the_log_or_its_curl_command(data):
    secret = data.draw(SECRET)
    body = data.draw(bodies(secret))
    name = data.draw(st.sampled_from(SECRET_PARAMETERS))
    header = data.draw(st.sampled_from(["authorization", "x-svc-app-auth", "x-acme-api-key", "APIKey", "cookie"]))
    scheme = data.draw(st.sampled_from(["", "Basic ", "Bearer "]))
    log = CallLog()
    url = f"https://svc.test/a?b=1&{name}={secret}&c=2#{name}={secret}"
    exchange = log.begin("op", "POST", url, {header: scheme + secret}, json.dumps(body))
    reply = json.dumps({"text": f"go to {url}", "deep": body}).encode()
    log.end(exchange, 200, {"location": url, header: scheme + secret}, reply, 0.1, "req")
    log.fail(exchange, f"could not open {url}", 0.1)
    assert secret not in everything(log)


@settings(max_examples=100, deadline=None)
@given(secret=st.text(min_size=6, max_size=30), around=st.text(max_size=10))
def test_a_known_secret_is_masked_everywhere(secret, around):
    # The secret can also appear by chance, from the end of one piece and the beginning of another.
    assume(secret not in around + masking.PASSWORD + around)
    log = CallLog()
    log.mask(secret, masking.PASSWORD)
    body = json.dumps({"msg": around + secret + around, around + secret: [secret]})
    exchange = log.begin("op", "POST", "https://svc.test/", {"x-note": "none"}, body)
    log.end(exchange, 200, {}, body.encode(), 0.1, "")
    for kept in (exchange.request_body, exchange.response_body):
        (_, text), (name, listed) = json.loads(kept).items()
        assert secret not in text
        assert secret not in name
        assert all(secret not in item for item in listed)


def test_masking_leaves_a_body_valid_whose_escapes_look_like_the_secret():
    log = CallLog()
    log.mask("n00000", masking.PASSWORD)
    exchange = log.begin("op", "POST", "https://svc.test/", {}, json.dumps({"text": "a\n00000 n00000"}))
    assert json.loads(exchange.request_body) == {"text": "a\n00000 $SVC_PASSWORD"}


@settings(max_examples=100, deadline=None)
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(OPEN_NAMES), inner),
        max_leaves=10,
    )
)
def test_other_values_stay_unchanged(value):
    if any(sign in json.dumps(value) for sign in ("eyJ", "=", "asic", "earer", "ASIC", "EARER")):
        return
    assert json.loads(masking.mask_json(value)) == value


@pytest.mark.parametrize(
    ("operation", "names"),
    [
        (login, {"token", "jid_password"}),
        (create_application, {"appSecret"}),
        (get_mfa, {"mfaSecret", "otpAuthUrl", "qrcode"}),
        (verify_mfa, {"token", "mfaRecoveryCode"}),
        (reset_mfa_recovery_code, {"mfaRecoveryCode"}),
        (oidc_id_token_login, {"id_token", "token"}),
        (logout_oidc, {"token"}),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_the_declaration_names_the_secrets_of_an_operation(operation, names):
    assert names <= secrets_in(operation)


def test_a_field_that_is_only_declared_secret_is_masked():
    text = masking.mask_body('{"a": {"handshake": "qqS-1"}}', {"handshake"})
    assert text == '{"a":{"handshake":"$SVC_SECRET"}}'


async def test_no_secret_of_a_whole_session_is_in_the_log(world, connect):
    await world.user(roles=("app_superadmin",), jid_password="0123456789abcdef" * 2)
    client = connect()
    with pytest.raises(logins.ServiceError):
        await logins.login(client, "jane@example.com", "wrong-password")
    await logins.login(client, "jane@example.com", PASSWORD)
    body = {"name": "crm", "type": "web", "activity": "J", "appSecret": "chosen-secret-of-crm"}
    await client.send(create_application, body=body)
    await client.send(list_applications, query={"format": "full"})
    text = everything(client.log)
    for secret in (
        PASSWORD,
        "wrong-password",
        APP_SECRET,
        client.session.token,
        "chosen-secret-of-crm",
        "0123456789ab",
    ):
        assert secret not in text
    assert "jane@example.com" in text
    assert [exchange.status for exchange in client.log.exchanges] == [401, 200, 200, 200]


def test_the_log_keeps_the_last_calls_only():
    log = CallLog(most=3)
    for number in range(5):
        log.begin(f"op{number}", "GET", "https://svc.test/", {})
    assert [exchange.number for exchange in log.exchanges] == [3, 4, 5]


def test_subscribers_are_called_at_the_begin_and_end_of_a_call():
    log = CallLog()
    told = []
    leave = log.subscribe(lambda exchange: told.append(exchange.status))
    exchange = log.begin("op", "GET", "https://svc.test/", {})
    log.end(exchange, 200, {}, b"{}", 0.1, "req")
    leave()
    leave()
    log.fail(exchange, "gone", 0.1)
    assert told == [None, 200]


def test_long_bodies_are_cut():
    log = CallLog()
    exchange = log.begin("op", "GET", "https://svc.test/", {})
    log.end(exchange, 200, {}, json.dumps([{"name": "x" * 50}] * 5000).encode(), 0.1, "")
    assert len(exchange.response_body) <= masking.MOST_TEXT + 1
    assert exchange.size > 200_000


def test_an_endlessly_nested_body_is_not_stored():
    assert masking.mask_body("[" * 100_000) == "(nested too deeply for the log)"


HOSTILE = ["$(touch /tmp/x)", "`id`", "a'b", 'a"b', "\\", "$HOME", "!!", "; rm -rf ~", "a\nb", "ü€\u202e", "\x1b[31m"]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_curl_command_runs_nothing_and_keeps_every_character(text):
    log = CallLog()
    body = json.dumps({"name": text, "token": "qqS-secret"})
    exchange = log.begin("op", "POST", "https://svc.test/a", {"authorization": "Bearer qqS-secret"}, body)
    command = exchange.as_curl()
    assert command.isascii()
    assert command.isprintable()
    script = command.replace("curl ", "printf '%s\\0' ", 1)
    run = subprocess.run(["sh", "-c", script], capture_output=True, env={"SVC_TOKEN": "the token"}, check=True)
    words = run.stdout.decode().split("\0")[:-1]
    assert words[:5] == ["-X", "POST", "https://svc.test/a", "-H", "authorization: Bearer the token"]
    assert json.loads(words[-1]) == {"name": text, "token": "the token"}


def test_a_curl_command_is_one_line_for_a_shell():
    log = CallLog()
    exchange = log.begin("op", "GET", "https://svc.test/a?token=abc&b=1", {"accept": "application/json"})
    assert exchange.as_curl() == (
        "curl -X GET 'https://svc.test/a?token='\"$SVC_TOKEN\"'&b=1' -H 'accept: application/json'"
    )
    assert len(shlex.split(exchange.as_curl())) == 6


async def test_each_attempt_is_logged_with_its_outcome(serve):
    answers = iter([httpx.Response(503), httpx.Response(200, json={"data": [], "total": 0})])
    client = serve(lambda request: next(answers), token=jwt())
    answer = await client.send(list_applications)
    first, second = client.log.exchanges
    assert [(first.status, first.retry), (second.status, second.retry)] == [(503, 0), (200, 1)]
    assert answer.exchange is second
    assert answer.elapsed == second.elapsed > 0
