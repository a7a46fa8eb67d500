"""The base of all views: a place, the selected and marked records, cursor movement and the status line."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.events import Key
from textual.message import Message
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from svc_tui.console.core.keys import KeySet, key_name
from svc_tui.console.core.places import Link, Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.core.stage import ViewKind, key_map_of
from svc_tui.console.views.plugin_failures import guard_parts, is_foreign
from svc_tui.console.widgets.bars import Piece
from svc_tui.language import _

if TYPE_CHECKING:
    from svc_tui.console.core.call_line import CommandCall
    from svc_tui.interface.errors import Finding
    from svc_tui.workspace.changes.polling import Pollable
    from svc_tui.workspace.lists.open_record import OpenRecord

#: What the layout and the drawing of the whole screen ask each widget.
_DRAWN = ("render", "render_line", "render_lines", "get_content_width", "get_content_height")


class View(Widget):
    """Base of the views. The frame shows one at a time and keeps those below it as they were."""

    DEFAULT_CSS = "View { width: 1fr; height: 1fr; }"
    kind: ClassVar[ViewKind]
    #: Why `calls` and the list or record of a view have no request.
    no_call: ClassVar[str] = _("no single request reads this view")
    #: What can be typed as a filter, until something is typed.
    filter_hint: ClassVar[str] = _("a part of any value")

    def __init_subclass__(cls, **options: Any) -> None:
        """What the console asks a view of a plug-in fails without consequences for others."""
        super().__init_subclass__(**options)
        if is_foreign(cls):
            guard_parts(cls, (*(name for name in vars(View) if not name.startswith("_")), *_DRAWN), _check_answer)

    class Changed(Message):
        """The status line, crumbs or available actions may have changed; `moved` when only the cursor moved."""

        def __init__(self, moved: bool = False) -> None:
            super().__init__()
            self.moved = moved

    class StatusMessage(Message):
        """A message for the status line."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Failed(Message):
        """A worker of the view ended with an error that it did not handle."""

        def __init__(self, error: Exception) -> None:
            super().__init__()
            self.error = error

    class Moved(Message):
        """The view shows another place."""

    class ActionRequested(Message):
        """An action that was requested with the mouse."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, place: Place, resource: Resource | None = None) -> None:
        super().__init__()
        self.place = place
        self._resource = resource
        #: The name of the owner of the records; empty when it is unknown or there is none.
        self.owner = ""
        #: The place below a chosen record that was asked for, with what its list shows; None when a record is opened.
        self.continues_to: Link | None = None
        #: The parent record that rules of these records depend on, if there is one.
        self.parent_record: OpenRecord | None = None

    @property
    def resource(self) -> Resource | None:
        """The resource of the records in the view, if there is one."""
        return self._resource

    @property
    def crumb(self) -> str:
        """The name of the view in the top line; not yet safe to draw."""
        return self.resource.title if self.resource else str(self.place)

    @property
    def link(self) -> Link:
        """The place with what the view shows of it."""
        return Link(self.place)

    @property
    def ready(self) -> bool:
        """Whether the view has content; keys that are typed ahead wait for it."""
        return True

    @property
    def replaced_at(self) -> float:
        """When the selected record was replaced by another one without a key, in the time of events; 0 for never."""
        return 0.0

    def selection_loading(self) -> Coroutine[Any, Any, None] | None:
        """What keys for the selected record have to wait for; None when it is known."""
        return None

    @property
    def record(self) -> Mapping[str, Any] | None:
        """The record for actions."""
        return None

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings that the view shows."""
        return ()

    @property
    def cursor(self) -> str:
        """The key of the selected line, to return to it; empty where the view has none to return to."""
        return ""

    @property
    def polled(self) -> Pollable | None:
        """The data that is polled while the view is on top; None for nothing."""
        return None

    @property
    def marked(self) -> tuple[str, ...]:
        """The IDs of the marked records."""
        return ()

    @property
    def busy(self) -> str:
        """Why actions on records must wait, for example while marks are set; empty when they need not."""
        return ""

    def status(self) -> Sequence[Piece]:
        """The status line of the view."""
        return ()

    def pressed(self, event: Key, keys: KeySet) -> str:
        """The verb of a key among these; empty for another key."""
        return key_map_of(self.app).verb(keys, key_name(event.key, event.character))

    def with_keys(self, sentence: str, keys: KeySet = ()) -> str:
        """A sentence with the current key for each `{action}`, and for each `{verb}` of these keys."""
        return key_map_of(self.app).sentence(sentence, keys)

    def calls(self) -> Sequence[CommandCall]:
        """The requests behind the view or its selection, if they are not those of its list or record."""
        return ()

    def why_no_call(self) -> str:
        """Why it has none of its own and shows no list or record."""
        return self.no_call

    def show_field(self, wire: str) -> None:
        """Select a field, or the first one inside it; nothing where there is none."""

    def not_logged_in(self) -> None:
        """The user cancelled the login or logged out."""

    def move(self, by: int) -> None:
        """Move the cursor by lines."""

    def page(self, by: int) -> None:
        """Move the cursor by pages."""

    def home(self) -> None:
        """Move the cursor to the first line."""

    def end(self) -> None:
        """Move the cursor to the last line."""

    def next_pane(self) -> None:
        """Go to the next pane or page of the view."""

    def filter_typed(self, text: str) -> None:
        """Apply a filter while it is typed."""

    def filter_done(self, text: str | None) -> None:
        """Apply a filter that was accepted; None when it was cancelled."""

    def take_key(self, event: Key) -> bool:
        """Do what a key does in this view before any action; False for another key."""
        return False

    def refresh_now(self) -> None:
        """Read the records again."""

    def cancel_refresh(self) -> str:
        """Cancel a refresh or search in progress that was asked for. The message about it; empty when there is none."""
        return ""

    def take_focus(self) -> None:
        """Take the focus when the view is shown."""

    def may_leave(self) -> bool:
        """False while unsaved changes would be lost."""
        return True

    @property
    def loss(self) -> str:
        """The unsaved work that closing the view discards, as a sentence."""
        return _("The changes in a form have not been sent.")

    def uncovered(self) -> None:
        """The view above this one was closed. Textual's `Show` is not sent where it was open for one picture only."""

    def close(self) -> None:
        """Release the resources of the view."""
        if self.parent_record is not None:
            self.parent_record.close()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Report the error of a worker: without it, the view would wait for ever and give no reason."""
        error = event.worker.error
        if event.state is WorkerState.ERROR and isinstance(error, Exception):
            self.post_message(self.Failed(error))

    def notify_changed(self, *, moved: bool = False) -> None:
        """Report that the status line or available actions may have changed."""
        # To the screen, which takes it from any view: each widget between them would wake up for it.
        (self.screen if self.is_attached else self).post_message(self.Changed(moved))


def _check_answer(name: str, answer: object) -> None:
    """TypeError when the answer of a plug-in's view cannot be drawn."""
    if name == "status" and not (isinstance(answer, Sequence) and all(isinstance(piece, Piece) for piece in answer)):
        raise TypeError(f"the status line is {answer!r:.60}")
