"""What the console works on: one profile's service, read through the cache, with every change told to what shows it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from svc_tui.cache.shapes import Row
from svc_tui.cache.store import DEFAULT_LIMIT, Cache
from svc_tui.client.call_log import CallLog, LoggedCall
from svc_tui.interface.access import Caller, Decision, Subject, decide, roles_of
from svc_tui.workspace.changes.journal import Entry, Journal
from svc_tui.workspace.changes.open_views import OpenViews
from svc_tui.workspace.changes.unconfirmed_writes import Doubts, Finding
from svc_tui.workspace.core.events import (
    CacheTroubled,
    Event,
    Link,
    LinkChanged,
    Listeners,
    SessionChanged,
)
from svc_tui.workspace.core.folders import Folders, file_name
from svc_tui.workspace.core.link import LinkWatch
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.lists.picked_listing import PickedListing
from svc_tui.workspace.lists.record_view import RecordView
from svc_tui.workspace.lists.source import ListSource, NotRead, Obstacle
from svc_tui.workspace.lists.windowed_listing import WindowListing
from svc_tui.workspace.profiles.preferences import Preferences

if TYPE_CHECKING:
    from svc_tui.client.client import Client, Response
    from svc_tui.client.content import Content, Sink, Stream
    from svc_tui.client.profile import Profile
    from svc_tui.client.session import Session
    from svc_tui.interface.operations import AnyOperation
    from svc_tui.interface.records import Record

READ_ONLY = "Read-only: this console changes nothing, so it was not sent."
NOT_CONNECTED = "There is no connection to the service yet."
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Workspace:
    """One profile's service as the console sees it.

    Made without network, models or a running loop: lists and records can be peeked at. `attach` gives it its client,
    and what was wished for before is then read. `pause` waits for so many seconds (between two probes).
    """

    def __init__(
        self,
        profile: Profile,
        places: Folders,
        *,
        read_only: bool = False,
        cache_bytes: int = DEFAULT_LIMIT,
        now: Callable[[], float] = time.time,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.profile, self.folders, self.now = profile, places, now
        self.read_only = read_only or profile.read_only
        self.client: Client | None = None
        self.preferences = Preferences(places.data_of(profile.name) / "preferences.json")
        self.log = CallLog()
        self._cache_bytes = cache_bytes
        self._listeners: Listeners[Event] = Listeners()
        self._open = OpenViews(self, self._listeners.tell, pause)
        self._watch = LinkWatch(profile.verified, self._link_changed, self._probe, pause)
        self._was_logged_in = self._offline = False
        self._forget_session: Callable[[], None] = lambda: None
        self._forget_calls: Callable[[], None] = lambda: None
        self.doubts = Doubts(self, pause)
        self._work_for(str((self.preferences.user or {}).get("id") or ""))

    # What is seen

    @property
    def session(self) -> Session | None:
        """The login; None before there is a client."""
        return self.client.session if self.client else None

    @property
    def link(self) -> Link:
        """The connection as real requests found it."""
        return self._watch.link

    @property
    def asks(self) -> bool:
        """Whether an answer of the service is awaited now."""
        return self._watch.asks

    @property
    def user(self) -> Row | None:
        """The user record of the login; before the first one, of the login that this console last worked for."""
        if self.session is not None and self.session.user is not None:
            return self.session.user
        return self.preferences.user

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
        """Be told of every Event; returns what ends it."""
        return self._listeners.add(callback)

    def listing(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] = _NOTHING,
        query: Mapping[str, object] = _NOTHING,
        local: Callable[[Row], bool] | None = None,
        made: Callable[[ListSource], Listing] | None = None,
    ) -> Listing:
        """A list of the service; `query` has wire names, limit and offset are ours. `local` picks rows here, `made`
        makes other rows of them."""
        source = ListSource(self, operation_id, path, query)
        plain = WindowListing(source) if local is None else PickedListing(source, local)
        listing = made(source) if made else plain
        self._open.add(listing)
        return listing

    def record(self, operation_id: str, *, path: Mapping[str, str] = _NOTHING) -> RecordView:
        """One record, at once as far as an open list knows it; in a running loop it is read by itself."""
        view = RecordView(self, operation_id, path)
        view.know(self._open.known(view.kind, view.id))
        self._open.add(view)
        view.open()
        return view

    # What is done

    def attach(self, client: Client) -> None:
        """Give it its client; what waited for it goes on. The client should write into `log`."""
        self.client = client
        self.log = client.log
        client.read_only = client.read_only or self.read_only
        self._forget_session = client.session.subscribe(self._session_changed)
        self._forget_calls = self.log.subscribe(self._call_changed)
        self._session_changed()
        self._resume()

    async def perform(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] = _NOTHING,
        query: Mapping[str, object] = _NOTHING,
        body: Mapping[str, object] | Content | Stream | None = None,
        undo: Entry | None = None,
    ) -> dict[str, Any]:
        """Perform a change and show its result wherever the record is shown. The answer's body.

        A body that is no JSON, such as a picture, is a Content, a long one a Stream.

        `undo` goes into the journal when the change was made. ServiceError when it was refused or did not get
        through; OutcomeUnknown when no response came: the record is then marked as stale and read again, and
        of what costs `find_out` tells more.
        """
        from svc_tui.client.errors import OutcomeUnknown, ReadOnlyError
        from svc_tui.workspace.changes.effects import effect_of

        wanted = _operation(operation_id)
        if self.read_only and not wanted.reads:
            raise ReadOnlyError(READ_ONLY)
        doubt = await self.doubts.before(wanted, path, body, undo) if wanted.costs else None
        try:
            answer = await self._send(wanted, path, query, body)
        except OutcomeUnknown:
            if doubt is not None:
                self.doubts.add(doubt)
            await self._open.unclear(effect_of(wanted, path, None))
            raise
        effect = None if wanted.reads else effect_of(wanted, path, answer.body)
        if undo is not None:
            self.journal.add(undo, effect.record if effect else None)
        if effect is not None:
            self._open.asked(effect, body)
            await self._open.happened(effect)
        return answer.body if isinstance(answer.body, dict) else {"data": answer.body}

    async def find_out(self, operation_id: str, path: Mapping[str, str]) -> Finding | None:
        """What became of a change that costs and got no answer, and show it; None where nothing is in doubt."""
        from svc_tui.workspace.changes.effects import Effect, effect_of

        effect = effect_of(_operation(operation_id), path, None)
        doubt = self.doubts.about(effect.kind, path) if effect else None
        if doubt is None:
            return None
        found = await self.doubts.look(doubt)
        if found.done:
            if doubt.undo is not None:
                self.journal.add(doubt.undo, found.record)
            record_id = doubt.path.get(doubt.kind.parameter) or doubt.kind.id_of(found.record or {})
            await self._open.happened(Effect(doubt.kind, doubt.how, record_id, found.record))
        return found

    async def close(self) -> None:
        """Stop all work, remember what is to be remembered, close client and cache."""
        self._open.close()
        self._watch.close()
        self._forget_session()
        self._forget_calls()
        self.preferences.save()
        if self.client is not None:
            await self.client.aclose()
        self.cache.close()

    # What lists and records need

    def obstacle(self) -> Obstacle | None:
        if self.client is None:
            return "connecting"
        if self._watch.insisted:
            return None
        # Who declined to log in is not asked again by every row that comes into view.
        if self.client.session.state != "full":
            return "no login"
        return "offline" if self.link.state == "offline" else None

    def insist(self) -> None:
        self._watch.insisted = True

    def leave(self, view: object) -> None:
        self._open.leave(view)

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        """The body of an answer; parameters that the operation does not have are left out. NotRead without answer."""
        from svc_tui.client.errors import ServiceError, Unreachable
        from svc_tui.interface.envelopes import ListQuery
        from svc_tui.interface.errors import Code
        from svc_tui.interface.records import field_by_wire

        wanted = _operation(operation_id)
        asked: type[Record] = wanted.query
        # A list that does not tell how much there is gives all of it, when it is not asked for a part.
        known = field_by_wire(asked).keys() - (() if issubclass(asked, ListQuery) else ("limit", "offset"))
        try:
            answer = await self._send(wanted, path, {name: query[name] for name in query if name in known}, None)
        except ServiceError as error:
            missing = getattr(error, "code", None) == Code.NOT_FOUND
            raise NotRead(error.sentence, offline=isinstance(error, Unreachable), missing=missing) from error
        return answer.body

    async def download(self, operation_id: str, path: Mapping[str, str], sink: Sink) -> None:
        """Pour a file of the service into a sink. ServiceError when it did not come whole, and what the sink raises."""
        await self._send(_operation(operation_id), path, {}, None, sink)

    async def _send(
        self,
        wanted: AnyOperation,
        path: Mapping[str, str],
        query: Mapping[str, object],
        body: Mapping[str, object] | Content | Stream | None,
        sink: Sink | None = None,
    ) -> Response:
        from svc_tui.client.errors import (
            InvalidResponse,
            OutcomeUnknown,
            Refused,
            ServiceError,
            SessionEnded,
            Unreachable,
        )

        if self.client is None:
            raise Unreachable(NOT_CONNECTED)
        try:
            answer = await self.client.send(wanted, path=path, query=query, body=body, sink=sink)
        except ValueError as error:
            # A record came without what it is known by.
            what = "read" if wanted.reads else "sent"
            raise ServiceError(f"This cannot be {what}: {error}.") from error
        except (Unreachable, OutcomeUnknown):
            self._watch.lost()
            raise
        except SessionEnded:
            # Said without asking the service, mostly: it tells nothing of the link.
            self._watch.insisted = False
            raise
        except (Refused, InvalidResponse):
            self._watch.answered()
            raise
        # How long a file takes says how long it is, not how far the service.
        self._watch.answered(None if sink else answer.elapsed)
        return answer

    # The login and the link

    def _session_changed(self) -> None:
        session = self.session
        if session is not None and session.user is not None:
            self._remember(session.user)
        elif session is not None and session.state == "none" and self._was_logged_in:
            # A logout, not the end of a session: nobody's records are shown after it.
            self._remember(None)
        self._was_logged_in = session is not None and session.user is not None
        self._listeners.tell(SessionChanged())
        if session is not None and session.state == "full":
            self._resume()

    def _remember(self, user: Row | None) -> None:
        from svc_tui.cache.secrets import without_secrets

        self.preferences.user = without_secrets("get_own_user", user) if user else None
        self.preferences.save()
        user_id = str((user or {}).get("id") or "")
        if user_id != self._user_id:
            self.cache.close()
            self._work_for(user_id)
            self._open.reset()

    def _work_for(self, user_id: str) -> None:
        """Open what belongs to a user; without one everything stays in memory."""
        self._user_id = user_id
        path = self.folders.cache_of(self.profile.name) / f"{file_name(user_id)}.db" if user_id else None
        journal = self.folders.data_of(self.profile.name) / f"journal-{file_name(user_id)}.json" if user_id else None
        self.cache = Cache(path, service=self.profile.base_url, limit_bytes=self._cache_bytes)
        self.cache.on_trouble = lambda sentence: self._listeners.tell(CacheTroubled(sentence))
        self.journal = Journal(journal, self, self.now)

    async def _probe(self) -> bool:
        from svc_tui.client.errors import ServiceError, Unreachable

        try:
            await self._send(_operation("ping"), {}, {}, None)
        except ServiceError as error:
            return not isinstance(error, Unreachable)
        return True

    def _call_changed(self, exchange: LoggedCall) -> None:
        # What a file takes is told where its progress is.
        if exchange.awaited and not exchange.streamed:
            self._watch.begins(exchange.number)
        else:
            self._watch.ends(exchange.number, answered=exchange.status is not None)

    def _link_changed(self, link: Link) -> None:
        back = self._offline and link.state in ("live", "slow")
        self._offline = link.state == "offline"
        self._listeners.tell(LinkChanged(link))
        if back:
            self._resume()

    def _resume(self) -> None:
        for view in self._open:
            view.resume()


def _operation(operation_id: str) -> AnyOperation:
    from svc_tui.interface.catalogue import operation

    return operation(operation_id)
