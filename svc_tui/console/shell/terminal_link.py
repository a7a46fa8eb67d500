"""The link to the terminal: its round trip, the theme, and how the console steps down on a slow link.

On a slow link to the terminal, the colours are those of the terminal, which take the fewest bytes. On a slow link to
the terminal or to the service, the workspace is frugal: lists send one request at a time, and panes and filters wait
longer for the user. The setting `slow_link` of the profile forces or forbids both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual._time import get_time
from textual.app import App

from svc_tui.client.profile import DEMO
from svc_tui.console.shell.startup import general_theme, own_theme
from svc_tui.console.terminal.capabilities import Capabilities
from svc_tui.console.terminal.driver import send
from svc_tui.console.terminal.round_trip import FAST_TERMINAL, QUESTION, SLOW_TERMINAL, RoundTrip
from svc_tui.console.terminal.theme import TERMINAL, THEMES, choose_theme
from svc_tui.language import _
from svc_tui.workspace.core.link import differs_visibly, in_steps

if TYPE_CHECKING:
    from svc_tui.client.profile import Profile
    from svc_tui.workspace.workspace import Workspace

#: Seconds until a picture is seen through tmux, which answers for the terminal: the link beyond it is not known.
TMUX_DELAY = 0.25
#: A service that was slow is not slow any longer when its round trip is below this many seconds.
FAST_SERVICE = 0.25


class TerminalLink:
    """Measures the round trip to the terminal and decides how frugal the console is.

    `light` is the background of the terminal; `show_message` shows a message in the status line.
    Nothing is measured before `start`.
    """

    def __init__(self, app: App[Any], terminal: Capabilities, light: bool, show_message: Callable[[str], None]) -> None:
        self._app, self._terminal, self._light, self._show_message = app, terminal, light, show_message
        self._profile: Profile | None = None
        self._requested = ""
        self._workspace: Workspace | None = None
        self._round_trip: RoundTrip | None = None
        self._slow = self._slow_service = False
        self._themes = THEMES
        #: Why the theme of the profile is not used; empty when it is.
        self.theme_faults = ""
        #: The round trip that is shown, in seconds.
        self._shown: float | None = None

    @property
    def slow_seconds(self) -> float | None:
        """The round trip to the terminal in seconds while it is slow; otherwise None."""
        return self._shown if self._slow else None

    @property
    def delay(self) -> float:
        """The seconds until a picture is seen, during which keys belong to the picture before."""
        return max(self.slow_seconds or 0.0, TMUX_DELAY if self._terminal.in_tmux else 0.0)

    def use(self, profile: Profile | None) -> None:
        """Draw in the theme of a profile, or as `slow_link` requires; without a profile in that of all profiles."""
        # A demo has no settings of its own.
        general = general_theme() if profile is None or profile.name == DEMO else ""
        self._requested = (profile.theme if profile is not None else "") or general
        own, self.theme_faults = (None, "") if self._requested in ("", *THEMES) else own_theme(self._requested)
        self._themes = {**THEMES, **({own.name: own} if own else {})}
        for theme in self._themes.values():
            self._app.register_theme(theme)
        self._profile, self._workspace = profile, None
        self._choose_theme()

    @property
    def requested(self) -> str:
        """The theme of the profile, or the one that was chosen since; "" is one by the terminal."""
        return self._requested

    def draw(self, name: str) -> str:
        """Draw in another theme, as `requested`, until a profile is opened. Returns why not; empty when it is drawn."""
        if name not in ("", *self._themes):
            own, fault = own_theme(name)
            if own is None:
                return fault
            self._themes = {**self._themes, own.name: own}
            self._app.register_theme(own)
        self._requested = name
        self._choose_theme()
        return ""

    def start(self, workspace: Workspace) -> None:
        """Measure from now on; the console is connected."""
        self._workspace = workspace
        setting = workspace.profile.slow_link
        workspace.frugal = setting == "always" or (setting == "auto" and self._slow)
        if setting == "auto" and not self._terminal.linear and self._round_trip is None:
            self._round_trip = RoundTrip(lambda: send(self._app, QUESTION), get_time)
            self._round_trip.measure()
        self.service_changed()

    def used(self) -> None:
        """A key was pressed."""
        if self._round_trip is not None:
            self._round_trip.used()

    def replied(self, at: float) -> None:
        """The terminal replied, at this time."""
        if self._round_trip is None or not self._round_trip.replied(at) or self._round_trip.seconds is None:
            return
        self.measured(self._round_trip.seconds)

    def measured(self, seconds: float) -> None:
        """The round trip to the terminal is this many seconds."""
        if self._shown is None or differs_visibly(self._shown, seconds):
            self._shown = seconds
        was_slow, self._slow = self._slow, seconds > (FAST_TERMINAL if self._slow else SLOW_TERMINAL)
        if was_slow != self._slow:
            self._changed(
                _("Slow terminal link ({in_steps} ms): terminal colours, fewer requests and previews.").format(
                    in_steps=in_steps(seconds)
                )
            )

    def service_changed(self) -> None:
        """The connection to the service has changed; it stays slow until a response comes clearly faster."""
        if self._workspace is None:
            return
        link = self._workspace.link
        was_slow = self._slow_service
        # A lost connection is not a fast one.
        unknown = link.state == "offline" or (link.round_trip or 0.0) > FAST_SERVICE
        self._slow_service = link.state == "slow" or (was_slow and unknown)
        if was_slow != self._slow_service:
            self._changed(_("The service responds slowly: fewer requests and previews."))

    def _changed(self, sentence: str) -> None:
        workspace = self._workspace
        if workspace is None or workspace.profile.slow_link != "auto":
            return
        was_frugal, workspace.frugal = workspace.frugal, self._slow or self._slow_service
        self._choose_theme()
        if workspace.frugal and not was_frugal:
            self._show_message(sentence)

    def _choose_theme(self) -> None:
        profile = self._profile
        setting = profile.slow_link if profile is not None else "auto"
        if setting == "always" or (setting == "auto" and self._slow):
            self._app.theme = TERMINAL.name
        else:
            self._app.theme = choose_theme(self._requested, self._terminal, self._light, self._themes)
