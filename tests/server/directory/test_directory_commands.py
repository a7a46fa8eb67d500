"""Identifiers of commands (4.9), which other systems choose."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.server.directory.support import COMMAND, IMPORTS, admin, sent
from tests.support.world import COMPANY, OTHER_COMPANY, World, granted, refused

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


@pytest.mark.parametrize("path", ["/synchronize/check", "/synchronize"])
async def test_a_company_cannot_occupy_the_command_of_another_one(world: World, path: str) -> None:
    by = await admin(world)
    await world.company(OTHER_COMPANY)
    stranger = await world.user("stranger@example.com", roles=("company_admin",), companyId=OTHER_COMPANY)
    report = f"{IMPORTS}{path}/{COMMAND}/report"
    granted(await sent(world, stranger, SYNC + "sync;2;;;\n", path, commandId=COMMAND))
    refused(await world.get(report, by=by), 404000)
    granted(await sent(world, by, SYNC + "sync;1;A;A;\n", path, commandId=COMMAND))
    assert granted(await world.get(report, by=by)) != granted(await world.get(report, by=stranger))


async def test_a_company_cannot_write_the_report_on_the_command_of_another_one(world: World) -> None:
    by = await admin(world)
    await world.company(OTHER_COMPANY)
    stranger = await world.user("stranger@example.com", roles=("company_admin",), companyId=OTHER_COMPANY)
    report = f"{IMPORTS}/synchronize/{COMMAND}/report"
    for user, details in ((stranger, "theirs"), (by, "ours")):
        granted(await world.post(report, by=user, json={"details": details, "status": "failure"}))
    for user, details in ((stranger, "theirs"), (by, "ours")):
        assert granted(await world.get(report, by=user))["report"] == {"details": details}


async def test_a_caller_who_reaches_several_companies_finds_the_command_of_each(world_on_both: World) -> None:
    """The one of the own company first, then the latest."""
    world = world_on_both
    by = await admin(world)
    await world.company(OTHER_COMPANY, isBP=True)
    await world.company(COMPANY, bpId=OTHER_COMPANY)
    partner = await world.user("partner@example.com", roles=("bp_admin",), companyId=OTHER_COMPANY)
    third = await world.user("third@example.com", roles=("company_admin",), companyId="c2" * 12)
    await world.company("c2" * 12, bpId="bb" * 12)
    report = f"{IMPORTS}/synchronize/{COMMAND}/report"

    async def write(user: dict[str, Any], details: str) -> None:
        world.clock.forward(seconds=1)
        granted(await world.post(report, by=user, json={"details": details, "status": "success"}))

    async def read() -> str:
        return str(granted(await world.get(report, by=partner))["report"]["details"])

    await write(third, "of a company beyond reach")
    refused(await world.get(report, by=partner), 404000)
    await write(by, "of a customer")
    await write(third, "of a company beyond reach, later")
    assert await read() == "of a customer"
    await write(partner, "of the partner")
    await write(by, "of a customer, later")
    assert await read() == "of the partner"
