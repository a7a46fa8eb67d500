"""Identifiers of commands (4.9), which other systems choose."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.server.directory.support import IMPORTS, admin, sent
from tests.support.world import World, granted, refused

SYNC = "__action__;ldap_id;firstName;lastName;city\n"


@pytest.mark.parametrize("path", ["/synchronize", "/synchronize/check"])
@pytest.mark.parametrize(
    "command",
    [
        "7",
        "nightly",
        "2026-11-22T01:00:00.000Z",
        "Zähler 12 %",
        "a?b#c&d=e",
        "K+9/zQ==",
        "check",
        "x" * 255,
        "漢" * 255,
    ],
)
async def test_the_identifier_of_a_command_is_any_printable_text(world: World, path: str, command: str) -> None:
    """Section 4.9: get last check / import report of an admin command: commandId (required)."""
    by, report = await admin(world), f"{IMPORTS}{path}/{quote(command, safe='')}/report"
    granted(await sent(world, by, SYNC + "sync;1;A;A;\n", path, commandId=command))
    found = granted(await world.get(report, by=by))
    assert found["status"] == "success" and found["report"]


async def test_a_report_is_created_for_any_identifier(world: World) -> None:
    by, report = await admin(world), f"{IMPORTS}/synchronize/{quote('night 1/2', safe='')}/report"
    written = granted(await world.post(report, by=by, json={"details": "no connection", "status": "failure"}))
    assert granted(await world.get(report, by=by)) == written


@pytest.mark.parametrize("path", ["/synchronize", "/synchronize/check"])
@pytest.mark.parametrize("command", ["x" * 256, "a\nb", "a\x7fb", "..", "a/../b", "a//b", "/a", "a/", "check/a"])
async def test_an_identifier_that_no_report_can_have_is_refused(world: World, path: str, command: str) -> None:
    by = await admin(world)
    refused(await sent(world, by, SYNC + "sync;1;A;A;\n", path, commandId=command), 400000)
