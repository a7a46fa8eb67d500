"""The last import report of a company, of its configurations and of commands (4.9): one report, found by each."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from svc_tui.interface.dates import stamp
from svc_tui.server.directory.importing import Imports
from tests.conftest import world_at
from tests.server.directory.support import IMPORTS, Document, admin, granted, imported
from tests.support.clock import SetClock
from tests.support.databases import RUNNING
from tests.support.held_writes import change_held
from tests.support.postgres import Postgres
from tests.support.world import COMPANY, OTHER_COMPANY, World, refused

SYNC = "__action__;ldap_id;firstName;lastName\nsync;1;Ann;Lee\n"
OF_COMPANY, OF_COMMAND = f"{IMPORTS}/{COMPANY}", f"{IMPORTS}/synchronize/nightly/report"


async def label(world: World, by: Document, **query: str) -> str | None:
    """The name of the last import; None when there is no report."""
    answer = await world.get(OF_COMPANY, by=by, params=query)
    return None if answer.status_code == 404 else str(granted(answer)["data"]["label"])


async def run(world: World, by: Document, name: str, **query: Any) -> None:
    await imported(world, by, SYNC, "/synchronize", label=name, **query)
    world.clock.forward(minutes=1)


async def test_the_import_of_a_command_is_the_last_of_its_company_and_configuration_too(world_on_both: World) -> None:
    world, by = world_on_both, await admin(world_on_both)
    await run(world, by, "first", commandId="nightly", ldapConfigId="one")
    whole = granted(await world.get(OF_COMMAND, by=by))
    assert whole["status"] == "success"
    for query in ({}, {"ldapConfigId": "one"}):
        assert await label(world, by, **query) == "first"
        details = granted(await world.get(f"{OF_COMPANY}/details", by=by, params=query))["data"]
        assert details == whole["report"] and details["report"]["entry1"]["status"] == "created"
    assert await label(world, by, ldapConfigId="two") is None


async def test_the_last_import_of_a_company_is_the_latest_of_all(world: World) -> None:
    by, seen = await admin(world), []
    await run(world, by, "of one", ldapConfigId="one")
    seen.append(await label(world, by))
    await run(world, by, "of two", ldapConfigId="two")
    seen.append(await label(world, by))
    await run(world, by, "of none")
    seen.append(await label(world, by))
    await run(world, by, "of a command", commandId="nightly")
    seen.append(await label(world, by))
    assert seen == ["of one", "of two", "of none", "of a command"]
    assert [await label(world, by, ldapConfigId=each) for each in ("one", "two")] == ["of one", "of two"]


async def test_a_report_has_every_field_of_2_19_also_without_a_label(world: World) -> None:
    user = await world.user("user@example.com")
    report = await imported(world, user, "lastName\nLee\n", "/personal")
    status = granted(await world.get(f"{IMPORTS}/personal", by=user))["data"]
    fields = "companyId userId displayName label csvHeaders startTime state created updated deleted failed"
    assert set(fields.split()) == set(status) == set(report) - {"report"}
    assert report["label"] is report["companyId"] is None


async def test_a_deleted_report_is_deleted_under_each_of_its_names(world: World) -> None:
    by = await admin(world)
    await run(world, by, "first", commandId="nightly", ldapConfigId="one")
    answer = granted(await world.delete(f"{OF_COMPANY}/report", by=by, params={"ldapConfigId": "one"}))
    assert answer["data"]["state"] == "Deleted"
    refused(await world.get(OF_COMMAND, by=by), 404000)
    refused(await world.delete(f"{OF_COMPANY}/report", by=by), 404000)
    assert await label(world, by) is None
    # The next import has them again.
    await run(world, by, "second", commandId="nightly", ldapConfigId="one")
    assert await label(world, by) == await label(world, by, ldapConfigId="one") == "second"


@pytest.mark.parametrize("later", ["a report that the command writes", "another company"])
async def test_a_name_never_finds_another_import(world: World, later: str) -> None:
    by = await admin(world)
    await imported(world, by, SYNC, "/synchronize", label="first", commandId="nightly")
    if later == "another company":
        granted(await world.delete(f"{OF_COMPANY}/report", by=by))
        await world.company(OTHER_COMPANY)
        other = await world.user("other@example.com", roles=("directory_admin",), companyId=OTHER_COMPANY)
        await imported(world, other, SYNC, "/synchronize", label="theirs", commandId="nightly")
    else:
        granted(await world.post(OF_COMMAND, by=by, json={"details": "x", "status": "failure"}))
    assert await label(world, by) is None


async def test_a_command_that_begins_leaves_the_report_of_a_running_import(world: World) -> None:
    by = await admin(world)
    await run(world, by, "first")
    # Nothing of it runs: no other process may take it over.
    world.service.part(Imports).accept(f"company:{COMPANY}:")
    running = {**await world.stored("import_reports", f"company:{COMPANY}:"), "state": "Creating"}
    async with world.service.database.unit() as store:
        await store.import_reports.put(running)
    await run(world, by, "second", commandId="nightly")
    assert await world.stored("import_reports", f"company:{COMPANY}:") == running
    assert granted(await world.get(OF_COMMAND, by=by))["report"]["label"] == "second"


async def test_an_import_that_begins_during_the_deletion_of_the_last_report_stays(
    postgres: Postgres, clock: SetClock, tmp_path: Path
) -> None:
    database = await postgres.fresh(RUNNING)
    async with world_at(database, tmp_path, clock) as world:
        by = await admin(world)
        await run(world, by, "last")
        begin = f"UPDATE import_reports SET start_time = '{stamp(clock.now())}', state = 'Initializing'"
        async with change_held(database, begin) as waiting:
            deletion = asyncio.ensure_future(world.delete(f"{OF_COMPANY}/report", by=by))
            await waiting(1, deletion)
        granted(await deletion)
        assert await label(world, by) == "last"
        assert granted(await world.get(f"{OF_COMPANY}/details", by=by))["data"]["report"]
