"""`:theme`: all themes, each drawn while it is selected."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from textual import on
from textual.widgets import OptionList

from svc_tui.console.core.choice import Choice
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.shell.terminal_link import TerminalLink
from svc_tui.language import _
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.profiles.configuration import THEMES
from svc_tui.workspace.profiles.configuration_file import ConfigurationError
from svc_tui.workspace.profiles.profiles import Profiles
from svc_tui.workspace.profiles.theme_files import theme_names

#: The name of the theme that the terminal chooses.
AUTOMATIC = "automatic"


class ThemePicker(Picker):
    """Draws the console in the selected theme."""

    def __init__(self, choices: Sequence[Choice], link: TerminalLink) -> None:
        super().__init__(_("Theme"), choices, current=link.requested or AUTOMATIC)
        self._link = link

    @on(OptionList.OptionHighlighted)
    def _selected(self, event: OptionList.OptionHighlighted) -> None:
        # A message of a picker that was closed changes nothing.
        if self.is_current and event.option_index < len(self._shown):
            self._link.draw(_requested(self._shown[event.option_index].value))


def names(__: StageScreen) -> Sequence[str]:
    """The themes, with those of the user."""
    return [AUTOMATIC, *THEMES, *(name for name in theme_names(folders().config) if name not in THEMES)]


async def choose(frame: StageScreen, name: str) -> None:
    """Draw in the theme with this name, or in one that is chosen, and keep it as the user's setting."""
    link = frame.console.terminal_link
    before = link.requested
    if not name:
        choices = [Choice(each, each, _DETAILS.get(each, _("a theme of yours"))) for each in names(frame)]
        name = await frame.ask(ThemePicker(choices, link)) or ""
    if fault := link.draw(_requested(name) if name else before):
        link.draw(before)
        frame.show_message(fault, "bad")
    elif name not in ("", AUTOMATIC, frame.app.theme):
        not_drawn = _("Theme {name} is not drawn: this link has the colours of the terminal.")
        frame.show_message(not_drawn.format(name=name), "warn")
    elif name:
        try:
            await asyncio.to_thread(Profiles().keep_theme, frame.workspace.profile.name, _requested(name))
        except ConfigurationError as error:
            kept = _("Theme {name}, until the console ends.")
            frame.show_message(f"{kept.format(name=name)} {error.sentence}", "warn")
        else:
            frame.show_message(_("Theme {name}, kept as your setting in config.toml.").format(name=name), "ok")


def _requested(name: str) -> str:
    return "" if name == AUTOMATIC else name


_DETAILS = {
    AUTOMATIC: _("dark or light, as the terminal says"),
    "terminal": _("the colours of your terminal"),
    "dark": _("light texts on a dark background"),
    "light": _("dark texts on a white background"),
    "high-contrast": _("bright texts on black, for weak eyes and sunlight"),
}
