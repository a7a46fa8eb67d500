"""Requests of one user at a time: bounded in each process, so that no user takes all connections to the database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from svc_tui.interface.access import Caller
from svc_tui.server.service import Service


class ClientGone(Exception):
    """The client disconnected while its request waited."""


class NoResponse(Response):
    """To a client that has disconnected. Nothing is sent, and the request is logged with the status 0."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send nothing."""


class UserRequests:
    """The requests of each user in one process. What is beyond the limit waits, and is not refused."""

    def __init__(self, service: Service) -> None:
        self._most = service.settings.user_requests
        #: By the id of the user, while a request of the user is in progress.
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def turn_of(self, caller: Caller | None, request: Request) -> AsyncIterator[None]:
        """A request of this caller: the block begins when its turn has come.

        ClientGone if it only reads, and its client has disconnected while it waited.
        """
        if caller is None:
            yield
            return
        turn = self._turns.get(caller.user_id)
        if turn is None:
            turn = self._turns[caller.user_id] = asyncio.Semaphore(self._most)
        waits = turn.locked()
        async with turn:
            if waits and request.method == "GET" and await request.is_disconnected():
                raise ClientGone
            yield
