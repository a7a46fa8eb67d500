"""A driver for Textual that sends only the changes of the screen.

Textual writes whole widgets, each piece with its colours and a reset. This driver draws each frame into a picture and
sends the difference from the picture on the terminal. Everything else (modes, queries, the clipboard) is passed on.
Where this driver does not work, `driver_class` returns None, and the driver of Textual is used.
"""

import os
import re
import sys
import termios
import threading
import tty
from collections.abc import Sequence
from typing import Any

from textual.app import App
from textual.driver import Driver
from textual.events import Resize
from textual.geometry import Size
from textual.message import Message

from svc_tui.console.terminal.base_driver import BaseDriver
from svc_tui.console.terminal.capabilities import capabilities
from svc_tui.console.terminal.picture import FRAME_START, Picture
from svc_tui.console.terminal.recording import ScreenRecording
from svc_tui.console.terminal.round_trip import QUESTION
from svc_tui.console.terminal.updates import Terminal

#: The sequences of the console that are passed on: text for the clipboard, and the bell.
_PASSED_ON = re.compile(r"\x1b\]52;[^\x07\x1b]*(?:\x07|\x1b\\)|\x07")


class LinearDriver(BaseDriver):
    """Takes keys as usual. The cursor of the terminal stays at the end of the last line."""

    def write(self, data: str) -> None:
        """Drop pictures and modes."""
        for sequence in _PASSED_ON.findall(data):
            super().write(sequence)

    def append(self, lines: Sequence[str]) -> None:
        """Append lines of safe text."""
        super().write("".join(f"\r\n{line}" for line in lines))
        self.flush()

    def extend(self, text: str) -> None:
        """Append safe text to the last line."""
        super().write(text)
        self.flush()

    def stop_application_mode(self) -> None:
        """Leave the last line to the shell."""
        if self._writer_thread is not None:
            super().write("\r\n")
        super().stop_application_mode()


_SYNC_START = "\x1b[?2026h"
_SYNC_END = "\x1b[?2026l"
#: Up to this size, changes arrive in one piece without being marked as one update.
_SHORT = 400
#: Sequences that change neither picture nor cursor: modes, queries, keyboard protocols, titles, clipboard, bell.
_QUIET = re.compile(
    r"(?:\x1b\[6n|\x1b\[[?>=<][\d;]*[hlun]|\x1b\[\??[\d;]*\$p|\x1b\[[>=]?\d*[cq]|\x1b\](?!8)\d+;[^\x07\x1b]*(?:\x07|\x1b\\)|\x07)+"
)
_OTHER_SCREEN = re.compile(r"\x1b\[\?(?:47|1047|1049)[hl]")
_LEAVES_SCREEN = "\x1b[?1049l"
#: What the shell writes then begins at the left, also where there is no other screen.
_ERASE = "\x1b[2J\x1b[H"


