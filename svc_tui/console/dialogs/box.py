"""The base of all dialogs: a title, a body and a key line."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from inspect import isawaitable
from typing import ClassVar, TypeGuard, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState

from svc_tui.console.core.dialog_keys import CLOSE
from svc_tui.console.core.keys import DialogKey, KeyMap, key_name
from svc_tui.console.core.stage import DEFAULT_KEYS, Dialog, Host, host_of, key_map_of
from svc_tui.console.dialogs import screen_file
from svc_tui.console.terminal.key_parser import edits_text
from svc_tui.console.terminal.secrets import marked_strip
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.bars import fitting
from svc_tui.console.widgets.line_input import LineInput
from svc_tui.language import _

T = TypeVar("T")

#: Shown when a dialog with changes is closed for the first time.
UNSAVED = _("Unsaved changes: {save} saves, {close} again discards.")
#: Shown when the console is quit over a dialog with changes.
NOT_SAVED = _("The changes in this dialog have not been saved.")
#: Lines of a page.
PAGE = 8


class KeyLine(Static):
    """The keys of a dialog. In a narrow window the last one stays, which closes the dialog, and others as they fit."""

    def __init__(self, text: str) -> None:
        super().__init__(classes="box--keys", markup=False)
        self._text = text

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        self._text = str(content)
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        super().update(Content(fitting(self._text, self.size.width)), layout=False)


class Box(ModalScreen[T], Dialog[T]):
    """A dialog. The view behind it is not dimmed: that would repaint, and send, the whole screen."""

    DEFAULT_CSS = """
    Box { align: center middle; background: transparent; }
    Box > .box {
        width: 76; max-width: 98%; height: auto; max-height: 100%;
        border: round $primary; background: $surface; padding: 0 1;
    }
    Box .box--keys { color: $text-muted; height: 1; }
    Box .error { color: $error; height: auto; }
    """
    #: The keys of this dialog. A class attribute whose name ends with KEYS is a set of keys that work at the same time.
    KEYS: ClassVar[tuple[DialogKey, ...]] = (CLOSE,)
    #: A hint in front of the keys in the key line.
    HINT: ClassVar[str] = ""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title_text = title
        #: Whether the key line shows a message.
        self._announces = False

    @abstractmethod
    def body(self) -> Iterable[Widget]:
        """The widgets between title and keys."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="box") as box:
            box.border_title = Content(safe_text(self.title_text).text)
            yield from self.body()
            yield KeyLine(self._key_line())

    # --- keys --------------------------------------------------------------------------------------------------

    @property
    def key_map(self) -> KeyMap:
        return key_map_of(self.app) if self.is_attached else DEFAULT_KEYS

    def current_keys(self) -> Sequence[DialogKey]:
        """The keys that work now."""
        return self.KEYS

    def hint_now(self) -> str:
        """The hint in front of the keys now."""
        return self.HINT

    def _key_line(self) -> str:
        return self.key_map.line(self.current_keys(), self.hint_now())

    def show_keys(self) -> None:
        """Draw the key line again."""
        self.query_one(KeyLine).update(self._key_line())

    def with_keys(self, sentence: str) -> str:
        """A sentence with the current key for each `{verb}` of this dialog, and for each `{action}`."""
        return self.key_map.sentence(sentence, [key for keys in key_sets(type(self)) for key in keys])

    def pressed(self, event: events.Key, keys: Sequence[DialogKey]) -> str:
        """The verb of a key among these; empty for another key."""
        return self.key_map.verb(keys, key_name(event.key, event.character))

    async def press(self, event: events.Key) -> bool:
        """Do what a key does; False when it is for the input with the focus, as all characters are."""
        if event.is_printable and edits_text(self.focused):
            return False
        if self._announces:
            self._announces = False
            self.show_keys()
        return await self.take_key(event) or await self._acts_as_in_views(event)

    async def _acts_as_in_views(self, event: events.Key) -> bool:
        """Quit, or save the screen and show the message in place of the key line, with the keys of views for that."""
        pressed = key_name(event.key, event.character)
        if pressed in self.key_map.keys("leave"):
            self.app.run_worker(host_of(self.app).leave(), group="leave")
            return True
        for action in ("save_screen", "save_screen_text"):
            if pressed in self.key_map.keys(action):
                message, style = await screen_file.save_screen(self.app, "dialog", screen_file.ENDINGS[action])
                line = self.query_one(KeyLine)
                # The end of a long path has the name of the file.
                long = style == "ok" and len(message) > line.size.width
                line.update(f"…{message[1 - line.size.width :]}" if long else message)
                self._announces = True
                return True
        return False

    async def take_key(self, event: events.Key) -> bool:
        """Perform the action of a key in this dialog; False for another key."""
        verb = self.pressed(event, self.current_keys())
        if verb:
            doing = getattr(self, f"action_{verb}")()
            if isawaitable(doing):
                await doing
        return bool(verb)

    def action_up(self) -> None:
        self.move(-1)

    def action_down(self) -> None:
        self.move(1)

    action_line_up, action_line_down = action_up, action_down

    def action_page_up(self) -> None:
        self.page(-1)

    def action_page_down(self) -> None:
        self.page(1)

    def move(self, by: int) -> None:
        """Move the cursor, or scroll."""

    def page(self, by: int) -> None:
        """Move the cursor by pages."""
        self.move(by * PAGE)

    def action_next_field(self) -> None:
        self.focus_next()

    def action_previous_field(self) -> None:
        self.focus_previous()

    def action_close(self) -> None:
        self.dismiss(None)

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Close the dialog, and first those that it opened: it can end while one of them is on top."""
        stack = self.app.screen_stack
        if self not in stack:
            return AwaitComplete()
        for above in reversed(stack[stack.index(self) + 1 :]):
            above.dismiss(None)
        return super().dismiss(result)

    # --- errors ------------------------------------------------------------------------------------------------

    def put(self, selector: str, text: str) -> None:
        """Replace the text of a widget; it may have several lines, and come from anywhere."""
        self.query_one(selector, Static).update(_safe(text))

    def show_error(self, text: str) -> None:
        """Show an error in the dialog; an empty text removes it."""
        self.put("#error", text)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show an internal error of a worker, so that the dialog does not wait for ever."""
        if event.state is WorkerState.ERROR and event.worker.error is not None and isinstance(self.app, Host):
            sentence = self.app.report_internal_error(event.worker.error)
            if self.query_one_optional("#error"):
                self.show_error(sentence)


