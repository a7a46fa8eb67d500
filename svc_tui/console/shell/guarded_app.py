"""The application's way with errors that nothing handled: views of plug-ins are closed, an own one ends the console."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import App

from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from textual.dom import DOMNode
    from textual.widget import Widget

    from svc_tui.console.shell.stage import StageScreen
    from svc_tui.workspace.core import crash
else:
    crash = lazy_import("svc_tui.workspace.core.crash")


class GuardedApp(App[int], inherit_bindings=False):
    """An application that the widgets of plug-ins cannot end."""

    #: The screen with the views; None before a profile is open.
    guarded: StageScreen | None = None

    def _register_child(self, parent: DOMNode, child: Widget, before: int | None, after: int | None) -> None:
        if self.guarded is not None:
            self.guarded.of_plugins.guard(child)
        super()._register_child(parent, child, before, after)

    def _handle_exception(self, error: Exception) -> None:
        """An error that nothing handled ends the console, unless it comes from a view of a plug-in."""
        if self.guarded is None or not self.guarded.plugin_failed(error):
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """After an internal error, show no traceback, because it may contain private data; `run` raises the error."""
        self._close_messages_no_wait()

    def report_internal_error(self, error: BaseException) -> str:
        """Log an internal error of one action; returns the message. The console continues."""
        return crash.write_crash_log(error)
