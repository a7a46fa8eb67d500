"""Clients of the real service in this process, and of services that a test writes itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from svc_tui.client.client import Client
from svc_tui.client.profile import Profile
from svc_tui.client.session import Session
from svc_tui.client.session_store import SessionStore
from tests.client.support import FakeClock, at_once

if TYPE_CHECKING:
    from tests.support.world import World

Connect = Callable[..., Client]
Serve = Callable[..., Client]


@pytest.fixture
async def made() -> AsyncIterator[list[Client]]:
    """Clients to close."""
    clients: list[Client] = []
    yield clients
    for client in clients:
        await client.aclose()


@pytest.fixture
def connect(world: World, made: list[Client]) -> Connect:
    """Makes clients of the world's service; keyword arguments are fields of the profile."""
    from tests.support.world import APP, APP_SECRET

    def connect(store: SessionStore | None = None, transport: Any = None, **fields: Any) -> Client:
        given = {"name": "test", "base_url": "http://svc.test", "app_id": APP, "app_secret": APP_SECRET, **fields}
        profile = Profile(**given)
        session = Session(profile, store, clock=lambda: world.clock.now().timestamp(), chance=lambda: 0.5)
        inner = httpx.ASGITransport(app=world.app, raise_app_exceptions=False)
        made.append(Client(profile, session, transport=transport or inner, sleep=at_once))
        return made[-1]

    return connect


@pytest.fixture
def serve(made: list[Client]) -> Serve:
    """Makes a client of a service that is one function: request -> response."""

    def serve(
        answer: Callable[[httpx.Request], Any],
        *,
        token: str = "",
        clock: FakeClock | None = None,
        session: dict[str, Any] | None = None,
        client: dict[str, Any] | None = None,
        **fields: Any,
    ) -> Client:
        given = {
            "name": "test",
            "base_url": "https://svc.test",
            "app_id": "app",
            "app_secret": "s3cret-of-app",
            **fields,
        }
        profile = Profile(**given)
        held = Session(profile, clock=clock or FakeClock(), **(session or {}))
        if token:
            held.accept({"token": token, "loggedInUser": {"id": "u1"}})
        made.append(
            Client(profile, held, transport=httpx.MockTransport(answer), **{"sleep": at_once, **(client or {})})
        )
        return made[-1]

    return serve


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    """A session store in a new folder."""
    return SessionStore(tmp_path / "sessions", "test")
