"""Try the OAuth flow of an application on this machine: login in a browser, code, tokens, refresh, revocation."""

from __future__ import annotations

import os
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.style import Style as RichStyle
from textual import work
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from svc_tui.client import loopback
from svc_tui.client.errors import ServiceError
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.dialog_keys import CLOSE, COPY
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.resource import Context
from svc_tui.console.core.stage import host_of
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.editing.record_edit import preview
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.formatting import duration
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.applications.oauth_settings import (
    REDIRECTS,
    loopback_redirects,
    most_redirects,
    port_of,
)
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import ReadError

if TYPE_CHECKING:
    from svc_tui.client import oauth
    from svc_tui.client.client import Client
    from svc_tui.interface.authentication.oauth import OAuthTokens
    from svc_tui.interface.authentication.users import User
else:
    oauth = lazy_import("svc_tui.client.oauth")

#: The address that is offered where an application has none of this machine.
ADDRESS = "http://127.0.0.1:8976/callback"


class TryOAuth(Box[None]):
    """Waits for the browser, exchanges the code, and shows what came back, without the tokens themselves."""

    DEFAULT_CSS = """
    TryOAuth #link { height: auto; margin: 1 0; }
    TryOAuth #result { height: auto; }
    """
    KEYS = (
        COPY.labelled(_("Copy the address")),
        CLOSE.labelled(_("Cancel")),
    )
    RESULT_KEYS = (
        DialogKey("try_oauth.refresh", ("r",), "Refresh", "Exchange the refresh token for new tokens"),
        DialogKey("try_oauth.revoke", ("x",), "Revoke", "Revoke the tokens at the service"),
        CLOSE.labelled(_("Discard the tokens and close")),
    )
    ASKING_KEYS = RESULT_KEYS[-1:]
    OVER_KEYS = (CLOSE,)

    def __init__(self, client: Client, application: oauth.OAuthApplication, name: str) -> None:
        super().__init__(_("Try OAuth of {name}").format(name=name))
        self._client, self._application, self._app_name = client, application, name
        self._request = oauth.authorization(client, application)
        self._tokens: OAuthTokens | None = None
        self._user: User | None = None
        self._over = False
        #: Whether tokens are being refreshed or revoked, which works once: it is not sent again.
        self._asking = False

    @property
    def address(self) -> str:
        """The address for the browser."""
        return self._request.url

    def body(self) -> Iterable[Widget]:
        yield plain(self._instruction(), id="about")
        yield Static(id="link", markup=False)
        yield plain("", id="result")
        yield plain("", id="error", classes="error")

    def _instruction(self) -> str:
        where, port = _("a browser on this machine"), port_of(self._application.redirect_uri)
        text = _(
            "Open this address in {where}, log in and allow {application}. The code returns to port {port} here."
        ).format(where=where, application=self._app_name, port=port)
        if host_of(self.app).terminal.over_ssh:
            text += _(
                " Over SSH, forward the port on the machine with the browser: ssh -L {port}:127.0.0.1:{port}."
            ).format(port=port)
        return text

    def on_mount(self) -> None:
        self.set_focus(None)
        style = Style.from_rich_style(RichStyle(link=self.address, underline=True))
        self.query_one("#link", Static).update(Content.styled(safe_text(self.address).text, style))
        self._run()

    def current_keys(self) -> Sequence[DialogKey]:
        if self._tokens is not None:
            return self.ASKING_KEYS if self._asking else self.RESULT_KEYS
        return self.OVER_KEYS if self._over else self.KEYS

    # --- the flow ----------------------------------------------------------------------------------------------

    @work(exclusive=True, group="flow", exit_on_error=False)
    async def _run(self) -> None:
        try:
            async with loopback.listening(self._application.redirect_uri, self._request.state) as listener:
                self.put("#result", _("Waiting for the browser…"))
                arrived = await listener.wait()
            await self._exchange(arrived)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            self._end(
                _("Port {port} cannot be used: {reason}.").format(
                    port=port_of(self._application.redirect_uri), reason=reason
                )
            )
        except ServiceError as error:
            self._end(str(error))

    async def _exchange(self, arrived: Mapping[str, str]) -> None:
        if "code" not in arrived:
            reason = arrived.get("error_description") or arrived.get("error") or _("no code")
            self._end(_("The browser returned without a code: {reason}.").format(reason=reason))
            return
        self.put("#result", _("Exchanging the code…"))
        self._tokens = await oauth.exchange(self._client, self._application, self._request, arrived["code"])
        self._user = await oauth.user_of(self._client, self._tokens)
        self._show_tokens(_("The code was exchanged for tokens."))

    def _end(self, sentence: str) -> None:
        """Show why there are no tokens."""
        self._over, self._tokens = True, None
        self.put("#result", "")
        self._arrange()
        self.show_error(sentence)

    def _show_tokens(self, done: str) -> None:
        tokens, login = self._tokens, (self._user.login_email if self._user is not None else "") or _("unknown")
        if tokens is None:
            return
        refresh = _hidden(tokens.refresh_token) if tokens.refresh_token else _("none")
        lines = (
            done,
            "",
            _("User           {login}").format(login=login),
            _("Scope          {scope}").format(scope=tokens.scope),
            _("Access token   {hidden}, {token_type}, {expires_in}").format(
                hidden=_hidden(tokens.access_token),
                token_type=tokens.token_type,
                expires_in=duration(tokens.expires_in),
            ),
            _("Refresh token  {refresh}").format(refresh=refresh),
            "",
            _("Closing discards the tokens here. At the service they stay valid until they expire or are revoked."),
        )
        self.put("#result", "\n".join(lines))
        self._arrange()

    def _arrange(self) -> None:
        for selector in ("#about", "#link"):
            self.query_one(selector).display = False
        self.show_keys()

    # --- keys --------------------------------------------------------------------------------------------------

    async def action_copy(self) -> None:
        """Copy the address and show how."""
        self.show_error(await host_of(self.app).copied(self.address))

    def action_refresh(self) -> None:
        """Exchange the refresh token."""
        if self._tokens is not None and self._tokens.refresh_token:
            self._ask(self._refresh(self._tokens, self._tokens.refresh_token))
        else:
            self.show_error(_("There is no refresh token."))

    async def _refresh(self, old: OAuthTokens, refresh_token: str) -> None:
        self._tokens = await oauth.refreshed(self._client, self._application, refresh_token)
        same = self._tokens.refresh_token == refresh_token
        rotated = _("same refresh token") if same else _("new refresh token, the old one is revoked")
        self._show_tokens(_("Refreshed: {rotated}.").format(rotated=rotated))

    def action_revoke(self) -> None:
        """Revoke the tokens and forget them."""
        if self._tokens is not None:
            self._ask(self._revoke(self._tokens))

    async def _revoke(self, tokens: OAuthTokens) -> None:
        await oauth.revoke(self._client, self._application, tokens)
        self._end("")
        self.put("#result", _("The tokens were revoked and discarded."))

    def _ask(self, request: Coroutine[Any, Any, None]) -> None:
        """Send a request about the tokens; its keys work again when the response has arrived."""
        self._set_asking(True, _("Waiting for the service…"))
        self._send(request)

    @work(exclusive=True, group="flow", exit_on_error=False)
    async def _send(self, request: Coroutine[Any, Any, None]) -> None:
        sentence = ""
        try:
            await request
        except ServiceError as error:
            sentence = str(error)
        self._set_asking(False, sentence)

    def _set_asking(self, asking: bool, sentence: str) -> None:
        self._asking = asking
        self.show_error(sentence)
        self.show_keys()

    def action_close(self) -> None:
        self._tokens = None
        self.dismiss(None)


