"""An action in bulk as a job: a dry run, the first record, then the rest, with progress and results."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from textual import on, work
from textual.widget import Widget
from textual.widgets import Input

from svc_tui.console.core.actions import Action, needs_typing, performed
from svc_tui.console.core.call_line import CallLine, CommandCall
from svc_tui.console.core.dialog_keys import CLOSE, DOWN, PAGE_DOWN, PAGE_UP, UP
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.core.stage import host_of
from svc_tui.console.dialogs.box import Box, confirmation_input, plain
from svc_tui.console.dialogs.command_lines import CommandLines
from svc_tui.console.dialogs.preview import COMMAND
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.formatting import duration
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.interface.catalogue import operation
from svc_tui.language import _, number_text
from svc_tui.workspace.changes import bulk
from svc_tui.workspace.changes.journal import Journal, UndoEntry

if TYPE_CHECKING:
    from svc_tui.workspace.changes.bulk import Job, StepResult


NEXT = DialogKey("bulk.next", ("enter",), "Next", "Run the first one, then the rest; close when all are done")
PAUSE = DialogKey("bulk.pause", ("space",), "Pause", "Pause, or continue")
STOP = DialogKey("bulk.stop", ("s",), "Stop", "Stop before the next record")
#: The columns for names at most, and those that a text beside a name has at least.
_LABEL, _SHORT = 34, 36
#: The most requests whose commands are copied.
MOST_COMMANDS = 50


class BulkBox(Box[tuple[str, ...]]):
    """Runs a job on the marked records. Returns the IDs that failed or were not reached, which stay marked."""

    DEFAULT_CSS = """
    BulkBox Sheet { height: 10; }
    BulkBox #progress { height: 1; text-style: bold; }
    """
    #: The hint when the job is over and some records failed or were not reached.
    AFTERWARDS = _("failed records stay marked")
    MOVES = (UP, DOWN, PAGE_UP, PAGE_DOWN)
    QUIET_MOVES = tuple(key.unlisted() for key in MOVES)
    KEYS = (NEXT.labelled(_("Try the first one")), *MOVES, COMMAND, CLOSE.labelled(_("Back")))
    TYPING_KEYS = (NEXT.unlisted(), *MOVES, COMMAND, CLOSE.labelled(_("Back")))
    TRIED_KEYS = (
        NEXT.labelled(_("Continue with the rest")),
        *QUIET_MOVES,
        CLOSE.labelled(_("Stop here")),
    )
    RUNNING_KEYS = (PAUSE, STOP, *QUIET_MOVES, CLOSE.labelled(_("Stop and close")))
    PAUSED_KEYS = (
        PAUSE.labelled(_("Continue")),
        STOP,
        *QUIET_MOVES,
        CLOSE.labelled(_("Stop and close")),
    )
    OVER_KEYS = (NEXT.labelled(_("Close")), *QUIET_MOVES, CLOSE.unlisted())

    def __init__(
        self,
        journal: Journal,
        action: Action,
        resource: Resource,
        job: Job,
        reasons: Mapping[str, str],
        notes: Mapping[str, str] = MappingProxyType({}),
        warning: str = "",
        unchanged: Collection[str] = (),
    ) -> None:
        """`reasons` why records are skipped and `notes` what is changed or deleted with them, by ID; `warning` is for
        all. The `unchanged` records have the values already."""
        job.dry_run()
        for result in job.results:
            if reason := reasons.get(result.step.record_id):
                result.outcome, result.sentence = "refused", reason
            elif result.step.record_id in unchanged:
                result.outcome, result.sentence = "unchanged", ""
        super().__init__(f"{action.label} {_records(resource, job.total)}")
        self._action, self._job, self._notes, self._warning = action, job, notes, warning
        typed = needs_typing(action, job.left) or operation(job.operation_id).costs
        self._confirm = str(job.left) if job.left and typed else ""
        self._leaving = False
        self._journal, self._resource = journal, resource
        # Records that are sent are listed above those that stay as they are, and those that are skipped.
        self._shown = sorted(((_group(result), result) for result in job.results), key=lambda each: each[0])

    def body(self) -> Iterable[Widget]:
        yield plain(
            _("This cannot be undone.") if self._action.dangerous else f"{self._action.help_for(self._resource)}."
        )
        if self._warning:
            yield plain(self._warning)
        yield Sheet(label_width=_LABEL)
        yield plain("", id="whole")
        yield plain("", id="progress")
        if self._confirm:
            yield confirmation_input(_("Type {confirm}, the number of records, to start").format(confirm=self._confirm))
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self._job.subscribe(self._draw)
        self._draw()
        if self._confirm:
            self.query_one("#confirm").focus()
        else:
            self.set_focus(None)

    def action_next(self) -> None:
        if self._confirm:
            line = self.query_one("#confirm", Input)
            if self._number != self._confirm:
                self.show_error(_("The number does not match."))
                return
            self._confirm = ""
            self.show_error("")
            line.display = False
            self.set_focus(None)
        self._run()

    def _run(self) -> None:
        """Run the first record alone, then the rest."""
        if self._job.state == "checked" and self._job.left:
            self._start(first=True)
        elif self._job.state == "tried":
            self._start(first=False)
        elif not self._job.left or self._job.state in ("finished", "stopped"):
            self.action_close()

    @work(exclusive=True, group="job", exit_on_error=False)
    async def _start(self, *, first: bool) -> None:
        await (self._job.first() if first else self._job.rest())
        if self._job.done:
            self._cannot_be_undone()
        self._draw()
        if self._leaving:
            self.dismiss(self._job.not_done)

    def _cannot_be_undone(self) -> None:
        """Undo must not offer an older change as if it were this one."""
        if self._job.undoable:
            return
        self._journal.not_undoable = _("{label}, {done} of {total}").format(
            label=self._action.label, done=self._job.done, total=self._job.total
        )

    async def action_command(self) -> None:
        """Copy the commands of the requests that would be sent, the first ones of many."""
        steps = [result.step for result in self._job.results if result.outcome == "waiting"]
        calls = [
            CommandCall(self._job.operation_of(step), step.path, step.query, step.body)
            for step in steps[:MOST_COMMANDS]
        ]
        lines = [host_of(self.app).command(call) for call in calls]
        if len(steps) > len(calls):
            note = _("Only the first {few} of {number} requests.").format(
                few=len(calls), number=number_text(len(steps))
            )
            lines.append(CallLine("", note))
        await self.app.push_screen(CommandLines(lines))

    def action_pause(self) -> None:
        if self._job.state == "paused":
            self._job.resume()
        else:
            self._job.pause()
        self._draw()

    def action_stop(self) -> None:
        self._job.stop()
        self._draw()

    def action_close(self) -> None:
        """Close. A running job first finishes the current step, so that its result is known."""
        if self._job.state in ("running", "paused"):
            self._leaving = True
            self._job.stop()
        else:
            self.dismiss(self._job.not_done)

    @property
    def _number(self) -> str:
        """The number that was typed so far; the key line is made before the input."""
        return "".join(each.value for each in self.query("#confirm").results(Input)).strip()

    @on(Input.Changed)
    def _typed(self) -> None:
        self.show_error("")
        self.show_keys()

    @on(Sheet.Moved)
    def _moved(self) -> None:
        self._show_whole()

    def _show_whole(self) -> None:
        """Show the text of the selected record below the list, where its line is too short for it."""
        line = self.query_one(Sheet).line
        long = line is not None and len(line.value) > _SHORT
        self.put("#whole", f"{line.label}: {line.value}" if line is not None and long else "")
        self.query_one("#whole").display = long

    def move(self, by: int) -> None:
        self.query_one(Sheet).move(by)

    def _draw(self) -> None:
        if not self.is_attached:
            return
        sheet = self.query_one(Sheet)
        sheet.show(list(self._lines()))
        ended = ("done", "failed", "unknown")
        reached = [result.step.record_id for __, result in self._shown if result.outcome in ended]
        if self._job.state == "running" and reached:
            sheet.go_to(reached[-1])
        elif self._job.state in ("finished", "stopped"):
            failed = (result for __, result in self._shown if result.outcome in ("failed", "unknown"))
            if first := next(failed, None):
                sheet.go_to(first.step.record_id)
        self._show_whole()
        self.put("#progress", self._progress())
        self.show_keys()

    def _lines(self) -> Iterator[Line]:
        """The records that are sent, then those that stay as they are, and the skipped ones with the reason."""
        sizes: Counter[int] = Counter()
        for group, result in self._shown:
            sizes[group] += len(result.step.records)
        labels = (self._action.label, _("Unchanged"), _("Skipped"))
        before = -1
        for group, result in self._shown:
            if group != before and (group or len(sizes) > 1):
                yield Line("heading", f"{labels[group]}: {_records(self._resource, sizes[group])}")
            before = group
            yield Line(
                "field",
                safe_text(result.step.label).text,
                safe_text(result.sentence or self._word(result)).text,
                key=result.step.record_id,
                style=_WORDS[result.outcome][1],
            )

    def _word(self, result: StepResult) -> str:
        """The result of a step; for a waiting one, what would change or be deleted, or that the job ended before it."""
        if result.outcome == "waiting" and self._job.state == "stopped":
            return _("not started")
        waits = result.outcome == "waiting" and self._notes.get(result.step.record_id)
        return waits or _WORDS[result.outcome][0]

    def _progress(self) -> str:
        job = self._job
        parts = [
            _("{done} done").format(done=job.done),
            _("{failed} failed").format(failed=job.failed),
            *([_("{unknown} unknown").format(unknown=job.unknown)] if job.unknown else ()),
            _("{left} left").format(left=job.left),
            *([_("{count} unchanged").format(count=unchanged)] if (unchanged := job.count("unchanged")) else ()),
            _("{count} skipped").format(count=job.count("refused")),
        ]
        if job.state == "paused":
            parts.append(f"{_('paused')}  {job.error_message}".rstrip())
        elif job.state == "stopped" and job.error_message:
            parts.append(job.error_message)
        elif job.rate and job.left and job.time_left:
            parts.append(_("{rate:.1f}/s, {time_left} left").format(rate=job.rate, time_left=duration(job.time_left)))
        return "   ".join(parts)

    @property
    def loss(self) -> str:
        if self._job.state not in ("running", "paused"):
            return ""
        return _("{label} has not ended: {records} left.").format(
            label=self._action.label, records=_records(self._resource, self._job.left)
        )

    def current_keys(self) -> Sequence[DialogKey]:
        match self._job.state:
            case "checked":
                return self.TYPING_KEYS if self._number != self._confirm else self.KEYS
            case "tried":
                return self.TRIED_KEYS
            case "running":
                return self.RUNNING_KEYS
            case "paused":
                return self.PAUSED_KEYS
            case _:
                return self.OVER_KEYS

    def hint_now(self) -> str:
        if self._confirm and self._job.state == "checked":
            if self._number == self._confirm:
                return _("the number matches:")
            return _("not the number yet") if self._number else ""
        return self.AFTERWARDS if self._job.state in ("finished", "stopped") and self._job.not_done else ""


_WORDS = {
    "waiting": (_("waiting"), "dim"),
    "refused": (_("skipped"), "warn"),
    "unchanged": (_("has these values already"), "dim"),
    "done": (_("done"), "ok"),
    "failed": (_("failed"), "bad"),
    "unknown": (_("outcome unknown"), "warn"),
}


def _group(result: StepResult) -> int:
    """The group of a record in the list: it is sent, stays as it is, or is skipped."""
    return {"unchanged": 1, "refused": 2}.get(result.outcome, 0)


async def run_bulk(context: Context) -> None:
    """Run the action on all marked records."""

    action, resource = performed(context), context.require_resource()
    view, workspace = context.require_view(ListView), context.workspace
    caller = workspace.caller
    steps, reasons, rows = [], {}, {}
    marked = await marked_rows(context, view)
    for record_id in context.marked:
        row = marked.get(record_id)
        label = resource.label(row) if row else record_id
        subject = resource.subject(row, caller) if row and resource.subject and caller else None
        path = resource.path_at(view.place, caller, record_id)
        undo = (
            UndoEntry.of_opposite(
                f"{action.label} {label}", resource.kind, action.operation_id(context), path, dict(row)
            )
            if row
            else None
        )
        steps.append(bulk.JobStep(record_id, label, path, None, subject, undo=undo))
        if row is not None:
            reasons[record_id] = action.why_not(dataclasses.replace(context, record=row, marked=()))
            if not reasons[record_id]:
                rows[record_id] = row
    job = bulk.Job(workspace, action.operation_id(context), steps)
    consequences: Sequence[str] = ()
    warning = ""
    if resource.deletion.bulk_consequences and rows and action.operation_id(context) == resource.delete:
        consequences, warning = resource.deletion.bulk_consequences(tuple(rows.values()))
    lost = dict(zip(rows, consequences, strict=False))
    unfinished = await context.stage.ask(
        BulkBox(context.workspace.journal, action, resource, job, reasons, lost, warning)
    )
    view.records.set_marks(unfinished or ())
    show_result(context, action.label, job)


def show_result(context: Context, label: str, job: Job) -> None:
    """Show the numbers of an ended job, `Stop: 12 done, 1 failed, 0 not started.`, and what undo brings back."""
    skipped, unchanged = job.count("refused"), job.count("unchanged")
    parts = [
        _("{done} done").format(done=number_text(job.done)),
        _("{failed} failed").format(failed=number_text(job.failed)),
        *([_("{unknown} unknown").format(unknown=number_text(job.unknown))] if job.unknown else ()),
        _("{left} not started").format(left=number_text(job.left)),
        *([_("{count} unchanged").format(count=number_text(unchanged))] if unchanged else ()),
        *([_("{count} skipped").format(count=number_text(skipped))] if skipped else ()),
    ]
    hint = ""
    if undoable := job.undoable:
        part = _("{{undo}} undoes {count} of them.").format(count=number_text(undoable))
        hint = context.with_keys(_("{undo} undoes it.") if undoable >= job.done else part)
    complete = job.done and not (job.failed or job.unknown or job.left or skipped)
    context.stage.show_message(f"{label}: {', '.join(parts)}. {hint}".rstrip(), "ok" if complete else "warn")


async def marked_rows(context: Context, view: ListView) -> dict[str, Mapping[str, Any]]:
    """The rows of the marked records by ID. Those that are not in memory were read into the cache by marking."""
    found: dict[str, Mapping[str, Any]] = {}
    for record_id in context.marked:
        index = view.listing.index_of(record_id)
        row = view.listing.row(index) if index is not None else None
        if row is not None:
            found[record_id] = row
    missing = [record_id for record_id in context.marked if record_id not in found]
    for row in await context.workspace.cache.read_records(view.listing.kind, missing):
        found[context.require_resource().record_id(row)] = row
    return found


def _records(resource: Resource, number: int) -> str:
    return resource.counted(number)
