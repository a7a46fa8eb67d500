"""The application: opens a profile, shows the last place, and connects after the first picture."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from textual import events
from textual.app import App
from textual.screen import ModalScreen, Screen

from svc_tui.console.core.keys import KeyMap
from svc_tui.console.core.places import Place
from svc_tui.console.core.stage import DEFAULT_KEYS
from svc_tui.console.shell.frame import Frame
from svc_tui.console.shell.key_order import KeyOrder
from svc_tui.console.shell.registry import registry
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.shell.startup import (
    connect,
    declarations,
    log_in_silently,
    notices,
    open_workspace,
    ping,
    resume_garbage_collection,
    user_actions,
)
from svc_tui.console.shell.terminal_link import TerminalLink
from svc_tui.console.terminal.capabilities import Capabilities, capabilities
from svc_tui.console.terminal.driver import driver_class, record, send
from svc_tui.language import _
from svc_tui.late import late
from svc_tui.workspace.core.events import ChangedElsewhere, LinkChanged, SessionChanged, Synchronised

if TYPE_CHECKING:
    from rich.console import RenderableType

    from svc_tui.client import errors
    from svc_tui.client import session as session_module
    from svc_tui.client.client import Client
    from svc_tui.client.errors import SessionEnded
    from svc_tui.client.profile import Profile
    from svc_tui.console.core import call_line
    from svc_tui.console.core.call_line import Call, CallLine
    from svc_tui.console.core.demo import Demo
    from svc_tui.console.dialogs import messages
    from svc_tui.console.shell import demo as demo_shell
    from svc_tui.console.shell import key_sets, linear, live, login, parent_choice, plugins, tour, tour_jobs, welcome
    from svc_tui.console.terminal import clipboard
    from svc_tui.workspace.core import crash
    from svc_tui.workspace.core.events import Event
    from svc_tui.workspace.workspace import Workspace
else:
    call_line = late("svc_tui.console.core.call_line")
    clipboard = late("svc_tui.console.terminal.clipboard")
    demo_shell = late("svc_tui.console.shell.demo")
    crash = late("svc_tui.workspace.core.crash")
    errors = late("svc_tui.client.errors")
    key_sets = late("svc_tui.console.shell.key_sets")
    linear = late("svc_tui.console.shell.linear")
    live = late("svc_tui.console.shell.live")
    login = late("svc_tui.console.shell.login")
    messages = late("svc_tui.console.dialogs.messages")
    parent_choice = late("svc_tui.console.shell.parent_choice")
    session_module = late("svc_tui.client.session")
    plugins = late("svc_tui.console.shell.plugins")
    tour = late("svc_tui.console.shell.tour")
    tour_jobs = late("svc_tui.console.shell.tour_jobs")
    welcome = late("svc_tui.console.shell.welcome")

T = TypeVar("T")

#: The place that is opened first without a last place.
FIRST = "home"
#: The result of `run` when the demo was chosen on the welcome screen.
WANTS_DEMO = -1
#: Seconds between updates of the time left in the session.
CLOCK = 15.0


class Console(App[int], inherit_bindings=False):
    """The application: profile, session, places and clipboard."""

    TITLE = "svc-tui"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    CSS = """
    Screen { layers: base over; }
    """

    def __init__(
        self,
        profile: Profile | None,
        *,
        place: str | None = None,
        read_only: bool = False,
        terminal: Capabilities,
        workspace: Workspace | None = None,
        demo: Demo | None = None,
    ) -> None:
        super().__init__(driver_class=driver_class())
        self.terminal = terminal
        self.resources = BY_NAME
        self.profile = profile
        #: The private demo service, if the console was started with one.
        self.demo = demo
        self._place = place
        self._read_only = read_only
        self._given = workspace
        self._frame: Frame | None = None
        self._asking = asyncio.Lock()
        self.key_order = KeyOrder(self, self._send_key)
        self.terminal_link = TerminalLink(self, terminal, lambda sentence: self.frame.mention(sentence))
        # Before the first style sheet is read, which would be read again for another theme.
        self.terminal_link.use(profile)
        self._tour: tour.Tour | None = None
        #: Reads the screen as lines, if the terminal or the user asks for it.
        self.linear = linear.LinearMode(self) if terminal.linear else None
        #: The place that could not be opened first: it can belong to a plug-in, which is loaded later.
        self._unopened = ""
        #: Whether the login waits for a service that did not respond.
        self._awaits_service = False
        #: Whether the data of a demo is still being prepared, and why its service did not start.
        self._awaits_demo = demo is not None
        self._failure: Exception | None = None

    async def on_mount(self) -> None:
        if self.demo is not None and self.demo.recording is not None:
            record(self, self.demo.recording)
        if self.profile is None:
            self._welcome()
        else:
            await self.start(self.profile)

    def _welcome(self) -> None:
        async def chosen(profile: Profile | Literal["demo"] | None) -> None:
            if profile is None:
                self.exit(0)
            elif profile == "demo":
                self.exit(WANTS_DEMO)
            else:
                self.profile = profile
                self.terminal_link.use(profile)
                await self.start(profile)

        self.push_screen(welcome.WelcomeBox(), chosen)

    # --- start and end -----------------------------------------------------------------------------------------

    async def start(self, profile: Profile) -> None:
        """Show the last place from the cache; connect after the first picture."""
        workspace = self._given or open_workspace(profile, self._read_only)
        before, self._frame = self._frame, Frame(self, workspace, registry(profile.keymap, user_actions()))
        await (self.switch_screen(self._frame) if before is not None else self.push_screen(self._frame))
        navigator = self.frame.navigator
        place = self._place or workspace.preferences.last_place or FIRST
        if not await navigator.open_typed(place):
            self._unopened = place
            await navigator.open(Place.parse(FIRST))
            self.frame.say(navigator.refusal, "warn")
        self.call_after_refresh(self._connect)

    async def use_profile(self, profile: Profile) -> None:
        """Close the open profile with its connections and cache, and open another one at its last place."""
        self.workers.cancel_group(self, "connect")
        await self.frame.end()
        self.profile, self._place, self._given, self._awaits_service = profile, None, None, False
        self.terminal_link.use(profile)
        await self.start(profile)

    async def begin_again(self, message: str) -> None:
        """Begin again on the start page, without anything that is remembered of the data of the service."""
        frame, profile = self.frame, self.frame.workspace.profile
        self.workers.cancel_group(self, "connect")
        frame.close_views()
        await demo_shell.close_and_clear(frame.workspace)
        self._place, self._given, self._awaits_service = FIRST, None, False
        await self.start(profile)
        self.frame.say(message, "ok")

    def _connect(self) -> None:
        self._begin(self._connected())

    def _begin(self, work: Coroutine[Any, Any, object]) -> None:
        """Run work in the background; an internal error is reported and the console continues."""

        async def guarded() -> None:
            try:
                await work
            except Exception as error:
                self.frame.say(self.report_internal_error(error), "bad")

        self.run_worker(guarded(), group="connect", exit_on_error=False)

    def _workspace_changed(self, event: Event) -> None:
        if self.frame.live is not None:
            self.frame.live.changed(event)
        if isinstance(event, LinkChanged):
            self.terminal_link.service_changed()
        self.frame.update_bars()
        if isinstance(event, SessionChanged):
            self._begin(self.frame.navigator.find_own())
        if isinstance(event, Synchronised):
            self.frame.say(*BY_NAME[event.kind].display.settled(event.record, event.not_applied))
        if isinstance(event, ChangedElsewhere):
            self._begin(self._mention(event))
        if self._awaits_service and isinstance(event, LinkChanged) and event.link.state in ("live", "slow"):
            self._awaits_service = False
            self.frame.say("")
            self._begin(self._log_in())

    async def _mention(self, event: ChangedElsewhere) -> None:
        self.frame.mention(await live.elsewhere_sentence(self.frame.workspace, BY_NAME[event.kind], event))

    async def _log_in(self) -> None:
        """Log in with the credentials of the profile, otherwise ask. While the service is unreachable, wait for it."""

        workspace = self.frame.workspace
        reason = await log_in_silently(self._client)
        trouble = await ping(workspace)
        if workspace.link.state == "offline":
            self._awaits_service = True
            self.frame.say(trouble or reason, "bad")
            return
        await self._ask_login(reason)

    async def _connected(self) -> None:
        """Load what the first picture did not need, then connect."""

        frame = self.frame
        workspace = frame.workspace
        await asyncio.to_thread(declarations)
        resume_garbage_collection()
        if self.demo is not None and self._awaits_demo:
            try:
                await demo_shell.prepared(self.demo, frame.say)
            except Exception as error:
                self._failure = error
                self.exit(1)
                return
            self._awaits_demo = False
        frame.declared = True
        await self._add_plugins()
        workspace.subscribe(self._workspace_changed)
        connect(workspace, self.session_ended)
        self.frame.navigator.declare_views()
        frame.update_bars()
        frame.set_interval(CLOCK, self._tick)
        await self._log_in()
        self.terminal_link.start(workspace)
        frame.live = live.LiveScreen(frame, lambda: self.app_focus)
        self._begin(frame.live.polling.run())
        workspace.live.follow(self._client)
        frame.update_bars()
        if self.key_map.changes_dialogs:
            await asyncio.to_thread(key_sets.check_dialog_keys, self.key_map)
        for title, text in notices(plugins.find().faults, self.key_map, self.terminal_link.theme_faults):
            await self.ask(messages.Notice(title, text))
        if self.key_map.replaced:
            self.frame.mention(" ".join(self.key_map.replaced))
        if self.demo is not None and self.demo.tour is not None and self._tour is None:
            self._tour = tour.Tour(self, lambda: self.frame, tour_jobs.JOBS, self.demo.tour)

    async def _add_plugins(self) -> None:
        """Add what installed packages bring, where there are any."""
        if plugins.add(await asyncio.to_thread(plugins.find)):
            self.frame.registry = registry(self.frame.workspace.profile.keymap, user_actions())
            waiting, self._unopened = self._unopened, ""
            if waiting and self.frame.view is not None and self.frame.view.kind == FIRST:
                self.frame.say("")
                await self.frame.navigator.open_typed(waiting)

    def _tick(self) -> None:
        """Update the time left; a session that another program ended is not used any longer."""
        session = self.frame.workspace.session
        if session is not None and session.ended_elsewhere:
            session.end()
            self._begin(self.session_ended(errors.SessionEnded(session_module.EARLY)))
        self.frame.tick()

    async def leave(self) -> None:
        """Quit the console; ask first when unsaved changes would be lost."""

        loss = self.frame.loss if self.started else ""
        if not loss or await self.ask(messages.Question(_("Discard unsaved changes and quit?"), loss)):
            self.exit(0)

    async def on_unmount(self) -> None:
        """Save the preferences and close the connections, however the console ends."""
        if self.started:
            await self.frame.workspace.close()

    def _fatal_error(self) -> None:
        """After an internal error, show no traceback, because it may contain private data; `run` raises the error."""
        self._close_messages_no_wait()

    def report_internal_error(self, error: BaseException) -> str:
        """Log an internal error of one action; returns the message. The console continues."""

        return crash.write_crash_log(error)

    @property
    def fault(self) -> Exception | None:
        """The error that ended the console, if any: an internal one, or of a demo that did not start."""
        return self._exception or self._failure

    @property
    def key_map(self) -> KeyMap:
        """The keys of actions and dialogs; the default keys before a profile is open."""
        return self._frame.registry.keys if self._frame is not None else DEFAULT_KEYS

    @property
    def started(self) -> bool:
        """Whether a profile is open and the frame is shown."""
        return self._frame is not None

    @property
    def frame(self) -> Frame:
        """The screen with the views. RuntimeError before a profile is open."""
        if self._frame is None:
            raise RuntimeError("the console has not started")
        return self._frame

    @property
    def _client(self) -> Client:
        """The client of the workspace. RuntimeError before it is connected."""
        client = self.frame.workspace.client
        if client is None:
            raise RuntimeError("the console is not connected")
        return client

    # --- session -----------------------------------------------------------------------------------------------

    async def _ask_login(self, reason: str) -> bool:
        client = self._client
        async with self._asking:
            if client.session.state == "full":
                return True
            logged_in = await self.ask(login.LoginBox(client, reason))
        if not logged_in:
            hidden = self.frame.workspace.records.hide()
            if hidden and not self.frame.loss:
                await self.frame.reopen()
            records = _("This profile shows records after a login") if hidden else _("Cached records can be browsed")
            self.frame.say(_("Not logged in. {records}.").format(records=records), "warn")
        return bool(logged_in)

    async def log_in(self) -> None:
        """Open the login dialog."""
        await self._ask_login("")

    async def session_ended(self, ended: SessionEnded) -> bool:
        """Log in again; waiting requests continue after it.

        A profile with a password logs in without a dialog, once.
        """

        reason = await log_in_silently(self._client)
        if not reason and self._client.session.state == "full":
            why = session_module.EARLY if session_module.EARLY in ended.sentence else ended.sentence
            self.frame.say(_("{why} Logged in again.").format(why=why), "warn")
        return await self._ask_login(reason or str(ended))

    async def ask(self, screen: ModalScreen[T]) -> T | None:
        """Open a dialog and wait for its answer."""
        done: asyncio.Future[T | None] = asyncio.get_running_loop().create_future()
        await self.push_screen(screen, lambda value: None if done.done() else done.set_result(value))
        screen.call_after_refresh(self.frame.opened, self.frame.opening)
        answer = await done
        self.frame.resume_action()
        return answer

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        super()._display(screen, renderable)
        if self._tour is not None:
            self._tour.drawn()
        if self.linear is not None:
            self.linear.drawn()

    def read_again(self) -> None:
        """Read the whole page again in the linear mode."""
        if self.linear is not None:
            self.linear.read_again()

    def watch_app_focus(self) -> None:
        """The terminal got or lost the focus."""
        if self._frame is not None and self._frame.live is not None:
            self._frame.live.used()
            self._frame.update_bars()

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.InputEvent) and self._frame is not None and self._frame.live is not None:
            self._frame.live.used()
            self.terminal_link.used()
        if isinstance(event, events.CursorPosition):
            self.terminal_link.replied(event.time)
            return
        if isinstance(event, (events.Key, events.Paste)) and not event.is_forwarded:
            if self._tour is not None and self._tour.takes(event):
                return
            if not (self.started and self.frame.holds(event)):
                await self.key_order.take(event)
            return
        await super().on_event(event)

    async def _send_key(self, event: events.Key | events.Paste) -> bool:
        """Send a key to the widget with the focus; False when it waits for what the frame is opening."""
        if self.started and self.frame.keeps(event):
            return False
        await super().on_event(event)
        return True

    # --- copying -----------------------------------------------------------------------------------------------

    def command(self, call: Call) -> CallLine:
        """The command line that sends the same request with the current profile."""
        return call_line.call_line(call, self.frame.workspace)

    async def copied(self, text: str) -> str:
        """Copy a text; returns the message with the way it took."""

        folder = self.frame.workspace.folders.data
        return (
            await clipboard.copy(text, self.terminal.clipboard, lambda sequence: send(self, sequence), folder)
        ).sentence

    async def copy(self, text: str, what: str) -> None:
        """Copy a text and report it in the status line."""
        self.frame.say(f"{what[:1].upper()}{what[1:]}: {await self.copied(text)}", "ok")


def prepare() -> None:
    """Load what the start page needs, while something else is shown."""
    import_module("svc_tui.console.shell.home_view")


def run(*, profile: Profile | None, place: str | None = None, read_only: bool = False, demo: Demo | None = None) -> int:
    """Run the console until it ends; returns its exit code or `WANTS_DEMO`. Raises its internal error."""

    console = Console(profile, place=place, read_only=read_only, terminal=capabilities(os.environ), demo=demo)
    code = console.run()
    if console.fault is not None:
        raise console.fault
    return code or 0
