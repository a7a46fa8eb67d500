"""What databases hold at the beginning of a test. It is written once a run, and copied for every test."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from svc_tui.server.demo import Scale, seed
from svc_tui.server.store.database import Database
from tests.support.clock import SetClock
from tests.support.kept import kept
from tests.support.turns import jobs_noted


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


async def _run_server(database: Database) -> None:
    from tests.conftest import world_at

    await database.upgrade()
    url = database.engine.url.set(drivername=database.engine.dialect.name)
    with tempfile.TemporaryDirectory() as folder, jobs_noted() as jobs:
        async with world_at(url.render_as_string(hide_password=False), Path(folder), SetClock()) as world:
            await world.company()
            await world.application()
            await jobs.done()


#: What a server has that has run for a moment: one company and one application, its key, and jobs that are not due.
RUNNING = Template("running", _run_server)


def demo(day: date, scale: Scale = "small") -> Template:
    """The demo data of a day, as a server at http://svc.test has it."""

    async def fill(database: Database) -> None:
        await database.upgrade()
        async with database.unit() as store:
            await seed(store, scale, day, origin="http://svc.test")

    return Template(f"demo_{scale}_{day:%Y_%m_%d}", fill)
