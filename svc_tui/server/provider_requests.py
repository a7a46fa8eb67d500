"""Requests to identity providers: bounded in time, size and number, with published documents and failures cached.

The only part of the server that sends HTTP requests.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from svc_tui.interface.addresses import redirect_problem
from svc_tui.server.clock import Clock
from svc_tui.server.store.tables import Document

_HEADERS = {"accept": "application/json", "accept-encoding": "identity"}
#: For a whole request: a provider that sends a byte now and then ends it too.
_TIMEOUT_SECONDS = 5.0
_LARGEST_ANSWER = 512 * 1024
_REMEMBERED = timedelta(minutes=10)
#: Long enough that logins do not wait for a provider that is down, short enough that its return is noticed.
FAILURE_REMEMBERED = timedelta(seconds=15)
#: Most requests to an address at the same time.
MOST_AT_ONCE = 8


class IdentityProviderError(Exception):
    """The provider is unreachable, or its response is not trusted. The text is the reason, without any token."""


class _Unreachable(IdentityProviderError):
    """The provider did not respond in time."""


class ProviderRequests:
    """All requests of this process to identity providers.

    A document is requested once, however many wait for it. None of them may hold a connection to the database.
    """

    def __init__(self, clock: Clock, *, insecure: bool = False) -> None:
        self._clock = clock
        self._schemes = ("https", "http") if insecure else ("https",)
        self._known: dict[str, tuple[datetime, Document]] = {}
        self._failed: dict[str, tuple[datetime, str]] = {}
        self._fetching: dict[str, asyncio.Task[Document]] = {}
        self._posting: Counter[str] = Counter()

    def check_address(self, address: object) -> str:
        """The address, if a request may be sent to it. IdentityProviderError otherwise."""
        if not isinstance(address, str) or redirect_problem(address) or urlsplit(address).scheme not in self._schemes:
            raise IdentityProviderError("an address of the identity provider is missing, is not a URL or has no TLS")
        return address

    async def published(self, address: str) -> Document:
        """A published document, cached for some minutes."""
        known = self._known.get(address)
        if known is not None and known[0] > self._clock.now():
            return known[1]
        self._check_failure(address)
        return await self.renewed(address)

    async def renewed(self, address: str) -> Document:
        """A published document, from the provider. A cached one stays if that fails."""
        task = self._fetching.get(address)
        if task is None:
            task = asyncio.create_task(self._fetch(address))
            self._fetching[address] = task
            task.add_done_callback(lambda done: self._fetched(address, done))
        # A caller that disconnects does not end the request of the others.
        return await asyncio.shield(task)

    def _fetched(self, address: str, task: asyncio.Task[Document]) -> None:
        self._fetching.pop(address, None)
        if not task.cancelled():
            # Retrieved, because all callers may have gone away.
            task.exception()

    async def _fetch(self, address: str) -> Document:
        try:
            found = await self._ask("GET", address)
        except IdentityProviderError as error:
            self._remember_failure(address, error)
            raise
        self._known[address] = (self._clock.now() + _REMEMBERED, found)
        self._failed.pop(address, None)
        return found

    async def post(self, address: str, form: Mapping[str, str], basic: tuple[str, str]) -> Document:
        """The response to a form. Not more than `MOST_AT_ONCE` wait for it at a time."""
        self._check_failure(address)
        if self._posting[address] >= MOST_AT_ONCE:
            raise IdentityProviderError("too many logins wait for the identity provider")
        self._posting[address] += 1
        try:
            return await self._ask("POST", address, form, basic)
        except _Unreachable as error:
            self._remember_failure(address, error)
            raise
        finally:
            self._posting[address] -= 1

    def _check_failure(self, address: str) -> None:
        failed = self._failed.get(address)
        if failed is not None and failed[0] > self._clock.now():
            raise IdentityProviderError(failed[1])

    def _remember_failure(self, address: str, error: IdentityProviderError) -> None:
        self._failed[address] = (self._clock.now() + FAILURE_REMEMBERED, str(error))

    async def _ask(
        self, method: str, address: str, form: Mapping[str, str] | None = None, basic: tuple[str, str] | None = None
    ) -> Document:
        import httpx

        self.check_address(address)
        try:
            async with (
                asyncio.timeout(_TIMEOUT_SECONDS),
                httpx.AsyncClient(timeout=_TIMEOUT_SECONDS, trust_env=False) as client,
            ):
                request = client.build_request(method, address, data=form, headers=_HEADERS)
                answer = await client.send(request, auth=httpx.BasicAuth(*basic) if basic else None, stream=True)
                content = b""
                # As it was sent: a compressed response could expand to any size before its length is known.
                async for chunk in answer.aiter_raw():
                    content += chunk
                    if len(content) > _LARGEST_ANSWER:
                        raise IdentityProviderError("the response of the identity provider is too large")
                await answer.aclose()
                body: Any = httpx.Response(answer.status_code, content=content).json()
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError, RecursionError) as error:
            raise _Unreachable("the identity provider does not respond") from error
        if answer.status_code != 200 or not isinstance(body, dict):
            raise IdentityProviderError("the identity provider refused the request")
        return body
