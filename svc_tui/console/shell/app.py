"""The application: opens a profile, shows the last place, and connects after the first picture."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from textual import events
from textual.screen import ModalScreen, Screen

from svc_tui.console.core import call_line
from svc_tui.console.core.keys import KeyMap
from svc_tui.console.core.places import Place
from svc_tui.console.core.stage import DEFAULT_KEYS, Dialog
from svc_tui.console.dialogs import messages
from svc_tui.console.shell import connection, linear, tour, tour_tasks, welcome
from svc_tui.console.shell import demo as demo_shell
from svc_tui.console.shell.case_recorder import CaseRecorder
from svc_tui.console.shell.frame import Frame
from svc_tui.console.shell.guarded_app import GuardedApp
from svc_tui.console.shell.key_dispatch import KeyDispatch, Typed
from svc_tui.console.shell.registry import registry
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.shell.startup import (
    open_workspace,
    user_actions,
)
from svc_tui.console.shell.terminal_link import TerminalLink
from svc_tui.console.terminal import clipboard
from svc_tui.console.terminal.background import Background, ask_background, declared_light
from svc_tui.console.terminal.capabilities import Capabilities, capabilities
from svc_tui.console.terminal.driver import driver_class, record, send
from svc_tui.language import _

if TYPE_CHECKING:
    from rich.console import RenderableType

    from svc_tui.client.profile import Profile
    from svc_tui.console.core.call_line import CallLine, CommandCall
    from svc_tui.console.core.demo import Demo
    from svc_tui.workspace.workspace import Workspace

T = TypeVar("T")

#: The result of `run` when the demo was chosen on the welcome screen.
WANTS_DEMO = -1


class Console(GuardedApp, inherit_bindings=False):
    """The application: profile, session, places and clipboard."""

    TITLE = "svc-tui"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    CSS = """
    Screen { layers: base over; }
    Input:ansi > .input--cursor { background: ansi_default; color: ansi_default; }
    """

    def __init__(
        self,
        profile: Profile | None,
        *,
        place: str | None = None,
        read_only: bool = False,
        terminal: Capabilities,
        background: Background | None = None,
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
        self._connection: connection.Connection | None = None
        #: The place that could not be opened first: it can belong to a plug-in, which is loaded later.
        self._unopened = ""
        self.recorder = CaseRecorder()
        self.keys = KeyDispatch(self, self._holds)
        background = background or Background()
        self.typed_ahead = background.typed
        light = declared_light(os.environ) if background.light is None else background.light
        self.terminal_link = TerminalLink(
            self, terminal, light, lambda sentence: self.frame.show_unless_message(sentence)
        )
        # Before the first style sheet is read, which would be read again for another theme.
        self.terminal_link.use(profile)
        self._tour: tour.Tour | None = None
        #: Reads the screen as lines, if the terminal or the user asks for it.
        self.linear = linear.LinearMode(self) if terminal.linear else None
        self._asks_before_leaving = False
        #: Whether the data of a demo is still being prepared, and why its service did not start.
        self._awaits_demo = demo is not None
        self._failure: Exception | None = None

    async def on_mount(self) -> None:
        self.report_task_errors()
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
        self.guarded = self._frame
        await (self.switch_screen(self._frame) if before is not None else self.push_screen(self._frame))
        navigator = self.frame.navigator
        place = self._place or workspace.preferences.last_place or Frame.FIRST
        self._unopened = ""
        if not await navigator.open_typed(place):
            self._unopened = place
            await navigator.open(Place.parse(Frame.FIRST))
            self.frame.show_message(navigator.refusal, "warn")
        self.call_after_refresh(self._connect)

    def _connect(self) -> None:
        self._connection = connection.Connection(self.frame, self._unopened)
        self._connection.open()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    async def prepare_demo(self) -> bool:
        """Wait until the service of the demo responds; False when it did not start, which ends the console."""
        if self.demo is not None and self._awaits_demo:
            try:
                await demo_shell.prepared(self.demo, self.frame.show_unless_warning, self.terminal)
            except Exception as error:
                self._failure = error
                self.exit(1)
                return False
            self._awaits_demo = False
        return True

    def start_tour(self) -> None:
        """Start the tour that a demo was started with."""
        if self.demo is not None and self.demo.tour is not None and self._tour is None:
            self._tour = tour.Tour(self, lambda: self.frame, tour_tasks.TASKS, self.demo.tour, self.keys)

    async def use_profile(self, profile: Profile) -> None:
        """Close the open profile with its connections and cache, and open another one at its last place."""
        self._disconnect()
        await self.frame.end()
        self.profile, self._place, self._given = profile, None, None
        self.terminal_link.use(profile)
        await self.start(profile)

    async def start_over(self, message: str) -> None:
        """Begin again on the start page, without anything that is remembered of the data of the service."""
        frame, profile = self.frame, self.frame.workspace.profile
        self._disconnect()
        frame.close_views()
        await demo_shell.close_and_clear(frame.workspace)
        self._place, self._given = Frame.FIRST, None
        await self.start(profile)
        self.frame.show_message(message, "ok")

    async def leave(self) -> None:
        """Quit the console; ask first, once, when unsaved changes would be lost or a dialog has not ended its work."""
        in_views = self.frame.loss if self.started else ""
        in_dialogs = [screen.loss for screen in self.screen_stack if isinstance(screen, Dialog)]
        losses = [loss for loss in (in_views, *in_dialogs) if loss]
        if not losses:
            self.exit(0)
        elif not self._asks_before_leaving:
            self._asks_before_leaving = True
            title = _("Discard unsaved changes and quit?") if in_views else _("Quit now?")
            try:
                if await self.ask(messages.Question(title, " ".join(losses))):
                    self.exit(0)
            finally:
                self._asks_before_leaving = False

    async def on_unmount(self) -> None:
        """Save the preferences and close the connections, however the console ends."""
        if self.started:
            await self.frame.workspace.close()

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

    # --- session -----------------------------------------------------------------------------------------------

    async def log_in(self) -> None:
        """Open the login dialog."""
        if self._connection is None:
            raise RuntimeError("the console is not connected")
        await self._connection.log_in()

    async def ask(self, screen: ModalScreen[T]) -> T | None:
        """Open a dialog and wait for its answer."""
        done: asyncio.Future[T | None] = asyncio.get_running_loop().create_future()
        await self.push_screen(screen, lambda value: None if done.done() else done.set_result(value))
        screen.call_after_refresh(self.frame.opened, self.frame.opening)
        answer = await done
        self.frame.openings.resume()
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
        if not isinstance(event, Typed) or event.is_forwarded:
            await super().on_event(event)
        elif self._tour is None or not self._tour.stops():
            self.app_focus = True
            self.keys.take(event)

    def _holds(self, event: Typed) -> bool:
        """Whether a key or a pasted text waits for what the frame is opening."""
        return self._frame is not None and self._frame.openings.holds(event)

    def press_again(self, typed: Sequence[Typed]) -> None:
        """Press keys that waited, before those that were typed since."""
        self.keys.take_again(typed)

    # --- copying -----------------------------------------------------------------------------------------------

    def command(self, call: CommandCall) -> CallLine:
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
        self.frame.show_message(f"{what[:1].upper()}{what[1:]}: {await self.copied(text)}", "ok")


def prepare() -> None:
    """Load what the start page needs, while something else is shown."""
    import_module("svc_tui.console.shell.home_view")


def run(*, profile: Profile | None, place: str | None = None, read_only: bool = False, demo: Demo | None = None) -> int:
    """Run the console until it ends; returns its exit code or `WANTS_DEMO`. Raises its internal error."""

    terminal = capabilities(os.environ)
    background = None
    # Elsewhere the colours are those of the terminal, and on its background anyway.
    if not (terminal.plain_colours or terminal.linear) and terminal.colours and driver_class() is not None:
        background = ask_background(sys.stdin.fileno(), sys.stderr.fileno())
    console = Console(profile, place=place, read_only=read_only, terminal=terminal, background=background, demo=demo)
    code = console.run()
    if console.fault is not None:
        raise console.fault
    return code or 0
