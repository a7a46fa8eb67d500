"""Demo data: believable records of every kind and state, the same at each start, and what makes them move."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import date
from typing import TYPE_CHECKING

from svc_tui.server.demo.scale import Scale

if TYPE_CHECKING:
    from starlette.routing import Route

    from svc_tui.server.service import Service
    from svc_tui.server.store.store import Store


async def seed(store: Store, scale: Scale, today: date, *, origin: str = "") -> None:
    """Fill the store with the demo data; what was there is gone, so that seeding again is the reset.

    Dates are relative to `today`. `origin` is where browsers reach this server (`http://127.0.0.1:8080`): the demo
    identity provider lives there.
    """
    from svc_tui.server.demo.data import fill
    from svc_tui.server.store.bulk import in_bulk

    async with in_bulk(store):
        await fill(store, scale, today, origin)


async def move(store: Store, origin: str) -> None:
    """Let demo data that was kept be served from another address than the one it was made for."""
    from svc_tui.server.demo import address

    await address.move(store, origin)


def demo_routes(service: Service) -> list[Route]:
    """The pages of the demo's identity provider."""
    from svc_tui.server.demo.identity_provider import IdentityProvider

    return IdentityProvider(service).routes()


def demo_activity(service: Service) -> AbstractAsyncContextManager[None]:
    """What happens in a demo by itself, for the length of a block."""
    from svc_tui.server.demo.activity import moving

    return moving(service)
