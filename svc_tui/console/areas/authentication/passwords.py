"""Passwords: a new one for a user, typed or made and shown once, and the caller's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from textual.widget import Widget
from textual.widgets import Input

from svc_tui.client.errors import ServiceError
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.dialog_keys import ACCEPT, CLOSE, NEXT_FIELD, PREVIOUS_FIELD
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.messages import Secret
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.editing.record_edit import preview
from svc_tui.console.widgets.base import in_background
from svc_tui.console.widgets.formatting import HIDDEN, NOTHING, is_past, written
from svc_tui.console.widgets.line_input import LineInput
from svc_tui.interface.authentication.user_rules import PASSWORD_RULE, meets_rule
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.users.importing import new_password
from svc_tui.workspace.workspace import Workspace

_MADE, _TYPED = "made", "typed"


def _problem(password: str) -> str:
    return "" if meets_rule(password) else _("A password must have {rule}.").format(rule=PASSWORD_RULE)


class TypedPassword(Box[str]):
    """Input of a new password, twice, without showing it."""

    KEYS = (ACCEPT, NEXT_FIELD.labelled(_("Next field")), PREVIOUS_FIELD, CLOSE)
    #: The fields, by the ID of their input, with their text while they are empty.
    FIELDS = {"new": _("New password"), "again": _("New password again")}

    def body(self) -> Iterable[Widget]:
        for name, text in self.FIELDS.items():
            yield LineInput(placeholder=text, password=True, id=name)
        yield plain(PASSWORD_RULE[:1].upper() + PASSWORD_RULE[1:] + ".", classes="note")
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self.query(Input).first().focus()

    def _value(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value

    def is_complete(self) -> bool:
        """Whether all fields are right; otherwise the focus is in the next one, or the problem is shown."""
        empty = next((name for name in self.FIELDS if not self._value(name)), "")
        if problem := _problem(self._value("new")) if self._value("new") else "":
            self.show_error(problem)
            self.query_one("#new", Input).focus()
        elif empty:
            self.show_error("")
            self.query_one(f"#{empty}", Input).focus()
        elif self._value("new") != self._value("again"):
            self.show_error(_("The new passwords differ. Type the second one again."))
            again = self.query_one("#again", Input)
            again.value = ""
            again.focus()
        else:
            return True
        return False

    async def action_accept(self) -> None:
        if self.is_complete():
            self.dismiss(self._value("new"))


class OwnPassword(TypedPassword):
    """Changes the caller's own password; returns it when it was changed."""

    FIELDS = {"old": _("Current password"), **TypedPassword.FIELDS}

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(_("Change your password"))
        self._workspace, self._sending = workspace, False

    async def action_accept(self) -> None:
        if self._sending or not self.is_complete():
            return
        caller = self._workspace.caller
        body = {"oldPassword": self._value("old"), "newPassword": self._value("new")}
        self._sending = True
        self.show_error(_("Waiting for the service…"))
        in_background(self, partial(self._send, {"userId": caller.user_id if caller else ""}, body))

    async def _send(self, path: dict[str, str], body: dict[str, Any]) -> None:
        try:
            await self._workspace.perform("change_own_password", path=path, body=body)
        except ServiceError as error:
            self._sending = False
            self.show_error(error.sentence)
            old = self.query_one("#old", Input)
            old.value = ""
            old.focus()
            return
        self.dismiss(body["newPassword"])


async def _asked(context: Context, title: str) -> tuple[str, bool] | None:
    """A new password, and whether it was made here; None when cancelled."""
    choices = [
        Choice(_MADE, _("Make a password"), _("shown once, to be copied")),
        Choice(_TYPED, _("Type a password"), _("twice, and never shown")),
    ]
    chosen = await context.stage.ask(Picker(title, choices))
    if chosen is None:
        return None
    if chosen == _MADE:
        return new_password(), True
    typed = await context.stage.ask(TypedPassword(title))
    return None if typed is None else (typed, False)


async def ask_password(context: Context, label: str, value: Any) -> Any:
    """The password of a form. One that is made is shown here, once: it is sent with the form."""
    found = await _asked(context, label)
    if found is None:
        return None
    password, made = found
    if made:
        await _show(context, _("Password"), password, _("It applies when the form is sent."))
    return password


async def _show(context: Context, title: str, password: str, sentence: str) -> None:
    text = _("{sentence} Copy it now: it is shown only once.").format(sentence=sentence)
    await context.stage.ask(Secret(title, password, text))


async def set_password(context: Context) -> None:
    """Set a new password of the user, which also unlocks the account."""
    await _set(context, lambda name: _("Set password of {name}").format(name=name))


async def unlock(context: Context) -> None:
    """Unlock the account: only a new password does."""
    await _set(context, lambda name: _("Unlock {name} with a new password").format(name=name))


async def _set(context: Context, title: Callable[[str], str]) -> None:
    resource, listed = context.require_resource(), context.require_record()
    try:
        record: RecordData = {**listed, **await full_record(context, resource.record_id(listed))}
    except ReadError as error:
        if error.missing:
            raise
        record = listed
    label = title(resource.label(record))
    found = await _asked(context, label)
    if found is None:
        return
    password, made = found
    change = Change(
        label=label,
        operation="update_user",
        path=resource.path_at(context.view.place, context.workspace.caller, resource.record_id(record)),
        body={"password": password},
        fields=(FieldChange(_("Password"), HIDDEN, HIDDEN), *_unlocked(record)),
        reach=_("Affects 1 user."),
        warning=_("All sessions of the user end. The old password cannot be restored."),
    )
    outcome = await preview(context, change)
    if outcome is None or outcome.error is not None:
        return
    name = resource.label(record)
    if made:
        await _show(context, label, password, _("{name} logs in with this password from now on.").format(name=name))
    context.stage.show_message(_("{label}: done.").format(label=label), "ok")


def _unlocked(record: RecordData) -> tuple[FieldChange, ...]:
    return (FieldChange(_("Locked until"), written(record["lockedUntil"]), NOTHING),) if is_locked(record) else ()


async def change_own_password(context: Context) -> None:
    """Change the caller's own password."""
    if await context.stage.ask(OwnPassword(context.workspace)) is not None:
        context.stage.show_message(_("Password changed. Your other sessions have ended."), "ok")


def is_locked(record: RecordData) -> bool:
    """Whether failed logins lock the account now."""
    until = record.get("lockedUntil")
    return bool(until) and not is_past(until)
