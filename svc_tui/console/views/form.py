"""A form drawn from a declaration: one line a field, an editor only on the line under the cursor."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
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


@runtime_checkable
class KeyTaker(Protocol):
    """The frame, as far as a form needs it."""

    def take_key(self, event: events.Key) -> bool: ...


Review = Callable[["FormView"], Awaitable[None]]


class FieldInput(Input):
    """The editor over the value of the field under the cursor.

    Keys are taken in the order in which they were typed, whoever has the focus by then: the form decides for each
    whether it moves, chooses or is typed.
    """

    BINDINGS = []

    def __init__(self, take_key: Callable[[events.Key], bool]) -> None:
        super().__init__(id="editor")
        self._take_key = take_key
        self.cursor_blink = False
        self.display = False

    async def _on_key(self, event: events.Key) -> None:
        if self._take_key(event):
            event.stop()
            event.prevent_default()
            return
        edits = self._bindings.key_to_bindings.get(event.key, ())
        if edits and not event.is_printable:
            # Textual runs these when the key has bubbled up, after what is typed behind it.
            event.stop()
            event.prevent_default()
            await self.run_action(edits[0].action)
            return
        await super()._on_key(event)


class FormSheet(Sheet):
    """The sheet of a form; what is typed while an editor is open goes there."""

    def __init__(self, take_key: Callable[[events.Key], bool]) -> None:
        super().__init__(label_width=44, notes_right=True)
        self._take_key = take_key

    def on_key(self, event: events.Key) -> None:
        if self._take_key(event):
            event.stop()
            event.prevent_default()


class FormView(View):
    """Edits a `Form`. What it leads to (a preview, a filter) is the `review` it was given."""

    kind = "form"
    DEFAULT_CSS = """
    FormView { layers: sheet editor; }
    FormView #hint { dock: bottom; height: 2; color: $text-muted; padding: 0 1; }
    FormView FieldInput { layer: editor; position: absolute; border: none; height: 1; padding: 0; background: $panel; }
    FormView FieldInput:focus { border: none; }
    """

    def __init__(
        self, place: Place, resource: Resource | None, title: str, form: Form, review: Review, *, send: str
    ) -> None:
        super().__init__(place, resource)
        self.form = form
        self.title_text = title
        self._review = review
        self._send = send
        self._notes: list[str] = []
        self._placed = ""

    def compose(self) -> ComposeResult:
        yield FormSheet(self.take_key)
        yield Static(id="hint", markup=False)
        yield FieldInput(self.take_key)

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

    def on_sheet_moved(self, event: Sheet.Moved) -> None:
        if event.key == self._placed:
            return
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
        self._placed = wire
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
            self.screen.set_focus(editor, scroll_visible=False)
            editor.cursor_position = len(value)
        else:
            self.screen.set_focus(self.sheet, scroll_visible=False)
            editor.display = False
        self._hint()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._take_typed()

    def _take_typed(self) -> None:
        """What stands in the editor is the value of its field."""
        if self.editor.display and self._placed and self.editor.value != self.form.typed(self._placed):
            self.form.type(self._placed, self.editor.value)
            self._draw()
            self.tell()

    def take_key(self, event: events.Key) -> bool:
        """Do what a key is for in a form; False when it is typed into the editor."""
        frame = self.screen
        assert isinstance(frame, KeyTaker)
        self._take_typed()
        wire = self.wire
        if wire and not self.editor.display and not self.form.why_not(wire) and self._chosen(wire, event):
            self._draw()
            self.tell()
            return True
        return frame.take_key(event)

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
        self._place_editor()

    def page(self, by: int) -> None:
        self.sheet.page(by)
        self._place_editor()

    def home(self) -> None:
        self.sheet.home()
        self.call_after_refresh(self._place_editor)

    def end(self) -> None:
        self.sheet.end()

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
