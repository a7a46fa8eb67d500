"""What both drivers of the console change in the driver of Textual: how keys are read, how it ends and continues."""

from __future__ import annotations

import os
import threading
import time
from codecs import getincrementaldecoder
from select import select
from typing import Any

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.events import CursorPosition
from textual.message import Message

from svc_tui.console.terminal.key_parser import KeyParser, edits_text

#: The most seconds for which the end waits for a reply of the terminal.
_PATIENCE = 1.0


class BaseDriver(LinuxDriver):
    """The driver of Textual for Linux and macOS."""

    def __init__(self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: Any = None) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        #: What was typed while another part of the start read the terminal.
        self._typed_ahead: bytes = getattr(app, "typed_ahead", b"")
        self._replied = threading.Event()
        self._patient_until = 0.0
        #: Ends the input thread, which reads this end of a pipe beside the terminal.
        self._end_of_input, self._end_input = os.pipe()
        #: Whether the input ends to begin again: what was typed before is then read, and otherwise discarded.
        self._continues = False

    def expect_reply(self) -> None:
        """The terminal was asked for the position of the cursor."""
        self._replied.clear()
        self._patient_until = time.monotonic() + _PATIENCE

    def process_message(self, message: Message) -> None:
        """Take a message of the input thread."""
        if isinstance(message, CursorPosition):
            self._replied.set()
        super().process_message(message)

    def send_message(self, message: Message) -> None:
        """Send a message to the application, from any thread.

        Textual makes a task and a future between two threads of each message.
        """
        self._loop.call_soon_threadsafe(self._app.post_message, message)

    def disable_input(self) -> None:
        """Read no more input. A reply that arrives later would be typed into the shell or into another program."""
        self._replied.wait(max(0.0, self._patient_until - time.monotonic()))
        if self._key_thread is not None and self._key_thread.is_alive():
            os.write(self._end_input, b"\0")
        super().disable_input()

    def run_input_thread(self) -> None:
        """Read the input until it is disabled.

        The thread of Textual looks ten times a second whether it should end, which costs time in silence and when the
        console is left.
        """
        parser = KeyParser(self._debug, self._edits_text)
        decode = getincrementaldecoder("utf-8")("replace").decode
        typed, self._typed_ahead = self._typed_ahead, b""
        self._feed(parser, decode(typed))
        while True:
            ready, _, _ = select([self.fileno, self._end_of_input], [], [], parser.patience)
            ends = self._end_of_input in ready
            if ends:
                os.read(self._end_of_input, 1)
                if not self._continues:
                    return
            if self.fileno in ready:
                data = os.read(self.fileno, 4096)
                if not data:
                    return
                self._feed(parser, decode(data))
            if ends:
                return
            for event in parser.tick():
                self.process_message(event)

    def _feed(self, parser: KeyParser, text: str) -> None:
        # A read can end within a character. The parser takes an empty text as the end of the input.
        if text:
            for event in parser.feed(text):
                self.process_message(event)

    def _edits_text(self) -> bool:
        """Whether the focused widget edits text."""
        # The input thread asks too, while screens are closed.
        screens = self._app.screen_stack
        return bool(screens) and edits_text(screens[-1].focused)

    def _sigcont_application(self, *_: Any) -> None:
        if self._must_signal_resume:
            super()._sigcont_application()
        else:
            # After SIGSTOP. The handler can interrupt a write, which it would wait for without end.
            self._loop.call_soon_threadsafe(self._restart)

    def _restart(self) -> None:
        """End and begin again. SIGSTOP ended nothing: a second input thread would start, and the console never end."""
        if self._auto_restart and self._key_thread is not None and self._key_thread.is_alive():
            self._continues = True
            self.suspend_application_mode()
            self._continues = False
            self._must_signal_resume = True
            self.resume_application_mode()
