"""Files with more rows than a directory can hold: an import and a check fail the last ones."""

from __future__ import annotations

from tests.server.directory.support import admin, imported, sent
from tests.support.world import COMPANY, World, granted

HEAD = "firstName;lastName;workPhoneNumber0;city\n"
SYNC = "__action__;ldap_id;firstName;lastName;city\n"


async def test_rows_beyond_the_largest_directory_fail(world: World) -> None:
    world.service.settings.largest_directory = 2
    by = await admin(world)
    report = await imported(world, by, HEAD + "A;A;;\nB;B;;\nC;C;;\n")
    assert (report["created"], report["failed"]) == (2, 1)
    assert "full" in report["report"]["entry3"]["errorDetails"]["msg"]


async def test_a_check_refuses_the_rows_beyond_the_largest_directory_that_an_import_refuses(world: World) -> None:
    by = await admin(world)
    rows = [f"Ann;New{number};;\n" for number in range(1500)]
    rows[700] = ";;;\n"
    for largest in (1, 2, 1000, 1499, 1500):
        world.service.settings.largest_directory = largest
        check = granted(await sent(world, by, HEAD + "".join(rows), "/check", companyId=COMPANY))["data"]
        report = await imported(world, by, HEAD + "".join(rows))
        assert (check["okCount"], check["errorCount"]) == (report["created"], report["failed"])
        failed = {
            name: each["errorDetails"]["msg"] for name, each in report["report"].items() if each["status"] == "failed"
        }
        assert {name: each["errors"][0]["msg"] for name, each in check["errorReport"].items()} == failed


async def test_entries_of_the_directory_and_of_earlier_rows_count_for_the_largest_directory(world: World) -> None:
    world.service.settings.largest_directory = 600
    by = await admin(world)
    await imported(world, by, SYNC + "sync;a;Ann;Miller;\nsync;b;Bob;Smith;\n", "/synchronize")
    # More than the server takes at once.
    rows = "".join(f"sync;{number};Ann;New{number};\n" for number in range(600))
    report = await imported(world, by, SYNC + rows, "/synchronize")
    assert (report["created"], report["failed"]) == (598, 2)
