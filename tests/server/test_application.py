"""The HTTP side: error bodies, tolerant reading, headers on every answer."""

from __future__ import annotations

from tests.support.world import World, granted, refused

ME = "/api/svc/enduser/v1.0/users/me"


async def test_every_answer_names_its_content_type_and_request_id(world: World) -> None:
    for path in ("/api/svc/ping", "/nowhere", ME):
        answer = await world.get(path)
        assert answer.headers["content-type"] == "application/json; charset=utf-8"
        assert answer.headers["x-svc-request-id"]


async def test_an_unknown_path_and_method_have_error_bodies(world: World) -> None:
    assert (await world.get("/nowhere")).json()["errorMsg"] == "Resource Not Found"
    answer = await world.post("/api/svc/ping")
    assert (answer.status_code, answer.json()["errorMsg"]) == (405, "Method Not Allowed")
    assert (await world.get("/api/svc/authentication/v1.0/Login")).status_code == 404


async def test_a_request_without_credentials_is_refused(world: World) -> None:
    refused(await world.get(ME), 401102)


async def test_the_own_user_is_read_with_a_token(world: World) -> None:
    jane = await world.user()
    assert granted(await world.get(ME, by=jane))["data"]["loginEmail"] == "jane@example.com"
