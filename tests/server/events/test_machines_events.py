"""Events between two servers on one PostgreSQL: a change at one reaches a user who is connected to the other."""

from __future__ import annotations

import httpx

from tests.server.events.support import admin, raw
from tests.server.test_machines import Machines, machines, token, world  # noqa: F401 - fixtures
from tests.support.world import World

CHECK = "/api/svc/massprovisioning/v1.0/directories/imports/synchronize/check"


async def test_a_change_at_one_server_reaches_a_reader_of_the_other(world: World, machines: Machines) -> None:  # noqa: F811
    await admin(world)
    here, there = machines.start("here"), machines.start("there")
    async with httpx.AsyncClient(timeout=30) as http:
        headers = {"authorization": f"Bearer {await token(http, here.url, 'jane@example.com')}"}
        async with raw(there.url.removeprefix("http://")) as client:
            await client.log_in()
            answer = await http.post(
                f"{here.url}{CHECK}?commandId=nightly-1",
                headers={**headers, "content-type": "text/csv"},
                content="__action__;ldap_id;firstName;lastName\nsync;1;Ada;Lovelace\n",
            )
            assert answer.status_code == 200, answer.text
            event = await client.hear()
            assert (event.get("type"), event[0].get("commandId")) == ("management", "nightly-1")
            await client.confirm(await client.hear())
