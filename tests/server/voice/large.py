"""What the large demo data of voice contains."""

from __future__ import annotations

from svc_tui.interface.voice.numbering import allows, contradictions
from svc_tui.server.demo.accounts import account
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.database import Database

NORTHWIND = id_of("company", "northwind")
SYSTEM = id_of("cloudpbx", "northwind")


async def check(large: Database) -> None:
    """Ten thousand subscribers and a hundred thousand recordings, all with numbers that their CloudPBX allows."""
    async with large.unit() as store:
        assert await store.subscribers.count(Is("systemId", SYSTEM)) >= 10_000
        assert await store.recordings.count(Is("systemId", SYSTEM)) >= 100_000
        assert await store.cloudpbxs.count() >= 200
        plan = (await store.cloudpbxs.get(SYSTEM) or {})["cloudpbx"]
        subscribers = (await store.subscribers.find(Is("systemId", SYSTEM))).documents
        assert all(allows(plan, each["shortNumber"]) for each in subscribers)
        assert await store.users.count(Is("companyId", NORTHWIND)) > len(subscribers)
        assert account("user").id in {each["userId"] for each in subscribers}
        for each in (await store.cloudpbxs.find()).documents:
            assert contradictions(each["cloudpbx"]) == []
