"""The console on a private demo service, logged in. Needs no setup and leaves nothing behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.commands.demo_service import demo_service
from svc_tui.commands.exits import UsageError, print_message
from svc_tui.console.core.demo import Demo
from svc_tui.console.terminal.capabilities import LINEAR, capabilities
from svc_tui.console.terminal.recording import ScreenRecording
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT, accounts
from svc_tui.server.demo.repeatable import Scale
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.core.suggestions import suggestion
from svc_tui.workspace.profiles import running_demo
from svc_tui.workspace.profiles.configuration_file import ConfigurationError

if TYPE_CHECKING:
    from svc_tui.console.shell import app
else:
    app = lazy_import("svc_tui.console.shell.app")


def open_demo(
    loaded: Callable[[], None],
    *,
    scale: Scale = "small",
    account: str = DEFAULT_ACCOUNT.login,
    tour: bool = False,
    pace: float = 1.0,
    read_only: bool = False,
    record: Path | None = None,
) -> int:
    """Open the console on a private demo service, logged in.

    `loaded` is called before the console draws. `pace` is the length of the pauses of the tour. What is drawn is
    written to the new file `record`.
    """
    login = _login(account, accounts())
    if tour and (read_only or login != DEFAULT_ACCOUNT.login):
        raise UsageError(
            _("The tour makes changes as {login}. Leave out --as and --read-only.").format(login=DEFAULT_ACCOUNT.login)
        )
    own = folders()
    if running_demo.is_read_as_lines(own):
        os.environ[LINEAR] = "1"
    with _recording(record) as recording, demo_service(scale) as service:
        profile = replace(service.profile(login, read_only=read_only), **running_demo.take_preferences(own))

        def wait(report: Callable[[int], None]) -> None:
            service.wait(report)
            # A configuration of the user that cannot be read is no matter of the demo.
            with suppress(ConfigurationError):
                running_demo.share(profile, own)

        app.prepare()
        loaded()
        code = app.run(
            profile=profile,
            place=None,
            read_only=read_only,
            demo=Demo(service.reset, wait, pace if tour else None, recording),
        )
    print_message(_("The demo has ended. Its data and your changes are deleted."))
    return code


@contextmanager
def _recording(path: Path | None) -> Iterator[ScreenRecording | None]:
    """The recording of the demo; reports its file at the end. UsageError when it cannot be written."""
    if path is None:
        yield None
        return
    if capabilities(os.environ).linear:
        raise UsageError(_("--record needs a terminal that draws: leave out --linear."))
    try:
        recording = ScreenRecording(path)
    except FileExistsError:
        raise UsageError(_("{path} already exists. Choose another name for the recording.").format(path=path)) from None
    except OSError as error:
        raise UsageError(_("Cannot write {path}: {reason}.").format(path=path, reason=error.strerror)) from None
    try:
        yield recording
    finally:
        recording.close()
        print_message(
            recording.error_message
            or _("The recording is in {path}; `asciinema play {path}` plays it.").format(path=path)
        )


def _login(name: str, known: dict[str, Any]) -> str:
    """The login of a demo account, from the login itself or the part before the @. UsageError for an unknown one."""
    logins = [one["login"] for one in known["accounts"]]
    for login in (name, f"{name}@demo.example"):
        if login in logins:
            return login
    hint = suggestion(name, logins, _("Run `svc-tui demo-accounts` for a list."))
    raise UsageError(_('Unknown demo account "{name}". {hint}').format(name=name, hint=hint))
