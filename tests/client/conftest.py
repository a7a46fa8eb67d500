"""A client of the real service, in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from svc_tui.client.client import Client
from svc_tui.client.profile import Profile
from svc_tui.client.session import Session

if TYPE_CHECKING:
    from tests.support.world import World


async def at_once(_: float) -> None:
    """A pause that takes no time."""


Connect = Callable[..., Client]


@pytest.fixture
async def connect(world: World) -> AsyncIterator[Connect]:
    """Makes clients of the world's service; they are closed afterwards."""
    from tests.support.world import APP, APP_SECRET

    made: list[Client] = []

    def make(session: Session | None = None, **fields: Any) -> Client:
        given = {"name": "test", "base_url": "http://svc.test", "app_id": APP, "app_secret": APP_SECRET, **fields}
        profile = Profile(**given)
        clock = lambda: world.clock.now().timestamp()  # noqa: E731
        client = Client(
            profile,
            session or Session(profile, clock=clock),
            transport=httpx.ASGITransport(app=world.app, raise_app_exceptions=False),
            sleep=at_once,
        )
        made.append(client)
        return client

    yield make
    for client in made:
        await client.aclose()
