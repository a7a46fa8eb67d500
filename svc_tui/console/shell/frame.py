"""The main screen: top line, one view, status line, and footer with the current keys."""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import Awaitable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container

from svc_tui.client.errors import ServiceError
from svc_tui.console.core.actions import Action, Registry
from svc_tui.console.core.dialog_keys import WAITING_KEYS
from svc_tui.console.core.keys import key_name
from svc_tui.console.core.places import Link, Place
from svc_tui.console.core.resource import Context
from svc_tui.console.core.stage import KeyChoice
from svc_tui.console.shell import top_line
from svc_tui.console.shell.aim import GONE, Aim
from svc_tui.console.shell.key_order import Typed, again, forward
from svc_tui.console.shell.navigator import Navigator
from svc_tui.console.shell.prompting import PromptScreen
from svc_tui.console.shell.stage import Application
from svc_tui.console.terminal.text import shown
from svc_tui.console.views.view import View
from svc_tui.console.widgets.bars import Bar, Footer, Piece, StatusBar, tight
from svc_tui.console.widgets.formatting import in_a_sentence
from svc_tui.console.widgets.menu import Menu
from svc_tui.console.widgets.prompt import Prompt
from svc_tui.language import _
from svc_tui.late import late
from svc_tui.workspace.core.service import ReadError

if TYPE_CHECKING:
    from textual.timer import Timer

    from svc_tui.client.call_log import LoggedCall
    from svc_tui.console.core import form_rules
    from svc_tui.console.shell import sessions
    from svc_tui.console.shell.live import LiveScreen
    from svc_tui.interface import catalogue
    from svc_tui.workspace.workspace import Workspace
else:
    catalogue = late("svc_tui.interface.catalogue")
    form_rules = late("svc_tui.console.core.form_rules")
    sessions = late("svc_tui.console.shell.sessions")

T = TypeVar("T")
#: Seconds without a cursor move before the footer is updated.
REST = 0.15


