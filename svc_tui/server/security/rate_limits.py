"""Rate limits of logins and of the requests before them, by address and by account, over all processes.

A process adds what it has counted to the database in steps of a twentieth of a limit: usual logins cost no write, and
several processes together exceed a limit by a twentieth each at most.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from svc_tui.interface.authentication.proof import parse_basic
from svc_tui.interface.operations import AnyOperation
from svc_tui.server.http.parsing import read_body, read_query
from svc_tui.server.http.request_headers import group_of
from svc_tui.server.refusal import Refusal, TooManyRequests
from svc_tui.server.rules import Headers
from svc_tui.server.security.application_proof import application_credentials
from svc_tui.server.service import Service
from svc_tui.server.settings import Rates

_MINUTE = 60
_STEPS = 20


@dataclass(slots=True)
class _Count:
    """The counts that this process knows: the sum of all processes at its last check, and its own requests since
    then."""

    known: int = 0
    since: int = 0


class RateLimits:
    """The rate limits in one process."""

    def __init__(self, service: Service) -> None:
        self._database, self._clock, self._rates = service.database, service.clock, service.settings.rates
        self._minute = 0
        self._counts: dict[str, _Count] = {}

    async def check(
        self, operation: AnyOperation, headers: Headers, path: Mapping[str, str], query: bytes, content: bytes
    ) -> None:
        """Count a request of an operation with a rate. Refusal 429000 beyond a limit, until the next minute."""
        account = _account(operation, headers, path, query, content)
        await self.count(operation.rate, address=headers.address, account=account)

    async def count(self, kind: str, *, address: str = "", account: str = "") -> None:
        """Count one attempt of a kind of login for an address, an account, or both. Refusal 429000 as with `check`."""
        now = int(self._clock.now().timestamp())
        if now // _MINUTE != self._minute:
            self._minute, self._counts = now // _MINUTE, {}
        for name, most in _limits(self._rates, kind, address, account):
            if not await self._admits(name, most, now // _MINUTE):
                raise TooManyRequests(_MINUTE - now % _MINUTE)

    async def _admits(self, name: str, most: int, minute: int) -> bool:
        count = self._counts.setdefault(name, _Count())
        if count.known + count.since >= most:
            return False
        count.since += 1
        if count.since < max(1, most // _STEPS):
            return True
        added, count.since = count.since, 0
        count.known += added
        async with self._database.unit() as store:
            count.known = max(count.known, await store.rates.add(name, minute, added))
        return count.known <= most


def _limits(rates: Rates, kind: str, address: str, account: str) -> Iterator[tuple[str, int]]:
    """Names and limits of what a request counts for. Names are hashes: an account can be anything that was typed."""
    rate = getattr(rates, kind)
    for owner, value, most in (("address", group_of(address), rate.address), ("account", account, rate.account)):
        if value:
            yield f"{kind} {owner} {hashlib.sha256(value.casefold().encode()).hexdigest()[:32]}", most


def _account(operation: AnyOperation, headers: Headers, path: Mapping[str, str], query: bytes, content: bytes) -> str:
    """The account that a request is about; empty if it names none.

    It is read as the rule reads it, by the same functions: a request must not count for one account and try another.
    """
    match operation.id:
        case "verify_mfa":
            return path.get("userId", "")
        case "login" | "oidc_id_token_login":
            return (parse_basic(headers.authorization) or ("", ""))[0]
        case "oauth_token":
            return application_credentials(headers)[0]
    try:
        match operation.id:
            case "discover_login_urls":
                return str(read_query(operation.query, query).wire().get("uid") or "")
            case "oauth_login":
                return str(read_body(operation, content).wire().get("login") or "")
    except Refusal:
        # The rule refuses it too.
        pass
    return ""
