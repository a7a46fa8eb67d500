"""A line to a service that can be cut and held and records the requests, and a scripted service."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx

from svc_tui.cache.cached import RecordDict

PING = "/api/svc/ping"


async def until(condition: Callable[[], bool]) -> None:
    """Run the event loop until the condition is true."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - what is awaited here has no event of its own
            await asyncio.sleep(0)


class Line(httpx.AsyncBaseTransport):
    """Carries requests to a service. `requests` has path and query of each; `most` is the highest number at once."""

    def __init__(self, service: httpx.AsyncBaseTransport) -> None:
        self.service = service
        self.cut = False
        #: How many further requests it carries before it is cut; None is no limit.
        self.carries: int | None = None
        #: Carries the requests, but loses the responses.
        self.loses_answers = False
        self.requests: list[str] = []
        self.in_progress = self.most = self.cancelled = 0
        self._open = asyncio.Event()
        self._open.set()
        #: Set while responses may arrive: the service handles requests in any case.
        self.answers = asyncio.Event()
        self.answers.set()

    def hold(self) -> None:
        """Hold all responses until `release`."""
        self._open.clear()

    def release(self) -> None:
        self._open.set()

    @property
    def lists(self) -> list[tuple[int, int]]:
        """Offset and limit of every page requested."""
        found = (httpx.URL(url).params for url in self.requests if "limit=" in url)
        return [(int(params["offset"]), int(params["limit"])) for params in found]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(f"{request.url.path}?{request.url.query.decode()}")
        if self.carries is not None:
            self.cut = self.carries == 0
            self.carries = max(0, self.carries - 1)
        if self.cut:
            raise httpx.ConnectError("cut", request=request)
        self.in_progress += 1
        self.most = max(self.most, self.in_progress)
        try:
            await self._open.wait()
            answer = await self.service.handle_async_request(request)
            await self.answers.wait()
            if self.loses_answers:
                raise httpx.ReadError("lost", request=request)
            return answer
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.in_progress -= 1


class Script(httpx.AsyncBaseTransport):
    """A service with one list. `row` and `total` may change at any time; `most` rows in one response."""

    def __init__(self, total: int = 0) -> None:
        self.total = total
        self.row: Callable[[int], RecordDict] = lambda number: {"id": f"a{number}", "name": f"App {number}"}
        self.most = 1000
        self.refusal: tuple[int, dict[str, Any]] | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self.refusal is not None:
            return httpx.Response(self.refusal[0], json=self.refusal[1])
        if request.url.path == PING:
            return httpx.Response(200, json={"status": "OK"})
        first, limit = (
            int(request.url.params.get("offset", 0)),
            min(int(request.url.params.get("limit", 10)), self.most),
        )
        rows = [self.row(number) for number in range(first, min(first + limit, self.total))]
        body = {"data": rows, "limit": limit, "offset": first, "total": self.total}
        return httpx.Response(200, content=json.dumps(body), headers={"content-type": "application/json"})
