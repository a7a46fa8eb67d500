"""One profile's service, read through the cache; every change is shown in all open lists and records."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from svc_tui.cache.cached import RecordDict
from svc_tui.cache.store import DEFAULT_LIMIT, Cache
from svc_tui.client import errors
from svc_tui.client.call_log import CallLog, LoggedCall
from svc_tui.interface import catalogue, field_specs
from svc_tui.interface import errors as codes
from svc_tui.interface.access import Caller, Decision, Role, Subject, decide, roles_of
from svc_tui.interface.outlines import rights_of
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.changes import effects
from svc_tui.workspace.changes.journal import Journal, UndoEntry
from svc_tui.workspace.changes.live_events import LiveEvents
from svc_tui.workspace.changes.open_data import OpenData
from svc_tui.workspace.changes.unconfirmed_writes import UnconfirmedWrites, VerifiedOutcome
from svc_tui.workspace.core.events import (
    CacheFailed,
    ChangeMade,
    Event,
    LinkChanged,
    LinkStatus,
    Listeners,
    SessionChanged,
)
from svc_tui.workspace.core.folders import Folders
from svc_tui.workspace.core.link import LinkMonitor
from svc_tui.workspace.core.service import Obstacle, ReadError, sentence_of_read
from svc_tui.workspace.lists.filtered_listing import FilteredListing
from svc_tui.workspace.lists.filters import FieldQuery
from svc_tui.workspace.lists.list_reader import ListReader
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.lists.open_record import OpenRecord
from svc_tui.workspace.lists.referenced_records import ReferencedRecords
from svc_tui.workspace.lists.windowed_listing import WindowedListing
from svc_tui.workspace.search.holders import Holders
from svc_tui.workspace.user_records import UserRecords

if TYPE_CHECKING:
    from svc_tui.client import responses
    from svc_tui.client.client import Client, Response
    from svc_tui.client.content import Content, Sink, Stream
    from svc_tui.client.profile import Profile
    from svc_tui.client.session import Session
    from svc_tui.interface.operations import AnyOperation
else:
    responses = lazy_import("svc_tui.client.responses")

READ_ONLY = _("Not sent: this console is read-only.")
NOT_CONNECTED = _("Not connected to the service yet.")
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Workspace:
    """One profile's service as the console sees it.

    It is created without network, models or a running loop: lists and records can be read from the cache. `attach`
    connects a client, and whatever was requested before is then read. `pause` waits for a number of seconds.
    """

    def __init__(
        self,
        profile: Profile,
        folders: Folders,
        *,
        read_only: bool = False,
        cache_bytes: int = DEFAULT_LIMIT,
        now: Callable[[], float] = time.time,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.profile, self.folders, self.now = profile, folders, now
        self.read_only = read_only or profile.read_only
        #: The role of the role lens: decisions are made as for that role, and nothing is changed.
        self.lens: Role | None = None
        #: Whether the link is slow: lists send one request at a time, and views wait longer before they read or draw.
        self.frugal = profile.slow_link == "always"
        self.client: Client | None = None
        self._logging_in = False
        self.log = CallLog()
        self._listeners: Listeners[Event] = Listeners()
        self._open = OpenData(self, self._listeners.notify, pause)
        self.monitor = LinkMonitor(profile.verified, self._link_changed, self._probe, pause)
        #: The events of the service; the console follows them once it is connected.
        self.live = LiveEvents(self._open, self._listeners.notify, now)
        self._holders = Holders(self)
        self._offline = self._client_reads_only = False
        self._unsubscribe_session: Callable[[], None] = lambda: None
        self._unsubscribe_calls: Callable[[], None] = lambda: None
        self.unconfirmed = UnconfirmedWrites(self, pause)
        self.records = UserRecords(
            self,
            profile,
            folders,
            cache_bytes=cache_bytes,
            now=now,
            reset=self._open.reset,
            on_error=lambda sentence: self._listeners.notify(CacheFailed(sentence)),
        )
        self.preferences = self.records.preferences
        self.referenced = ReferencedRecords(self, lambda operation_id: self.decide(operation_id).allowed)

    # Reading

    @property
    def cache(self) -> Cache:
        """The cache of the user; another user has another one."""
        return self.records.cache

    @property
    def journal(self) -> Journal:
        """The changes of the user that can be undone."""
        return self.records.journal

    @property
    def session(self) -> Session | None:
        """The login; None before there is a client."""
        return self.client.session if self.client else None

    @property
    def link(self) -> LinkStatus:
        """The connection as real requests found it."""
        return self.monitor.link

    @property
    def busy(self) -> bool:
        """Whether a request is in progress."""
        return self.monitor.busy

    @property
    def user(self) -> RecordDict | None:
        """The user record of the login; before the first login, of the last login of this profile."""
        if self.session is not None and self.session.user is not None:
            return self.session.user
        return self.preferences.user

    @property
    def user_id(self) -> str:
        """The user who is logged in; empty without one."""
        return self.session.user_id if self.session else ""

    @property
    def caller(self) -> Caller | None:
        """The user as access rules see it, in the role lens with that role; None without a login."""
        user = self.user
        if not user:
            return None
        return Caller(
            user_id=str(user.get("id") or ""),
            roles=frozenset({self.lens}) if self.lens else roles_of(user.get("roles") or (), user.get("adminType")),
            company_id=str(user.get("companyId") or ""),
            organisation_id=str(user.get("organisationId") or ""),
            site_id=str(user.get("siteId") or ""),
        )

    def decide(self, operation_id: str, subject: Subject | None = None) -> Decision:
        """Whether the operation may be performed, with the reason: read-only mode first, then the role.

        The role lens shows what its role may do, also where read-only mode would refuse it.
        """
        rights = rights_of(operation_id.rpartition(".")[2]) or catalogue.operation(operation_id)
        if self.read_only and not self.lens and not rights.reads:
            return Decision(False, "read-only")
        return decide(rights.who, self.caller, subject)

    def view_as_role(self, role: Role | None) -> None:
        """Decide everything as for a role and change nothing; None ends it."""
        self.lens = role
        self._guard()
        self._listeners.notify(SessionChanged())

    def _guard(self) -> None:
        """Let the client send what reads only, in read-only mode and in the role lens."""
        if self.client is not None:
            self.client.read_only = self._client_reads_only or self.read_only or self.lens is not None

    def subscribe(self, callback: Callable[[Event], None]) -> Callable[[], None]:
        """Call back for every Event; returns the function that unsubscribes."""
        return self._listeners.add(callback)

    def listing(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] = _NOTHING,
        query: Mapping[str, object] = _NOTHING,
        local: Callable[[RecordDict], bool] | None = None,
        questions: Sequence[FieldQuery] = (),
        derive: Callable[[ListReader], Listing] | None = None,
    ) -> Listing:
        """A list of the service; `query` has wire names, without limit and offset.

        `local` filters the rows here; with `questions` the service finds those of a long list. `derive` creates a
        listing of other rows from them.
        """
        reader = ListReader(self, operation_id, path, query)
        plain = WindowedListing(reader) if local is None else FilteredListing(reader, local, questions)
        listing = derive(reader) if derive else plain
        self._open.add(listing)
        return listing

    def record(self, operation_id: str, *, path: Mapping[str, str] = _NOTHING) -> OpenRecord:
        """One record, first as an open list shows it; in a running loop it is then read."""
        view = OpenRecord(self, operation_id, path)
        view.show_listed(self._open.listed(view.kind, view.id))
        self._open.add(view)
        view.open()
        return view

    # Changes

    def attach(self, client: Client) -> None:
        """Connect the client and read what was requested before. The client should write into `log`."""
        self.client = client
        self.log = client.log
        self._client_reads_only = client.read_only
        self._guard()
        self._unsubscribe_session = client.session.subscribe(self._session_changed)
        self._unsubscribe_calls = self.log.subscribe(self._call_changed)
        self._session_changed()
        self._resume()

    @contextmanager
    def logging_in(self) -> Iterator[None]:
        """The profile logs in with its own credentials, and no view asks for a login until then."""
        self._logging_in = True
        try:
            yield
        finally:
            self._logging_in = False
            if self.session is None or self.session.state != "full":
                self._resume()

    async def perform(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] = _NOTHING,
        query: Mapping[str, object] = _NOTHING,
        body: Mapping[str, object] | Content | Stream | None = None,
        undo: UndoEntry | None = None,
    ) -> dict[str, Any]:
        """Perform a change and show its result wherever the record is shown. The body of the response.

        A body that is not JSON, such as a picture, is a Content, a long one a Stream. `undo` is added to the journal
        when the change was made.

        ServiceError when the change was refused or could not be sent. OutcomeUnknown when no response came: the
        record is then marked as stale and read again, and `verify` checks an operation that costs money.
        """
        operation = catalogue.operation(operation_id)
        if (self.read_only or self.lens) and not operation.reads:
            raise errors.ReadOnlyError(
                _("Not sent: the role lens of {lens} is read-only.").format(lens=self.lens) if self.lens else READ_ONLY
            )
        write = await self.unconfirmed.prepare(operation, path, body, undo) if operation.costs else None
        user_id, journal = self.user_id, self.journal
        with self.live.own.performing(None if operation.reads else effects.effect_of(operation, path, None)):
            try:
                response = await self._send(operation, path, query, body)
            except errors.OutcomeUnknown:
                if write is not None:
                    self.unconfirmed.add(write)
                await self._open.read_again(effects.effect_of(operation, path, None))
                raise
            except errors.Refused as error:
                if errors.code_of(error) == codes.Code.NOT_FOUND:
                    await self._open.read_again(effects.effect_of(operation, path, None))
                await self._holders.name(error, path, body)
                raise
            effect = None if operation.reads else effects.effect_of(operation, path, response.body)
            if effect is not None:
                self.live.own.add(effect)
        kept = None if undo is None else journal.add(undo, effect.record if effect else None)
        if not operation.reads:
            self._listeners.notify(ChangeMade(operation_id, path, kept))
        if effect is not None and self._is_still(user_id):
            self._open.accepted(effect, body)
            await self._open.changed(effect)
        return response.body if isinstance(response.body, dict) else {"data": response.body}

    def remember(self, undo: UndoEntry) -> None:
        """Add a change to the journal whose response is missing, and which was found to be made."""
        kept = self.journal.add(undo)
        made = catalogue.operation(undo.operation_id).undone_by or undo.operation_id
        self._listeners.notify(ChangeMade(made, undo.path, kept))

    async def verify(self, operation_id: str, path: Mapping[str, str]) -> VerifiedOutcome | None:
        """Verify an unconfirmed write at the service and show its effect; None where no write is unconfirmed."""
        effect = effects.effect_of(catalogue.operation(operation_id), path, None)
        write = self.unconfirmed.find(effect.kind, path) if effect else None
        if write is None:
            return None
        outcome = await self.unconfirmed.verify(write)
        if outcome.done:
            kept = None if write.undo is None else self.journal.add(write.undo, outcome.record)
            self._listeners.notify(ChangeMade(operation_id, path, kept))
            record_id = write.path.get(write.kind.parameter) or write.kind.id_of(outcome.record or {})
            await self._open.changed(effects.Effect(write.kind, write.action, record_id, outcome.record))
        return outcome

    async def close(self) -> None:
        """Stop all work, save the preferences, close client and cache."""
        await self.live.close()
        self._open.close()
        self.monitor.close()
        self._unsubscribe_session()
        self._unsubscribe_calls()
        self.preferences.save()
        if self.client is not None:
            await self.client.aclose()
        self.cache.close()

    # Used by lists and records

    def obstacle(self) -> Obstacle | None:
        """What prevents a request now; None when nothing does."""
        if self.client is None:
            return "connecting"
        if self.monitor.forced:
            return None
        # A user who cancelled the login is not asked again by every row that comes into view.
        if self.client.session.state != "full":
            return "connecting" if self._logging_in else "no login"
        return "offline" if self.link.state == "offline" else None

    def retry_now(self) -> None:
        """Let requests be sent although the last ones did not reach the service."""
        self.monitor.forced = True

    def forget_open(self, view: object) -> None:
        """Forget a list or record that was closed."""
        self._open.remove(view)

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        """The body of a response; parameters that the operation does not have are left out.

        ReadError without one, and when the user logged out or another one logged in since the request: what was read
        for the first one is neither shown nor stored.
        """
        if self.client is None:
            raise ReadError(NOT_CONNECTED, offline=True)
        operation = catalogue.operation(operation_id)
        # A list without a total returns all rows when no limit is requested.
        left_out = () if operation.has_pages else ("limit", "offset")
        known = field_specs.field_by_wire(catalogue.query_of(operation_id)).keys() - left_out
        user_id = self.user_id
        try:
            response = await self._send(operation, path, {name: query[name] for name in query if name in known}, None)
            responses.check_shape(operation, response.status, response.body)
        except errors.ServiceError as error:
            missing = errors.code_of(error) == codes.Code.NOT_FOUND
            sentence = sentence_of_read(error, path)
            raise ReadError(sentence, offline=isinstance(error, errors.Unreachable), missing=missing) from error
        if not self._is_still(user_id):
            raise ReadError(_("The login has changed since this was requested."))
        return response.body

    async def download(self, operation_id: str, path: Mapping[str, str], sink: Sink) -> None:
        """Write a file of the service into a sink. ServiceError when it is not complete, and what the sink raises."""
        await self._send(catalogue.operation(operation_id), path, {}, None, sink)

    async def _send(
        self,
        operation: AnyOperation,
        path: Mapping[str, str],
        query: Mapping[str, object],
        body: Mapping[str, object] | Content | Stream | None,
        sink: Sink | None = None,
    ) -> Response:
        if self.client is None:
            raise errors.Unreachable(NOT_CONNECTED)
        try:
            response = await self.client.send(operation, path=path, query=query, body=body, sink=sink)
        except ValueError as error:
            # The record has no identifier.
            raise errors.ServiceError(_("Cannot send this request: {error}.").format(error=error)) from error
        except (errors.Unreachable, errors.OutcomeUnknown):
            self.monitor.lost()
            raise
        except errors.SessionEnded:
            # Raised without a request, mostly: no information about the link.
            self.monitor.forced = False
            raise
        except (errors.Refused, errors.InvalidResponse):
            self.monitor.answered()
            raise
        # The time of a download depends on the size of the file, not on the link.
        self.monitor.answered(None if sink else response.elapsed)
        return response

    # The login and the link

    def _is_still(self, user_id: str) -> bool:
        """Whether the user of a request is still logged in; a request without one belongs to who logged in for it."""
        return not user_id or self.user_id == user_id

    def _session_changed(self) -> None:
        session = self.session
        if session is not None:
            self.records.follow(session)
        self._listeners.notify(SessionChanged())
        if session is not None and session.state == "full":
            self._resume()

    async def _probe(self) -> None:
        with suppress(errors.ServiceError):
            await self._send(catalogue.operation("ping"), {}, {}, None)

    def _call_changed(self, call: LoggedCall) -> None:
        # A file transfer shows its own progress.
        if call.awaited and not call.streamed:
            self.monitor.begin(call.number)
        else:
            self.monitor.end(call.number, answered=call.status is not None)

    def _link_changed(self, link: LinkStatus) -> None:
        reconnected = self._offline and link.state in ("live", "slow")
        self._offline = link.state == "offline"
        self._listeners.notify(LinkChanged(link))
        if reconnected:
            self._resume()

    def _resume(self) -> None:
        for view in self._open:
            view.resume()
