"""The work after the first picture: declarations, plug-ins, login, live events, and logging in again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from svc_tui.client import errors, session
from svc_tui.console.dialogs import messages
from svc_tui.console.shell import key_sets, live, login, plugins, sessions
from svc_tui.console.shell.frame import Frame
from svc_tui.console.shell.registry import registry
from svc_tui.console.shell.startup import (
    connect,
    declarations,
    notices,
    ping,
    resume_garbage_collection,
    user_actions,
)
from svc_tui.console.views.plugin_failures import FAILURES
from svc_tui.console.widgets.base import in_background
from svc_tui.language import _
from svc_tui.workspace.core.events import ChangedElsewhere, Event, LinkChanged, SessionChanged, Synchronised

if TYPE_CHECKING:
    from svc_tui.client.client import Client


#: Seconds between updates of the time left in the session.
CLOCK = 15.0


class Connection:
    """The connection of an open profile to its service.

    `unopened`: the place that could not be opened first; it can belong to a plug-in.
    """

    def __init__(self, frame: Frame, unopened: str) -> None:
        self._frame, self._unopened = frame, unopened
        self._workspace = frame.workspace
        self._asking = asyncio.Lock()
        #: Whether the login waits for a service that did not respond.
        self._awaits_service = False

    def open(self) -> None:
        """Load the rest of the console and connect, in the background."""
        self._begin(self._open)

    def close(self) -> None:
        """End what runs in the background, before the workspace is closed."""
        self._frame.workers.cancel_group(self._frame, "connection")

    async def log_in(self, reason: str = "") -> bool:
        """Ask for a login, and why; returns whether a user is logged in."""
        client = self._client
        async with self._asking:
            if client.session.state == "full":
                return True
            logged_in = await self._frame.console.ask(login.LoginBox(client, reason))
        if not logged_in:
            hidden = self._workspace.records.hide()
            if hidden and not self._frame.loss:
                await self._frame.reopen()
            for view in self._frame.stack:
                view.not_logged_in()
            records = (
                _("This profile shows records only after a login") if hidden else _("Cached records can be browsed")
            )
            how = self._frame.console.key_map.sentence(_("{refresh} logs in."))
            self._frame.show_message(_("Not logged in. {records}. {how}").format(records=records, how=how), "warn")
        return bool(logged_in)

    def _begin(self, work: Callable[[], Awaitable[object]]) -> None:
        """Run work in the background; an internal error is reported and the console continues."""

        async def guarded() -> None:
            try:
                await work()
            except Exception as error:
                self._frame.show_error(error)

        in_background(self._frame, guarded, group="connection")

    async def _open(self) -> None:
        try:
            await self._connect()
        finally:
            # Keys must not wait for a connection that failed.
            self._frame.connected.set()

    async def _connect(self) -> None:
        frame, workspace, console = self._frame, self._workspace, self._frame.console
        shown = [view.resource.reading for view in frame.stack if view.resource and view.resource.reading]
        await asyncio.to_thread(declarations, shown)
        resume_garbage_collection()
        # Their places can be typed while a demo is prepared.
        await self._add_plugins()
        if not await console.prepare_demo():
            return
        frame.declared = True
        workspace.subscribe(self._workspace_changed)
        connect(workspace, self._session_ended)
        frame.navigator.declare_views()
        await console.recorder.resume()
        console.recorder.viewed(frame.view)
        frame.update_bars()
        frame.set_interval(CLOCK, self._tick)
        await self._log_in_or_wait()
        console.terminal_link.start(workspace)
        frame.live = live.LiveScreen(frame, lambda: frame.app.app_focus)
        self._begin(frame.live.polling.run)
        workspace.live.follow(self._client)
        frame.update_bars()
        if console.key_map.changes_dialogs:
            await asyncio.to_thread(key_sets.check_dialog_keys, console.key_map)
        for title, text in notices(plugins.find().faults, console.key_map, console.terminal_link.theme_faults):
            await console.ask(messages.Notice(title, text))
        if console.key_map.replaced:
            frame.show_unless_warning(" ".join(console.key_map.replaced))
        console.start_tour()

    async def _add_plugins(self) -> None:
        """Add what installed packages bring, where there are any."""
        if plugins.add(await asyncio.to_thread(plugins.find)):
            FAILURES.report = lambda sentence: self._frame.show_message(f"{sentence}.", "bad", stays=True)
            self._frame.registry = registry(self._workspace.profile.keymap, user_actions())
            waiting, self._unopened = self._unopened, ""
            if waiting and self._frame.view is not None and self._frame.view.kind == Frame.FIRST:
                self._frame.show_message("")
                await self._frame.navigator.open_typed(waiting)

    async def _log_in_or_wait(self) -> None:
        """Log in with the credentials of the profile, otherwise ask. While the service is unreachable, wait for it."""
        with self._workspace.logging_in():
            reason = await sessions.log_in_silently(self._client)
        self._frame.connected.set()
        error_message = await ping(self._workspace)
        if self._workspace.link.state == "offline":
            self._awaits_service = True
            self._frame.show_message(error_message or reason, "bad")
            return
        await self.log_in(reason)

    async def _session_ended(self, ended: errors.SessionEnded) -> bool:
        """Log in again; waiting requests continue after it.

        A profile with a password logs in without a dialog, once.
        """
        reason = await sessions.log_in_silently(self._client)
        if not reason and self._client.session.state == "full":
            why = session.EARLY if session.EARLY in ended.sentence else ended.sentence
            self._frame.show_message(_("{why} Logged in again.").format(why=why), "warn")
        return await self.log_in(reason or str(ended))

    def _workspace_changed(self, event: Event) -> None:
        frame = self._frame
        if frame.live is not None:
            frame.live.changed(event)
        if isinstance(event, LinkChanged):
            frame.console.terminal_link.service_changed()
        frame.update_bars()
        if isinstance(event, SessionChanged):
            self._begin(frame.navigator.find_own)
        if isinstance(event, Synchronised):
            frame.show_message(*frame.resources[event.kind].display.settled(event.record, event.not_applied))
        if isinstance(event, ChangedElsewhere):
            self._begin(partial(self._mention, event))
        if self._awaits_service and isinstance(event, LinkChanged) and event.link.state in ("live", "slow"):
            self._awaits_service = False
            frame.show_message("")
            self._begin(self._log_in_or_wait)

    async def _mention(self, event: ChangedElsewhere) -> None:
        self._frame.show_unless_warning(
            await live.changed_elsewhere_sentence(self._workspace, self._frame.resources[event.kind], event)
        )

    def _tick(self) -> None:
        """Update the time left; a session that another program ended is not used any longer."""
        used = self._workspace.session
        if used is not None and used.ended_elsewhere:
            used.end()
            self._begin(partial(self._session_ended, errors.SessionEnded(session.EARLY)))
        self._frame.tick()

    @property
    def _client(self) -> Client:
        """The client of the workspace. RuntimeError before it is connected."""
        if self._workspace.client is None:
            raise RuntimeError("the console is not connected")
        return self._workspace.client
