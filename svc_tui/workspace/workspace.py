"""What the console works on: one profile's service, read through the cache, with every change told to what shows it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from svc_tui.cache.shapes import Row
from svc_tui.cache.store import Cache
from svc_tui.interface.access import Caller, Decision, Subject, decide, roles_of
from svc_tui.workspace.events import Event, Link, LinkChanged, Listeners, RecordsChanged, SessionChanged
from svc_tui.workspace.folders import Folders, file_name
from svc_tui.workspace.link import LinkWatch
from svc_tui.workspace.list_source import OFFLINE_SHOWN, ListSource, NotRead
from svc_tui.workspace.listing import Listing
from svc_tui.workspace.record_view import RecordView

if TYPE_CHECKING:
    from svc_tui.client.client import Answer, Client
    from svc_tui.client.profile import Profile
    from svc_tui.interface.operations import AnyOperation

READ_ONLY = "Read-only: this console changes nothing."


class Workspace:
    """One profile's service as the console sees it. Made without network; `attach` gives it its client."""

    def __init__(
        self,
        profile: Profile,
        places: Folders,
        *,
        cache: Cache | None = None,
        read_only: bool = False,
        now: Callable[[], float] = time.time,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.profile, self.folders = profile, places
        self.read_only = read_only or profile.read_only
        self.cache = cache or Cache(None)
        self.client: Client | None = None
        self.now = now
        self._listeners: Listeners[Event] = Listeners()
        self._listings: set[Listing] = set()
        self._records: set[RecordView] = set()
        self._watch = LinkWatch(profile.verify, self._link_changed, self._probe, pause)

    # What is seen

    @property
    def link(self) -> Link:
        return self._watch.link

    @property
    def user(self) -> Row | None:
        """The user record of the login, as far as it is known."""
        return None

    @property
    def caller(self) -> Caller | None:
        """Who calls, as far as access depends on it; None while nobody is logged in."""
        user = self.user
        if not user:
            return None
        return Caller(
            user_id=str(user.get("id") or ""),
            roles=roles_of(user.get("roles") or (), user.get("adminType")),
            company_id=str(user.get("companyId") or ""),
            organisation_id=str(user.get("organisationId") or ""),
            site_id=str(user.get("siteId") or ""),
        )

    def decide(self, operation_id: str, subject: Subject | None = None) -> Decision:
        """Whether the operation may be performed here, and why not: read-only first, then the role."""
        wanted = _operation(operation_id)
        if self.read_only and not wanted.reads:
            return Decision(False, "read-only")
        return decide(wanted.who, self.caller, subject)

    def subscribe(self, callback: Callable[[Event], None]) -> Callable[[], None]:
        """Be told of LinkChanged, SessionChanged, RecordsChanged; returns what ends it."""
        return self._listeners.add(callback)

    def listing(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, object] = {},
        local: Callable[[Row], bool] | None = None,
    ) -> Listing:
        """A list of the service; `query` has wire names, without limit and offset. `local` picks rows here."""
        listing = Listing(ListSource(self, operation_id, path, query))
        self._listings.add(listing)
        return listing

    def record(self, operation_id: str, *, path: Mapping[str, str] = {}) -> RecordView:
        """One record, shown at once as far as a list or the cache knows it. In a running loop it is read by itself."""
        view = RecordView(self, operation_id, path)
        self._records.add(view)
        view.open()
        return view

    # What is done

    async def perform(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] = {},
        query: Mapping[str, object] = {},
        body: Mapping[str, object] | None = None,
    ) -> dict[str, Any]:
        """Perform a change and show its result wherever the record is shown. The answer's body.

        ServiceError when it was refused or did not get through; Unclear when nobody knows whether it happened.
        """
        from svc_tui.client.errors import ReadOnly

        wanted = _operation(operation_id)
        if self.read_only and not wanted.reads:
            raise ReadOnly(READ_ONLY)
        answer = await self._send(wanted, path, query, body)
        return answer.body if isinstance(answer.body, dict) else {"data": answer.body}

    def attach(self, client: Client) -> None:
        """Give it its client; what waited for it goes on."""
        self.client = client
        self._listeners.tell(SessionChanged())
        self._resume()

    async def close(self) -> None:
        """Stop all work and close client and cache."""
        for listing in tuple(self._listings):
            listing.close()
        for view in tuple(self._records):
            view.close()
        self._watch.close()
        if self.client is not None:
            await self.client.aclose()
        self.cache.close()

    # What lists and records need

    def obstacle(self) -> str | None:
        if self.client is None:
            return ""
        return OFFLINE_SHOWN if self._watch.blocked else None

    def insist(self) -> None:
        self._watch.insist()

    def leave(self, view: object) -> None:
        self._listings.discard(view)
        self._records.discard(view)

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        from svc_tui.client.errors import ServiceError, Unreachable

        wanted = _operation(operation_id)
        try:
            return (await self._send(wanted, path, query, None)).body
        except ServiceError as error:
            raise NotRead(error.sentence, offline=isinstance(error, Unreachable)) from error

    async def _send(
        self,
        wanted: AnyOperation,
        path: Mapping[str, str],
        query: Mapping[str, object],
        body: Mapping[str, object] | None,
    ) -> Answer:
        from svc_tui.client.errors import Refused, Unclear, Unreachable

        if self.client is None:
            raise Unreachable("There is no connection to the service yet.")
        try:
            answer = await self.client.send(wanted, path=path, query=query, body=body)
        except (Unreachable, Unclear):
            self._watch.lost()
            raise
        except Refused:
            self._watch.answered()
            raise
        self._watch.answered(answer.elapsed)
        return answer

    async def _probe(self) -> bool:
        from svc_tui.client.errors import ServiceError, Unreachable

        try:
            await self._send(_operation("ping"), {}, {}, None)
        except ServiceError as error:
            return not isinstance(error, Unreachable)
        return True

    def _link_changed(self, link: Link) -> None:
        self._listeners.tell(LinkChanged(link))
        if link.state in ("live", "slow"):
            self._resume()

    def _resume(self) -> None:
        for listing in tuple(self._listings):
            listing.resume()
        for view in tuple(self._records):
            view.resume()

    def _changed(self, kind: str, ids: frozenset[str] | None) -> None:
        self._listeners.tell(RecordsChanged(kind, ids))


def _operation(operation_id: str) -> AnyOperation:
    from svc_tui.interface.catalogue import operation

    return operation(operation_id)


def cache_file(places: Folders, profile: str, user_id: str) -> Any:
    """Where the cache of a profile and user lies."""
    return places.cache_of(profile) / f"{file_name(user_id)}.db"