class Frame(PromptScreen, inherit_bindings=False):
    """The stack of views, and the dispatch of keys to actions."""

    DEFAULT_CSS = """
    Frame { layout: vertical; }
    Frame #top { background: $panel; text-style: bold; }
    Frame #body { height: 1fr; width: 1fr; }
    Frame #status { background: $surface; }
    Frame #footer { background: $panel; }
    """

    def __init__(self, console: Application, workspace: Workspace, registry: Registry) -> None:
        super().__init__(console, workspace, registry)
        self.navigator = Navigator(self)
        self.live: LiveScreen | None = None
        self._message: Piece | None = None
        self._chord: Mapping[str, KeyChoice] | None = None
        self._question: Sequence[Piece] = ()
        self._resting: Timer | None = None
        #: The task of an action that opens a view or dialog; keys wait for it.
        self.opening: asyncio.Task[None] | None = None
        #: The key that was acted on last.
        self._acted_on = ""
        self._queued: list[Typed] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._aim = Aim(lambda: console.terminal_link.slow_seconds or 0.0)
        #: The keys without an action that were explained.
        self._unbound: set[str] = set()

    def compose(self) -> ComposeResult:
        yield Bar("top")
        yield Container(id="body")
        yield StatusBar()
        yield Prompt(self.prompt_verb)
        yield Footer()
        yield Menu()

    def on_mount(self) -> None:
        self.workspace.log.subscribe(self._call_changed)

    def views_changed(self) -> None:
        self._message = None
        self.visited()
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

    def may_step(self, by: int) -> bool:
        return self.trail.ahead(by) is not None

    async def step(self, by: int) -> None:
        await self.navigator.step(by)

    def end_lens(self) -> bool:
        if self.workspace.lens is None:
            return False
        sessions.end_lens(self)
        return True

    def completions(self, text: str) -> Sequence[str]:
        return self.navigator.completions(text)

    # --- bars --------------------------------------------------------------------------------------------------

    def update_bars(self) -> None:
        """Update the bars; unchanged ones are not drawn again."""
        if self.view is not None and self.query_one_optional("#top"):
            self._update_top()
            self._update_status()
            if not self.prompt.is_open:
                self._update_footer()

    def tick(self) -> None:
        """Update what time alone changes: the end of the session."""
        if self.view is not None and self.query_one_optional("#top"):
            self._update_top()

    def _update_top(self) -> None:
        above = top_line.above(self.stack[0].place, self.console.resources) if self.stack[0].kind == "detail" else []
        crumbs = [*above, *(shown(view.crumb).text for view in self.stack)]
        slow = self.console.terminal_link.slow_seconds
        self.query_one("#top", Bar).show(*top_line.pieces(self.workspace, crumbs, self.size.width, slow))

    def _update_status(self) -> None:
        view = self.view
        assert view is not None
        if self._chord is not None:
            self.query_one(StatusBar).show(tight(self._question, self.size.width))
            return
        if self.reading:
            cancels = self.registry.keys.sentence(_("{cancel} cancels"), WAITING_KEYS)
            self.query_one(StatusBar).show([Piece(_(" reading…"), "warn"), Piece(f"   {cancels}", "dim")])
            return
        if self._message:
            self.query_one(StatusBar).say(self._message)
            return
        troubles = [Piece(f"   {self.workspace.cache.trouble}", "warn")] if self.workspace.cache.trouble else []
        right = self.live.pieces(view) if self.live is not None else ()
        self.query_one(StatusBar).show([*view.status(), *self._continues(view), *troubles], right)

    @property
    def announces(self) -> bool:
        """Whether the status line has a message or a question."""
        return self._message is not None or self._chord is not None

    def _continues(self, view: View) -> list[Piece]:
        """What opening a record leads to, in a list of the parents of other records."""
        if view.continues_to is None:
            return []
        title = in_a_sentence(self.resources[view.continues_to.place.kind].title)
        return [Piece(self.registry.keys.sentence(_("   {{open}} opens its {title}").format(title=title)), "accent")]

    def _update_footer(self) -> None:
        context = self.context()
        assert context is not None
        actions = self.registry.footer(context)
        pinned = frozenset(action.name for action in actions if action.pinned)
        self.query_one(Footer).show_keys([self._key(action, context) for action in actions], pinned)

    def _key(self, action: Action, context: Context) -> tuple[str, str, str, bool]:
        keys = self.registry.keys.keys(action.name)
        # The first picture does not wait for the declarations; roles are known later too.
        reason = action.why_not(context) if self.declared else action.unfit(context)
        return (keys[0] if keys else "·"), action.label_in(context), action.name, not reason

    def say(self, text: str, style: str = "") -> None:
        """Show a message in the status line until the next key; an empty one removes it."""
        message = " ".join(shown(line).text for line in text.split("\n"))
        self._message = Piece(f" {message}", style) if message else None
        self.update_bars()

    def mention(self, text: str) -> None:
        """Show a message unless a warning or failure is shown, which is not read before the next key."""
        if self._message is None or self._message.style not in ("warn", "bad"):
            self.say(text, "accent")

    @on(View.Changed)
    def _view_changed(self, event: View.Changed) -> None:
        event.stop()
        if self.opening is not None and self.opening.done():
            self.opened(self.opening)
        if not event.moved:
            self.update_bars()
            return
        # The footer depends on the row: it is updated when the cursor rests, not for each row that it passes.
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(REST, self._rest)

    def _rest(self) -> None:
        self._resting = None
        self.update_bars()

    @property
    def at_rest(self) -> bool:
        """Whether the bars fit the row under the cursor."""
        return self._resting is None

    @on(View.Moved)
    def _view_moved(self, event: View.Moved) -> None:
        event.stop()
        self.visited()

    @on(View.StatusMessage)
    def _view_message(self, event: View.StatusMessage) -> None:
        event.stop()
        self.say(event.text, "bad")

    @on(View.Wants)
    def _view_request(self, event: View.Wants) -> None:
        event.stop()
        self.do(event.action)

    # --- actions -----------------------------------------------------------------------------------------------

    def context(self) -> Context | None:
        """The context for an action; None without a view."""
        view = self.view
        if view is None:
            return None
        return Context(self, self.workspace, view, view.resource, view.record, view.marked)

    def do(self, name: str) -> None:
        """Run an action by name, or show why it is not available."""
        context = self.context()
        if context is not None:
            self.perform(self.registry[name], context)

    def perform(self, action: Action, context: Context) -> None:
        """Run an action, or show in the status line why it is not available."""
        reason = action.why_not(context) or self._kept_by_lens(action, context)
        if reason:
            self.say(f"{action.label}: {reason}", "warn")
            return
        self._start(lambda: action.runner()(context))

    def _kept_by_lens(self, action: Action, context: Context) -> str:
        """Why the role lens keeps an action that the role could perform; empty when it does not."""
        operation_id = action.operation_id(context)
        if self.workspace.lens is None or not operation_id or catalogue.operation(operation_id).reads:
            return ""
        return _("{lens} may do this. The role lens is read-only, :as ends it").format(lens=self.workspace.lens)

    def _start(self, run: KeyChoice) -> None:
        try:
            waiting = run()
        except Exception as error:
            self.say(self.console.report_internal_error(error), "bad")
            return
        if waiting is not None:
            self.begin(waiting)

    def begin(self, work: Awaitable[object]) -> None:
        """Start a task that opens a view or dialog; keys wait for it."""
        self.opening = asyncio.ensure_future(self._guarded(work))
        self._tasks.add(self.opening)
        self.opening.add_done_callback(self._done)
        if isinstance(work, Coroutine):
            # A coroutine that was cancelled before its start must be closed.
            self.opening.add_done_callback(lambda _: work.close())

    def resume_action(self) -> None:
        """Let keys wait again for an action that continues after a dialog."""
        task = asyncio.current_task()
        if task in self._tasks:
            self.opening = task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self.opened(task)

    def _call_changed(self, exchange: LoggedCall) -> None:
        if self.opening is not None:
            self.call_later(self.update_bars)

    @property
    def reading(self) -> bool:
        """Whether an action waits for the service before it can open a view or dialog."""
        return self.opening is not None and not self.opening.done() and self.workspace.busy

    def opened(self, by: asyncio.Task[None] | None) -> None:
        """A view or dialog is open: forward the keys that were typed since, in order."""
        if by is not self.opening or (self.app.screen is self and self.view is not None and not self.view.ready):
            return
        self.opening = None
        self.update_bars()
        queued, self._queued = self._queued, []
        self.console.key_order.take_back(again(event) for event in queued)

    async def _guarded(self, waiting: Any) -> None:
        try:
            await waiting
        except form_rules.Forbidden as error:
            self.say(error.sentence, "warn")
        except (ServiceError, ReadError) as error:
            self.say(error.sentence, "bad")
        except Exception as error:
            self.say(self.console.report_internal_error(error), "bad")

    def await_key(self, keys: Mapping[str, KeyChoice], prompt: Sequence[Piece]) -> None:
        """Let the next key choose what to do; any other key cancels."""
        self._chord, self._question = dict(keys), prompt
        self._update_status()

    def on_key(self, event: events.Key) -> None:
        if self.take_key(event) or self._explain_unbound(event):
            event.stop()
            event.prevent_default()

    def _explain_unbound(self, event: events.Key) -> bool:
        """Say once for each key that it does nothing; a form is for typing."""
        key = key_name(event.key, event.character)
        if self.view is None or self.view.kind == "form" or key in self._unbound:
            return False
        self._unbound.add(key)
        self.say(
            self.registry.keys.sentence(
                _("{key} does nothing here. {{help}} shows the keys.").format(key=shown(key).text)
            ),
            "warn",
        )
        return True

    def take_key(self, event: events.Key) -> bool:
        """Run what a key does; False when it belongs to the focused widget.

        A key may arrive from a widget that lost the focus after it was typed; it is forwarded.
        """
        if self.app.screen is not self or self.console.key_order.overtakes(event):
            if not self.holds(event):
                self.console.key_order.take_back([again(event)])
            return True
        if self.prompt.is_open:
            if not self.prompt.has_focus or event.is_forwarded:
                forward(self.prompt, event)
            return True
        if self.opening is not None:
            was_reading = self.reading
            key = key_name(event.key, event.character)
            again_back = key == self._acted_on and not was_reading
            if again_back or not self.registry.keys.verb(WAITING_KEYS, key):
                # The key that goes back cancels what is opening, but typed twice it goes back twice.
                self._queue(event)
                return True
            self.opening.cancel()
            self.opening = None
            self._queued.clear()
            if was_reading:
                self.say(_("Cancelled."), "warn")
                return True
        context = self.context()
        return context is not None and self._act_on(event, context)

    def _settling(self) -> Coroutine[Any, Any, None] | None:
        """What keys for the selected record have to wait for."""
        return self.view.settling() if self.view is not None else None

    def holds(self, event: Typed) -> bool:
        """Queue a key for the dialog that is opening, or a pasted text for what is opening; False when nothing is."""
        if self.opening is None:
            return False
        if self.app.screen is self and (isinstance(event, events.Key) or self.prompt.is_open):
            return False
        self._queue(event)
        return True

    def keeps(self, event: Typed) -> bool:
        """Keep what would get lost in a dialog without a focus, or in a view that closes; False when it can be sent."""
        if self.holds(event):
            return True
        if self.opening is None or self.app.screen is not self or not isinstance(event, events.Key):
            return False
        self.on_key(event)
        return True

    def _queue(self, event: Typed) -> None:
        # A key that went through a widget of the frame can come later than one that was typed after it.
        insort(self._queued, event, key=lambda key: key.time)

    def _act_on(self, event: events.Key, context: Context) -> bool:
        key = key_name(event.key, event.character)
        if self._aim.is_void(event):
            return True
        self._acted_on = key
        message, self._message = self._message, None
        if self._chord is not None:
            chosen, self._chord = self._chord.get(key), None
            self.update_bars()
            if chosen:
                self._start(chosen)
            return True
        action = self.registry.by_key(key, context)
        if action is not None and key == "enter" and not action.belongs(context):
            # The key opens nothing here, and its action of other views would be confusing.
            self.say(self.registry.keys.sentence(_("Nothing to open here. {help} shows the keys.")), "warn")
        elif action is not None and self.view is not None and self._aim.misses(action, context, self.view, event):
            self.say(GONE, "warn")
        elif action is not None and action.needs != "nothing" and (settling := self._settling()) is not None:
            self._queue(event)
            self.begin(settling)
        elif action is not None:
            self.perform(action, context)
        if message is not None and self._message is None:
            self.update_bars()
        return action is not None

    @on(Footer.Pressed)
    def _footer_pressed(self, event: Footer.Pressed) -> None:
        self.do(event.action)
