"""The console: opens a workspace on a profile, shows the last place, and connects after the first screen is there."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from textual import events
from textual.app import App
from textual.screen import ModalScreen

from svc_tui.console.core.keys import KeyMap
from svc_tui.console.core.places import Place
from svc_tui.console.core.record_source import record_source
from svc_tui.console.core.resource import Resource
from svc_tui.console.core.stage import DEFAULT_KEYS
from svc_tui.console.shell.frame import Frame
from svc_tui.console.shell.registry import registry
from svc_tui.console.shell.resources import BY_NAME, find, nearest, places_for
from svc_tui.console.shell.startup import open_workspace
from svc_tui.console.terminal.capabilities import Capabilities
from svc_tui.console.views.detail import DetailView
from svc_tui.console.views.list import ListView
from svc_tui.console.views.view import View

if TYPE_CHECKING:
    from svc_tui.client.errors import SessionEnded
    from svc_tui.client.profile import Profile
    from svc_tui.workspace.core.events import Event
    from svc_tui.workspace.workspace import Workspace

T = TypeVar("T")

#: Where the console opens when nothing was opened before.
FIRST = "applications"
#: What `run` gives back when the demo was asked for on the welcome screen.
WANTS_DEMO = -1
#: Stands in a place for the id of the caller's own record.
OWN = "own"
#: Seconds between looks at the end of the session.
CLOCK = 15.0


class Console(App[int], inherit_bindings=False):
    """The application. Screens, keys and actions are elsewhere; this holds them together."""

    TITLE = "svc-tui"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    CSS = """
    Screen { layers: base; }
    """

    def __init__(
        self,
        profile: Profile | None,
        *,
        place: str | None = None,
        read_only: bool = False,
        terminal: Capabilities,
        workspace: Workspace | None = None,
    ) -> None:
        from svc_tui.console.terminal.driver import driver_class

        super().__init__(driver_class=driver_class())
        self.terminal = terminal
        self.resources = BY_NAME
        self.profile = profile
        self._place = place
        self._read_only = read_only
        self._given = workspace
        self.frame: Frame | None = None
        self._asking = asyncio.Lock()
        #: Nobody could log in yet, because the service did not answer.
        self._awaits_service = False

    async def on_mount(self) -> None:
        self._use_theme()
        if self.profile is None:
            self._welcome()
        else:
            await self.start(self.profile)

    def _use_theme(self) -> None:
        import os

        from svc_tui.console.terminal.theme import THEMES, choose_theme

        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = choose_theme(self.profile.theme if self.profile else "", self.terminal, os.environ)

    def _welcome(self) -> None:
        from svc_tui.console.shell.welcome import Welcome

        async def chosen(profile: Profile | Literal["demo"] | None) -> None:
            if profile is None:
                self.exit(0)
            elif profile == "demo":
                self.exit(WANTS_DEMO)
            else:
                self.profile = profile
                await self.start(profile)

        self.push_screen(Welcome(), chosen)

    # --- start and end -----------------------------------------------------------------------------------------

    async def start(self, profile: Profile) -> None:
        """Show the last place from the cache; the network comes after the first screen."""
        workspace = self._given or open_workspace(profile, self._read_only)
        self.frame = Frame(self, workspace, registry(profile.keymap))
        await self.push_screen(self.frame)
        wanted = Place.parse(self._place or workspace.preferences.last_place or FIRST)
        if not await self.open(wanted):
            await self.open(Place.parse(FIRST))
            self.frame.say(_nothing_called(wanted), "warn")
        self.call_after_refresh(self._connect)

    def _connect(self) -> None:
        self._begin(self._connected())

    def _begin(self, work: Coroutine[Any, Any, object]) -> None:
        """Work in the background; a fault of ours in it is said, and the console goes on."""

        async def guarded() -> None:
            try:
                await work
            except Exception as error:
                self.the_frame.say(self.report_internal_error(error), "bad")

        self.run_worker(guarded(), group="connect", exit_on_error=False)

    def _workspace_changed(self, event: Event) -> None:
        from svc_tui.workspace.core.events import LinkChanged, SessionChanged, Synchronised

        self.the_frame.update_bars()
        if isinstance(event, SessionChanged):
            self._begin(self._find_own())
        if isinstance(event, Synchronised):
            self.the_frame.say(*BY_NAME[event.kind].display.settled(event.record, event.not_applied))
        if self._awaits_service and isinstance(event, LinkChanged) and event.link.state in ("live", "slow"):
            self._awaits_service = False
            self.the_frame.say("")
            self._begin(self._log_in())

    async def _log_in(self) -> None:
        """Log in with what there is, else ask; while the service is away, as soon as it answers."""
        from svc_tui.console.shell.startup import greet, log_in_silently

        workspace = self.the_frame.workspace
        assert workspace.client is not None
        reason = await log_in_silently(workspace.client)
        trouble = await greet(workspace)
        if workspace.link.state == "offline":
            self._awaits_service = True
            self.the_frame.say(trouble or reason, "bad")
            return
        await self._ask_login(reason)

    async def _connected(self) -> None:
        """Load what the first screen did not need, then go on the network."""
        from svc_tui.console.shell.startup import connect, declarations

        frame = self.the_frame
        workspace = frame.workspace
        await asyncio.to_thread(declarations)
        frame.declared = True
        workspace.subscribe(self._workspace_changed)
        connect(workspace, self.session_ended)
        self._declare_views()
        self.set_interval(CLOCK, frame.update_bars)
        await self._log_in()
        frame.update_bars()
        if self.key_map.changes_dialogs:
            from svc_tui.console.shell.key_sets import check_dialog_keys

            await asyncio.to_thread(check_dialog_keys, self.key_map)
        if self.key_map.troubles:
            frame.say(self.key_map.troubles[0], "warn")

    def _declare_views(self) -> None:
        for view in self.the_frame.stack:
            if isinstance(view, (DetailView, ListView)):
                self._declare(view)

    def _declare(self, view: DetailView | ListView) -> None:
        from svc_tui.console.core.record_source import specs_of

        if self.the_frame.declared and view.resource is not None:
            view.declare(specs_of(view.resource))

    async def leave(self) -> None:
        """End the console; what was typed and not sent is asked about first."""
        from svc_tui.console.dialogs.messages import Question

        lost = self.frame is not None and any(not view.may_leave() for view in self.frame.stack)
        question = "What you typed in a form has not been sent and would be lost."
        if not lost or await self.ask(Question("Leave the console?", question)):
            self.exit(0)

    async def on_unmount(self) -> None:
        """However it ends: what is to be remembered is written, connections are closed."""
        if self.frame is not None:
            await self.frame.workspace.close()

    def _fatal_error(self) -> None:
        """A fault of ours: no traceback on the screen, its locals may be private; `run` raises it."""
        self._close_messages_no_wait()

    def report_internal_error(self, error: BaseException) -> str:
        """A fault of ours in one thing that was asked for: it is logged, and the console goes on. The sentence."""
        from svc_tui.workspace.core.crash import write_crash_log

        return write_crash_log(error)

    @property
    def fault(self) -> Exception | None:
        """What ended the console, when it was a fault."""
        return self._exception

    @property
    def key_map(self) -> KeyMap:
        """The keys of actions and dialogs; the default ones before a profile is chosen."""
        return self.frame.registry.keys if self.frame is not None else DEFAULT_KEYS

    @property
    def the_frame(self) -> Frame:
        assert self.frame is not None
        return self.frame

    # --- session -----------------------------------------------------------------------------------------------

    async def _ask_login(self, reason: str) -> bool:
        from svc_tui.console.shell.login import LoginBox

        client = self.the_frame.workspace.client
        assert client is not None
        async with self._asking:
            if client.session.state == "full":
                return True
            again = await self.ask(LoginBox(client, reason))
        if not again:
            self.the_frame.say("Not logged in: what was seen before can be browsed.", "warn")
        return bool(again)

    async def session_ended(self, ended: SessionEnded) -> bool:
        """The session is over: what waits goes on after a new login.

        A profile with a password logs in by itself, once; else a box opens over the present view.
        """
        from svc_tui.console.shell.startup import log_in_silently

        client = self.the_frame.workspace.client
        assert client is not None
        reason = await log_in_silently(client)
        return await self._ask_login(reason or str(ended))

    async def ask(self, screen: ModalScreen[T]) -> T | None:
        """Open a box and wait for what it gives back."""
        done: asyncio.Future[T | None] = asyncio.get_running_loop().create_future()
        await self.push_screen(screen, lambda value: None if done.done() else done.set_result(value))
        screen.call_after_refresh(self.the_frame.opened, self.the_frame.opening)
        answer = await done
        self.the_frame.goes_on()
        return answer

    async def on_event(self, event: events.Event) -> None:
        if (
            isinstance(event, events.Key)
            and not event.is_forwarded
            and self.frame is not None
            and self.frame.holds(event)
        ):
            return
        await super().on_event(event)

    # --- places ------------------------------------------------------------------------------------------------

    async def open(
        self, place: Place, *, known: Mapping[str, Any] | None = None, replace: bool = False, owner: str = ""
    ) -> bool:
        """Open a place; False, with a sentence, when there is none. `owner` is whose list it is."""
        frame = self.the_frame
        resource = BY_NAME.get(place.kind) or find(place.kind)
        if resource is None:
            frame.say(_nothing_called(place), "warn")
            return False
        if resource.placement.only and not place.record_id:
            place = place.record(resource.placement.only)
        elif resource.name != place.kind:
            parts = list(place.parts)
            parts[(len(parts) - 1) // 2 * 2] = resource.name
            place = Place(tuple(parts))
        place = self._own(place)
        if missing := resource.missing(place):
            from svc_tui.console.shell.parent_choice import choose_above

            await choose_above(frame, BY_NAME[missing], resource, place)
        elif place.record_id:
            detail = self._detail(place, resource, known)
            self._put_around(detail, resource)
            await frame.show(detail, replace=replace)
        else:
            made = resource.display.list_view() if resource.display.list_view else ListView
            view = made(place, resource, frame.workspace, unicode=self.terminal.unicode)
            if not isinstance(view, ListView):
                raise TypeError(f"the list view of {resource.name} is a {type(view).__name__}")
            view.owner = owner
            if not frame.stack:
                view.listing.peek()
            self._put_around(view, resource)
            await frame.show(view, replace=replace)
            self._declare(view)
        return True

    def _put_around(self, view: View, resource: Resource) -> None:
        """Have the write_crash_log above at hand, where it decides about these too."""
        above = BY_NAME.get(resource.placement.above)
        if above is None:
            return
        workspace = self.the_frame.workspace
        path = resource.path_at(view.place, workspace.caller)
        if path.get(above.kind.parameter):
            view.around = workspace.record(above.kind.get, path={above.kind.parameter: path[above.kind.parameter]})
            view.around.subscribe(view.tell)

    def _own(self, place: Place) -> Place:
        """The place with ids of one's own records where it says `own`."""
        caller, parts = self.the_frame.workspace.caller, list(place.parts)
        for at in range(0, len(parts) - 1, 2):
            kind = BY_NAME.get(parts[at])
            if kind and parts[at + 1] == OWN:
                parts[at + 1] = kind.kind.own_id(caller) or OWN
        return Place(tuple(parts))

    async def _find_own(self) -> None:
        """A place that said `own` before anybody was logged in is that of whoever is now."""
        frame = self.the_frame
        view = frame.view
        if view is None or view.kind not in ("list", "detail") or (place := self._own(view.place)) == view.place:
            return
        await self.open(place, replace=not await frame.back(), owner=view.owner)

    def _detail(self, place: Place, resource: Resource, known: Mapping[str, Any] | None) -> View:
        workspace = self.the_frame.workspace
        if resource.display.record_view is not None:
            own = resource.display.record_view(place, workspace, known)
            if not isinstance(own, View):
                raise TypeError(f"the write_crash_log view of {resource.name} is a {type(own).__name__}")
            if isinstance(own, DetailView):
                self._declare(own)
            return own
        view = DetailView(place, resource, record_source(resource, place, workspace), known)
        self._declare(view)
        return view

    async def go_typed(self, text: str) -> None:
        """`:companies north`, `:applications/<id>`: a place, and what to look for there."""
        word, _, wanted = text.strip().partition(" ")
        self.the_frame.workspace.preferences.remember(text.strip())
        if word in ("q", "quit"):
            await self.leave()
            return
        candidates = self.completions(word)
        # What is no name by itself is the first of those that it can become, as `tab` would have it.
        place = Place.parse(candidates[0] if candidates and find(word) is None else word)
        if await self.open(place, replace=len(place.parts) == 1):
            view = self.the_frame.view
            if wanted and isinstance(view, ListView):
                view.filter_by(wanted)

    def completions(self, text: str) -> Sequence[str]:
        """Kinds that a typed beginning can mean: by their names, then by the words of their titles."""
        return () if " " in text else places_for(text)

    # --- copying -----------------------------------------------------------------------------------------------

    async def copied(self, text: str) -> str:
        """Copy a text; the sentence says which way it went."""
        from svc_tui.console.terminal.clipboard import copy
        from svc_tui.console.terminal.driver import send

        folder = self.the_frame.workspace.folders.data
        return (await copy(text, self.terminal.clipboard, lambda sequence: send(self, sequence), folder)).sentence

    async def copy(self, text: str, what: str) -> None:
        """Copy and say so in the status line."""
        self.the_frame.say(f"{what[:1].upper()}{what[1:]}: {await self.copied(text)}", "ok")


def _nothing_called(place: Place) -> str:
    near = nearest(place.kind)
    rest = f"is “{near}” meant?" if near else "in `:` tab completes."
    return f"There is nothing called “{place.kind}” here; {rest}"


def run(
    *, profile: Profile | None, place: str | None = None, read_only: bool = False, demo: object | None = None
) -> int:
    """Run the console until it is left; its exit code, or `WANTS_DEMO`. Raises what went wrong inside it."""
    import os

    from svc_tui.console.terminal.capabilities import capabilities

    console = Console(profile, place=place, read_only=read_only, terminal=capabilities(os.environ))
    code = console.run()
    if console.fault is not None:
        raise console.fault
    return code or 0
