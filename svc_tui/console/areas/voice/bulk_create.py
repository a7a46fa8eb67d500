"""Creating many: extensions, numbers and devices of users from a file, and ranges of DDI numbers, as jobs with a dry
run. The passwords of new extensions are shown once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from svc_tui.console.core.actions import performed
from svc_tui.console.core.dialog_keys import CLOSE, COPY, DOWN, PAGE_DOWN, PAGE_UP, SAVE, UP
from svc_tui.console.core.resource import Context
from svc_tui.console.core.stage import host_of
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.path import PathBox
from svc_tui.console.dialogs.text_editor import TextEditor
from svc_tui.console.editing.bulk import BulkBox, show_result
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.interface.telephone_numbers import written
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import Job, JobStep, PlannedPhones, SubscriberFileError
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.core.service import LARGEST_REQUEST
from svc_tui.workspace.files import export
from svc_tui.workspace.voice.bulk_create import COLUMNS, MOST_BYTES, SubscriberRows, planned_phones, read_subscribers
from svc_tui.workspace.voice.number_ranges import summary, typed_numbers


class _NumbersEditor(TextEditor):
    """The editor for new DDI numbers; its next step is the list of what would be created."""

    KEYS = (SAVE.labelled(_("Review")), CLOSE.labelled(_("Discard")))


class _Import(BulkBox):
    """The job for the lines of a file, which has no records to mark."""

    AFTERWARDS = ""


async def create_from_file(context: Context) -> None:
    """Choose a file, check the plan of each line, and give the users what it says."""
    resource, workspace = context.require_resource(), context.workspace
    file = await context.stage.ask(SubscriberFile())
    if file is None:
        return
    pbx = await _pbx(context, resource.path_at(context.view.place, workspace.caller))
    plan = await planned_phones(workspace, pbx, file.lines, lambda operation: workspace.decide(operation).reason)
    job = Job(workspace, "create_subscriber", [line.step for line in plan])
    reasons = {line.id: line.problem for line in plan if line.problem}
    unchanged = [line.id for line in plan if not line.request and not line.problem]
    notes = {line.id: line.gets for line in plan if line.gets}
    action = performed(context)
    unread = _("Columns that are not read: {names}.").format(names=", ".join(file.unread)) if file.unread else ""
    shown = (action, resource, job, reasons, notes, unread)
    await context.stage.ask(_Import(workspace.journal, *shown, unchanged=unchanged))
    context.view.refresh_now()
    show_result(context, action.label, job)
    if passwords := _passwords(plan, job):
        await context.stage.ask(PasswordsBox(passwords))


async def create_numbers(context: Context) -> None:
    """Type ranges or a list of DDI numbers, and create them."""
    resource, workspace = context.require_resource(), context.workspace
    path = resource.path_at(context.view.place, workspace.caller)
    country = (await _pbx(context, path)).get("country")
    listed = await workspace.read(resource.list, path, {"limit": LARGEST_REQUEST, "offset": 0})
    taken = {str(row.get("numberE164")) for row in listed.get("data") or ()}

    def check(text: str) -> tuple[str, str]:
        try:
            return summary(typed_numbers(text, country, taken), country)
        except ValueError as error:
            return "", str(error)

    hint = _("210996100-119, 210996100 x 20, or a list with one number or range per line")
    text = await context.stage.ask(_NumbersEditor(_("New DDI numbers"), "", hint, check))
    try:
        numbers = typed_numbers(text or "", country, taken)
    except ValueError as error:
        context.stage.show_message(str(error), "warn")
        return
    if not numbers:
        return
    steps = [
        JobStep(str(at), written(each.number, country), path, {"number": each.number})
        for at, each in enumerate(numbers)
    ]
    reasons = {str(at): each.problem for at, each in enumerate(numbers) if each.problem}
    job, action = Job(workspace, resource.create, steps), performed(context)
    await context.stage.ask(_Import(workspace.journal, action, resource, job, reasons))
    context.view.refresh_now()
    show_result(context, action.label, job)


def _passwords(plan: Sequence[PlannedPhones], job: Job) -> list[tuple[str, str, str]]:
    """Number, name and password of the extensions whose password the service created."""
    found = []
    for line, result in zip(plan, job.results, strict=True):
        data = result.answer.get("data")
        password = data.get("password") if isinstance(data, dict) else None
        if password and not line.password:
            found.append((line.number, line.name, str(password)))
    return found


async def _pbx(context: Context, path: Mapping[str, str]) -> Mapping[str, Any]:
    """The CloudPBX. ReadError when it cannot be read."""
    return (await context.workspace.read("get_cloudpbx", path, {})).get("data") or {}


def _read(path: str) -> SubscriberRows:
    """The lines of a file. SubscriberFileError with the reason."""
    try:
        file = expanded(Path(path))
        if not file.is_file():
            raise SubscriberFileError(_("This file does not exist.") if not file.exists() else _("This is not a file."))
        with file.open("rb") as opened:
            # One byte more than the limit is enough to detect a file that is too large.
            return read_subscribers(opened.read(MOST_BYTES + 1))
    except (OSError, ValueError, RuntimeError) as error:
        raise SubscriberFileError(
            _("Could not read the file: {reason}.").format(reason=getattr(error, "strerror", None) or error)
        ) from error


class SubscriberFile(PathBox[SubscriberRows]):
    """Returns the lines of the file, or None when closed. Faults of the file are shown in the dialog."""

    ENDINGS = (".csv", ".xlsx")

    def __init__(self) -> None:
        super().__init__(_("Telephony from a file"), f"{COLUMNS}.")

    async def take(self, path: str) -> None:
        try:
            lines = await asyncio.to_thread(_read, path)
        except SubscriberFileError as error:
            self.show_error(str(error))
            return
        self.dismiss(lines)


class PasswordsBox(Box[None]):
    """Passwords of several subscribers, shown once: number, name and password of each."""

    DEFAULT_CSS = "PasswordsBox Sheet { height: auto; max-height: 12; }"
    KEYS = (
        COPY.labelled(_("Copy all as CSV")),
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        CLOSE,
    )

    def __init__(self, passwords: Sequence[tuple[str, str, str]]) -> None:
        super().__init__(_("SIP passwords of {subscribers}").format(subscribers=counted(len(passwords), "subscriber")))
        self._passwords = passwords
        self._kept = False

    def body(self) -> Iterable[Widget]:
        yield plain(_("Save these passwords now. They are not shown again."))
        sheet = Sheet(label_width=44)
        yield sheet
        yield plain("", id="message")

    def on_mount(self) -> None:
        sheet = self.query_one(Sheet)
        lines = [
            Line("field", safe_text(f"{number}  {name}").text, safe_text(password).text, key=str(at), secret=True)
            for at, (number, name, password) in enumerate(self._passwords)
        ]
        sheet.styles.height = len(lines)
        sheet.show(lines)
        self.set_focus(None)

    def move(self, by: int) -> None:
        self.query_one(Sheet).move(by)

    async def action_copy(self) -> None:
        rows = [
            ("shortNumber", "name", "password"),
            *((number, export.escaped(name), word) for number, name, word in self._passwords),
        ]
        self._say(await host_of(self.app).copied("".join(export.csv_line(row) for row in rows)))
        self._kept = True

    def action_close(self) -> None:
        """Close; passwords that are not copied are confirmed by a second key press."""
        if self._kept:
            self.dismiss(None)
            return
        self._kept = True
        self._say(self.with_keys(_("Not copied yet: {copy} copies the passwords, {close} again closes.")))

    def _say(self, text: str) -> None:
        self.query_one("#message", Static).update(Content(safe_text(text).text))
