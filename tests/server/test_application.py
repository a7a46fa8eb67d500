"""The HTTP side: error bodies, tolerant reading, headers on every answer (sections 4, 7 and the habits of clients)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from svc_tui.interface.catalogue import operation
from svc_tui.interface.errors import Code
from svc_tui.server.http import application
from svc_tui.server.http.parsing import read_body
from svc_tui.server.refusal import Refusal
from svc_tui.server.store.documents import DocumentCollection
from tests.server.directory.support import imported
from tests.support.log import written
from tests.support.world import COMPANY, PASSWORD, World, granted, refused

ME = "/api/svc/enduser/v1.0/users/me"
KEYS = "/api/svc/authentication/v1.0/apikeys"
APPS = "/api/svc/applications/v1.0/applications"


async def test_every_answer_names_its_content_type_and_request_id(world: World) -> None:
    answers = [await world.get(path) for path in ("/api/svc/ping", "/nowhere", ME)]
    for answer in answers:
        assert answer.headers["content-type"] == "application/json; charset=utf-8"
    assert len({answer.headers["x-svc-request-id"] for answer in answers}) == 3


async def test_every_answer_has_the_headers_of_browsers(world: World) -> None:
    jane = await world.user()
    oauth = "/api/svc/authentication/v1.0/oauth/authorize"
    answers = [
        *[
            await world.get(path, by=jane)
            for path in ("/api/svc/ping", "/nowhere", ME, "/openapi.json", "/health/live")
        ],
        await world.post(ME, by=jane),
        await world.get(oauth, headers={"accept": "text/html"}),
        await world.login(),
    ]
    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "server" not in answer.headers


@pytest.mark.parametrize("world", [{"public_url": "https://svc.example"}], indirect=True)
async def test_behind_a_proxy_with_tls_browsers_keep_to_it(world: World) -> None:
    assert (await world.get("/api/svc/ping")).headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize(
    ("method", "path", "status", "message"),
    [
        ("GET", "/nowhere", 404, "Resource Not Found"),
        ("GET", "/api/svc/authentication/v1.0/Login", 404, "Resource Not Found"),
        ("GET", "/api/svc/ping/", 404, "Resource Not Found"),
        ("POST", "/api/svc/ping", 405, "Method Not Allowed"),
        ("HEAD", "/api/svc/authentication/v1.0/login", 405, "Method Not Allowed"),
        ("PATCH", KEYS, 405, "Method Not Allowed"),
    ],
)
async def test_unknown_paths_and_methods_have_error_bodies(
    world: World, method: str, path: str, status: int, message: str
) -> None:
    answer = await world.send(method, path)
    assert answer.status_code == status
    if method != "HEAD":
        assert (answer.json()["errorCode"], answer.json()["errorMsg"]) == (status, message)
        assert answer.json()["errorDetailsCode"] == status * 1000


async def test_a_method_that_is_not_supported_is_answered_with_those_that_are(world: World) -> None:
    for path, allowed in (("/api/svc/ping", "GET"), (KEYS, "GET, POST"), (f"{KEYS}/{'a' * 24}", "DELETE, GET, PUT")):
        answer = await world.send("OPTIONS", path)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed)


@pytest.mark.parametrize("value", [0, 1, "true", "no", 1.0])
async def test_only_true_and_false_are_taken_for_a_boolean(world: World, value: object) -> None:
    jane = await world.user()
    body = refused(await world.send("POST", KEYS, by=jane, json={"isActive": value}), 400000)
    assert {problem["param"] for problem in body["errorDetails"]} == {"description", "scope", "isActive"}


@pytest.mark.parametrize("value", ["60", " 60 ", "6e1"])
async def test_a_text_is_not_taken_for_a_number(world: World, value: str) -> None:
    """Section 2.7: cloudPbxRecordingRetention is a number."""
    root, path = await world.user(roles=("superadmin",)), f"/api/svc/admin/v1.0/companies/{COMPANY}"
    body = refused(await world.put(path, by=root, json={"cloudPbxRecordingRetention": value}), 400000)
    assert [problem["param"] for problem in body["errorDetails"]] == ["cloudPbxRecordingRetention"]


@pytest.mark.parametrize(
    ("accept", "taken"),
    [
        ("application/json", True),
        ("application/json; charset=utf-8", True),
        ("text/html, Application/JSON;q=0.9", True),
        ("text/html,*/*;q=0.8", True),
        ("application/*", True),
        ("*/*", True),
        ("", True),
        ("application/xml", False),
        ("text/html", False),
        ("application/json;q=0", False),
        ("application/json; q=0.00, text/xml", False),
        ("application/jsonx", False),
    ],
)
async def test_a_caller_who_does_not_take_json_is_refused(world: World, accept: str, taken: bool) -> None:
    """Section 4: the request header accept must be application/json on operations listing it."""
    jane = await world.user()
    answer = await world.get(ME, by=jane, headers={"accept": accept})
    if taken:
        granted(answer)
    else:
        body = refused(answer, 400000)
        assert [problem["param"] for problem in body["errorDetails"]] == ["accept"]
    # Who is not logged in learns that first; what has no caller has no such header.
    refused(await world.get(ME, headers={"accept": accept}), 401102)
    granted(await world.get("/api/svc/authentication/v1.0/about", headers={"accept": accept}))


@pytest.mark.parametrize(
    ("path", "wire"),
    [
        ("/api/svc/admin/v1.0/catalogs", "offerId"),
        ("/api/svc/directory/v1.0/entries", "companyId"),
        (f"/api/svc/voiceprovisioning/v1.0/cloudpbxs/{'0c' * 12}/devices", "phoneNumberId"),
        ("/api/svc/voiceprovisioning/v1.0/recordings", "phoneNumberId"),
    ],
)
async def test_a_malformed_id_in_a_filter_is_refused(world: World, path: str, wire: str) -> None:
    """Facts, section 1: a malformed id is 400000; it was an empty list here."""
    root, company = await world.user(roles=("superadmin",)), {"companyId": COMPANY, "id": "0c" * 12, "cloudpbx": {}}
    async with world.service.database.unit() as store:
        await store.cloudpbxs.put(company)
    scope = {"companyIds": COMPANY} if path.endswith("recordings") else {}
    granted(await world.get(path, by=root, params={**scope, wire: "ab" * 12}))
    body = refused(await world.get(path, by=root, params={**scope, wire: "zz"}), 400000)
    assert [problem["param"] for problem in body["errorDetails"]] == [wire]


def test_a_boolean_and_a_number_are_not_taken_for_each_other_at_any_depth() -> None:
    update = operation("update_cloudpbx")
    body = {"numberingPlan": {"digits": True}, "emergencyOptions": {"emergencyGroupActivated": 1}}
    with pytest.raises(Refusal) as refusal:
        read_body(update, json.dumps(body).encode())
    named = {problem["param"] for problem in refusal.value.body()["errorDetails"]}
    assert named >= {"numberingPlan.digits", "emergencyOptions.emergencyGroupActivated"}


async def test_a_request_without_credentials_is_refused(world: World) -> None:
    body = refused(await world.get(ME), 401102)
    assert (body["errorCode"], body["errorMsg"]) == (401, "Unauthorized")


async def test_fixed_paths_are_not_taken_for_identifiers(world: World) -> None:
    jane = await world.user()
    refused(await world.get(f"{KEYS}/current", by=jane), 403000)
    assert granted(await world.get(ME, by=jane))["data"]["loginEmail"] == "jane@example.com"


@pytest.mark.parametrize(
    "query",
    [
        "sortOrder=undefined",
        "limit=100&limit=undefined",
        "limit=undefined&limit=100",
        "limit=nonsense&limit=100",
        "fromCreationDate=&limit=100",
        "limit=100&unknown=1&format=",
    ],
)
async def test_queries_are_read_as_public_clients_write_them(world: World, query: str) -> None:
    assert granted(await world.get(f"{KEYS}?{query}", by=await world.user()))["limit"] == 100


async def test_of_a_repeated_parameter_the_first_valid_one_counts(world: World) -> None:
    answer = await world.get(f"{KEYS}?limit=0&limit=7&limit=9", by=await world.user())
    assert granted(answer)["limit"] == 7


async def test_of_a_repeated_header_the_first_one_counts_in_any_case(world: World) -> None:
    by = await world.user()
    pairs = [("AUTHORIZATION", f"Bearer {world.token(by)}"), ("authorization", "Bearer wrong")]
    assert (await world.http.get(ME, headers=pairs)).status_code == 200
    refused(await world.http.get(ME, headers=pairs[::-1]), Code.INVALID_TOKEN)


async def test_a_parameter_that_is_repeated_very_often_is_refused(world: World) -> None:
    """Trying 7,000 values took 40 ms, in which other callers had no response."""
    jane = await world.user()
    body = refused(await world.get(f"{KEYS}?{'limit=x&' * 101}", by=jane), 400000)
    assert [each["param"] for each in body["errorDetails"]] == ["limit"]
    assert "100 times" in body["errorDetails"][0]["msg"]
    assert granted(await world.get(f"{KEYS}?{'limit=x&' * 99}limit=7", by=jane))["limit"] == 7


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("offset=-1", "offset"),
        ("sortOrder=2", "sortOrder"),
        ("format=huge", "format"),
        ("isActive=perhaps", "isActive"),
        ("fromCreationDate=yesterday", "fromCreationDate"),
        ("sortField=keyHash%00", "sortField"),
        ("sortField=nothing", "sortField"),
    ],
)
async def test_a_wrong_parameter_is_named(world: World, query: str, param: str) -> None:
    body = refused(await world.get(f"{KEYS}?{query}", by=await world.user()), 400000)
    assert [each["param"] for each in body["errorDetails"]] == [param]
    assert body["errorDetails"][0]["msg"]


async def test_an_offset_beyond_the_total_is_empty_and_no_error(world: World) -> None:
    jane = await world.user()
    for offset in (5, 10**30):
        body = granted(await world.get(f"{KEYS}?offset={offset}", by=jane))
        assert (body["data"], body["total"], body["offset"]) == ([], 0, offset)


async def test_a_time_zone_whose_plus_was_not_escaped_is_understood(world: World) -> None:
    granted(await world.get(f"{KEYS}?fromCreationDate=2026-11-20T11:00:00+01:00", by=await world.user()))


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/svc/admin/v1.0/companies/bpbusinesstypes"),
        ("GET", "/api/svc/admin/v1.0/users/networks"),
        ("GET", "/api/svc/enduser/v1.0/settings/apis"),
        ("GET", "/api/svc/subscription/v1.0/companies/" + "c0" * 12 + "/subscriptions/options"),
    ],
)
async def test_an_operation_that_is_not_served_is_not_found(world: World, method: str, path: str) -> None:
    """A malformed identifier is refused with 400000, but a word in its place is the name of another operation."""
    for by in (None, await world.user("root@example.com", roles=("superadmin",))):
        answer = await world.send(method, path, by=by)
        body = {"errorCode": 404, "errorMsg": "Resource Not Found", "errorDetailsCode": 404000}
        assert answer.json() == {**body, "errorDetails": "There is no operation at this address."}
        assert answer.status_code == 404
    for malformed in ("x", "1", "a-b-c", "a" * 25 + "1"):
        refused(await world.get(f"/api/svc/admin/v1.0/companies/{malformed}", by=by), 400000)


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b'"text"',
        b"\xff\xfe",
        b'{"description": NaN}',
        b'{"description": "\\u0000", "isActive": true, "scope": ["all"]}',
        b'{"description": "\\ud800", "isActive": true, "scope": ["all"]}',
        b'{"\\u0000": 1, "description": "x", "isActive": true, "scope": ["all"]}',
        b'{"description": "x", "isActive": true, "scope": ["all"], "more": 1e999}',
        b"[" * 100_000,
        b'{"a":' * 200 + b"1" + b"}" * 200,
        b'{"description": ' + b"9" * 5000 + b"}",
    ],
)
async def test_a_body_that_is_no_json_object_or_cannot_be_kept_is_refused(world: World, content: bytes) -> None:
    answer = await world.post(KEYS, by=await world.user(), content=content)
    refused(answer, 400000)


@pytest.mark.parametrize("content", [b"", b"{}", b" "])
async def test_stop_and_restart_need_no_body(world: World, content: bytes) -> None:
    root = await world.user("root@example.com", roles=("superadmin",))
    other = await world.application("b0" * 12)
    headers = {"content-type": "application/json"}
    for change in ("stop", "restart"):
        granted(await world.put(f"{APPS}/{other['id']}/{change}", by=root, content=content, headers=headers))


async def test_a_body_that_is_too_large_is_refused_with_the_limit(world: World) -> None:
    jane = await world.user()
    limit = world.service.settings.largest_body

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(limit // 65536 + 2):
            yield b" " * 65536

    for content in (b" " * (limit + 1), chunks()):
        answer = await world.post(KEYS, by=jane, content=content)
        assert refused(answer, 413000)["maxSize"] == limit


async def test_tasks_that_depend_on_changes_are_woken_by_each_kind_of_request(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    boss, woken = await world.user("boss@example.com", roles=("superadmin",)), list[str]()

    def wait(call: Any) -> None:
        call.store.after_commit(lambda: woken.append(call.operation.id))

    monkeypatch.setattr(application, "record_performed", wait)
    granted(await world.put(f"/api/svc/admin/v1.0/companies/{COMPANY}", by=boss, json={"slogan": "New"}))
    await imported(world, boss, "lastName;ldap_id\nLee;1\n", companyId=COMPANY)
    assert len(woken) == 2


async def test_an_internal_error_is_a_plain_500_without_details(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a secret of ours")

    # Only for this operation: jobs beside the requests read the same collections.
    monkeypatch.setattr("svc_tui.server.authentication.api_keys.page_of", broken)
    answer = await world.get(KEYS, by=await world.user())
    assert answer.status_code == 500
    assert answer.json() == {"errorCode": 500, "errorMsg": "Internal Server Error", "errorDetails": ""}
    assert "a secret" not in answer.text


async def test_a_database_that_does_not_answer_is_a_503(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def gone(*_: Any, **__: Any) -> None:
        raise OperationalError("connect", None, ConnectionRefusedError())

    monkeypatch.setattr(DocumentCollection, "get", gone)
    answer = await world.get(ME, by={"id": "e0" * 12, "loginEmail": "x"})
    assert (answer.status_code, answer.json()["errorMsg"]) == (503, "Service Unavailable")


async def test_the_log_has_paths_but_neither_queries_nor_credentials(
    world: World,
) -> None:
    jane = await world.user()
    with written() as lines:
        await world.login()
        await world.get("/api/svc/authentication/v1.0/oidc-client/logout", params={"token": world.token(jane)})
    said = lines.getvalue()
    assert PASSWORD not in said
    assert "GET /api/svc/authentication/v1.0/oidc-client/logout 302" in said
    assert world.token(jane)[:20] not in said
    assert "token=" not in said


def test_a_refusal_without_details_has_the_sentence_of_its_code() -> None:
    assert Refusal(Code.LOCKED).body()["errorDetails"].startswith("The account is locked")


@pytest.mark.parametrize("world_on_both", ["postgresql"], indirect=True)
async def test_a_connection_that_the_database_ends_is_no_fault_of_ours(world_on_both: World) -> None:
    world, waiting = world_on_both, sa.text("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    boss = await world.user("boss@example.com", roles=("superadmin",))
    async with world.service.database.unit() as store, world.service.database.unit() as other:
        await store.lock(f"company:{COMPANY}")
        path = f"/api/svc/admin/v1.0/companies/{COMPANY}"
        changing = asyncio.create_task(world.put(path, by=boss, json={"slogan": "New"}))
        # It begins once more on another connection, which ends too.
        ended: set[int] = set()
        while len(ended) < 2:
            for pid in {row[0] for row in await other.rows(waiting)} - ended:
                await other.rows(sa.select(sa.func.pg_terminate_backend(pid)))
                ended.add(pid)
        answer = await changing
    assert (answer.status_code, answer.json()["errorDetails"]) == (
        503,
        "The database does not respond. Try again.",
    )
