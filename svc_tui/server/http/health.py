"""Addresses for supervisors and load balancers: whether the process is alive, and whether it takes requests.

Only the second one asks the database. While a long start prepares the database, both are served without the service.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from svc_tui.server.http.responses import json_response
from svc_tui.server.service import Service

LIVE, READY = "/health/live", "/health/ready"
#: Seconds that the database has to answer, and that a start may take before the addresses are served.
ANSWER_SECONDS, START_SECONDS = 3.0, 1.0


class Health:
    """Whether this process takes requests."""

    def __init__(self, service: Service) -> None:
        self._database = service.database
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
                return "migrating" if await self._database.is_upgrading() else ""
        except (SQLAlchemyError, OSError, TimeoutError):
            return "the database does not respond"


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
