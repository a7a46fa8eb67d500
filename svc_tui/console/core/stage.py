"""Protocols of the application for actions, views and dialogs.

`Stage` is for actions, `TopView` the view on top, `Host` for dialogs and widgets. The shell implements all three.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

from svc_tui.console.core.keys import KeyMap
from svc_tui.console.core.places import Link, Place
from svc_tui.console.terminal.capabilities import Capabilities

#: The kinds of views.
ViewKind = Literal["list", "detail", "form", "report", "results", "raw", "home"]
#: The action of a key after a question in the status line.
KeyChoice = Callable[[], Awaitable[object] | None]

if TYPE_CHECKING:
    from svc_tui.console.core.call_line import CallLine, CommandCall
    from svc_tui.console.widgets.bars import Piece
    from svc_tui.console.widgets.prompt import PromptRequest
    from svc_tui.workspace.lists.open_record import OpenRecord

T = TypeVar("T")
#: The type of resource; a parameter, because resources in turn refer to the stage.
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Dialog(Generic[T]):
    """Base of the dialogs for actions: each returns an answer, or None when it is cancelled."""

    @property
    def loss(self) -> str:
        """What quitting now would lose or interrupt, as a sentence; empty when nothing."""
        return ""


class TopView(Protocol[R_co]):
    """The view on top, for actions."""

    @property
    def kind(self) -> ViewKind: ...
    @property
    def place(self) -> Place: ...
    @property
    def link(self) -> Link: ...
    @property
    def crumb(self) -> str: ...
    @property
    def resource(self) -> R_co | None: ...
    @property
    def record(self) -> Mapping[str, Any] | None: ...
    @property
    def marked(self) -> tuple[str, ...]: ...
    @property
    def busy(self) -> str: ...
    @property
    def owner(self) -> str: ...
    @property
    def continues_to(self) -> Link | None: ...
    @property
    def parent_record(self) -> OpenRecord | None: ...
    def refresh_now(self) -> None: ...
    def cancel_refresh(self) -> str: ...
    def move(self, by: int) -> None: ...
    def page(self, by: int) -> None: ...
    def home(self) -> None: ...
    def end(self) -> None: ...
    def next_pane(self) -> None: ...
    def show_field(self, wire: str) -> None: ...
    def may_leave(self) -> bool: ...


@runtime_checkable
class Host(Protocol):
    """The application, for dialogs and widgets."""

    @property
    def terminal(self) -> Capabilities: ...
    @property
    def key_map(self) -> KeyMap: ...

    def report_internal_error(self, error: BaseException) -> str:
        """Log an internal error; returns the message."""
        ...

    def command(self, call: CommandCall) -> CallLine:
        """The command line that sends the same request with the current profile."""
        ...

    async def copied(self, text: str) -> str:
        """Copy a text; returns the message with the way it took."""
        ...

    async def leave(self) -> None:
        """Quit the console; ask first when unsaved changes would be lost."""
        ...


def host_of(app: object) -> Host:
    """The application of a dialog or widget; TypeError when it is another application than the console."""
    if not isinstance(app, Host):
        raise TypeError(f"{type(app).__name__} does not host dialogs")
    return app


#: The default keys, for an application that has no key map.
DEFAULT_KEYS = KeyMap(())


def key_map_of(app: object) -> KeyMap:
    """The key map of the application; the default keys when it is another application than the console."""
    return app.key_map if isinstance(app, Host) else DEFAULT_KEYS


class Actions(Protocol):
    """The registry of actions; `find_action` returns one of them with its type."""

    keys: KeyMap

    def __getitem__(self, name: str) -> object: ...


class Stage(Protocol[R]):
    """The application, for actions."""

    @property
    def resources(self) -> Mapping[str, R]: ...
    @property
    def registry(self) -> Actions: ...
    @property
    def terminal(self) -> Capabilities: ...
    @property
    def declared(self) -> bool:
        """Whether the declaration of the interface is loaded; it is loaded after the first picture."""
        ...

    @property
    def views(self) -> Sequence[TopView[R]]:
        """The open views, the one on top last."""
        ...

    @property
    def top(self) -> TopView[R] | None: ...

    def can_step(self, by: int) -> bool:
        """Whether there is a place this many steps ahead in the history of places, or behind."""
        ...

    async def step(self, by: int) -> None:
        """Open the place this many steps ahead in the history of places, or behind."""
        ...

    def show_message(self, text: str, style: str = "") -> None:
        """Show a message in the status line until the next key; an empty one removes it."""
        ...

    async def ask(self, dialog: Dialog[T]) -> T | None:
        """Open a dialog and wait for its answer."""
        ...

    async def show(self, view: TopView[R], *, replace: bool = False) -> None:
        """Put a view on top; with `replace` the others are closed first."""
        ...

    async def back(self) -> bool:
        """Close the view on top; False when it is the last one."""
        ...

    async def open(
        self, place: Place, *, known: Mapping[str, Any] | None = None, replace: bool = False, owner: str = ""
    ) -> bool:
        """Open a place; False, with a message, when it does not exist. `owner` is the name of the owner of its list."""
        ...

    async def open_link(self, link: Link, *, replace: bool = False, owner: str = "") -> bool:
        """Open a place with what its list shows; False, with a message, when it does not exist."""
        ...

    def end_lens(self) -> bool:
        """End the role lens; False when there was none."""
        ...

    async def copy(self, text: str, what: str) -> None:
        """Copy a text and report it in the status line."""
        ...

    async def leave(self) -> None:
        """Quit the console; ask first when unsaved changes would be lost."""
        ...

    def perform_by_name(self, name: str, field: str = "") -> None:
        """Run an action by name, or show why it is not available; then select a field of the view on top."""
        ...

    def collect(self, what: str, values: Mapping[str, Any], personal: Mapping[str, Any]) -> None:
        """Add a step to the open case, if there is one: what all may see, and what is personal."""
        ...

    def open_prompt(self, request: PromptRequest) -> None:
        """Open the prompt in place of the status line."""
        ...

    def completions(self, text: str) -> Sequence[str]:
        """The places that a typed beginning can become."""
        ...

    def await_key(self, keys: Mapping[str, KeyChoice], prompt: Sequence[Piece]) -> None:
        """Let the next key choose what to do; any other key cancels."""
        ...

    def stop_waiting(self) -> None:
        """Accept keys again while the action that calls this continues in the background."""
        ...

    def with_terminal(self, run: Callable[[], T]) -> T:
        """Give the terminal to a program that a function runs, and take it back; the console waits for it."""
        ...

    def repaint(self) -> None:
        """Draw the whole screen again."""
        ...

    async def save_screen(self, kind: str, ending: str) -> tuple[str, str]:
        """Save the screen in a file with this ending (`.svg`, `.txt`); returns the message and its style.

        `kind` is what is on the screen, for the name of the file.
        """
        ...
