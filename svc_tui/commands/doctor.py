"""`svc-tui doctor`: the abilities of this terminal and this connection, and how the console uses them."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui import __version__
from svc_tui.commands import event_loop, output
from svc_tui.commands.exits import describe
from svc_tui.commands.options import AsJson, ProfileName
from svc_tui.console.terminal.capabilities import capabilities
from svc_tui.late import late
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.profiles.configuration_file import ConfigurationError
from svc_tui.workspace.profiles.profiles import Profiles

if TYPE_CHECKING:
    from svc_tui.commands import connection
    from svc_tui.interface import authentication
else:
    connection = late("svc_tui.commands.connection")
    authentication = late("svc_tui.interface.authentication")

_COLOURS = {0: "none (symbols and words show the state)", 16: "16, chosen by the terminal", 256: "256"}
#: Number of requests to measure. The fastest shows the link; the first includes the connection.
ROUND_TRIPS = 3


def doctor(*, profile: ProfileName = "", json: AsJson = False) -> None:
    """Show what this terminal and this connection support."""
    found = {"program": _program(), "terminal": _terminal(), "folders": _folders(), "connection": _connection(profile)}
    if warnings := _warnings():
        found["configuration"] = warnings
    if json:
        output.write_json(found)
        return
    for place, (title, facts) in enumerate(found.items()):
        output.write_line(("\n" if place else "") + title.upper())
        output.write_fields(facts)


def _program() -> dict[str, Any]:
    return {
        "svc-tui": __version__,
        "Python": platform.python_version(),
        "Textual": version("textual"),
        "system": f"{platform.system()} {platform.release()}",
    }


def _terminal() -> dict[str, Any]:
    terminal = capabilities(os.environ)
    size = shutil.get_terminal_size()
    drawn = "no: the console is lines of text (linear mode)" if terminal.linear else "yes"
    return {
        "terminal": (terminal.term or "unknown") + (", through tmux" if terminal.in_tmux else ""),
        "screen": drawn if sys.stdin.isatty() else "no: only commands work here",
        "size": f"{size.columns} columns, {size.lines} lines",
        "colours": _COLOURS.get(terminal.colours, "16 million"),
        "theme": "terminal colours" if terminal.plain_colours else "console colours",
        "Unicode": "yes" if terminal.unicode else "no: symbols and lines are ASCII",
        "mouse": "yes (optional)" if terminal.mouse else "no",
        "clipboard": ", then ".join(terminal.clipboard),
        "links": "yes" if terminal.hyperlinks else "no: addresses are shown as text",
        "over SSH": "yes" if terminal.over_ssh else "no",
    }


def _warnings() -> dict[str, str]:
    """The ignored values of the configuration; a file that cannot be read is reported with the connection."""
    try:
        warnings = Profiles().configuration.warnings
    except ConfigurationError:
        return {}
    return {f"warning {number}": warning for number, warning in enumerate(warnings, 1)}


def _folders() -> dict[str, Any]:
    places = folders()
    found = {"config": places.config, "cache": places.cache, "data": places.data}
    return {kind: f"{path} ({_state(path)})" for kind, path in found.items()}


def _state(path: Path) -> str:
    nearest = next(folder for folder in (path, *path.parents) if folder.exists())
    if not os.access(nearest, os.W_OK | os.X_OK):
        return "not writable: the console works in memory"
    free = shutil.disk_usage(nearest).free // 1_000_000
    return f"{'writable' if path.exists() else 'created when needed'}, {free} MB free"


def _connection(profile_name: str) -> dict[str, Any]:
    try:
        return event_loop.run(_measure(profile_name))
    except Exception as error:
        return {"connection": describe(error)[0]}


async def _measure(profile_name: str) -> dict[str, Any]:
    profile = connection.chosen_profile(profile_name)
    facts: dict[str, Any] = {"profile": profile.name, "service": profile.base_url}
    async with connection.opened(profile) as client:
        trips = [(await client.send(authentication.ping)).elapsed for _ in range(ROUND_TRIPS)]
        facts["round trip"] = f"{min(trips) * 1000:.0f} ms (first: {trips[0] * 1000:.0f} ms)"
        facts["encrypted"] = "yes" if profile.encrypted else "no"
        facts["verified"] = "yes" if profile.verified else "no: the identity of the service is unknown"
        facts["session"] = "stored" if client.session.restore() else "none: the console opens with a login"
    return facts
