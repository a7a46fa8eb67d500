"""Demo data: believable records of every kind and state, the same at each start, and what makes them move."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from svc_tui.server.store.store import Store

Scale = Literal["small", "large"]


async def seed(store: Store, scale: Scale, today: date, *, origin: str = "") -> None:
    """Fill the store with the demo data; what was there is gone, so that seeding again is the reset.

    Dates are relative to `today`. `origin` is where browsers reach this server (`http://127.0.0.1:8080`): the demo
    identity provider lives there.
    """
    from svc_tui.server.demo.data import fill

    await fill(store, scale, today, origin)
