"""The implementation of `core.stage.Stage`: actions on the view on top, messages, and requests to the application."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from textual import events
from textual.message import Message
from textual.screen import ModalScreen

from svc_tui.client.errors import ServiceError
from svc_tui.console.core.actions import Action, Registry
from svc_tui.console.core.places import HOME, Link, Place
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.core.stage import Dialog, Host, KeyChoice
from svc_tui.console.dialogs import screen_file
from svc_tui.console.shell.view_stack import ViewStack
from svc_tui.console.terminal.capabilities import Capabilities
from svc_tui.console.terminal.driver import repaint
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.views.plugin_failures import at_fault, failure, package_of
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.base import in_background
from svc_tui.console.widgets.prompt import Prompt
from svc_tui.interface import catalogue
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError

if TYPE_CHECKING:
    from svc_tui.client.profile import Profile
    from svc_tui.console.core.demo import Demo
    from svc_tui.console.shell.case_recorder import CaseRecorder
    from svc_tui.console.shell.terminal_link import TerminalLink
    from svc_tui.workspace.workspace import Workspace

T = TypeVar("T")


class ConsoleApplication(Host, Protocol):
    """The application, for its frame."""

    @property
    def resources(self) -> Mapping[str, Resource]: ...
    @property
    def demo(self) -> Demo | None: ...
    @property
    def recorder(self) -> CaseRecorder: ...
    @property
    def terminal_link(self) -> TerminalLink: ...
    def press_again(self, typed: Sequence[events.Key | events.Paste]) -> None: ...
    async def ask(self, screen: ModalScreen[T]) -> T | None: ...
    async def copy(self, text: str, what: str) -> None: ...
    async def leave(self) -> None: ...
    async def use_profile(self, profile: Profile) -> None: ...
    async def start_over(self, message: str) -> None: ...
    def read_again(self) -> None: ...
    async def log_in(self) -> None: ...
    async def prepare_demo(self) -> bool: ...
    def start_tour(self) -> None: ...


class StageScreen(ViewStack, inherit_bindings=False):
    """A stack of views with a prompt and a status line, whose actions ask it for dialogs, places and messages."""

    def __init__(self, console: ConsoleApplication, workspace: Workspace, registry: Registry) -> None:
        super().__init__()
        self.console = console
        self.workspace = workspace
        self.registry = registry
        #: Whether the declaration of the interface is loaded.
        self.declared = False
        #: Set when the service was connected and, where that needs no question, a user is logged in.
        self.connected = asyncio.Event()
        #: The message in the status line, and whether it is not about the view that it was shown over.
        self.message: Piece | None = None
        self._message_stays = False
        #: What `:wait` waits for, or has waited for -> its state in words.
        self.waits: dict[str, str] = {}

    @property
    def resources(self) -> Mapping[str, Resource]:
        return self.console.resources

    @property
    def terminal(self) -> Capabilities:
        return self.console.terminal

    @property
    def recorder(self) -> CaseRecorder:
        return self.console.recorder

    def collect(self, what: str, values: Mapping[str, Any], personal: Mapping[str, Any]) -> None:
        self.recorder.collect(what, values, personal)

    @property
    def prompt(self) -> Prompt:
        return self.query_one(Prompt)

    async def ask(self, dialog: Dialog[T]) -> T | None:
        if not isinstance(dialog, ModalScreen):
            raise TypeError(f"{type(dialog).__name__} is not a dialog")
        answer: T | None = await self.console.ask(dialog)
        return answer

    @abstractmethod
    async def open(
        self, place: Place, *, known: Mapping[str, Any] | None = None, replace: bool = False, owner: str = ""
    ) -> bool:
        """Open a place, as in `core.stage.Stage`."""

    @abstractmethod
    async def open_link(self, link: Link, *, replace: bool = False, owner: str = "") -> bool:
        """Open a place with what its list shows, as in `core.stage.Stage`."""

    @abstractmethod
    async def reopen(self) -> None:
        """Close all views and open the first one again, without the records that they hold."""

    @abstractmethod
    def update_bars(self) -> None:
        """Update the bars of the screen."""

    @abstractmethod
    def begin(self, work: Awaitable[object]) -> None:
        """Start a task that opens a view or dialog; keys wait for it."""

    async def copy(self, text: str, what: str) -> None:
        await self.console.copy(text, what)

    async def leave(self) -> None:
        await self.console.leave()

    def with_terminal(self, run: Callable[[], T]) -> T:
        with self.app.suspend():
            answer = run()
        self.repaint()
        return answer

    def repaint(self) -> None:
        repaint(self.app)
        self.console.read_again()

    async def save_screen(self, kind: str, ending: str) -> tuple[str, str]:
        return await screen_file.save_screen(self.app, kind, ending)

    # --- actions -----------------------------------------------------------------------------------------------

    @abstractmethod
    def context(self) -> Context | None:
        """The context for an action; None without a view."""

    def perform_by_name(self, name: str, field: str = "") -> None:
        """Run an action by name, or show why it is not available; then select a field of the view on top."""
        context = self.context()
        if context is not None:
            self.perform(self.registry[name], context, field)

    def perform(self, action: Action, context: Context, field: str = "") -> bool:
        """Run an action and select a field; False, with the reason in the status line, when it is not available."""
        reason = action.why_not(context) or self._kept_by_lens(action, context)
        if reason:
            self.show_message(f"{action.label}: {reason}", "warn")
            return False
        self.run(lambda: self._run_at(action, context, field) if field else action.perform(context))
        return True

    def run(self, choice: KeyChoice) -> None:
        """Run what a key does; keys wait for it where it takes time."""
        try:
            waiting = choice()
        except Exception as error:
            self.show_error(error)
            return
        if waiting is not None:
            self.begin(waiting)

    async def _run_at(self, action: Action, context: Context, field: str) -> None:
        waiting = action.perform(context)
        if waiting is not None:
            await waiting
        if self.view is not None:
            self.view.show_field(field)

    def _kept_by_lens(self, action: Action, context: Context) -> str:
        """Why the role lens keeps an action that the role could perform; empty when it does not."""
        operation_id = action.operation_id(context)
        if self.workspace.lens is None or not operation_id or catalogue.operation(operation_id).reads:
            return ""
        return _("{lens} may do this. The role lens is read-only, :as ends it").format(lens=self.workspace.lens)

    # --- messages ----------------------------------------------------------------------------------------------

    def show_message(self, text: str, style: str = "", *, stays: bool = False) -> None:
        """Show a message in the status line until the next key; an empty one removes it.

        With `stays`, a view that is being opened does not remove it either.
        """
        self._message_stays = stays
        message = " ".join(safe_text(line).text for line in text.split("\n"))
        self.message = Piece(f" {message}", style) if message else None
        self.update_bars()

    def show_unless_warning(self, text: str) -> None:
        """Show a message unless a warning or failure is shown, which is not read before the next key."""
        if self.message is None or self.message.style not in ("warn", "bad"):
            self.show_message(text, "accent")

    def show_unless_message(self, text: str) -> None:
        """Show a message unless there is one about what the user did, such as how a change is undone."""
        if self.message is None or self.message.style == "accent":
            self.show_message(text, "accent")

    # --- errors ----------------------------------------------------------------------------------------------------

    def show_error(self, error: Exception) -> None:
        """Show an error that nothing else handles. An internal one is logged, and the console continues."""
        if isinstance(error, ServiceError | ReadError):
            self.show_message(error.sentence, "bad")
        elif not self.plugin_failed(error):
            self.show_message(self.console.report_internal_error(error), "bad", stays=True)

    # --- failures of plug-ins ----------------------------------------------------------------------------------

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            if not self.plugin_failed(error):
                raise

    def plugin_failed(self, error: BaseException) -> bool:
        """Close the view or dialog of a plug-in that an error comes from, with a message; False when none has it."""
        dialogs = [screen for screen in self.app.screen_stack if isinstance(screen, ModalScreen)]
        # The error of a view that is being closed comes again with each drawing until it is closed.
        part = at_fault(error, [*self._failed, *(view for view in self.stack if view not in self._failed), *dialogs])
        if part is None:
            return False
        if part in self._failed:
            return True
        sentence = failure(package_of(type(part)), error)
        if not isinstance(part, ModalScreen):
            # The layout of the screen asks it no more.
            part.display = False
        if isinstance(part, View):
            self._failed.add(part)
            in_background(self, partial(self._drop, part, sentence))
            return True
        if isinstance(part, ModalScreen) and part.is_current:
            part.dismiss(None)
        self.show_message(f"{sentence}.", "bad")
        return True

    async def _drop(self, view: View, sentence: str) -> None:
        """Close a view that failed, wherever it is in the stack. One that is being opened is closed after it."""
        async with self._switching:
            is_open = view in self.stack
            others = [each for each in self.stack if each is not view]
            view.display = False
            if is_open and others:
                self.stack = others
                view.close()
                others[-1].display = True
                await view.remove()
                others[-1].uncovered()
                self.views_changed()
        if not others:
            await self.open(Place((HOME,)), replace=True)
        self.refresh(layout=True)
        self.show_message(_("{sentence}. Its view is closed.").format(sentence=sentence), "bad")
