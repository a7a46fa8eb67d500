"""The login dialog: password, API key, single sign-on, second factor."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from rich.style import Style as RichStyle
from textual import events, on, work
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Checkbox, Input, Static

from svc_tui.client.errors import ServiceError, SessionEnded
from svc_tui.console.core.dialog_keys import CLOSE, NEXT_FIELD, PREVIOUS_FIELD
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.stage import host_of
from svc_tui.console.dialogs import code_boxes, qr
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.code_boxes import CodeBoxes
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.line_input import LineInput
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.client import login as login_module
    from svc_tui.client.client import Client
    from svc_tui.client.sso import SsoLogin
    from svc_tui.interface.authentication.single_sign_on import LoginUrl
else:
    login_module = lazy_import("svc_tui.client.login")

OTHER_WAY = DialogKey("login.other_way", ("f3", "ctrl+t"), "Other method", "Change between the methods of logging in")
Way = Literal["password", "api_key", "sso"]
LoginStage = Literal["who", "code", "recovery", "browser"]

#: Pause after the last key before the login method is read from the service.
DISCOVERY_PAUSE = 0.4


class Tick(Checkbox):
    """A check box that is readable without colours."""

    @property
    def _button(self) -> Content:
        return Content("[x]" if self.value else "[ ]").stylize(self.get_visual_style("toggle--label"))


class LoginBox(Box[bool]):
    """True after a login, False when it was cancelled."""

    DEFAULT_CSS = """
    LoginBox .label { height: auto; color: $text-muted; }
    LoginBox Tick { border: none; height: 1; padding: 0; background: $surface; }
    LoginBox #link { height: auto; margin: 1 0; }
    """
    KEYS = (
        DialogKey("login.submit", ("enter",), "Log in", "Log in with what was typed"),
        NEXT_FIELD,
        PREVIOUS_FIELD,
        OTHER_WAY.labelled(_("Other method")),
        CLOSE.labelled(_("Not now")),
    )
    CODE_KEYS = (
        OTHER_WAY.labelled(_("Recovery code")),
        NEXT_FIELD.labelled(_("Trust")),
        PREVIOUS_FIELD,
        CLOSE.labelled(_("Back")),
    )
    RECOVERY_KEYS = (
        DialogKey("login.submit", ("enter",), "Verify", "Log in with what was typed"),
        OTHER_WAY.labelled(_("Code")),
        NEXT_FIELD.labelled(_("Trust")),
        PREVIOUS_FIELD,
        CLOSE.labelled(_("Back")),
    )
    BROWSER_KEYS = (
        DialogKey("login.copy_link", ("ctrl+y",), "Copy the address", "Copy the address of the login page"),
        DialogKey("login.qr_code", ("ctrl+g",), "QR code", "Show the address of the login page as a QR code"),
        CLOSE.labelled(_("Back")),
    )

    def __init__(self, client: Client, reason: str = "", identifier: str = "") -> None:
        super().__init__(_("Log in to {name}").format(name=client.profile.name))
        self._client = client
        self._reason = reason
        self._identifier = identifier or client.profile.login
        self.way: Way = "api_key" if client.profile.method == "api_key" else "password"
        self.stage: LoginStage = "who"
        self._found: LoginUrl | None = None
        self._sso: SsoLogin | None = None
        #: Whether a code is being checked, which works once: it is neither sent again nor given up.
        self._verifying = False

    def body(self) -> Iterable[Widget]:
        yield plain(self._client.profile.base_url, classes="label")
        if warning := self._client.profile.in_clear_text:
            yield plain(warning, classes="error")
        if not self._client.profile.verify:
            yield plain(_("This profile does not verify TLS certificates."), classes="error")
        yield plain(self._reason, id="reason")
        yield plain(_("Login"), id="login-label", classes="label")
        yield LineInput(self._identifier, id="login")
        yield plain(_("Password"), id="secret-label", classes="label")
        yield LineInput(id="secret", password=True)
        yield CodeBoxes()
        yield Tick(_("Trust this application: no code for later logins"), id="trust", compact=True)
        yield Static(id="link", markup=False)
        yield plain("", id="comparison")
        yield plain("", id="hint", classes="label")
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        if self._client.session.state == "limited":
            self._go("code", "CodeBoxes")
            return
        self._arrange()
        self.query_one("#secret" if self._identifier or self.way == "api_key" else "#login").focus()
        if self._identifier:
            self._discover(self._identifier)

    @property
    def address(self) -> str:
        """The address for the browser; empty while none is needed."""
        return self._sso.url if self._sso is not None else ""

    @property
    def code(self) -> str:
        """The code to compare with the page in the browser; empty without one."""
        return self._sso.code if self._sso is not None else ""

    # --- drawing -----------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        who = self.stage == "who"
        secret_asked = who and self.way != "sso"
        visible = {
            "#reason": bool(self._reason) and who,
            "#login-label": who and self.way != "api_key",
            "#login": who and self.way != "api_key",
            "#secret-label": secret_asked or self.stage == "recovery",
            "#secret": secret_asked or self.stage == "recovery",
            "CodeBoxes": self.stage == "code",
            "#trust": self.stage in ("code", "recovery"),
            "#link": self.stage == "browser",
            "#comparison": self.stage == "browser",
        }
        for selector, shows in visible.items():
            self.query_one(selector).display = shows
        label = {"api_key": _("API key"), "password": _("Password"), "sso": ""}[self.way]
        self.put("#secret-label", _("Recovery code") if self.stage == "recovery" else label)
        self.put("#hint", self._hint())
        self.query_one("#hint").display = bool(self._hint())
        self.show_keys()

    def _hint(self) -> str:
        match self.stage:
            case "code":
                return _("Type the six digits of your authenticator.")
            case "recovery":
                return _("Type a recovery code. Each works once.")
            case "browser":
                return self.with_keys(_("Finish the login in a browser. If it fails there, {close} starts again."))
        if self.way == "sso" and self._found is not None:
            return _("Single sign-on: {name}. The login continues in a browser.").format(
                name=safe_text(self._found.name or self._found.type).text
            )
        return ""

    def current_keys(self) -> Sequence[DialogKey]:
        if self._verifying:
            return ()
        match self.stage:
            case "code":
                return self.CODE_KEYS
            case "recovery":
                return self.RECOVERY_KEYS
            case "browser":
                return self.BROWSER_KEYS
        return self.KEYS

    def _go(self, stage: LoginStage, focus: str) -> None:
        self.stage = stage
        self.show_error("")
        self._arrange()
        if focus:
            self.query_one(focus).focus()
        elif stage == "browser":
            self.set_focus(None)

    # --- who ---------------------------------------------------------------------------------------------------

    @on(Input.Changed, "#login")
    def _identifier_typed(self, event: Input.Changed) -> None:
        self._discover(event.value)

    @work(exclusive=True, group="discover", exit_on_error=False)
    async def _discover(self, identifier: str) -> None:
        await sleep(DISCOVERY_PAUSE)
        try:
            way, _why = login_module.preferred(await login_module.discover(self._client, identifier))
        except ServiceError as error:
            self.show_error(str(error))
            return
        self._found = None if way.asks_password else way
        found: Way = "sso" if self._found is not None else "password"
        if self.stage == "who" and self.way not in ("api_key", found):
            self.way = found
            self._go("who", "#login" if found == "sso" else "")

    def action_other_way(self) -> None:
        """Change to the next login method, or between code and recovery code."""
        if self.stage == "code":
            self.query_one("#secret", Input).value = ""
            self._go("recovery", "#secret")
        elif self.stage == "recovery":
            self._go("code", "CodeBoxes")
        elif self.stage == "who":
            ways: tuple[Way, ...] = ("password", "api_key", "sso") if self._found else ("password", "api_key")
            self.way = ways[(ways.index(self.way) + 1) % len(ways)] if self.way in ways else "password"
            self._go("who", "#login" if self.way == "sso" else "#secret")

    async def take_key(self, event: events.Key) -> bool:
        if isinstance(self.focused, Tick) and self.pressed(event, self.current_keys()) == "submit":
            # The check box takes it.
            return False
        return await super().take_key(event)

    def action_submit(self) -> None:
        secret = self.query_one("#secret", Input)
        if self.stage == "recovery":
            self._check(secret.value)
        elif self.way == "sso":
            self._begin_sso()
        elif self.focused is not secret and not secret.value:
            secret.focus()
        elif self.way == "api_key":
            self._use_key(secret.value)
        else:
            self._log_in(self.query_one("#login", Input).value.strip(), secret.value)

    @work(exclusive=True, group="login", exit_on_error=False)
    async def _log_in(self, identifier: str, password: str) -> None:
        self.show_error(_("Logging in…"))
        try:
            answer = await login_module.login(self._client, identifier, password)
        except ServiceError as error:
            self._refuse(str(error))
            return
        if answer.mfa_required:
            self._go("code", "CodeBoxes")
        else:
            self.dismiss(True)

    @work(exclusive=True, group="login", exit_on_error=False)
    async def _use_key(self, key: str) -> None:
        self.show_error(_("Checking the key…"))
        try:
            await login_module.with_api_key(self._client, key)
        except ServiceError as error:
            self._refuse(str(error))
            return
        self.dismiss(True)

    def _refuse(self, reason: str) -> None:
        """Show why a login was refused; the secret is selected, so that typing replaces it."""
        self.show_error(reason)
        self.query_one("#secret", Input).action_select_all()

    # --- second factor -----------------------------------------------------------------------------------------

    @on(CodeBoxes.Completed)
    def _code_typed(self, event: CodeBoxes.Completed) -> None:
        self._check(event.code)

    def _check(self, code: str) -> None:
        if not self._verifying:
            self._set_verifying(True)
            self.show_error(_("Checking the code…"))
            self._verify(code)

    def _set_verifying(self, verifying: bool) -> None:
        self._verifying = verifying
        self.show_keys()

    @work(exclusive=True, group="login", exit_on_error=False)
    async def _verify(self, code: str) -> None:
        try:
            await login_module.verify(self._client, code, trust=self.query_one("#trust", Checkbox).value)
        except Exception as error:
            self._set_verifying(False)
            self._refuse_code(error)
        else:
            self.dismiss(True)

    def _refuse_code(self, error: Exception) -> None:
        if isinstance(error, SessionEnded):
            self._go("who", "#secret")
            self.show_error(str(error))
        elif isinstance(error, ServiceError):
            self.query_one(CodeBoxes).clear()
            self._refuse(code_boxes.code_error(error, recovery=self.stage == "recovery"))
        else:
            raise error

    # --- single sign-on ----------------------------------------------------------------------------------------

    @work(exclusive=True, group="login", exit_on_error=False)
    async def _begin_sso(self) -> None:
        try:
            way, _why = login_module.preferred(
                await login_module.discover(self._client, self.query_one("#login", Input).value)
            )
            self._sso = await login_module.sso_start(self._client, way)
            self._go("browser", "")
            self._show_link()
            await login_module.sso_wait(self._client, self._sso)
        except ServiceError as error:
            self._go("who", "#login")
            self.show_error(str(error))
        else:
            self.dismiss(True)

    def _show_link(self) -> None:
        assert self._sso is not None
        url = self._sso.url
        style = Style.from_rich_style(RichStyle(link=url, underline=True))
        self.query_one("#link", Static).update(Content.styled(safe_text(url).text, style))
        self.put("#comparison", _("Code to compare with the page: {code}").format(code=self.code) if self.code else "")

    async def action_copy_link(self) -> None:
        """Copy the address and show how."""
        if self._sso is not None:
            self.show_error(await host_of(self.app).copied(self._sso.url))

    def action_qr_code(self) -> None:
        """Show the address as a QR code."""
        if self._sso is not None:
            title = _("Open on a phone. Code: {code}").format(code=self.code) if self.code else _("Open on a phone")
            self.app.push_screen(qr.QrCode(title, self._sso.url))

    def action_close(self) -> None:
        """Go back one step; on the first one, cancel the login."""
        if self.stage == "who":
            self.dismiss(False)
            return
        self.workers.cancel_group(self, "login")
        self._sso = None
        self._go("who", "#secret" if self.way != "sso" else "#login")
