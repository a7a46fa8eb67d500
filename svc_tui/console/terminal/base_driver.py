"""What both drivers of the console change in the driver of Textual: how keys are read, how it ends and continues."""

from __future__ import annotations

import threading
import time
from typing import Any

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.events import CursorPosition
from textual.message import Message

from svc_tui.console.terminal.key_parser import use_key_parser

#: The most seconds for which the end waits for a reply of the terminal.
_PATIENCE = 1.0


class BaseDriver(LinuxDriver):
    """The driver of Textual for Linux and macOS."""

    def __init__(self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: Any = None) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._replied = threading.Event()
        self._patient_until = 0.0

    def expect_reply(self) -> None:
        """The terminal was asked for the position of the cursor."""
        self._replied.clear()
        self._patient_until = time.monotonic() + _PATIENCE

    def process_message(self, message: Message) -> None:
        """Take a message of the input thread."""
        if isinstance(message, CursorPosition):
            self._replied.set()
        super().process_message(message)

    def disable_input(self) -> None:
        """Read no more input. A reply that arrives later would be typed into the shell or into another program."""
        self._replied.wait(max(0.0, self._patient_until - time.monotonic()))
        super().disable_input()

    def run_input_thread(self) -> None:
        use_key_parser(self._has_cursor)
        super().run_input_thread()

    def _has_cursor(self) -> bool:
        """Whether the focused widget has a text cursor, where terminals show what an input method composes."""
        # The input thread asks too, while screens are closed.
        screens = self._app.screen_stack
        return bool(screens) and hasattr(screens[-1].focused, "cursor_screen_offset")

    def _sigcont_application(self, *_: Any) -> None:
        if self._must_signal_resume:
            super()._sigcont_application()
        else:
            # After SIGSTOP. The handler can interrupt a write, which it would wait for without end.
            self._loop.call_soon_threadsafe(self._restart)

    def _restart(self) -> None:
        """End and begin again. SIGSTOP ended nothing: a second input thread would start, and the console never end."""
        if self._auto_restart and self._key_thread is not None and self._key_thread.is_alive():
            self.suspend_application_mode()
            self._must_signal_resume = True
            self.resume_application_mode()
