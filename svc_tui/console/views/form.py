"""A form made from a declaration: one line per field, with an editor on the selected line."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static
from textual.widgets.input import Selection

from svc_tui.console.core.field_text import Hint, how_edited, joined, matching, warned
from svc_tui.console.core.form import TYPED, Form
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import LONGEST_LINE, safe_text
from svc_tui.console.terminal.theme import STYLES
from svc_tui.console.views.form_text import field_line, status_pieces
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.line_input import FieldInput
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.interface.field_specs import FieldSpec
from svc_tui.language import _

if TYPE_CHECKING:
    from svc_tui.console.core.call_line import CommandCall

#: Key of the last line, which reviews the changes.
REVIEW = "(review)"
#: Kinds with a value that is replaced by typing. Other values are edited at their end.
_NUMBERS = frozenset({"integer", "number"})
#: Keys of a field whose value is chosen, not typed.
FIELD_KEYS = (
    DialogKey("field.next_value", ("space", "right"), "Next value", "Next value of a choice"),
    DialogKey("field.previous_value", ("left",), "Previous value", "Previous value of a choice"),
    DialogKey("field.clear", ("backspace", "delete"), "Clear", "Clear a chosen value"),
)
YES_OR_NO_KEYS = (
    DialogKey("field.yes", ("y",), "Yes", "Set the field to yes"),
    DialogKey("field.no", ("n",), "No", "Set the field to no"),
)


Review = Callable[["FormView"], Awaitable[None]]
#: The requests that would be sent with the current values.
Calls = Callable[["FormView"], Sequence["CommandCall"]]


class FormSheet(Sheet):
    """The sheet of a form."""

    #: Whether labels that do not fit are wrapped.
    WRAPS: ClassVar[bool] = True

    def __init__(self) -> None:
        # A note is read with its value: on a wide terminal it stays near.
        super().__init__(label_width=44, notes_right=True, notes_within=100, whole_labels=self.WRAPS)


class FormView(View):
    """A view of a `Form`. `review` uses its values, for a preview or a filter."""

    kind = "form"
    no_call = _("this form has no request of its own")
    filter_hint = _("a word about a field")
    sheet_type: ClassVar[type[FormSheet]] = FormSheet
    DEFAULT_CSS = """
    FormView { layers: sheet editor; }
    FormView #hint { dock: bottom; height: 2; color: $text-muted; padding: 0 1; }
    FormView FieldInput { layer: editor; position: absolute; }
    """

    def __init__(
        self,
        place: Place,
        resource: Resource | None,
        title: str,
        form: Form,
        review: Review,
        *,
        send: str,
        calls: Calls | None = None,
    ) -> None:
        super().__init__(place, resource)
        self.form = form
        self._calls = calls
        self.title_text = title
        self._review = review
        self.send_label = send
        self._notes: list[str] = []
        self._placed = ""
        #: The field that was selected before a word was typed to find another one.
        self._left = ""

    def compose(self) -> ComposeResult:
        yield self.sheet_type()
        yield Static(id="hint", markup=False)
        # The focus selects no text, because it may arrive after the first typed characters.
        yield FieldInput(self._typed, select_on_focus=False)

    def on_mount(self) -> None:
        self.draw()
        self.home()
        # The first fields can be those of another role, for example of a company that belongs to a partner.
        if settable := next((spec.wire for spec in self.fields() if not self.form.why_not(spec.wire)), ""):
            self.go_to_field(settable)
            # Its size is not known yet: it scrolls later, and only as far as necessary.
            self.sheet.top = 0

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
        """The wire name of the selected field; empty on lines of other kinds, whose keys are in brackets."""
        line = self.sheet.line
        return line.key if line and not line.key.startswith("(") else ""

    def fields(self) -> Sequence[FieldSpec]:
        """The visible fields."""
        return self.form.specs

    def _lines(self) -> Iterator[Line]:
        group = ""
        for spec in self.fields():
            if spec.facet.group != group:
                group = spec.facet.group
                yield Line("heading", label=group)
            yield self.line_of(spec.wire)
        yield Line("heading", label="")
        yield self.last_line()

    def last_line(self) -> Line:
        """The line that reviews the changes."""
        found = len(self.form.problems())
        state = _("{found} to fix first").format(found=found) if found else ""
        how = self.with_keys(_("{enter_field} here, or {review} anywhere"))
        return Line("field", self.send_label, how, state, key=REVIEW, note_style="warn")

    def line_of(self, wire: str) -> Line:
        """The line of a field."""
        return field_line(self.form, wire)

    def draw(self) -> None:
        """Draw the form."""
        self.sheet.show(list(self._lines()))
        self._hint()
        if self.editor.display and self.wire:
            self._fit_editor(self.wire)

    def _hint(self) -> None:
        lines: Sequence[Hint] = self.hint_lines(self.wire) if self.wire else self._notes[:2]
        pieces = [line if isinstance(line, Piece) else Piece(line) for line in lines]
        drawn = [Content.styled(safe_text(piece.text).text, STYLES.get(piece.style, "")) for piece in pieces]
        self.query_one("#hint", Static).update(Content("\n").join(drawn))

    def hint_lines(self, wire: str) -> Sequence[Hint]:
        """The lines below the form about the selected field."""
        spec = self.form.spec(wire)
        if reason := self.form.why_not(wire):
            return [spec.facet.help, reason]
        problem = self.offer() or self.form.problem(wire)
        return [joined(spec.facet.help, self.editing_hint(spec)), warned(problem) or spec.constraint_in_words]

    def editing_hint(self, spec: FieldSpec) -> str:
        """The keys that edit a field."""
        if spec.kind in TYPED and len(self.form.typed(spec.wire)) > LONGEST_LINE:
            return self.with_keys(_("too long to edit here, {clear} clears it"), FIELD_KEYS)
        if self.form.placeholder(spec.wire):
            return self.with_keys(_("{clear} changes between several values and empty in all"), FIELD_KEYS)
        replaces = bool(self.form.typed(spec.wire)) and not self.form.changed(spec.wire)
        return self.with_keys(how_edited(spec, replaces), (*FIELD_KEYS, *YES_OR_NO_KEYS))

    def offer(self) -> str:
        """The values that must follow from the last change, with the key that sets them; empty when none must."""
        following = self.form.following()
        if not following:
            return ""
        named: dict[str, list[str]] = {}
        for wire, value in following.items():
            spec = self.form.spec(wire)
            named.setdefault(value_text(value, spec), []).append(spec.label)
        changes = "; ".join(f"{value}: {', '.join(labels)}" for value, labels in named.items())
        return f"{self._repairs(_('sets the dependent fields'))}. {changes}"

    def _repairs(self, done: str) -> str:
        """A phrase with the key that sets dependent values in front."""
        action = self.form.consistency.action if self.form.consistency else ""
        return self.with_keys(f"{{{action}}} {done}")

    def repair(self) -> None:
        """Set the values that must follow from the last change."""
        for wire, value in self.form.following().items():
            self.form.set(wire, value)
        self.edited()
        self._place_editor()

    def edited(self) -> None:
        """Draw the form after a change."""
        self.draw()
        self.notify_changed()

    def refuse(self, problems: Mapping[str, str]) -> None:
        """Show refused fields and go to the first one."""
        self._notes = self.form.refuse(problems)
        self.draw()
        if self.form.refused:
            self.go_to_field(next(iter(self.form.refused)))
        elif self._notes:
            self.post_message(self.StatusMessage(self._notes[0]))
        self._place_editor()

    def go_to_field(self, wire: str) -> None:
        """Move the cursor to a field."""
        self.sheet.go_to(wire)

    def unfold(self) -> None:
        """Show the fields for which the selected line stands, and go to the first one; nothing on other lines."""

    def show_field(self, wire: str) -> None:
        found = (spec.wire for spec in self.form.specs if spec.wire == wire or spec.wire.startswith(f"{wire}."))
        if first := next(found, ""):
            self.go_to_field(first)

    def step_back(self) -> bool:
        """End the innermost mode of the form, such as a filter; False when there is none."""
        return False

    def filter_typed(self, text: str) -> None:
        """Go to the first field that fits a word while it is typed."""
        self._left = self._left or self.wire or REVIEW
        found = matching(self.fields(), text) if text.strip() else []
        self.go_to_field(found[0].wire if found else self._left)

    def filter_done(self, text: str | None) -> None:
        if text is None and self._left:
            self.go_to_field(self._left)
        elif text and text.strip() and not matching(self.fields(), text):
            self.post_message(self.StatusMessage(_("No field contains “{text}”.").format(text=text.strip())))
        self._left = ""
        self.take_focus()

    def on_sheet_moved(self, event: Sheet.Moved) -> None:
        # The cursor may have moved since; the editor is then already open, with the text typed so far.
        if self.wire != self._placed:
            self._place_editor()
        self.notify_changed(moved=True)

    def on_resize(self) -> None:
        if self.is_attached:
            self.call_after_refresh(self._place_editor)

    def editor_span(self, wire: str) -> tuple[int, int]:
        """The first column of the editor of a field, and its width: it covers the value that is drawn below it."""
        left, width = self.sheet.value_span(self.line_of(wire))
        return left, max(12, width)

    def _fit_editor(self, wire: str) -> None:
        left, width = self.editor_span(wire)
        self.editor.styles.offset = (left, self.sheet.cursor - self.sheet.top)
        self.editor.styles.width = width

    def _place_editor(self) -> None:
        if not self.children:
            # The form was closed before it was drawn again.
            return
        wire, editor = self.wire, self.editor
        # What is typed replaces a value that was not edited yet; an arrow, `end` or backspace edits it.
        fresh = bool(wire) and (wire != self._placed or editor.is_fully_selected)
        replaced = fresh and (not self.form.changed(wire) or self.form.spec(wire).kind in _NUMBERS)
        self._placed = wire
        typed = bool(wire) and self.form.spec(wire).kind in TYPED and self.form.may_edit(wire)
        value = self.form.typed(wire) if typed else ""
        if typed and "\n" not in value and len(value) <= LONGEST_LINE:
            self._fit_editor(wire)
            editor.value, editor.placeholder = value, self.form.placeholder(wire)
            editor.password = self.form.spec(wire).facet.secret
            editor.display = True
            self.screen.set_focus(editor, scroll_visible=False)
            editor.selection = Selection(0 if replaced else len(value), len(value))
        else:
            self.screen.set_focus(self.sheet, scroll_visible=False)
            editor.display = False
        self._hint()

    def _typed(self) -> None:
        """Take the text of the editor as the value of its field."""
        if self.editor.display and self._placed and self.editor.value != self.form.typed(self._placed):
            self.form.type(self._placed, self.editor.value)
            self.edited()

    def take_key(self, event: events.Key) -> bool:
        """Choose or clear the value of a field; False for a key that is typed, or an action."""
        wire = self.wire
        if self._clears(wire, event):
            self.form.clear(wire)
        elif not wire or self.editor.display or not self.form.may_edit(wire) or not self._choose(wire, event):
            return False
        self.edited()
        self._place_editor()
        return True

    def _clears(self, wire: str, event: events.Key) -> bool:
        """Whether a key in an empty editor is about the values that it stands for."""
        empty = bool(wire) and self.editor.display and not self.editor.value and wire == self._placed
        return empty and bool(self.form.placeholder(wire)) and self.pressed(event, FIELD_KEYS) == "clear"

    def _choose(self, wire: str, event: events.Key) -> bool:
        kind = self.form.spec(wire).kind
        verb = self.pressed(event, FIELD_KEYS)
        if verb == "clear":
            self.form.clear(wire)
        elif kind not in ("choice", "boolean"):
            return False
        elif verb in ("next_value", "previous_value"):
            self.form.cycle(wire, 1 if verb == "next_value" else -1)
        elif kind == "boolean" and (answer := self.pressed(event, YES_OR_NO_KEYS)):
            self.form.set(wire, answer == "yes")
        elif kind == "choice" and event.is_printable and event.character:
            return self.form.jump(wire, event.character)
        else:
            return False
        return True

    def take_value(self, wire: str, value: Any) -> None:
        """Set a value that was chosen or edited in a dialog."""
        self.form.set(wire, value)
        self.edited()
        self._place_editor()

    async def review(self) -> None:
        """Review the values, or go to the first problem."""
        if not self.show_problem():
            await self._review(self)

    def show_problem(self) -> bool:
        """Go to the first field with a problem; False when there is none."""
        problems = self.form.problems()
        if problems:
            wire = next(iter(problems))
            self.form.refused.setdefault(wire, problems[wire])
            self.draw()
            self.go_to_field(wire)
            self._place_editor()
        return bool(problems)

    def status(self) -> Sequence[Piece]:
        return status_pieces(self.form, self._repairs(_("sets them")) if self.form.following() else "")

    def may_leave(self) -> bool:
        return not self.form.dirty

    def calls(self) -> Sequence[CommandCall]:
        return self._calls(self) if self._calls is not None and not self.form.problems() else ()

    def why_no_call(self) -> str:
        if self._calls is None:
            return self.no_call
        found = len(self.form.problems())
        return _("{found} to fix first").format(found=found) if found else _("no changes to send")

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
