"""Searches of demo accounts on the real service with the demo data, with their requests and bytes counted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import httpx
import pytest

from svc_tui.server.demo.accounts import APP_ID, account
from svc_tui.workspace.search.search import Search
from tests.support.world import World
from tests.workspace.conftest import Desk, Desks

Agent = Callable[[str], Awaitable[Desk]]


@pytest.fixture
async def agent(desks: Desks, demo_world: World) -> Agent:
    """Consoles that are logged in to a service with the demo data, by the name of the account."""

    async def make(name: str = "support") -> Desk:
        user = await demo_world.stored("users", account(name).id)
        transport = httpx.ASGITransport(app=demo_world.app, raise_app_exceptions=False)
        made = desks.make(transport, user, demo_world.token(user, APP_ID))
        made.attach()
        return made

    return make


async def searched(desk: Desk, text: str, **near: str) -> Search:
    """A finished search."""
    search = Search(desk.workspace, text, near)
    search.start()
    await search.wait()
    return search


def found(search: Search, kind: str) -> list[dict[str, object]]:
    """The found records of a kind."""
    return [hit.record for hit in search.hits.values() if hit.kind == kind]
