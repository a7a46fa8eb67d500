"""Requests that no client sends: each is answered with the error body of section 7 and a fitting code, never a 500."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from svc_tui.interface.catalogue import operations
from svc_tui.interface.errors import MESSAGES
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.operations import AnyOperation, Credentials
from svc_tui.interface.records import Record
from svc_tui.server.http.openapi import documented_path
from tests.support.world import World, granted, refused

#: Protocols of their own: OAuth has other error bodies, and a browser gets a page.
OWN_ERRORS = {each.id for each in operations() if each.id.startswith("oauth_")}
#: Operations with a path, or a number of another system, as their last parameter.
OPEN = {each.id for each in operations() if each.path.endswith((":path}", "Number}"))}
LONG = "x" * 300
METHODS = ("HEAD", "OPTIONS", "PATCH", "TRACE", "PROPFIND")
MALFORMED = ("%00", "..%2f..%2fetc", "a%0d%0ab", "%ff%fe", "'%20OR%201=1--", "-1", "9" * 40, "%F0%9F%98%80" * 6)
VALUES = ("9223372036854775808", "-9223372036854775809", "1e308", "{}", "[[{}]]", '"\\u202e\\n"', "[null]", "true")
TEXTS = ("9223372036854775808", "NaN", "%00", "%ff", "0001-01-01T00:00:00%2b14:00", "1,,2,%25_", "x" * 2_000)
#: Bodies, and the sentence that each is refused with.
BODIES = {
    b'{"a": NaN}': "not JSON",
    b'{"a": 1e400}': "a number that is too large",
    b'{"a": ' + b"9" * 5000 + b"}": "not JSON",
    b'{"name": "\xff\xfe"}': "not JSON",
    '{"name": "x"}'.encode("utf-16"): "not JSON",
    b"[" * 100_000: "nested too deeply",
    b'{"a":' * 70 + b"1" + b"}" * 70: "nested too deeply",
    b'{"a": "\\ud800"}': "cannot be stored",
    b"name=x": "not JSON",
}


def path_of(operation: AnyOperation, value: str = "0" * 24) -> str:
    path = documented_path(operation)
    for name in operation.parameters:
        path = path.replace("{" + name + "}", value)
    return path


def fault_of(operation: AnyOperation | None, answer: httpx.Response, *statuses: int) -> Iterator[str]:
    """Findings about a refusal."""
    sent = f"{operation.id if operation else ''} {answer.request.method} {answer.request.url.raw_path[:80]!r}"
    if answer.status_code not in statuses:
        yield f"{sent}: {answer.status_code} {answer.text[:200]}"
    elif operation is None or operation.id not in OWN_ERRORS:
        # An answer to HEAD has no body.
        yield from (f"{sent}: {each}" for each in _unlike_section_7(answer) if answer.request.method != "HEAD")


def _unlike_section_7(answer: httpx.Response) -> Iterator[str]:
    try:
        body = answer.json()
    except ValueError:
        yield f"no JSON: {answer.text[:200]}"
        return
    if (body.get("errorCode"), body.get("errorMsg")) != (answer.status_code, MESSAGES[answer.status_code]):
        yield f"{answer.status_code} with {body}"
    if not isinstance(body.get("errorDetails"), str | list):
        yield f"no details: {body}"
    if answer.status_code not in (404, 405) and body.get("errorDetailsCode", 0) // 1000 != answer.status_code:
        yield f"no code: {body}"


def _fields(model: type[Record]) -> list[str]:
    return [spec.wire for spec in fields_of(model)]


@pytest.fixture
async def root(world: World) -> Any:
    return await world.user("root@example.com", roles=("superadmin",))


async def test_other_methods_are_refused_at_each_address_with_those_that_it_has(world: World) -> None:
    faults: list[str] = []
    for operation in operations():
        for method in METHODS:
            answer = await world.send(method, path_of(operation))
            faults += fault_of(operation, answer, 405)
            if operation.method not in answer.headers.get("allow", ""):
                faults.append(f"{operation.id}: allow {answer.headers.get('allow')}")
    assert faults == []


async def test_addresses_beside_those_of_operations_are_not_found(world: World, root: Any) -> None:
    faults: list[str] = []
    for operation in (each for each in operations() if each.id not in OPEN):
        path = path_of(operation)
        for beside in (f"{path}/", f"{path}//", f"{path}/{LONG}/y", path.replace("/api/", "/API/"), f"{path}%2f"):
            answer = await world.send(operation.method, beside, by=root)
            # An escaped slash, and the one before an empty path of a file, belong to a malformed identifier.
            faults += fault_of(None, answer, 404, 400, *((403, 405) if beside.endswith("%2f") else ()))
    assert faults == []


async def test_malformed_identifiers_are_refused_by_each_operation(world: World, root: Any) -> None:
    faults: list[str] = []
    for operation in (each for each in operations() if each.parameters and each.id not in OPEN):
        for value in MALFORMED:
            answer = await world.send(operation.method, path_of(operation, value), by=root)
            faults += fault_of(operation, answer, 400, 403, 404, 405)
    assert faults == []


async def test_bodies_that_are_no_json_or_cannot_be_stored_are_refused_by_each_operation(
    world: World, root: Any
) -> None:
    faults: list[str] = []
    for operation in operations():
        if operation.method == "GET" or operation.takes or operation.sends_form:
            continue
        if operation.credentials not in (Credentials.CALLER, Credentials.TOKEN):
            continue
        for body, sentence in BODIES.items():
            answer = await world.send(operation.method, path_of(operation), by=root, content=body)
            faults += fault_of(operation, answer, 400, 403)
            if answer.status_code == 400 and sentence not in answer.text:
                faults.append(f"{operation.id} {body[:20]!r}: {answer.text[:200]}")
    assert faults == []


async def test_a_body_of_another_type_is_refused_by_each_operation(world: World, root: Any) -> None:
    faults: list[str] = []
    for operation in operations():
        if operation.method == "GET" or operation.takes or operation.credentials is not Credentials.CALLER:
            continue
        for type_ in ("text/plain", "multipart/form-data; boundary=x", "application/json; charset=iso-8859-1"):
            headers = {"content-type": type_}
            answer = await world.send(operation.method, path_of(operation), by=root, content="{}", headers=headers)
            faults += fault_of(operation, answer, 400, 403)
            if answer.status_code == 400 and "must be application/" not in answer.text:
                faults.append(f"{operation.id} {type_}: {answer.text[:200]}")
    assert faults == []


@pytest.mark.parametrize("type_", ["", "application/json", 'Application/JSON; charset="UTF-8"', "application/x+json"])
async def test_json_is_read_also_without_a_content_type(world: World, root: Any, type_: str) -> None:
    headers = {"content-type": type_} if type_ else {}
    body = b'{"description": "Reports", "isActive": true, "scope": ["all"]}'
    granted(await world.post("/api/svc/authentication/v1.0/apikeys", by=root, content=body, headers=headers))


async def test_a_query_that_is_no_utf_8_is_refused(world: World, root: Any) -> None:
    path = "/api/svc/applications/v1.0/applications?name="
    assert granted(await world.get(path + "caf%C3%A9", by=root))["total"] == 0
    body = refused(await world.get(path + "caf%E9", by=root), 400000)
    assert body["errorDetails"] == "the query is not UTF-8"


async def test_no_value_of_a_field_is_an_error_of_the_server(world: World, root: Any) -> None:
    faults: list[str] = []
    for operation in (each for each in operations() if each.sends_body and not each.sends_form):
        for value in VALUES:
            named = ", ".join(f"{json.dumps(wire)}: {value}" for wire in _fields(operation.body))
            # Of a field that is named twice the last value counts; unknown fields are left out.
            body = "{" + f'{named}, "nobodyKnows": 1, "__proto__": {{}}, {named}' + "}"
            answer = await world.send(operation.method, path_of(operation), by=root, content=body)
            if answer.status_code != 200:
                faults += fault_of(operation, answer, 400, 401, 403, 404, 409, 429, 503)
    assert faults == []


async def test_no_value_of_a_query_parameter_is_an_error_of_the_server(world: World, root: Any) -> None:
    faults: list[str] = []
    for operation in (each for each in operations() if each.id not in OWN_ERRORS):
        for value in TEXTS:
            query = "&".join(f"{wire}={value}" for wire in _fields(operation.query))
            if not query or operation.method != "GET":
                continue
            answer = await world.send("GET", f"{path_of(operation)}?{query}&%ff=1&&=", by=root)
            if answer.status_code not in (200, 302):
                faults += fault_of(operation, answer, 400, 401, 403, 404, 429, 503)
    assert faults == []


async def test_a_quoted_cookie_is_not_decoded(world: World, root: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # The standard library takes 15 seconds for the 60 KB of a request, in which no other caller is answered.
    monkeypatch.setattr("http.cookies._unquote", lambda _: pytest.fail("decoded"))
    headers = {"cookie": 'other="' + "\\\\" * 1_000 + '"; svc-sso="' + "\\\\" * 1_000 + '"'}
    granted(await world.get("/api/svc/applications/v1.0/applications", by=root, headers=headers))
