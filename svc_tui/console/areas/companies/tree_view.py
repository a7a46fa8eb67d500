"""Companies as a tree: the records below one are loaded page by page when it is expanded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from textual import events, work
from textual.app import ComposeResult

from svc_tui.console.areas.companies import facts
from svc_tui.console.areas.companies.image_actions import BROAD, PARTNERS
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import cut, safe_text
from svc_tui.console.views.head import badge_of
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.interface.access import Caller
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError

if TYPE_CHECKING:
    from svc_tui.workspace.workspace import Workspace

#: Records loaded at a time.
PAGE = 100
#: Deepest indentation, in steps.
DEEPEST = 6
#: Columns of a status with its sign.
STATUS = 15
_MORE = "more:"


@dataclass
class Branch:
    """The loaded records below one record. `total` None: not known yet."""

    query: Mapping[str, Any]
    heading: str = ""
    rows: list[Mapping[str, Any]] = field(default_factory=list)
    total: int | None = None
    error_message: str = ""


def _roots(caller: Caller) -> Sequence[tuple[str, Mapping[str, Any]]]:
    """The headings (may be empty) of the first records, with their queries."""
    if caller.roles & BROAD:
        return (
            (_("Partners"), {"isBP": True, "hasBP": False}),
            (_("Companies without a partner"), {"isBP": False, "hasBP": False}),
        )
    if caller.roles & PARTNERS:
        return ((_("Your customers"), {"bpId": caller.company_id}),)
    return (("", {}),)


def _below(record: RecordData) -> Mapping[str, Any] | None:
    """The query for the children of a record; None for one without."""
    return {"bpId": record.get("id")} if record.get("isBP") else None


def _says(record: RecordData, status: str) -> str:
    """The text beside the name."""
    kind = facts.kind_in_words(None, record)
    return f"{kind:<7} {status:<{STATUS}} {facts.country_in_words(record)}".rstrip()


class TreeView(View):
    """Expanded branches. The cursor is on a record, or on a line that loads more of them."""

    kind = "report"

    def __init__(self, place: Place, resource: Resource, workspace: Workspace, *, unicode: bool = True) -> None:
        super().__init__(place, resource)
        self._listed = resource
        self._workspace = workspace
        self._signs = ("▾ ", "▸ ") if unicode else ("- ", "+ ")
        self._roots: list[Branch] = []
        self._branches: dict[str, Branch] = {}
        self._open: set[str] = set()
        self._records: dict[str, Mapping[str, Any]] = {}

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=60)

    def on_mount(self) -> None:
        caller = self._workspace.caller
        self._roots = [Branch(query, heading) for heading, query in _roots(caller)] if caller else []
        for root in self._roots:
            self._load(root)
        self._draw()

    @property
    def sheet(self) -> Sheet:
        return self.query_one(Sheet)

    @property
    def crumb(self) -> str:
        return _("Tree")

    @property
    def resource(self) -> Resource:
        return self._listed

    @property
    def record(self) -> Mapping[str, Any] | None:
        line = self.sheet.line if self.is_attached else None
        return self._records.get(line.key) if line else None

    # --- expanding -----------------------------------------------------------------------------------------------

    def toggle_branch(self) -> None:
        """Expand or collapse the record under the cursor; on the last line of a branch, load more."""
        line = self.sheet.line
        if line is not None and line.key.startswith(_MORE):
            self._load(self._branch(line.key.removeprefix(_MORE)))
        elif line is not None and line.key in self._open:
            self.collapse_branch()
        else:
            self.expand_branch()

    def expand_branch(self) -> None:
        """Expand the record under the cursor."""
        record = self.record
        query = _below(record) if record else None
        if record is None or query is None:
            return
        key = self.resource.record_id(record)
        self._open.add(key)
        if key not in self._branches:
            self._branches[key] = Branch(query)
            self._load(self._branches[key])
        self._draw()

    def collapse_branch(self) -> None:
        """Collapse the record under the cursor; from a collapsed one, go to its parent."""
        line = self.sheet.line
        if line is None:
            return
        if line.key in self._open:
            self._open.discard(line.key)
            self._draw()
            return
        key = line.key.removeprefix(_MORE)
        above = key if line.key.startswith(_MORE) else self._above(key)
        self.sheet.go_to(above)

    def _above(self, record_id: str) -> str:
        for key in self._open:
            branch = self._branches.get(key)
            if branch and any(self.resource.record_id(row) == record_id for row in branch.rows):
                return key
        return ""

    def _branch(self, key: str) -> Branch:
        return self._roots[int(key.removeprefix("#"))] if key.startswith("#") else self._branches[key]

    @work(group="branches", exit_on_error=False)
    async def _load(self, branch: Branch) -> None:
        asked = {**self.resource.query, **branch.query, "limit": PAGE, "offset": len(branch.rows)}
        try:
            body = await self._workspace.read(self.resource.list, {}, asked)
        except ReadError as error:
            branch.error_message = error.sentence
        else:
            rows = body.get("data") if isinstance(body, dict) else None
            branch.rows += [row for row in rows or [] if isinstance(row, dict)]
            branch.total = int(body.get("total") or len(branch.rows)) if isinstance(body, dict) else len(branch.rows)
            branch.error_message = ""
        if self.is_attached:
            self._draw()
            self.notify_changed()

    def refresh_now(self) -> None:
        self.workers.cancel_group(self, "branches")
        for branch in (*self._roots, *self._branches.values()):
            branch.rows, branch.total = [], None
            self._load(branch)
        self._draw()

    # --- drawing -----------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        self._records = {}
        self.sheet.show(list(self._lines()))

    def _lines(self) -> Iterator[Line]:
        for number, root in enumerate(self._roots):
            if root.heading and (root.total or root.total is None):
                yield Line("heading", root.heading)
            if root.total != 0:
                yield from self._branch_lines(root, f"#{number}", 0)

    def _branch_lines(self, branch: Branch, key: str, depth: int) -> Iterator[Line]:
        indent = "  " * min(depth, DEEPEST)
        for row in branch.rows:
            yield self._line(row, indent)
            record_id = self.resource.record_id(row)
            if record_id in self._open and depth < len(self._open) + 1:
                yield from self._branch_lines(self._branches[record_id], record_id, depth + 1)
        left = (branch.total or 0) - len(branch.rows)
        if branch.error_message:
            yield Line("field", f"{indent}  {safe_text(branch.error_message).text}", key=f"{_MORE}{key}", style="warn")
        elif branch.total is None:
            yield Line("field", _("{indent}  loading…").format(indent=indent), key=f"{_MORE}{key}")
        elif left > 0 and branch.rows:
            yield Line(
                "field",
                _("{indent}  {left} more").format(indent=indent, left=left),
                self.with_keys(_("{companies.tree_open} loads more")),
                key=f"{_MORE}{key}",
                style="dim",
            )
        elif not branch.rows:
            yield Line("field", _("{indent}  nothing below").format(indent=indent), key=f"{_MORE}{key}")

    def _line(self, row: Mapping[str, Any], indent: str) -> Line:
        record_id = self.resource.record_id(row)
        self._records[record_id] = row
        has_more = _below(row) is not None
        sign = self._signs[record_id not in self._open] if has_more else "  "
        label = cut(f"{indent}{sign}{safe_text(self.resource.label(row)).text}", 60)
        badge = badge_of(self.resource, row)
        # Only what is not as usual has a colour.
        style = "" if badge.style == "ok" else badge.style
        return Line("field", label, safe_text(_says(row, badge.text)).text, key=record_id, style=style)

    def status(self) -> Sequence[Piece]:
        loaded = len(self._records)
        return [
            Piece(_(" {loaded} loaded").format(loaded=loaded)),
            Piece(self.with_keys(_("   {companies.tree_turn} expands and collapses")), "dim"),
        ]

    def move(self, by: int) -> None:
        self.sheet.move(by)

    def page(self, by: int) -> None:
        self.sheet.page(by)

    def home(self) -> None:
        self.sheet.top = 0
        self.sheet.go(next((n for n, line in enumerate(self.sheet.lines) if line.stops), 0))

    def end(self) -> None:
        self.sheet.go(len(self.sheet.lines) - 1)

    def take_focus(self) -> None:
        self.sheet.focus()

    def on_sheet_moved(self, event: Sheet.Moved) -> None:
        event.stop()
        self.notify_changed(moved=True)

    def on_resize(self, event: events.Resize) -> None:
        self._draw()
