"""`svc-tui doctor`: what this terminal and this connection can do, and what the console will do about it."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from svc_tui import __version__
from svc_tui.commands.options import AsJson, ProfileName

_COLOURS = {0: "none: marks and words carry the state", 16: "the terminal's own sixteen", 256: "256"}
#: Round trips that are measured; the best one tells the link, the first one includes the connection.
ROUNDS = 3


def doctor(*, profile: ProfileName = "", json: AsJson = False) -> None:
    """What this terminal and this connection can do."""
    from svc_tui.commands import output

    found = {"program": _program(), "terminal": _terminal(), "folders": _folders(), "connection": _connection(profile)}
    if json:
        output.json_document(found)
        return
    for place, (title, facts) in enumerate(found.items()):
        output.line(("\n" if place else "") + title.upper())
        output.pairs(facts)


def _program() -> dict[str, Any]:
    return {
        "svc-tui": __version__,
        "Python": platform.python_version(),
        "Textual": version("textual"),
        "system": f"{platform.system()} {platform.release()}",
    }


def _terminal() -> dict[str, Any]:
    from svc_tui.console.terminal.capabilities import capabilities

    can = capabilities(os.environ)
    size = shutil.get_terminal_size()
    return {
        "terminal": (can.term or "unknown") + (", through tmux" if can.in_tmux else ""),
        "screen": "no: only commands work here" if can.dumb or not sys.stdin.isatty() else "yes",
        "size": f"{size.columns} columns, {size.lines} lines",
        "colours": _COLOURS.get(can.colours, "16 million"),
        "theme": "the terminal's own colours" if can.plain_colours else "its own colours",
        "Unicode": "yes" if can.unicode else "no: ASCII stands for signs and lines",
        "mouse": "yes, and never needed" if can.mouse else "no",
        "copying": ", then ".join(can.clipboard),
        "links": "yes" if can.hyperlinks else "no: addresses are shown and copied as text",
        "over SSH": "yes" if can.over_ssh else "no",
    }


def _folders() -> dict[str, Any]:
    from svc_tui.workspace.core.folders import folders

    places = folders()
    found = {"config": places.config, "cache": places.cache, "data": places.data}
    return {kind: f"{path} ({_state(path)})" for kind, path in found.items()}


def _state(path: Path) -> str:
    nearest = next(folder for folder in (path, *path.parents) if folder.exists())
    if not os.access(nearest, os.W_OK | os.X_OK):
        return "cannot be written: the console works on in memory"
    free = shutil.disk_usage(nearest).free // 1_000_000
    return f"{'writable' if path.exists() else 'made when needed'}, {free} MB free"


def _connection(name: str) -> dict[str, Any]:
    from svc_tui.commands.exits import told

    try:
        return asyncio.run(_measure(name))
    except Exception as error:
        return {"connection": told(error)[0]}


async def _measure(name: str) -> dict[str, Any]:
    from svc_tui.commands.connection import chosen_profile, opened
    from svc_tui.interface.authentication import ping

    profile = chosen_profile(name)
    facts: dict[str, Any] = {"profile": profile.name, "service": profile.base_url}
    async with opened(profile) as client:
        trips = [(await client.send(ping)).elapsed for _ in range(ROUNDS)]
        facts["round trip"] = f"{min(trips) * 1000:.0f} ms (the first one {trips[0] * 1000:.0f} ms)"
        facts["encrypted"] = "yes" if profile.encrypted else "no"
        facts["verified"] = "yes" if profile.verified else "no: anybody could stand between"
        facts["session"] = "kept" if client.session.restore() else "none: the console asks for a login"
    return facts