def key_sets(dialog: type) -> list[tuple[DialogKey, ...]]:
    """The sets of keys of a class, its own and those that it inherits."""
    found: dict[str, object] = {}
    for base in reversed(dialog.__mro__):
        found |= vars(base)
    return key_sets_among(found)


def key_sets_among(names: Mapping[str, object]) -> list[tuple[DialogKey, ...]]:
    """The sets of keys among the names of a class or module."""
    return [value for name, value in names.items() if name.endswith("KEYS") and _is_key_set(value)]


def _is_key_set(value: object) -> TypeGuard[tuple[DialogKey, ...]]:
    return isinstance(value, tuple) and all(isinstance(item, DialogKey) for item in value)


def plain(text: str, *, id: str | None = None, classes: str | None = None) -> Static:
    """A text from anywhere, safe to draw: no markup, no control characters."""
    return Static(_safe(text), id=id, classes=classes, markup=False)


class SecretText(Static):
    """A secret that is shown, which saved screens and recordings mask. Safe to draw as `plain` texts are."""

    def __init__(self, text: str, *, id: str | None = None) -> None:
        super().__init__(_safe(text), id=id, markup=False)

    def render_line(self, y: int) -> Strip:
        """A line, marked as a secret."""
        return marked_strip(super().render_line(y))


def _safe(text: str) -> Content:
    return Content("\n".join(safe_text(line).text for line in text.split("\n")))


def confirmation_input(request: str) -> Input:
    """The input for the confirmation of a dangerous change; `request` is its placeholder."""
    return LineInput(placeholder=request, id="confirm")


def confirmation_hint(typed: str, accepted: Collection[str]) -> str:
    """What a typed name is so far, for the key line; empty for none."""
    typed = typed.strip()
    if typed in accepted:
        return _("the name matches:")
    begun = any(name.startswith(typed) for name in accepted)
    return (_("not the name yet:") if begun else _("not this name:")) if typed else ""
