"""A service whose demo data is of a fixed day, so that its pictures are the same every day."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from svc_tui.server.demo.repeatable import Scale
from tests.pictures.clock import MOMENT, service_stands_still
from tests.support.process import serving


@contextmanager
def service_of_a_day(folder: Path, scale: Scale = "small") -> Iterator[str]:
    """Seeds a database for the day and serves it as a demo, with a past in its statistics; gives its address."""
    url = f"sqlite:///{folder / 'demo.db'}"
    asyncio.run(_seeded(url, scale))
    config = folder / "server.toml"
    # Hundreds of pictures log in within a minute that does not end.
    config.write_text("[rates]\nlogin = {address = 100000, account = 100000}\n", encoding="utf-8")
    with service_stands_still(), serving(folder, database=url, demo_data=scale, config=config) as server:
        yield server.url


async def _seeded(url: str, scale: Scale) -> None:
    from svc_tui.server.demo import seed
    from svc_tui.server.store.database import Database

    database = Database(url)
    await database.upgrade()
    async with database.unit() as store:
        await seed(store, scale, MOMENT.date())
    await database.close()
