"""The main screen: top line, one view, status line, and footer with the current keys."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container

from svc_tui.console.core.actions import Action, Registry
from svc_tui.console.core.dialog_keys import WAITING_KEYS
from svc_tui.console.core.places import Link, Place
from svc_tui.console.core.resource import Context
from svc_tui.console.core.stage import KeyChoice
from svc_tui.console.shell import sessions, top_line
from svc_tui.console.shell.key_dispatch import ViewKeys
from svc_tui.console.shell.navigator import Navigator
from svc_tui.console.shell.prompting import Prompting
from svc_tui.console.shell.stage import ConsoleApplication, StageScreen
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Bar, Footer, Piece, StatusBar, tight
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.console.widgets.menu import Menu
from svc_tui.console.widgets.prompt import Prompt, PromptRequest
from svc_tui.language import _

if TYPE_CHECKING:
    from svc_tui.client.call_log import LoggedCall
    from svc_tui.console.shell.live import LiveScreen
    from svc_tui.workspace.workspace import Workspace

#: Seconds without a cursor move before the footer is updated.
REST = 0.15
#: Seconds that are not waited for.
SOON = 0.01


class Frame(StageScreen, inherit_bindings=False):
    """The stack of views with its bars, its keys and its prompt."""

    #: The place that is opened first without a last place.
    FIRST = "home"

    DEFAULT_CSS = """
    Frame { layout: vertical; }
    Frame #top { background: $panel; text-style: bold; }
    Frame #body { height: 1fr; width: 1fr; }
    Frame #status { background: $surface; }
    Frame #footer { background: $panel; }
    """

    def __init__(self, console: ConsoleApplication, workspace: Workspace, registry: Registry) -> None:
        super().__init__(console, workspace, registry)
        self.navigator = Navigator(self)
        self._keys = ViewKeys(self)
        #: What actions are opening, for which keys wait.
        self.openings = self._keys.opening
        self._prompting = Prompting(self, self.navigator)
        self.live: LiveScreen | None = None
        self._resting: asyncio.TimerHandle | None = None
        #: When the cursor was last moved.
        self._moved_at = 0.0

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield Container(id="body")
        yield StatusBar()
        yield Prompt(self._prompting.verb, self._prompting.typed, self._prompting.closed)
        yield Footer()
        yield Menu()

    def on_mount(self) -> None:
        self.workspace.log.subscribe(self._call_changed)
        self.recorder.follow(self)

    def views_changed(self) -> None:
        if not self._message_stays:
            self.message = None
        self.visited()
        self.recorder.viewed(self.view)
        view = self.view
        if view is not None:
            view.take_focus()
            self.workspace.preferences.last_place = str(self.place)
        self.update_bars()
        self.call_after_refresh(self.opened, self.opening)

    async def end(self) -> None:
        """Close the views and the workspace, before another profile is opened."""
        self.close_views()
        await self.workspace.close()

    def _leave(self, view: View) -> None:
        # With the filter that was typed since it was opened.
        self.recorder.viewed(view)
        super()._leave(view)

    def stop_waiting(self) -> None:
        self.opened(asyncio.current_task())

    async def open(
        self, place: Place, *, known: Mapping[str, Any] | None = None, replace: bool = False, owner: str = ""
    ) -> bool:
        return await self.navigator.open(place, known=known, replace=replace, owner=owner)

    async def open_link(self, link: Link, *, replace: bool = False, owner: str = "") -> bool:
        return await self.navigator.open_link(link, replace=replace, owner=owner)

    async def reopen(self) -> None:
        await self.navigator.reopen()

    def can_step(self, by: int) -> bool:
        return self.place_history.ahead(by) is not None

    async def step(self, by: int) -> None:
        await self.navigator.step(by)

    def context(self) -> Context | None:
        view = self.view
        if view is None:
            return None
        return Context(self, self.workspace, view, view.resource, view.record, view.marked)

    def end_lens(self) -> bool:
        if self.workspace.lens is None:
            return False
        sessions.end_lens(self)
        return True

    def completions(self, text: str) -> Sequence[str]:
        return self.navigator.completions(text)

    # --- keys --------------------------------------------------------------------------------------------------

    @property
    def opening(self) -> asyncio.Task[None] | None:
        """The task of an action that opens a view or dialog; keys wait for it."""
        return self.openings.task

    def begin(self, work: Awaitable[object]) -> None:
        self.openings.begin(work)

    def opened(self, by: asyncio.Task[None] | None) -> None:
        """A view or dialog is open: give the keys that were typed since."""
        self.openings.opened(by)

    async def press(self, event: events.Key) -> bool:
        """Do what a key does; False when it is for the input with the focus."""
        return self._keys.press(event)

    def await_key(self, keys: Mapping[str, KeyChoice], prompt: Sequence[Piece]) -> None:
        """Let the next key choose what to do; any other key cancels."""
        self._keys.ask(keys, prompt)

    def _call_changed(self, _: LoggedCall) -> None:
        if self.opening is not None:
            self.call_later(self.update_bars)

    # --- prompt ------------------------------------------------------------------------------------------------

    def open_prompt(self, request: PromptRequest) -> None:
        self._prompting.open(request)

    # --- bars --------------------------------------------------------------------------------------------------

    def update_bars(self) -> None:
        """Update the bars; unchanged ones are not drawn again."""
        if self.view is not None and self.query_one_optional("#top"):
            self._update_top()
            self._update_selection_bars()

    def _update_selection_bars(self) -> None:
        """Update the bars that depend on the row under the cursor; the top line does not."""
        self._update_status()
        if not self.prompt.is_open:
            self._update_footer()

    def tick(self) -> None:
        """Update what time alone changes: the end of the session."""
        if self.view is not None and self.query_one_optional("#top"):
            self._update_top()

    def _update_top(self) -> None:
        above = top_line.above(self.stack[0].place, self.console.resources) if self.stack[0].kind == "detail" else []
        crumbs = [*above, *(safe_text(view.crumb).text for view in self.stack)]
        slow = self.console.terminal_link.slow_seconds
        self.query_one("#top", Bar).show(*top_line.pieces(self.workspace, crumbs, self.size.width, slow))

    def _update_status(self) -> None:
        view = self.view
        assert view is not None
        question = self._keys.question
        if question is not None:
            self.query_one(StatusBar).show(tight(question, self.size.width))
            return
        if self.openings.reading:
            cancels = self.registry.keys.sentence(_("{cancel} cancels"), WAITING_KEYS)
            self.query_one(StatusBar).show([Piece(_(" reading…"), "warn"), Piece(f"   {cancels}", "dim")])
            return
        if self.message:
            self.query_one(StatusBar).show_message(self.message)
            return
        warnings = (
            [Piece(f"   {self.workspace.cache.error_message}", "warn")] if self.workspace.cache.error_message else []
        )
        right = self.live.pieces(view) if self.live is not None else ()
        self.query_one(StatusBar).show([*view.status(), *self._continues(view), *warnings], right)

    @property
    def announces(self) -> bool:
        """Whether the status line has a message or a question."""
        return self.message is not None or self._keys.question is not None

    def _continues(self, view: View) -> list[Piece]:
        """What opening a record leads to, in a list of the parents of other records."""
        if view.continues_to is None:
            return []
        title = title_in_sentence(self.resources[view.continues_to.place.kind].title)
        return [Piece(self.registry.keys.sentence(_("   {{open}} opens its {title}").format(title=title)), "accent")]

    def _update_footer(self) -> None:
        context = self.context()
        assert context is not None
        actions = [action for action in self.registry.footer(context) if self._can(action, context)]
        pinned = frozenset(action.name for action in actions if action.pinned)
        keys = self.registry.keys.keys
        shown = [(keys(action.name)[0], action.label_in(context), action.name) for action in actions]
        self.query_one(Footer).show_keys(shown, pinned)

    def _can(self, action: Action, context: Context) -> bool:
        """Whether the footer shows an action: it has a key and is possible here. Help and palette show the others."""
        if not self.registry.keys.keys(action.name):
            return False
        # The first picture does not wait for the declarations; roles are known later too.
        return not (action.why_not(context) if self.declared else action.unfit_reason(context))

    @on(View.Changed)
    def _view_changed(self, event: View.Changed) -> None:
        event.stop()
        if self.opening is not None and self.opening.done():
            self.opened(self.opening)
        if not event.moved:
            self.recorder.found(self.view)
            self.update_bars()
            return
        # The footer depends on the row: it is updated when the cursor rests, not for each row that it passes.
        self._moved_at = time.monotonic()
        if self._resting is None:
            self._rest_after(REST)

    def _rest_after(self, seconds: float) -> None:
        # A timer of Textual is a task that sends a callback through two queues, which takes longer than the bars.
        self._resting = asyncio.get_running_loop().call_later(seconds, self._rest)

    def _rest(self) -> None:
        left = self._moved_at + REST - time.monotonic()
        if left > SOON:
            # A held key would otherwise start one timer for each row.
            self._rest_after(left)
            return
        self._resting = None
        if self.is_running and self.view is not None:
            with self._context():
                try:
                    self._update_selection_bars()
                except Exception as error:
                    self.app._handle_exception(error)

    @property
    def at_rest(self) -> bool:
        """Whether the bars fit the row under the cursor."""
        return self._resting is None

    @on(View.Moved)
    def _view_moved(self, event: View.Moved) -> None:
        event.stop()
        self.visited()
        self.recorder.viewed(self.view)

    @on(View.StatusMessage)
    def _view_message(self, event: View.StatusMessage) -> None:
        event.stop()
        self.show_message(event.text, "bad")

    @on(View.Failed)
    def _view_failed(self, event: View.Failed) -> None:
        event.stop()
        self.show_error(event.error)

    @on(View.ActionRequested)
    def _view_request(self, event: View.ActionRequested) -> None:
        event.stop()
        self.perform_by_name(event.action)

    @on(Footer.Pressed)
    def _footer_pressed(self, event: Footer.Pressed) -> None:
        self.perform_by_name(event.action)
