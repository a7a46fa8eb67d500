"""What every view has in common: a place, what is chosen in it, how one moves, and what the status line says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.events import Key
from textual.message import Message
from textual.widget import Widget

from svc_tui.console.core.keys import KeySet, key_name
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.core.stage import ViewKind, key_map_of
from svc_tui.console.widgets.bars import Piece

if TYPE_CHECKING:
    from svc_tui.workspace.lists.record_view import RecordView


class View(Widget):
    """Base of the views. The frame shows one at a time and keeps those below it as they were."""

    DEFAULT_CSS = "View { width: 1fr; height: 1fr; }"
    kind: ClassVar[ViewKind]

    class Changed(Message):
        """Status line, crumbs or the possible actions may differ now; `moved` when only the cursor went on."""

        def __init__(self, moved: bool = False) -> None:
            super().__init__()
            self.moved = moved

    class Said(Message):
        """A sentence for the status line."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Wants(Message):
        """An action that the mouse asked for."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, place: Place, resource: Resource | None = None) -> None:
        super().__init__()
        self.place = place
        self.resource = resource
        #: Whose records these are, as he is called; empty when that is not known or there is nobody.
        self.owner = ""
        #: The record above that decides about these too, where there is one.
        self.around: RecordView | None = None

    @property
    def crumb(self) -> str:
        """How this view is called in the top line; not yet safe to draw."""
        return self.resource.title if self.resource else str(self.place)

    @property
    def ready(self) -> bool:
        """Whether there is something that a key could be meant for; keys typed ahead wait for it."""
        return True

    @property
    def record(self) -> Mapping[str, Any] | None:
        """The record that an action would work on."""
        return None

    @property
    def marked(self) -> tuple[str, ...]:
        """Ids of the marked records."""
        return ()

    @property
    def busy(self) -> str:
        """Why records cannot be acted upon now: which ones are meant is still being found out. Empty when they can."""
        return ""

    def status(self) -> Sequence[Piece]:
        """What the status line says of this view."""
        return ()

    def pressed(self, event: Key, keys: KeySet) -> str:
        """The verb of a key among these; empty when it is none of them."""
        return key_map_of(self.app).verb(keys, key_name(event.key, event.character))

    def with_keys(self, sentence: str, keys: KeySet = ()) -> str:
        """A sentence with the present key for each `{action}`, and for each `{verb}` of these keys."""
        return key_map_of(self.app).sentence(sentence, keys)

    def move(self, by: int) -> None:
        """Move the cursor by lines."""

    def page(self, by: int) -> None:
        """Move the cursor by screens."""

    def home(self) -> None:
        """To the first line."""

    def end(self) -> None:
        """To the last line."""

    def next_pane(self) -> None:
        """To the next pane or page of the view."""

    def filter_typed(self, text: str) -> None:
        """A filter is being typed."""

    def filter_done(self, text: str | None) -> None:
        """A filter was taken, or given up (None)."""

    def refresh_now(self) -> None:
        """Ask the service again."""

    def take_focus(self) -> None:
        """The view is shown (again)."""

    def may_leave(self) -> bool:
        """False while something typed would be lost; the view then asks by itself."""
        return True

    def close(self) -> None:
        """The view is not needed any more."""
        if self.around is not None:
            self.around.close()

    def tell(self, *, moved: bool = False) -> None:
        """Say that status or possible actions may have changed."""
        self.post_message(self.Changed(moved))
