"""The application's way with errors that nothing handled: views of plug-ins are closed, an own one ends the console."""

from __future__ import annotations

import asyncio
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from textual.app import App

from svc_tui.client.errors import ServiceError
from svc_tui.workspace.core import crash
from svc_tui.workspace.core.service import ReadError

if TYPE_CHECKING:
    from textual.driver import Driver

    from svc_tui.console.shell.stage import StageScreen


class GuardedApp(App[int], inherit_bindings=False):
    """An application that the widgets of plug-ins cannot end."""

    #: The screen with the views; None before a profile is open.
    guarded: StageScreen | None = None
    #: What was typed before the driver reads the terminal, which gives it to the application.
    typed_ahead = b""

    def __init__(self, driver_class: type[Driver] | None) -> None:
        super().__init__(driver_class=driver_class)
        #: Where the reported errors of tasks were raised: what fails is often tried again.
        self._failed_places: set[str] = set()

    def _handle_exception(self, error: Exception) -> None:
        """An error that nothing handled ends the console, unless it comes from a view of a plug-in."""
        if self.guarded is None or not self.guarded.plugin_failed(error):
            super()._handle_exception(error)

    def report_task_errors(self) -> None:
        """From now on, report the errors of tasks that nothing waits for, each once. The console continues."""
        asyncio.get_running_loop().set_exception_handler(self._task_failed)

    def _task_failed(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        # The errors of connections come to those who use them too, and a failed request may have lost its reader.
        if "transport" in context or not isinstance(error, Exception) or isinstance(error, ServiceError | ReadError):
            return
        place = _place_of(error)
        if place in self._failed_places:
            return
        self._failed_places.add(place)
        if self.guarded is not None:
            self.guarded.show_error(error)
        else:
            self.report_internal_error(error)

    def _fatal_error(self) -> None:
        """After an internal error, show no traceback, because it may contain private data; `run` raises the error."""
        self._close_messages_no_wait()

    def report_internal_error(self, error: BaseException) -> str:
        """Log an internal error of one action; returns the message. The console continues."""
        if not self.is_running:
            # After a signal, work that has just begun fails when the event loop is closed, which is no fault.
            return ""
        return crash.write_crash_log(error)


def _place_of(error: Exception) -> str:
    """The line that raised an error, with its kind. That of a future may never have been raised: then its text."""
    name, frames = type(error).__name__, list(walk_tb(error.__traceback__))
    if not frames:
        return f"{name}: {error}"
    frame, line = frames[-1]
    return f"{name} {frame.f_code.co_filename}:{line}"