def _hidden(token: str) -> str:
    return _("•••••••• ({token} characters)").format(token=len(token))


# --- the action ------------------------------------------------------------------------------------------------


async def try_oauth(context: Context) -> None:
    """Run the flow; where the application has no address of this machine, offer to add one first."""
    resource, client = context.require_resource(), context.workspace.client
    if client is None:
        return
    record_id = resource.record_id(context.require_record())
    try:
        record = await full_record(context, record_id)
        if not loopback_redirects(record):
            if not await _add_address(context, record):
                return
            record = await full_record(context, record_id)
    except ReadError as error:
        context.stage.show_message(error.sentence, "warn")
        return
    secret, addresses = record.get("appSecret"), loopback_redirects(record)
    if not isinstance(secret, str) or not secret:
        context.stage.show_message(
            _("Not tried: exchanging a code requires the application's secret, which you cannot read.")
        )
        return
    if addresses:
        application = oauth.OAuthApplication(record_id, addresses[0], secret)
        await context.stage.ask(TryOAuth(client, application, resource.label(record)))


async def _add_address(context: Context, record: RecordData) -> bool:
    """Review and send the address of this machine as one more; False when it was not added."""
    resource = context.require_resource()
    kept: list[Any] = list(record.get(REDIRECTS) or ())
    if len(kept) >= most_redirects():
        context.stage.show_message(
            _(
                "Not tried: no address of this machine is registered, and the limit of {most_redirects} "
                "addresses is reached."
            ).format(most_redirects=most_redirects())
        )
        return False
    path = resource.path_at(context.view.place, context.workspace.caller, resource.record_id(record))
    label, body = resource.label(record), {REDIRECTS: [*kept, ADDRESS]}
    change = Change(
        label=_("Try OAuth of {label}: add an address of this machine").format(label=label),
        operation=resource.update,
        path=path,
        body=body,
        fields=(
            FieldChange(
                _("OAuth redirect URIs"),
                _("{kept} addresses").format(kept=len(kept)),
                _("and {address}").format(address=ADDRESS),
            ),
        ),
        reach=_("Affects 1 application."),
        warning=_(
            "The browser can return to this machine only if the application has such an address. The change "
            "can be undone."
        ),
        undo=UndoEntry.of_update(
            _("Edit {label}").format(label=label), resource.kind, resource.update, path, body, dict(record)
        ),
    )
    outcome = await preview(context, change)
    return outcome is not None and outcome.error is None
