"""The overview of a record: findings, then what matters about it, then or beside it all its fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult

from svc_tui.console.core.overview import Entry, Facts, Remedy, Section, SetupStep, entries_of, findings_of
from svc_tui.console.core.overview_loader import OverviewLoader
from svc_tui.console.core.place_requests import specs_of
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.views.detail import LABELS, DetailView, Part
from svc_tui.console.views.head import STYLES, Head, HeadBar, found_pieces, head_of
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.console.widgets.list.columns import GARBLED
from svc_tui.console.widgets.panes import Pane, Panes
from svc_tui.console.widgets.sheet import BESIDE_VALUE, Sheet
from svc_tui.console.widgets.sheet_lines import Line, safe, wrapped
from svc_tui.language import _
from svc_tui.workspace.core.events import Event, SessionChanged

if TYPE_CHECKING:
    from svc_tui.interface.errors import Finding
    from svc_tui.interface.field_specs import FieldSpec
    from svc_tui.workspace.lists.listed_record import ListedRecord
    from svc_tui.workspace.lists.open_record import OpenRecord
    from svc_tui.workspace.workspace import Workspace

#: The columns for the labels of findings and entries.
LABEL = 14
#: The most reads of sections beside which the names of other records are read.
MOST_READ = 4
#: Most changes that are shown.
NEWEST = 6
_LOADING, _NONE = _("Loading…"), _("none")
#: Beginnings of the keys of lines: a finding, an entry, and a line that opens nothing.
_FINDING, _ENTRY, _TEXT = "!", "@", "="
_NEXT = "@next"
#: The marks of the steps of a set-up: done, not done, not known.
_STEPS = {True: "●", False: "○", None: "?"}


class OverviewView(DetailView):
    """Drawn immediately from the cache; each part again when it arrives."""

    first_fields = 1

    def __init__(
        self,
        place: Place,
        resource: Resource,
        source: OpenRecord | ListedRecord,
        known: Mapping[str, Any] | None,
        workspace: Workspace,
        resources: Mapping[str, Resource],
        sections: Sequence[Section],
    ) -> None:
        super().__init__(place, resource, source, known)
        self._workspace, self._resources, self._sections = workspace, resources, sections
        # Where its sections read much already, names come from the cache only.
        self.reads_names = sum(len(section.reads) for section in sections) <= MOST_READ
        self._loader: OverviewLoader | None = None
        self._facts: Facts | None = None
        self._findings: list[tuple[Finding, Remedy | None]] = []
        self._steps: list[SetupStep] = []
        self._entries: dict[str, Entry] = {}
        self._unsubscribe: Callable[[], None] = lambda: None

    def compose(self) -> ComposeResult:
        yield HeadBar()
        with Panes():
            for __ in range(3):
                yield Pane(Sheet(label_width=LABELS, whole_labels=True))

    # --- data --------------------------------------------------------------------------------------------------

    def declare(self, specs: Sequence[FieldSpec]) -> None:
        """Take the declared fields, and begin to read: rules and roles are known from here."""
        if self._loader is None:
            self._loader = OverviewLoader(self._workspace, self._resources, self._sections)
            self._loader.changed(lambda __: self._changed())
            self._unsubscribe = self._workspace.subscribe(self._workspace_changed)
        self._gather()
        super().declare(specs)

    def _workspace_changed(self, event: Event) -> None:
        if isinstance(event, SessionChanged) and self._loader is not None:
            self._loader.recheck()
            self._changed()

    def _changed(self) -> None:
        self._gather()
        super()._changed()

    def _gather(self) -> None:
        if self._loader is None or self.record is None:
            return
        complete = self._source.data is not None and not getattr(self._source, "partial", False)
        self._facts = facts = self._loader.facts(
            self.record, complete=complete, error_message=self._source.error_message
        )
        self._steps = sorted(
            (step for section in self._loader.sections for step in setup_of(section, facts)), key=_order
        )
        found = [pair for section in self._loader.sections for pair in findings_of(section, facts)]
        self._findings = sorted(found, key=lambda pair: tuple(STYLES).index(pair[0].effect))

    def _name_of(self, kind: str, record_id: str) -> str:
        record = self._loader.record(kind, record_id) if self._loader else None
        return super()._name_of(kind, record_id) or (self._resources[kind].label(record) if record else "")

    # --- selection ---------------------------------------------------------------------------------------------

    @property
    def field(self) -> tuple[str, Any] | None:
        line = self.sheet.line
        return None if line is not None and line.key[:1] in (_FINDING, _ENTRY, _TEXT) else super().field

    @property
    def finding(self) -> tuple[Finding, Remedy | None] | None:
        """The selected finding, and where it is changed."""
        key = self.sheet.line.key if self.sheet.line is not None else ""
        return next((pair for pair in self._findings if _key(pair[0]) == key), None)

    @property
    def findings(self) -> Sequence[Finding]:
        return [finding for finding, __ in self._findings]

    @property
    def next_step(self) -> SetupStep | None:
        """The next step of the set-up that the role may do; None when there is none, and while it is not known."""
        left = (step for step in self._steps if step.done is False and step.remedy is not None)
        may = (step for step in left if not step.operation or self._workspace.decide(step.operation).allowed)
        return next(may, None)

    @property
    def target(self) -> Remedy | None:
        """The target of the selected line; None for the fields of the record, and where there is nothing."""
        if self.finding is not None:
            return self.finding[1]
        if self.sheet.line is not None and self.sheet.line.key == _NEXT and self.next_step is not None:
            return self.next_step.remedy
        entry = self._entries.get(self.sheet.line.key) if self.sheet.line is not None else None
        if entry is None or self._facts is None:
            return None
        place = entry.place or (self._facts.place(entry.read) if entry.read else None)
        return Remedy(place) if place is not None else None

    def status(self) -> Sequence[Piece]:
        if self.finding is None or self._source.error_message:
            return super().status()
        finding, remedy = self.finding
        code = _("   refused with {code}").format(code=int(finding.code)) if finding.code else ""
        singular = self._resources[finding.kind].singular
        where = f"{singular[:1].upper()}{singular[1:]}: {self._label(finding)}"
        pieces = [Piece(f" {where}", "accent"), Piece(code, "dim")]
        pieces += self._filter_status()
        how = _("   {open} opens it") if remedy else _("   no operation changes it")
        return [*pieces, Piece(self.with_keys(how), "dim"), *self._panes_status()]

    @on(Sheet.Moved)
    def _moved(self) -> None:
        self.notify_changed(moved=True)

    # --- drawing -----------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        if not self.can_draw:
            return
        first = self.query_one(Sheet)
        at_start = first.line is None or first.line is next((line for line in first.lines if line.stops), None)
        super()._draw()
        if at_start:
            # Findings arrive above the first line.
            first.home()

    def _head(self) -> Head:
        if self.record is None or self._facts is None:
            return super()._head()
        asked = [entry for section in self._sections for entry in entries_of(section, self._facts)]
        found = found_pieces((finding for finding, __ in self._findings), self._open_questions())
        return head_of(self.resource, self.record, asked, found)

    def _parts(self, panes: int) -> Sequence[tuple[str, Part]]:
        if panes == 1:
            return [(_("Overview"), lambda sheet: chain(self._overview(sheet), self._fields(sheet)))]
        return [(_("Overview"), self._overview_alone), *super()._parts(panes - 1)]

    def _overview(self, sheet: Sheet) -> Iterator[Line]:
        if self._facts is not None:
            yield from self._finding_lines(sheet)
            yield from self._setup_lines(sheet)
            yield from self._section_lines(self._facts, sheet)

    def _overview_alone(self, sheet: Sheet) -> Iterator[Line]:
        if self._facts is None:
            yield Line("text", value=self._source.error_message or _LOADING, style="dim")
        yield from self._overview(sheet)

    def _finding_lines(self, sheet: Sheet) -> Iterator[Line]:
        yield Line("heading", label=_("Findings"))
        room = sheet.size.width - LABEL - BESIDE_VALUE
        for finding, __ in self._findings:
            note = self._label(finding)
            left = room - cell_len(finding.sentence) - 2
            line = Line(
                "field",
                safe(finding.about),
                safe(finding.sentence),
                note if cell_len(note) <= left else "",
                _key(finding),
                STYLES[finding.effect],
                label_width=LABEL,
            )
            yield from wrapped(line, room) if sheet.beside else (line,)
        text = self._open_questions()
        if text or not self._findings:
            for part in wrap(safe(text or _("No findings.")), max(20, sheet.size.width - 4)):
                yield Line("text", value=f"  {part}", key=_TEXT, style="dim" if text else "ok")

    def _setup_lines(self, sheet: Sheet) -> Iterator[Line]:
        """How far the set-up is, and what is next, with its key."""
        if not self._steps:
            return
        yield Line("heading", label=_("Set-up"))
        done = [step for step in self._steps if step.done]
        room = sheet.size.width - LABEL - BESIDE_VALUE
        share = _("{done} of {all}").format(done=len(done), all=len(self._steps))
        rest = "  ".join(f"{_STEPS[step.done]} {step.label}" for step in self._steps if step.done is not True)
        text = f"{share}   {rest}" if rest else _("complete, {share} steps").format(share=share)
        yield from wrapped(Line("field", _("Done"), safe(text), key=_TEXT, label_width=LABEL), room)
        if (step := self.next_step) is not None:
            text = self.with_keys(f"{step.advice}   {{next_step}}")
            yield from wrapped(Line("field", _("Next"), safe(text), key=_NEXT, style="accent", label_width=LABEL), room)

    def _open_questions(self) -> str:
        """What could not be checked yet, or at all; empty when everything was."""
        if self._facts is None or self._loader is None:
            return ""
        if not self._facts.complete:
            return _("Not checked.") if self._source.error_message else _("Checking…")
        sections = self._loader.sections
        shown = frozenset(name for section in sections for name in section.only_shown)
        reads = [known for name, known in self._facts.reads.items() if name not in shown]
        unread = [known for known in reads if known.rows is None and not known.absent]
        if not all(known.settled for known in unread):
            return _("Checking…")
        kinds = dict.fromkeys(known.place.kind for known in unread if known.place is not None)
        unseen = filter(None, (section.unseen(self._facts) for section in sections))
        names = ", ".join([*(title_in_sentence(self._resources[kind].title) for kind in kinds), *unseen])
        if not names:
            return ""
        return (
            _("Not checked: {names}.").format(names=names)
            if self._findings
            else _("No findings. Not checked: {names}.").format(names=names)
        )

    def _section_lines(self, facts: Facts, sheet: Sheet) -> Iterator[Line]:
        if self._loader is None:
            return
        self._entries = {}
        width = sheet.size.width - LABEL - BESIDE_VALUE
        titles: dict[str, list[Section]] = {}
        # The status line has the reason why the record itself could not be read.
        shown = {self._source.error_message}
        for section in sorted(self._loader.sections, key=lambda section: section.latest):
            titles.setdefault(section.title, []).append(section)
        head = self.query_one(HeadBar)
        for title, members in titles.items():
            entries = _ordered(members, facts)
            # What the head shows and opens nothing is not repeated.
            left = [entry for entry in entries if entry.place or entry.read or not head.shows(entry)]
            if left or not entries:
                yield Line("heading", label=title)
            labels: list[str] = []
            for entry in left:
                labels.append(entry.label)
                key = f"{_ENTRY}{title} {entry.label} {labels.count(entry.label)}"
                self._entries[key] = entry
                text, style = self._text(entry, facts, shown)
                line = Line("field", safe(entry.label), safe(text), key=key, style=style, label_width=LABEL)
                yield from wrapped(line, width)

    def _text(self, entry: Entry, facts: Facts, shown: set[str]) -> tuple[str, str]:
        """The text of an entry and its style; without a text, the state of what it shows.

        `shown` are the reasons that are shown already: each is shown once, except what the role may not read.
        """
        if entry.text:
            return entry.text, entry.style
        known = facts.known(entry.read)
        if known.error_message:
            repeated = known.error_message in shown and not known.refused
            text = _("unknown") if repeated else known.error_message
            shown.add(known.error_message)
            return text, "dim"
        return (_NONE if known.settled else _LOADING), "dim"

    def _label(self, finding: Finding) -> str:
        specs = specs_of(self._resources[finding.kind])
        return next((spec.label for spec in specs if spec.wire == finding.field), finding.field)

    def refresh_now(self) -> None:
        super().refresh_now()
        if self._loader is not None:
            self._loader.refresh()

    def close(self) -> None:
        super().close()
        self._unsubscribe()
        if self._loader is not None:
            self._loader.close()


def _order(step: SetupStep) -> int:
    return step.order


def setup_of(section: Section, facts: Facts) -> Sequence[SetupStep]:
    """The steps of the set-up that a section knows."""
    try:
        return list(section.setup(facts))
    except GARBLED:
        return ()


def _key(finding: Finding) -> str:
    return f"{_FINDING}{finding.about} {finding.kind}.{finding.field} {finding.record_id}"


def _ordered(members: Sequence[Section], facts: Facts) -> Sequence[Entry]:
    """The entries of sections with the same title; of changes the newest."""
    entries = [entry for section in members for entry in entries_of(section, facts)]
    return sorted(entries, key=lambda entry: entry.at, reverse=True)[:NEWEST] if members[0].latest else entries
