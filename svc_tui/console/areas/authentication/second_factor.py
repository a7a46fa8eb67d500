"""The caller's second factor: enrolment with a QR code, recovery codes, trusted applications, disabling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from textual import on, work
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from svc_tui.client.errors import ServiceError
from svc_tui.console.core.changes import Change
from svc_tui.console.core.dialog_keys import CLOSE
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs import code_boxes
from svc_tui.console.dialogs.box import Box, SecretText, plain
from svc_tui.console.dialogs.code_boxes import CodeBoxes
from svc_tui.console.dialogs.messages import Secret
from svc_tui.console.dialogs.qr import QrPicture
from svc_tui.console.editing.record_edit import preview
from svc_tui.console.terminal.text import safe_text
from svc_tui.language import _
from svc_tui.workspace.workspace import Workspace

#: Lines of the dialog around the QR code, and the columns for secret and code beside it.
FRAME_ROWS, BESIDE = 3, 34


def _own_path(context: Context) -> dict[str, str]:
    caller = context.workspace.caller
    return {"userId": caller.user_id if caller else ""}


class EnrolmentBox(Box[str]):
    """Shows secret and QR code for an authenticator; returns the recovery code after the first correct code."""

    DEFAULT_CSS = """
    EnrolmentBox > .box { width: 78; }
    EnrolmentBox Horizontal { height: auto; }
    EnrolmentBox .side { width: 1fr; height: auto; padding: 0 0 0 1; }
    """
    KEYS = (CLOSE.labelled(_("Cancel")),)

    def __init__(self, workspace: Workspace, path: Mapping[str, str], offered: Mapping[str, Any]) -> None:
        super().__init__(_("Set up a second factor"))
        self._workspace = workspace
        self._path = dict(path)
        self._secret = str(offered.get("mfaSecret") or "")
        self._address = str(offered.get("otpAuthUrl") or "")
        #: Whether a code is being checked: the service may have enabled the second factor already.
        self._checking = False

    def body(self) -> Iterable[Widget]:
        picture = QrPicture(self._address, secret=True)
        size = self.app.size
        fits = size.height >= picture.rows + FRAME_ROWS and size.width >= picture.columns + BESIDE
        secret = "\n".join(" ".join(self._groups[at : at + 4]) for at in range(0, len(self._groups), 4))
        how = _("Scan the QR code, or type this secret") if fits else _("Type this secret")
        beside = Vertical(
            plain(_("{how} into an authenticator app:").format(how=how) + "\n"),
            SecretText(secret),
            plain(f"\n{_('Then type its six-digit code:')}\n"),
            CodeBoxes(),
            plain("", id="error", classes="error"),
            classes="side",
        )
        yield Horizontal(picture, beside) if fits else beside

    @property
    def _groups(self) -> list[str]:
        """The secret in groups of four, as it is read aloud."""
        return [self._secret[at : at + 4] for at in range(0, len(self._secret), 4)]

    def on_mount(self) -> None:
        self.query_one(CodeBoxes).focus()

    def current_keys(self) -> Sequence[DialogKey]:
        return () if self._checking else self.KEYS

    def hint_now(self) -> str:
        return _("Checking the code…") if self._checking else ""

    @property
    def loss(self) -> str:
        return _("A code is being checked. The recovery code would not be shown.") if self._checking else ""

    @on(CodeBoxes.Completed)
    def _typed(self, event: CodeBoxes.Completed) -> None:
        if not self._checking:
            self._check(True)
            self._verify(event.code)

    def _check(self, checking: bool) -> None:
        self._checking = checking
        self.show_keys()

    @work(exclusive=True, group="verify", exit_on_error=False)
    async def _verify(self, code: str) -> None:
        try:
            answer = await self._workspace.perform("verify_mfa", path=self._path, body={"token": code})
            await self._workspace.perform("enable_mfa", path=self._path)
        except Exception as error:
            self._check(False)
            if not isinstance(error, ServiceError):
                raise
            self.query_one(CodeBoxes).clear()
            self.query_one("#error", Static).update(Content(safe_text(code_boxes.code_error(error)).text))
            return
        self.dismiss(str(answer.get("data", {}).get("mfaRecoveryCode") or ""))


async def enrol(context: Context) -> None:
    """Set up a second factor: request a secret, verify a code, and show the recovery code once."""
    path = _own_path(context)
    answer = await context.workspace.perform("get_mfa", path=path)
    recovery = await context.stage.ask(EnrolmentBox(context.workspace, path, answer.get("data", {})))
    if recovery is None:
        context.stage.show_message(_("The second factor was not set up."))
        return
    await _show_recovery_code(context, recovery)
    context.view.refresh_now()
    context.stage.show_message(_("Second factor set up. The next login asks for a code."), "ok")


async def _show_recovery_code(context: Context, recovery: str) -> None:
    text = _("Keep this recovery code where you can find it without your phone. It works once and is not shown again.")
    await context.stage.ask(Secret(_("Recovery code"), recovery, text))


async def _change(context: Context, label: str, operation: str, warning: str) -> Mapping[str, Any] | None:
    change = Change(label, operation, _own_path(context), reach=_("Affects your account."), warning=warning)
    outcome = await preview(context, change)
    if outcome is None or outcome.error is not None:
        return None
    context.view.refresh_now()
    context.stage.show_message(_("{label}: done.").format(label=label), "ok")
    return outcome.answer


async def switch_off(context: Context) -> None:
    """Disable the second factor: a password is enough to log in."""
    await _change(context, _("Disable the second factor"), "disable_mfa", _("Your password is then enough to log in."))


async def forget_trusted(context: Context) -> None:
    """Revoke the trust in all applications."""
    await _change(
        context,
        _("Revoke trusted applications"),
        "delete_mfa_trusted_applications",
        _("Every login asks for a code again."),
    )


async def new_recovery_code(context: Context) -> None:
    """Replace the recovery code and show the new one once."""
    answer = await _change(
        context, _("Replace the recovery code"), "reset_mfa_recovery_code", _("The current code stops working.")
    )
    if answer is not None:
        code = answer.get("mfaRecoveryCode") or (answer.get("data") or {}).get("mfaRecoveryCode")
        await _show_recovery_code(context, str(code or ""))
