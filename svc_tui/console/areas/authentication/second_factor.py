"""The own second factor: enrolment with a QR code, recovery codes, trusted applications, switching off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from textual import on, work
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from svc_tui.console.core.changes import Change
from svc_tui.console.core.dialog_keys import CLOSE
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.code_boxes import CodeBoxes
from svc_tui.console.dialogs.messages import Secret
from svc_tui.console.dialogs.qr import QrPicture
from svc_tui.console.editing.record_edit import preview
from svc_tui.console.terminal.text import shown
from svc_tui.workspace.workspace import Workspace

#: Lines of the box around the QR code, and the columns that secret and boxes need beside it.
FRAME_ROWS, BESIDE = 3, 34


def _himself(context: Context) -> dict[str, str]:
    caller = context.workspace.caller
    return {"userId": caller.user_id if caller else ""}


class Enrolment(Box[str]):
    """Secret and QR code for an authenticator; gives the recovery code back once the first code was right."""

    DEFAULT_CSS = """
    Enrolment > .box { width: 78; }
    Enrolment Horizontal { height: auto; }
    Enrolment .side { width: 1fr; height: auto; padding: 0 0 0 1; }
    """
    HINT = "type the six digits"
    KEYS = (CLOSE.labelled("Not now"),)

    def __init__(self, workspace: Workspace, path: Mapping[str, str], offered: Mapping[str, Any]) -> None:
        super().__init__("Set up a second factor")
        self._workspace = workspace
        self._path = dict(path)
        self._secret = str(offered.get("mfaSecret") or "")
        self._address = str(offered.get("otpAuthUrl") or "")

    def body(self) -> Iterable[Widget]:
        picture = QrPicture(self._address)
        size = self.app.size
        fits = size.height >= picture.rows + FRAME_ROWS and size.width >= picture.columns + BESIDE
        secret = "\n".join(" ".join(self._groups[at : at + 4]) for at in range(0, len(self._groups), 4))
        how = "Scan this with an authenticator, or type this" if fits else "Type this secret into an authenticator"
        beside = Vertical(
            plain(f"{how}:\n\n{secret}\n\nThen type its six digits:\n"),
            CodeBoxes(),
            plain("", id="trouble", classes="trouble"),
            classes="side",
        )
        yield Horizontal(picture, beside) if fits else beside

    @property
    def _groups(self) -> list[str]:
        """The secret in fours, as it is read aloud."""
        return [self._secret[at : at + 4] for at in range(0, len(self._secret), 4)]

    def on_mount(self) -> None:
        self.query_one(CodeBoxes).focus()

    @on(CodeBoxes.Complete)
    def _typed(self, event: CodeBoxes.Complete) -> None:
        self._verify(event.code)

    @work(exclusive=True, group="verify", exit_on_error=False)
    async def _verify(self, code: str) -> None:
        from svc_tui.client.errors import ServiceError
        from svc_tui.console.dialogs.wrong_code import code_error

        try:
            answer = await self._workspace.perform("verify_mfa", path=self._path, body={"token": code})
            await self._workspace.perform("enable_mfa", path=self._path)
        except ServiceError as error:
            self.query_one(CodeBoxes).clear()
            self.query_one("#trouble", Static).update(Content(shown(code_error(error)).text))
            return
        self.dismiss(str(answer.get("data", {}).get("mfaRecoveryCode") or ""))


async def enrol(context: Context) -> None:
    """Ask for a secret, prove it, switch the second factor on, and show the recovery code once."""
    path = _himself(context)
    answer = await context.workspace.perform("get_mfa", path=path)
    recovery = await context.stage.ask(Enrolment(context.workspace, path, answer.get("data", {})))
    if recovery is None:
        context.stage.say("The second factor was not switched on.")
        return
    await _keep(context, recovery)
    context.view.refresh_now()
    context.stage.say("The second factor is on: the next login asks for a code.", "ok")


async def _keep(context: Context, recovery: str) -> None:
    text = "Keep this recovery code where you find it without your telephone. It works once, and is shown this once."
    await context.stage.ask(Secret("Recovery code", recovery, text))


async def _change(context: Context, label: str, operation: str, warning: str) -> Mapping[str, Any] | None:
    change = Change(label, operation, _himself(context), reach="Reaches your own account.", warning=warning)
    outcome = await preview(context, change)
    if outcome is None or outcome.error is not None:
        return None
    context.view.refresh_now()
    context.stage.say(f"{label}: done.", "ok")
    return outcome.answer


async def switch_off(context: Context) -> None:
    """Log in with the password alone from now on."""
    await _change(
        context, "Switch off the second factor", "disable_mfa", "From then on your password alone opens this account."
    )


async def forget_trusted(context: Context) -> None:
    """Trust no application any more."""
    await _change(
        context, "Forget trusted applications", "delete_mfa_trusted_applications", "Every login asks for a code again."
    )


async def new_recovery_code(context: Context) -> None:
    """Replace the recovery code and show the new one once."""
    answer = await _change(
        context, "Replace the recovery code", "reset_mfa_recovery_code", "The present one stops working."
    )
    if answer is not None:
        code = answer.get("mfaRecoveryCode") or (answer.get("data") or {}).get("mfaRecoveryCode")
        await _keep(context, str(code or ""))
