"""A form drawn from a declaration: one line a field, an editor only on the line under the cursor."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from svc_tui.console.bars import Piece
from svc_tui.console.form import TYPED, Form
from svc_tui.console.places import Place
from svc_tui.console.resource import Resource
from svc_tui.console.terminal.text import shown
from svc_tui.console.views.sheet import Line, Sheet
from svc_tui.console.views.view import View

#: Key of the last line, on which `enter` reviews.
REVIEW = "(review)"

Review = Callable[["FormView"], Awaitable[None]]


class FieldInput(Input):
    """The editor over the value of the field under the cursor; the sheet keeps the keys that move."""

    BINDINGS = []


class FormView(View):
    """Edits a `Form`. What it leads to (a preview, a filter) is the `review` it was given."""

    kind = "form"
    DEFAULT_CSS = """
    FormView { layers: sheet editor; }
    FormView #hint { dock: bottom; height: 2; color: $text-muted; padding: 0 1; }
    FormView FieldInput { layer: editor; position: absolute; border: none; height: 1; padding: 0; background: $panel; }
    FormView FieldInput:focus { border: none; }
    """

    class Abandon(Message):
        """Leaving would lose what was typed."""

    def __init__(
        self, place: Place, resource: Resource | None, title: str, form: Form, review: Review, *, send: str
    ) -> None:
        super().__init__(place, resource)
        self.form = form
        self.title_text = title
        self._review = review
        self._send = send
        self._notes: list[str] = []
        self._group_started = False

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=44, notes_right=True)
        yield Static(id="hint", markup=False)
        editor = FieldInput(id="editor")
        editor.cursor_blink = False
        editor.display = False
        yield editor

    def on_mount(self) -> None:
        self._draw()
        self.home()

    @property
    def sheet(self) -> Sheet:
        return self.query_one(Sheet)

    @property
    def editor(self) -> FieldInput:
        return self.query_one(FieldInput)

    @property
    def crumb(self) -> str:
        return self.title_text

    @property
    def wire(self) -> str:
        """The field under the cursor; empty on the last line."""
        line = self.sheet.line
        return line.key if line and line.key != REVIEW else ""

    def _lines(self) -> Iterator[Line]:
        group = ""
        for spec in self.form.specs:
            if spec.facet.group != group:
                group = spec.facet.group
                yield Line("heading", label=group)
            yield self._line(spec.wire)
        yield Line("heading", label="")
        found = len(self.form.problems())
        state = f"{found} to mend first" if found else ""
        yield Line("field", self._send, "press enter here, or ctrl+o anywhere", state, key=REVIEW, note_style="warn")

    def _line(self, wire: str) -> Line:
        form, spec = self.form, self.form.spec(wire)
        label = spec.label + (" *" if spec.required else "")
        reason = form.why_not(wire)
        if reason:
            return Line("field", label, form.drawn(wire), reason, key=wire, style="dim")
        problem = form.problem(wire)
        if problem and (form.changed(wire) or wire in form.refused or problem != "is required"):
            return Line(
                "field", label, form.drawn(wire), problem, key=wire, note_style="bad", changed=form.changed(wire)
            )
        note = "deprecated" if spec.facet.deprecated else _short_constraint(spec.constraint)
        return Line("field", label, form.drawn(wire), note, key=wire, changed=form.changed(wire))

    def _draw(self) -> None:
        self.sheet.show(list(self._lines()))
        self._hint()
        if self.editor.display and self.wire:
            self._fit_editor(self.wire)

    def _hint(self) -> None:
        lines = ["", ""]
        if self.wire:
            spec = self.form.spec(self.wire)
            lines[0] = " · ".join(part for part in (spec.facet.help, _how(spec.kind, bool(spec.facet.refers))) if part)
            lines[1] = " · ".join(part for part in (self.form.problem(self.wire) or spec.constraint,) if part)
        elif self._notes:
            lines[:2] = [*self._notes, ""][:2]
        self.query_one("#hint", Static).update(Content("\n".join(shown(line).text for line in lines)))

    def refuse(self, problems: Mapping[str, str]) -> None:
        """The service refused fields: say it beside them and go to the first one."""
        self._notes = self.form.refuse(problems)
        self._draw()
        if self.form.refused:
            self.sheet.go_to(next(iter(self.form.refused)))
        self._place_editor()

    def on_sheet_moved(self) -> None:
        self._place_editor()

    def on_resize(self) -> None:
        if self.is_attached:
            self.call_after_refresh(self._place_editor)

    def _fit_editor(self, wire: str) -> None:
        """As wide as the note beside it leaves room for."""
        note = self._line(wire).note
        room = self.size.width - self.sheet.label_width - 4
        self.editor.styles.width = max(12, room - (cell_len(note) + 2 if note else 1))

    def _place_editor(self) -> None:
        wire, editor = self.wire, self.editor
        typed = bool(wire) and self.form.spec(wire).kind in TYPED and not self.form.why_not(wire)
        value = self.form.typed(wire) if typed else ""
        if typed and "\n" not in value:
            left = self.sheet.label_width + 4
            editor.styles.offset = (left, self.sheet.cursor - self.sheet.top)
            self._fit_editor(wire)
            with editor.prevent(Input.Changed):
                editor.value = value
                editor.password = self.form.spec(wire).facet.secret
            editor.display = True
            editor.focus(scroll_visible=False)
            editor.cursor_position = len(value)
        else:
            editor.display = False
            self.sheet.focus(scroll_visible=False)
        self._hint()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.wire:
            self.form.type(self.wire, event.value)
            self._draw()
            self.tell()

    def on_key(self, event: events.Key) -> None:
        """Keys of fields that are chosen, not typed; everything else goes to the frame."""
        wire = self.wire
        if not wire or self.editor.display or self.form.why_not(wire):
            return
        if self._chosen(wire, event):
            event.stop()
            event.prevent_default()
            self._draw()
            self.tell()

    def _chosen(self, wire: str, event: events.Key) -> bool:
        kind = self.form.spec(wire).kind
        if event.key in ("backspace", "delete"):
            self.form.set(wire, None)
        elif kind not in ("choice", "boolean"):
            return False
        elif event.key in ("right", "space"):
            self.form.cycle(wire, 1)
        elif event.key == "left":
            self.form.cycle(wire, -1)
        elif kind == "boolean" and event.character in ("y", "n"):
            self.form.set(wire, event.character == "y")
        elif kind == "choice" and event.is_printable and event.character:
            return self.form.jump(wire, event.character)
        else:
            return False
        return True

    def take_value(self, wire: str, value: Any) -> None:
        """A value that was chosen or edited in a box."""
        self.form.set(wire, value)
        self._draw()
        self._place_editor()
        self.tell()

    async def review(self) -> None:
        """Go on to what the form is for, or to the first problem."""
        problems = self.form.problems()
        if problems:
            wire = next(iter(problems))
            self.form.refused.setdefault(wire, problems[wire])
            self._draw()
            self.sheet.go_to(wire)
            self._place_editor()
            return
        await self._review(self)

    def status(self) -> Sequence[Piece]:
        changed = sum(self.form.changed(spec.wire) for spec in self.form.specs)
        problems = self.form.problems()
        pieces = [Piece(f" {changed} changed" if changed else " nothing changed yet")]
        if problems:
            label = self.form.spec(next(iter(problems))).label
            pieces.append(Piece(f"   {label} {next(iter(problems.values()))}", "warn"))
        return pieces

    def may_leave(self) -> bool:
        return not self.form.dirty

    def move(self, by: int) -> None:
        self.sheet.move(by)

    def page(self, by: int) -> None:
        self.sheet.page(by)

    def home(self) -> None:
        self.sheet.top = 0
        self.sheet.move(-1)
        self.sheet.go(next((n for n, line in enumerate(self.sheet.lines) if line.stops), 0))
        self.call_after_refresh(self._place_editor)

    def end(self) -> None:
        self.sheet.go(len(self.sheet.lines) - 1)

    def take_focus(self) -> None:
        self._place_editor()


def _short_constraint(constraint: str) -> str:
    return constraint if len(constraint) <= 24 else ""


def _how(kind: str, refers: bool) -> str:
    if refers:
        return "enter searches"
    return {
        "choice": "space or ← → changes, enter lists",
        "boolean": "space changes, y or n",
        "texts": "enter edits, one a line",
        "choices": "enter edits, one a line",
        "date": "YYYY-MM-DD",
        "datetime": "YYYY-MM-DD, or with a time YYYY-MM-DDTHH:MM:SSZ",
    }.get(kind, "")
