"""What both drivers of the console change in the driver of Textual: how keys are read, and how it continues."""

from __future__ import annotations

from typing import Any

from textual.drivers.linux_driver import LinuxDriver

from svc_tui.console.terminal.key_parser import use_key_parser


class BaseDriver(LinuxDriver):
    """The driver of Textual for Linux and macOS."""

    def run_input_thread(self) -> None:
        use_key_parser(self._has_cursor)
        super().run_input_thread()

    def _has_cursor(self) -> bool:
        """Whether the focused widget has a text cursor, where terminals show what an input method composes."""
        focused = self._app.screen_stack[-1].focused if self._app.screen_stack else None
        return hasattr(focused, "cursor_screen_offset")

    def _sigcont_application(self, *_: Any) -> None:
        if self._auto_restart and not self._must_signal_resume:
            # After SIGSTOP nothing was ended: a second input thread would start, and the console would never end.
            self.suspend_application_mode()
            self._must_signal_resume = True
        super()._sigcont_application()
