"""Demo data: realistic records of every kind and state, the same at each start, and the activity of a demo server."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import date
from typing import TYPE_CHECKING

from svc_tui.server.demo.repeatable import Scale

if TYPE_CHECKING:
    from starlette.routing import Route

    from svc_tui.server.service import Service
    from svc_tui.server.store.store import Store


async def seed(store: Store, scale: Scale, today: date, *, origin: str = "") -> None:
    """Replace the contents of the store with the demo data. Seeding again resets the demo.

    Dates are relative to `today`. `origin` is where browsers reach this server (`http://127.0.0.1:8080`): the demo
    identity provider lives there.
    """
    from svc_tui.server.demo.data import fill
    from svc_tui.server.store.bulk import in_bulk

    # Indexes of a few thousand records are written faster than they are made again.
    async with in_bulk(store) if scale == "large" else nullcontext():
        await fill(store, scale, today, origin)


async def move(store: Store, origin: str) -> None:
    """Change the demo data to another address of the demo server."""
    from svc_tui.server.demo import applications

    await applications.move(store, origin)


def demo_routes(service: Service) -> list[Route]:
    """The pages of the demo's identity provider."""
    from svc_tui.server.demo.identity_provider import IdentityProvider

    return IdentityProvider(service).routes()


def demo_activity(service: Service) -> AbstractAsyncContextManager[None]:
    """What happens in a demo by itself, for the length of a block."""
    from svc_tui.server.demo.activity import moving

    return moving(service)
