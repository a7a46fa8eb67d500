"""The first start: try the demo, or add a connection profile."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, cast

from textual import on
from textual.widget import Widget
from textual.widgets import Input

from svc_tui.client.profile import Profile
from svc_tui.console.core.dialog_keys import CLOSE, NEXT_FIELD, PREVIOUS_FIELD
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.widgets.line_input import LineInput
from svc_tui.language import _
from svc_tui.workspace.profiles.configuration_file import ConfigurationError
from svc_tui.workspace.profiles.profiles import Profiles

if TYPE_CHECKING:
    from svc_tui.client.profile import BrowseCache

    Chosen = Profile | Literal["demo"]

#: The settings of a profile with their labels, their values at first, and what an empty field shows.
_FIELDS = (
    ("base_url", _("Service address"), "", "https://service.example"),
    ("app_id", _("Application ID"), "", _("for this console, from the operator of the service")),
    ("app_secret", _("Application secret"), "", _("also from the operator of the service")),
    ("login", _("Login (optional)"), "", "name@company.example"),
    ("name", _("Profile name"), "work", ""),
    ("browse_cache", _("Show cached records without a login: always, until_logout or never"), "until_logout", ""),
)

#: As on every view; a dialog has no other keys than its own.
LEAVE = DialogKey("welcome.leave", ("ctrl+c",), "Quit now", "Quit and discard the input", shown=False)


class WelcomeBox(Box["Chosen"]):
    """Returns a profile, or that the demo was chosen; None when closed."""

    KEYS = (
        DialogKey("welcome.demo", ("d",), "Demo", "Start the demo"),
        DialogKey("welcome.profile", ("n",), "New profile", "Add a connection profile"),
        CLOSE.labelled(_("Quit")),
        LEAVE,
    )

    def __init__(self) -> None:
        super().__init__("svc-tui")

    def body(self) -> Iterable[Widget]:
        yield plain(
            self.with_keys(
                _(
                    "Welcome. There is no connection profile yet.\n\n"
                    "{demo}   starts a demo: a private service with sample data; nothing\n"
                    "    leaves this machine, and nothing is kept afterwards\n"
                    "{profile}   adds a connection profile for your service\n"
                )
            )
        )

    def action_demo(self) -> None:
        self.dismiss("demo")

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_profile(self) -> None:
        def added(profile: Profile | None) -> None:
            if profile is not None:
                self.dismiss(profile)

        self.app.push_screen(NewProfile(), added)


class NewProfile(Box["Profile"]):
    """Input of a profile, which is saved."""

    KEYS = (
        DialogKey("profile.next", ("enter",), "Next or save", "Next field; on the last one save"),
        NEXT_FIELD,
        PREVIOUS_FIELD,
        CLOSE.labelled(_("Back")),
        LEAVE,
    )

    def __init__(self) -> None:
        super().__init__(_("New profile"))

    def body(self) -> Iterable[Widget]:
        for name, label, value, hint in _FIELDS:
            yield plain(label, classes="label")
            yield LineInput(value, placeholder=hint, id=name, password=name == "app_secret")
        yield plain("", id="error", classes="error")
        yield plain("", id="clear-text", classes="error")

    def on_mount(self) -> None:
        self.query_one(f"#{_FIELDS[0][0]}").focus()

    def action_leave(self) -> None:
        self.app.exit(0)

    @on(Input.Changed, "#base_url")
    def _warn(self, event: Input.Changed) -> None:
        """Warn of an address without encryption while it is typed."""
        try:
            warning = Profile("address", event.value.strip()).in_clear_text
        except ValueError:
            warning = ""
        self.put("#clear-text", warning)

    def action_next(self) -> None:
        if self.focused is None or self.focused.id != _FIELDS[-1][0]:
            self.focus_next()
            return
        self._save({name: self.query_one(f"#{name}", Input).value.strip() for name, *__ in _FIELDS})

    def _save(self, values: dict[str, str]) -> None:
        try:
            profile = Profile(
                name=values["name"],
                base_url=values["base_url"],
                app_id=values["app_id"],
                app_secret=values["app_secret"],
                login=values["login"],
                browse_cache=cast("BrowseCache", values["browse_cache"]),
            )
        except ValueError as error:
            self._refuse(str(error))
            return
        try:
            profiles = Profiles()
            profiles.save(profile)
            profiles.use(profile.name)
        except ConfigurationError as error:
            self._refuse(str(error), "name")
            return
        # With the theme and the keys of all profiles.
        self.dismiss(profiles.configuration.profiles.get(profile.name, profile))

    def _refuse(self, sentence: str, field: str = "") -> None:
        """Show a problem with the labels of this dialog, and go to its field."""
        for name, label, *__ in _FIELDS:
            if sentence.startswith(name):
                sentence, field = label.partition(":")[0] + sentence.removeprefix(name), name
        self.show_error(sentence)
        if field:
            self.query_one(f"#{field}").focus()
