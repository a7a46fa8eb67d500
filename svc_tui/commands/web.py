"""`svc-tui web`: the console in a browser on this machine."""

from __future__ import annotations

import os
import signal
import socket
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from svc_tui.commands.exits import Exit, UsageError, discard_output, print_message
from svc_tui.commands.options import ProfileName, ReadOnly
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.web.environment import withheld
from svc_tui.workspace.profiles.profiles import Profiles

if TYPE_CHECKING:
    from svc_tui.web import serve
else:
    serve = lazy_import("svc_tui.web.serve")


def web(
    *,
    port: Annotated[int, Parameter(help="Port to listen on; 0 selects a free port.")] = 8000,
    demo: Annotated[bool, Parameter(help="Open each console on a private demo service.", negative=())] = False,
    profile: ProfileName = "",
    read_only: ReadOnly = False,
) -> int:
    """Serve the console to a browser on this machine until SIGTERM or Ctrl+C; return the exit code."""
    if sys.platform == "win32":
        raise UsageError(_("The console in a browser needs pseudo-terminals, which Windows does not have."))
    if demo and profile:
        raise UsageError(_("The demo has its own profile. Leave out --profile."))
    if profile:
        Profiles().load(profile)
    with _listening(port) as listener:
        if secrets := withheld(os.environ):
            print_message(
                _("Not passed to consoles in the browser: {secrets}. Log in there.").format(secrets=", ".join(secrets))
            )
        ended_by = serve.serve(listener, _words(demo, profile, read_only), os.environ, _announce)
    return Exit.INTERRUPTED if ended_by == signal.SIGINT else Exit.DONE


def _words(demo: bool, profile: str, read_only: bool) -> list[str]:
    """The arguments of the command in each tab."""
    return [
        *(["demo"] if demo else []),
        *(["--profile", profile] if profile else []),
        *(["--read-only"] if read_only else []),
    ]


def _listening(port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise UsageError(_("The port must be a number from 0 to 65535, not {port}.").format(port=port))
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError as error:
        reason = _("Port {port} cannot be used: {reason}.").format(
            port=port, reason=(error.strerror or str(error)).lower()
        )
        raise UsageError(
            _("{reason} Select another one with --port, or a free one with --port 0.").format(reason=reason)
        ) from error


def _announce(address: str) -> None:
    print_message(_("Open this address in a browser on this machine. It works once; Ctrl+C ends all."))
    try:
        print(address, flush=True)
    except OSError:
        discard_output()
        # Without the address the page cannot be opened.
        print_message(address)
