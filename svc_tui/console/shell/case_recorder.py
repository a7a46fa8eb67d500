"""Collects what happens in the console in the case that is open: one place that listens, quietly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from svc_tui.console.core import case_steps
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.shell.view_stack import is_place
from svc_tui.console.views.view import View
from svc_tui.language import _
from svc_tui.workspace.core.events import ChangeMade, Event, SessionChanged
from svc_tui.workspace.files.cases import Case, Cases

if TYPE_CHECKING:
    from svc_tui.client.call_log import LoggedCall
    from svc_tui.workspace.workspace import Workspace


class Followed(Protocol):
    """The frame that is followed."""

    declared: bool
    workspace: Workspace

    @property
    def view(self) -> View | None: ...
    def show_message(self, text: str, style: str = "") -> None: ...
    def show_unless_message(self, text: str) -> None: ...
    def update_bars(self) -> None: ...


class CaseRecorder:
    """The cases of the user, and the one that is collected here. It outlives the frame of a profile."""

    def __init__(self) -> None:
        self._cases: Cases | None = None
        self._frame: Followed | None = None
        self._resumed = False
        self._forget: list[Callable[[], None]] = []
        #: The number of the case that is collected; empty for none.
        self.current = ""
        #: The last step of each kind, and the findings that were seen, so that nothing is collected twice.
        self._last: dict[str, object] = {}
        self._said = ""

    @property
    def cases(self) -> Cases:
        """The cases of this user. RuntimeError before `follow`."""
        if self._cases is None:
            raise RuntimeError("no frame is followed")
        return self._cases

    def follow(self, frame: Followed) -> None:
        """Collect from a frame, and no longer from the one before."""
        for forget in self._forget:
            forget()
        self._frame = frame
        workspace = frame.workspace
        self._cases = Cases(workspace.folders.data / "cases", workspace.now)
        self._forget = [workspace.subscribe(self._happened), workspace.log.subscribe(self._called)]
        self._console()

    async def resume(self) -> None:
        """Continue the newest open case, once after a start."""
        if self._resumed or self._frame is None:
            return
        self._resumed = True
        if not self.current and (number := await asyncio.to_thread(self.cases.newest_open)):
            self.use(number)
            self._frame.show_unless_message(_("Case {number} is continued. `:case` shows it.").format(number=number))

    def use(self, number: str) -> None:
        """Collect in this case from now on; an empty number ends the collecting."""
        self.current, self._last, self._said = number, {}, ""
        self._console()
        if self._frame is not None:
            self.viewed(self._frame.view)
            self._frame.update_bars()

    def start(self, subject: str = "") -> Case:
        """Start a case and collect in it. OSError when it cannot be stored."""
        case = self.cases.start(subject)
        self.use(case.number)
        return case

    def collect(self, what: str, values: Mapping[str, Any], personal: Mapping[str, Any] | None = None) -> bool:
        """Add a step to the current case, unless it is the last one of its kind again; whether it was added."""
        step = (dict(values), dict(personal or {}))
        if not self.current or self._last.get(what) == step:
            return False
        self._last[what] = step
        if self.cases.add(self.current, what, *step):
            return True
        if self.cases.error_message != self._said and self._frame is not None:
            self._said = self.cases.error_message
            self._frame.show_message(self._said, "warn")
        return False

    def viewed(self, view: View | None) -> None:
        """Collect what a view shows."""
        if self.current and view is not None and is_place(view) and self._declared:
            searches = view.kind == "results"
            self.collect("search" if searches else "view", *case_steps.of_view(view.link, view.resource, BY_NAME))
            self.found(view)

    def found(self, view: View | None) -> None:
        """Collect the findings that a view shows; each once."""
        if not self.current or view is None or not view.findings or not self._declared:
            return
        for finding in view.findings:
            key = f"{view.place} {finding.kind} {finding.field} {finding.rule} {finding.record_id}"
            if key not in self._last:
                self._last[key] = True
                self.collect("finding", *case_steps.of_finding(view.place, finding, BY_NAME))

    @property
    def _declared(self) -> bool:
        return self._frame is not None and self._frame.declared

    def _console(self) -> None:
        """Collect which console it is: its service, profile and roles."""
        if not self.current or self._frame is None:
            return
        workspace = self._frame.workspace
        caller = workspace.caller
        values: dict[str, Any] = {"service": urlsplit(workspace.profile.base_url).hostname or ""}
        if caller is not None:
            values["roles"] = ", ".join(sorted(role.value for role in caller.roles))
        self.collect("console", values, {"profile": workspace.profile.name})

    def _happened(self, event: Event) -> None:
        if not self.current or self._frame is None:
            return
        if isinstance(event, ChangeMade):
            self._last.pop("change", None)
            self.collect("change", *case_steps.of_change(event, self._frame.workspace))
        elif isinstance(event, SessionChanged):
            self._console()

    def _called(self, call: LoggedCall) -> None:
        if self.current and not call.awaited:
            self.collect("request", *case_steps.of_request(call))
