"""The log: one line for each request with what an operator asks for, and nothing that a client could forge."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from svc_tui.server.log_lines import JsonLines, LogFormat, TextLines, log
from tests.support.log import written
from tests.support.world import APP, World, granted

ME = "/api/svc/enduser/v1.0/users/me"
PING = "/api/svc/ping"

#: Tests come from this address.
BEHIND_A_PROXY = {"trusted_proxies": ["127.0.0.1"]}


async def logged(world: World, path: str, **options: Any) -> list[dict[str, Any]]:
    """The lines of one request."""
    with written("json") as lines:
        await world.get(path, **options)
    return [json.loads(line) for line in lines.getvalue().splitlines()]


async def test_a_request_is_one_line_with_its_operation_caller_status_duration_and_size(world: World) -> None:
    jane = await world.user()
    with written("json") as lines:
        answer = await world.get(ME, by=jane)
    line = json.loads(lines.getvalue())
    assert line.pop("time").endswith("Z")
    assert line.pop("ms") >= 0
    assert line == {
        "level": "info",
        "message": f"GET {ME} 200",
        "request": answer.headers["x-request-id"],
        "operation": "get_own_user",
        "caller": jane["id"],
        "application": APP,
        "address": "127.0.0.1",
        "bytes": len(answer.content),
    }


@pytest.mark.parametrize("world", [BEHIND_A_PROXY], indirect=True)
async def test_the_same_line_as_text(world: World) -> None:
    with written() as lines:
        answer = await world.get(PING, headers={"x-request-id": "from-the-proxy"})
    line = lines.getvalue()
    assert f" INFO GET {PING} 200 request=from-the-proxy operation=" in line
    assert line.endswith(f"bytes={len(answer.content)}\n")


async def test_a_login_is_logged_with_the_user_who_logged_in(world: World) -> None:
    jane = await world.user()
    with written("json") as lines:
        granted(await world.login())
        await world.login(password="wrong")
    done, failed = (json.loads(line) for line in lines.getvalue().splitlines())
    assert (done["caller"], done["application"]) == (jane["id"], APP)
    assert "caller" not in failed


@pytest.mark.parametrize("world", [BEHIND_A_PROXY], indirect=True)
@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("0123-abc.DEF_/+=@:", True),
        ("", False),
        ("two words", False),
        ('"quoted"', False),
        ("x" * 129, False),
        ("caf\u00e9", False),
    ],
)
async def test_the_id_of_a_proxy_is_taken_if_it_is_well_formed(world: World, given: str, taken: bool) -> None:
    answer = await world.get(PING, headers={"x-request-id": given.encode()})
    id = answer.headers["x-request-id"]
    assert id == answer.headers["x-svc-request-id"]
    assert (id == given) is taken
    assert id


@pytest.mark.parametrize("world", [{}, {"trusted_proxies": ["192.0.2.7"]}], indirect=True)
async def test_the_id_of_other_clients_is_not_taken(world: World) -> None:
    answer = await world.get(PING, headers={"x-request-id": "0123"})
    assert "0123" not in (answer.headers["x-request-id"], answer.headers["x-svc-request-id"])
    assert answer.headers["x-request-id"]


async def test_what_fails_in_a_request_is_logged_with_its_id(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("first line\nGET /forged 200")

    monkeypatch.setattr("svc_tui.server.authentication.api_keys.page_of", broken)
    jane = await world.user()
    with written() as lines:
        answer = await world.get("/api/svc/authentication/v1.0/apikeys", by=jane)
    failed, *trace, request = lines.getvalue().splitlines()
    id = f"request={answer.headers['x-request-id']}"
    assert f"ERROR a request failed {id}" in failed
    assert id in request
    # No line of the traceback can pass for an entry.
    assert "  GET /forged 200" in trace
    assert all(line.startswith("  ") for line in trace)


@pytest.mark.parametrize("path", ["/a%0AGET%20/forged", "/a%1B[2J%E2%80%AEb", "/a%00%0D%0A", "/%FF"])
@pytest.mark.parametrize("format", ["text", "json"])
async def test_a_path_is_logged_as_it_was_sent(world: World, path: str, format: LogFormat) -> None:
    with written(format) as lines:
        await world.get(path)
    (line,) = lines.getvalue().splitlines()
    assert path in line
    assert line.isprintable()


@pytest.mark.parametrize("formatter", [TextLines(), JsonLines()])
def test_characters_that_control_a_terminal_are_escaped(formatter: logging.Formatter) -> None:
    text = formatter.format(log.makeRecord("x", logging.INFO, "f", 1, "a\nb\x1b[2J\u2028c\u202e%s", ("\ud800",), None))
    assert text.isprintable()
    assert "\n" not in text


async def test_addresses_of_health_have_no_line_and_others_have_one(world: World) -> None:
    assert await logged(world, "/health/ready") == []
    assert [line["message"] for line in await logged(world, "/nowhere?token=secret")] == ["GET /nowhere 404"]
