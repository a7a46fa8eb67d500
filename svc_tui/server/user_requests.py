"""Requests of one user at a time: bounded in each process, so that no user takes all connections to the database."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from weakref import WeakValueDictionary

from svc_tui.interface.access import Caller
from svc_tui.server.service import Service


class UserRequests:
    """The requests of each user in one process. What is beyond the limit waits, and is not refused."""

    def __init__(self, service: Service) -> None:
        self._most = service.settings.user_requests
        #: By the id of the user, while a request of the user is in progress.
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def turn_of(self, caller: Caller | None) -> AbstractAsyncContextManager[None]:
        """A request of this caller: the block begins when its turn has come."""
        if caller is None:
            return nullcontext()
        turn = self._turns.get(caller.user_id)
        if turn is None:
            turn = self._turns[caller.user_id] = asyncio.Semaphore(self._most)
        return turn
