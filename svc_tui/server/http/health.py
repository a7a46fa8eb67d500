"""Addresses for supervisors and load balancers: whether the process is alive, and whether it takes requests.

Only the second one asks the database. While a long start prepares the database, both are served without the service.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import tempfile
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from svc_tui.server.http.failures import has_no_room
from svc_tui.server.http.responses import json_response
from svc_tui.server.service import Service

LIVE, READY = "/health/live", "/health/ready"
#: Seconds that the database has to answer, and that a start may take before the addresses are served.
ANSWER_SECONDS, START_SECONDS = 3.0, 1.0
#: Bytes that there must be room for.
_ROOM = 1 << 16
_FULL = "the disk is full"


class Health:
    """Whether this process takes requests."""

    def __init__(self, service: Service) -> None:
        self._database = service.database
        database = service.database.engine.url
        on_sqlite = database.get_backend_name() == "sqlite"
        folders = (service.settings.data_dir, *((Path(str(database.database)).parent,) if on_sqlite else ()))
        self._folders = tuple(dict.fromkeys(folders))
        #: A change failed because a disk is full. It is until a change succeeds.
        self.full = False
        #: It is to stop: load balancers see it, and until they do requests are answered as before.
        self.stopping = False
        #: That time is over: what a request waits for is not begun any more.
        self.ending = False

    async def problem(self) -> str:
        """Why it takes no requests, in a few words; empty if it does."""
        if self.stopping:
            return "stopping"
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                if await self._database.is_upgrading():
                    return "migrating"
                if problem := await asyncio.to_thread(self._file_problem):
                    return problem
                if self.full:
                    await self._write_rows()
                    self.full = False
                return ""
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            return _FULL if has_no_room(error) else "the database does not respond"

    def _file_problem(self) -> str:
        """Why nothing can be written where uploads and an SQLite database are; empty if it can."""
        try:
            for folder in self._folders:
                with tempfile.TemporaryFile(dir=folder) as file:
                    file.write(bytes(_ROOM))
                    file.flush()
        except OSError as error:
            return _FULL if has_no_room(error) else "nothing can be written"
        return ""

    async def _write_rows(self) -> None:
        """Write as much into the database, and undo it."""
        now = datetime.now(UTC)
        async with self._database.unit() as store:
            room = {"room": secrets.token_hex(_ROOM // 2)}
            await store.tickets.add("room", secrets.token_hex(12), now=now, expires=now, document=room)
            await store.rollback()


def health_routes(service: Service) -> list[Route]:
    """The routes of a running service."""

    async def ready(_request: Request) -> Response:
        return _answer(await service.part(Health).problem())

    return [Route(LIVE, _alive, methods=["GET"]), Route(READY, ready, methods=["GET"])]


async def _alive(_request: Request) -> Response:
    return json_response({"status": "alive"})


async def _starting(_request: Request) -> Response:
    return _answer("starting")


def _answer(problem: str) -> Response:
    return json_response({"status": problem or "ready"}, 503 if problem else 200)


async def prepare_alive(
    preparing: Coroutine[Any, Any, None],
    listener: socket.socket,
    *,
    tls_cert: str = "",
    tls_key: str = "",
    patience: float = START_SECONDS,
) -> None:
    """Wait for a preparation. If it takes long, the process answers that it is alive and not ready."""
    task = asyncio.create_task(preparing)
    await asyncio.wait({task}, timeout=patience)
    if not task.done():
        routes = [Route(LIVE, _alive, methods=["GET"]), Route("/{path:path}", _starting)]
        config = uvicorn.Config(
            Starlette(routes=routes),
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            ssl_certfile=tls_cert or None,
            ssl_keyfile=tls_key or None,
        )
        server = _HealthServer(config)
        notices = logging.getLogger("uvicorn.error")
        level = notices.level
        # Its start and end are of no interest.
        notices.setLevel(logging.WARNING)
        serving = asyncio.create_task(server.serve([listener.dup()]))
        try:
            await asyncio.wait({task, serving}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({task})
        finally:
            server.should_exit = True
            await asyncio.wait({serving})
            notices.setLevel(level)
    await task


class _HealthServer(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # A signal during the preparation ends the process, as without this server.
        yield