class FrugalDriver(BaseDriver):
    """The driver of Textual for Linux and macOS, which sends the difference between pictures."""

    def __init__(self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: Any = None) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        can = capabilities(os.environ)
        self._wanted = Picture(unicode=can.unicode, colours=can.colours > 0)
        self._terminal = Terminal(
            scroll_region=can.scroll_region, erases_cells=can.erases_cells, erases_in_colour=can.erases_in_colour
        )
        self._in_sync = False
        self._terminal_changed = False
        self._fitted = Size()
        # The input thread of Textual writes too, when it replies to the terminal.
        self._writing = threading.Lock()
        self._recording: ScreenRecording | None = None
        #: What the recording shows, which is the screen with masked secrets.
        self._recorded = Terminal()

    def write(self, data: str) -> None:
        """Draw a frame, or pass other sequences on."""
        with self._writing:
            if data == _SYNC_START:
                self._in_sync = True
            elif data == _SYNC_END:
                self._in_sync = False
                self._show(_SYNC_START, _SYNC_END)
            elif FRAME_START.match(data):
                self._wanted.draw(data)
                self._fit()
                if not self._in_sync:
                    self._show()
            else:
                self._pass_on(data)

    def start_application_mode(self) -> None:
        """Begin, with line feeds that go straight down: the system would add a carriage return to each."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if (
            self._file is not None
            and disable_output_processing(self.fileno)
            and disable_output_processing(self._file.fileno())
        ):
            self._terminal.down = "\n"

    def record(self, recording: ScreenRecording) -> None:
        """Record each picture from now on, with masked secrets."""
        self._recording = recording

    def repaint(self) -> None:
        """Send the whole picture with the next frame, after another program has written to the screen."""
        self._terminal_changed = True

    def process_message(self, message: Message) -> None:
        """Take a report of the terminal. After one of its size, nothing is assumed about it, even with the old size."""
        if isinstance(message, Resize):
            self._resized()
        super().process_message(message)

    def _get_terminal_size(self) -> tuple[int, int]:
        # Read at the start and after each change of the size.
        self._resized()
        return super()._get_terminal_size()

    def _resized(self) -> None:
        self.repaint()
        # Textual draws nothing when the size is unchanged.
        self._loop.call_soon_threadsafe(self._app.refresh)

    def _fit(self) -> None:
        """Remove cells outside the current size from the picture, also those of a late frame."""
        size = self._app.size
        self._wanted.crop(size.width, size.height)
        if size != self._fitted:
            self._fitted = size
            self._terminal.forget()
            self._recorded.forget()

    def _show(self, before: str = "", after: str = "") -> None:
        if self._terminal_changed:
            self._terminal_changed = False
            self._terminal.forget()
        if not self._edits_text():
            # An input without the focus leaves a cursor position too, which need not be sent.
            self._wanted.cursor = (0, 0)
        changes = self._terminal.show(self._wanted)
        if len(changes) <= _SHORT and not self._terminal.moved:
            before = after = ""
        if changes:
            super().write(f"{before}{changes}{after}")
        if self._recording is not None and (drawn := self._recorded.show(self._wanted.masked())):
            self._recording.drawn(drawn, (self._fitted.width, self._fitted.height))

    def _pass_on(self, data: str) -> None:
        other_screen = _OTHER_SCREEN.search(data)
        if not other_screen and _QUIET.fullmatch(data):
            super().write(data)
            return
        # After a resize, tmux would leave lines of this screen in the other one.
        super().write(self._terminal.rest() + data.replace(_LEAVES_SCREEN, f"{_ERASE}{_LEAVES_SCREEN}"))
        self._terminal.forget()
        if other_screen:
            self._wanted.clear()
            if self._recording is not None:
                self._recording.cleared()
                self._recorded.forget()


def disable_output_processing(terminal: int) -> bool:
    """Whether the system now passes output to this terminal unchanged. The driver restores the state at its end."""
    try:
        attributes = termios.tcgetattr(terminal)
        attributes[tty.OFLAG] &= ~termios.OPOST
        termios.tcsetattr(terminal, termios.TCSANOW, attributes)
        return not termios.tcgetattr(terminal)[tty.OFLAG] & termios.OPOST
    except termios.error:
        return False


def driver_class() -> type[Driver] | None:
    """The driver for this terminal, for `App(driver_class=…)`; None for the choice of Textual."""
    if sys.platform == "win32" or os.environ.get("TEXTUAL_DRIVER"):
        return None
    return LinearDriver if capabilities(os.environ).linear else FrugalDriver


def send(app: App[Any], sequence: str) -> None:
    """Write a control sequence to the terminal, for example for its clipboard."""
    if app._driver is not None:
        if sequence == QUESTION and isinstance(app._driver, BaseDriver):
            app._driver.expect_reply()
        app._driver.write(sequence)


def record(app: App[Any], recording: ScreenRecording) -> None:
    """Record the output of the console from now on, with masked secrets; nothing in a mode that draws nothing."""
    if isinstance(app._driver, FrugalDriver):
        app._driver.record(recording)


def repaint(app: App[Any]) -> None:
    """Draw the whole screen again, after another program has written to it."""
    driver = app._driver
    if isinstance(driver, FrugalDriver):
        driver.repaint()
    app.refresh()
