"""Actions in a file that replaces a directory (4.9): they apply to the rows before."""

from __future__ import annotations

from tests.server.directory.support import admin, imported, names
from tests.support.world import World

HEAD = "firstName;lastName\n"
ACTIONS = "__action__;ldap_id;firstName;lastName;city\n"


async def test_actions_of_a_replacing_import_concern_the_rows_before(world: World) -> None:
    by = await admin(world)
    await imported(world, by, HEAD + "Ann;Old\n")
    text = (
        ACTIONS + "upsert;1;Ann;First;Lyon\ndelete;1;;;\nsync;1;Ann;Second;Nice\nupsert;1;;Third;\nupsert;;Bob;New;\n"
    )
    report = await imported(world, by, text + "delete;9;;;\ndelete;;Bob;New;\n")
    assert [report[each] for each in ("created", "updated", "deleted", "failed")] == [3, 1, 1, 2]
    assert await names(world, by) == ["New", "Third"]
    assert report["report"]["entry6"]["errorDetails"] == {
        "param": "ldap_id",
        "msg": "no entry has this identifier",
        "value": "9",
    }
