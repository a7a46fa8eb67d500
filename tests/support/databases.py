"""What databases hold at the beginning of a test. It is written once a run, and copied for every test."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from svc_tui.server.demo import Scale, seed
from svc_tui.server.store.database import Database
from tests.support.kept import kept


@dataclass(frozen=True)
class Template:
    """Fills a new database. `name` identifies it within a run."""

    name: str
    fill: Callable[[Database], Awaitable[None]]

    def copy(self, target: Path) -> str:
        """Make this file an SQLite database that holds it; the address."""
        shutil.copy(self.file(), target)
        return f"sqlite:///{target}"

    def file(self) -> Path:
        """The SQLite database that holds it, written once a run; only for reading."""
        return kept(f"{self.name}.db", self._write)

    def _write(self, path: Path) -> None:
        # A thread has an event loop of its own, also where a test is running in one.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, self.write(f"sqlite:///{path}")).result()

    async def write(self, url: str) -> None:
        """Fill the new database at this address."""
        database = Database(url)
        await self.fill(database)
        await database.close()


async def _make_tables(database: Database) -> None:
    await database.upgrade()


#: All tables and no records.
TABLES = Template("tables", _make_tables)


def demo(day: date, scale: Scale = "small") -> Template:
    """The demo data of a day, as a server at http://svc.test has it."""

    async def fill(database: Database) -> None:
        await database.upgrade()
        async with database.unit() as store:
            await seed(store, scale, day, origin="http://svc.test")

    return Template(f"demo_{scale}_{day:%Y_%m_%d}", fill)
