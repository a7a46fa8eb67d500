"""A bulk action as a job: dry run, the first one, then the rest; progress, pause, stop, each result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from textual import on, work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from svc_tui.console.actions import Action, Context
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.resource import Resource
from svc_tui.console.terminal.text import shown
from svc_tui.console.views.sheet import Line, Sheet
from svc_tui.console.writing import needs_typing

if TYPE_CHECKING:
    from svc_tui.console.views.list import ListView
    from svc_tui.workspace.bulk import Job


class BulkBox(Box[tuple[str, ...]]):
    """Runs a job on the marked records; gives back the ids that failed or were not reached, the new marks."""

    DEFAULT_CSS = """
    BulkBox Sheet { height: 10; }
    BulkBox #progress { height: 1; text-style: bold; }
    """
    BINDINGS = [("space", "pause", "Pause"), ("s", "stop", "Stop"), ("enter", "go_on", "Go on")]

    def __init__(self, action: Action, resource: Resource, job: Job) -> None:
        count = len(job.results)
        super().__init__(f"{action.label} {count} {resource.title.lower()}")
        self._action, self._job = action, job
        self._confirm = str(count) if needs_typing(action, count) else ""

    def body(self) -> Iterable[Widget]:
        yield plain(self._action.help + ".")
        yield Sheet(label_width=34)
        yield plain("", id="progress")
        if self._confirm:
            box = Input(placeholder=f"type {self._confirm}, their number, to begin", id="confirm")
            box.cursor_blink = False
            yield box
        yield plain("", id="trouble", classes="trouble")

    def on_mount(self) -> None:
        self._job.subscribe(self._draw)
        self._job.dry_run()
        self._draw()
        if self._confirm:
            self.query_one("#confirm").focus()
        else:
            self.set_focus(None)

    def action_go_on(self) -> None:
        if not self._confirm:
            self._run()

    @on(Input.Submitted)
    def _confirmed(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip() == self._confirm:
            self._confirm = ""
            event.input.display = False
            self.set_focus(None)
            self._run()
        else:
            self.query_one("#trouble", Static).update(Content("That is not the number."))

    def _run(self) -> None:
        """The first one alone; when that went well, the rest."""
        if self._job.state == "checked":
            self._start(first=True)
        elif self._job.state == "tried":
            self._start(first=False)
        elif self._job.state in ("finished", "stopped"):
            self.action_close()

    @work(exclusive=True, group="job", exit_on_error=False)
    async def _start(self, *, first: bool) -> None:
        await (self._job.first() if first else self._job.rest())
        self._draw()

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
        if self._job.state in ("running", "paused"):
            self._job.stop()
        self.dismiss(self._job.not_done)

    def _draw(self) -> None:
        if not self.is_attached:
            return
        lines = [
            Line(
                "field",
                shown(result.step.label).text,
                shown(result.sentence or _WORDS[result.outcome][0]).text,
                key=result.step.record_id,
                style=_WORDS[result.outcome][1],
            )
            for result in self._job.results
        ]
        self.query_one(Sheet).show(lines)
        self._put("#progress", self._progress())
        self._put(".box--keys", self._keys())

    def _put(self, selector: str, text: str) -> None:
        self.query_one(selector, Static).update(Content(text))

    def _progress(self) -> str:
        job = self._job
        parts = [f"{job.done} done", f"{job.failed} failed", f"{job.left} left"]
        if job.rate and job.left and job.time_left:
            parts.append(f"{job.rate:.1f} a second, {job.time_left:.0f} s to go")
        if job.state == "paused":
            parts.append(f"paused. {job.trouble}")
        return "   ".join(parts)

    def _keys(self) -> str:
        match self._job.state:
            case "checked":
                return "enter Try the first one   esc Back" if not self._confirm else "esc Back"
            case "tried":
                return "enter Go on with the rest   esc Leave it at that"
            case "running":
                return "space Pause   s Stop"
            case "paused":
                return "space Go on   s Stop"
            case _:
                return "enter Close; what failed stays marked"


_WORDS = {
    "waiting": ("waits", "dim"),
    "refused": ("left out", "warn"),
    "done": ("done", "ok"),
    "failed": ("failed", "bad"),
    "unclear": ("nobody knows", "warn"),
}


async def run_bulk(context: Context, action: Action) -> None:
    """Run an action on all marked records."""
    from svc_tui.console.views.list import ListView
    from svc_tui.workspace.bulk import Job, Step

    resource, view, workspace = context.resource, context.view, context.workspace
    assert resource is not None and isinstance(view, ListView)
    caller = workspace.caller
    steps = []
    for record_id in context.marked:
        row = _row(view, record_id)
        label = resource.label(row) if row else record_id
        subject = resource.subject(row, caller) if row and resource.subject and caller else None
        steps.append(Step(record_id, label, resource.path_at(view.place, caller, record_id), None, subject))
    job = Job(workspace, action.operation_id(context), steps)
    unfinished = await context.frame.console.ask(BulkBox(action, resource, job))
    view.records.set_marks(unfinished or ())
    done = job.done
    context.frame.say(
        f"{action.label}: {done} done, {job.failed} failed, {job.left} not reached.", "ok" if done else "warn"
    )


def _row(view: ListView, record_id: str) -> Mapping[str, Any] | None:
    index = view.listing.index_of(record_id)
    return view.listing.row(index) if index is not None else None
