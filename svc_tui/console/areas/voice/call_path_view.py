"""Why a phone rings or not: the path of a call drawn and in words, at a chosen time, with what changed on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import work
from textual.app import ComposeResult

from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.dialogs.line import LineBox
from svc_tui.console.views.sheet_view import PanedView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.panes import Pane, Panes
from svc_tui.console.widgets.sheet import BESIDE_VALUE, Sheet
from svc_tui.console.widgets.sheet_lines import Line, safe, wrapped
from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import stamp
from svc_tui.interface.voice import call_steps
from svc_tui.interface.voice.moments import moment_text, read_moment
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.voice import calls

if TYPE_CHECKING:
    from svc_tui.interface.voice import call_path

LABEL = 16
#: The log of changes, where there is one; how many days back, and how many changes of each record.
LOG, DAYS, MOST = "audit", 7, 5
_MARKS = {"passes": "●", "prevents": "✗", "limits": "○", "unknown": "?", "notes": "·"}
_STYLES = {"passes": "", "prevents": "bad", "limits": "warn", "unknown": "dim", "notes": "dim"}
_VERDICTS = {"passes": "ok", "prevents": "bad", "unknown": "dim"}
PBX = "cloudpbxs"
#: Kinds of records that are below their CloudPBX.
_OF_PBX = ("ddis", "subscribers", "sipdevices", "welcomeservices")


def path_lines(path: call_path.CallPath) -> Iterator[Line]:
    """The path as a drawing: each step with its mark, and branches for what rings together."""
    steps = path.steps
    last = call_steps.last_branches(steps)
    for at, step in enumerate(steps):
        lead = "" if not at and not step.branch else ("  └─ " if last[at] else "  ├─ ") if step.branch else "  ▼  "
        text = f"{lead}{_MARKS[step.effect]} {step.about}  {step.name}".rstrip()
        yield Line("text", value=safe(text), key=f"{at}", style=_STYLES[step.effect], read="")


def step_lines(path: call_path.CallPath) -> Iterator[Line]:
    """The path in words."""
    for at, step in enumerate(path.steps):
        sentence = f"{step.name}: {step.sentence}" if step.name else step.sentence
        yield Line(
            "field", safe(step.about), safe(sentence), key=f"{at}", style=_STYLES[step.effect], label_width=LABEL
        )


class CallPathView(PanedView):
    """Follows a call to one number or extension. Each part is drawn as soon as it is known."""

    kind = "report"

    def __init__(self, context: Context, called: call_steps.Called, name: str) -> None:
        # Its keys are those of a CloudPBX, wherever it was opened.
        super().__init__(context.view.place, context.stage.resources[PBX])
        self._origin, self._called = context, name
        self._reader = calls.CallReader(context.workspace, called)
        self.at: datetime | None = None
        self._changes: dict[tuple[str, str], list[RecordData]] = {}
        self._why_no_changes = _("Reading…")

    def compose(self) -> ComposeResult:
        with Panes():
            yield Pane(Sheet(label_width=LABEL), title=_("Path of the call"), weight=3)
            yield Pane(Sheet(label_width=LABEL), title=_("Changes of the last days"), weight=2)

    def on_mount(self) -> None:
        self._read()

    def on_resize(self) -> None:
        self.draw()

    @property
    def crumb(self) -> str:
        return _("Calls to {name}").format(name=self._called)

    @property
    def path(self) -> call_path.CallPath:
        """The path at the chosen moment, as far as it is known."""
        return self._reader.path(self.at)

    # --- reading -----------------------------------------------------------------------------------------------

    def refresh_now(self) -> None:
        self._read(again=True)

    @work(exclusive=True, group="path")
    async def _read(self, *, again: bool = False) -> None:
        self.draw()
        await self._reader.load(self.draw, lambda: self.at, again=again)
        await self._read_changes()
        self.draw()

    async def _read_changes(self) -> None:
        """The latest changes of each record on the path, where the role may read them."""
        log = self._origin.stage.resources.get(LOG)
        workspace = self._origin.workspace
        if log is None or not (decision := workspace.decide(log.list)).allowed:
            self._why_no_changes = decision.reason if log else _("There is no audit log.")
            return
        since = stamp(self._reader.now - timedelta(days=DAYS))
        for kind, record_id in self.path.records:
            asked = {"recordId": record_id, "fromDate": since, "format": "full", "limit": MOST, "outcome": "done"}
            try:
                body = await workspace.read(log.list, {}, asked)
            except ReadError as error:
                self._why_no_changes = error.sentence
                return
            found = body.get("data") if isinstance(body, dict) else None
            self._changes[kind, record_id] = [each for each in found or () if isinstance(each, dict)]
        self._why_no_changes = ""

    # --- drawing -----------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw what is known."""
        if not self.is_attached:
            return
        self.panes.rearrange()
        shown = [pane.query_one(Sheet) for pane in self.panes.shown]
        parts = [self._path_part, self._change_part] if len(shown) > 1 else [self._all]
        for sheet, part in zip(shown, parts, strict=False):
            sheet.beside = len(shown) > 1
            sheet.show(partial(part, sheet))
        self.notify_changed()

    def _all(self, sheet: Sheet) -> Iterator[Line]:
        yield from self._path_part(sheet)
        yield Line("heading", label=_("Changes of the last days"))
        yield from self._change_part(sheet)

    def _path_part(self, sheet: Sheet) -> Iterator[Line]:
        path = self.path
        verdict = Line("text", value=safe(path.verdict), key="verdict", style=_VERDICTS.get(path.effect, ""))
        yield from wrapped(verdict, sheet.size.width - 4)
        yield from path_lines(path)
        yield Line("heading", label=_("In words"))
        for line in step_lines(path):
            yield from wrapped(line, sheet.size.width - LABEL - BESIDE_VALUE)

    def _change_part(self, sheet: Sheet) -> Iterator[Line]:
        log = self._origin.stage.resources.get(LOG)
        if self._why_no_changes or log is None:
            yield Line("text", value=safe(self._why_no_changes), style="dim")
            return
        nothing = True
        for at, step in enumerate(self.path.steps):
            rows = self._changes.get((step.kind, step.record_id), ())
            if not rows or _repeated(self.path, at):
                continue
            nothing = False
            yield Line("heading", label=safe(f"{step.about} {step.name}".rstrip()))
            for row in rows:
                yield from wrapped(
                    Line("text", value=safe(_change(log, row)), key=f"{LOG} {row.get('id')}"), sheet.size.width - 4
                )
        if nothing:
            yield Line("text", value=_("Nothing on this path changed in {days} days.").format(days=DAYS), style="dim")

    # --- actions -----------------------------------------------------------------------------------------------

    @property
    def target(self) -> Place | None:
        """The place of the selected step or change."""
        key = self.sheet.line.key if self.sheet.line is not None else ""
        if key.startswith(f"{LOG} "):
            return Place((LOG, key.removeprefix(f"{LOG} ")))
        if not key.isdecimal():
            return None
        step = self.path.steps[int(key)]
        if not step.record_id or step.kind not in self._origin.stage.resources:
            return None
        above = (PBX, step.system_id) if step.kind in _OF_PBX else ()
        return Place((*above, step.kind, step.record_id))

    async def choose_time(self, context: Context) -> None:
        """Ask for the time of the call."""
        now = self._reader.now
        zone = now.astimezone().tzinfo or UTC

        def check(text: str) -> str:
            try:
                read_moment(text, now, zone)
            except ValueError as error:
                return str(error)
            return ""

        start = "" if self.at is None else f"{self.at.astimezone(zone):%Y-%m-%d %H:%M}"
        hint = _("now, or 18:00, Sun 10:00, 2026-12-24 13:00")
        typed = await context.stage.ask(LineBox(_("Time of the call"), hint, check, start=start))
        if typed is not None:
            self.at = read_moment(typed, now, zone) if typed.strip() else None
            self._read()

    def status(self) -> Sequence[Piece]:
        zone = self._reader.now.astimezone().tzinfo or UTC
        when = moment_text(self.at, zone) if self.at else _("now")
        pieces = [Piece(f" {when}", "accent")]
        if self._reader.offline:
            pieces.append(Piece(_("   not current: the service does not respond"), "warn"))
        keys = self.with_keys(_("   {calls.time} another time   {calls.open} opens the record   {refresh} refreshes"))
        return [*pieces, Piece(keys, "dim")]


def _repeated(path: call_path.CallPath, at: int) -> bool:
    """Whether an earlier step has the same record."""
    step = path.steps[at]
    return any((each.kind, each.record_id) == (step.kind, step.record_id) for each in path.steps[:at])


def _change(log: Resource, row: Mapping[str, Any]) -> str:
    """When, who and what, as the list of the log has it."""
    words = {column.field: column.words(row) for column in log.display.columns}
    return "  ".join(words[field] for field in ("date", "who", "action", "changes") if words.get(field))
