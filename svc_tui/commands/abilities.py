"""The work of `svc-tui doctor`: the abilities of this terminal and this connection, and how the console uses them."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from svc_tui import __version__
from svc_tui.client import proxies
from svc_tui.client.errors import ServiceError
from svc_tui.client.profile import Profile, SlowLink, is_loopback
from svc_tui.client.trust import key_log_fault
from svc_tui.commands import event_loop, output
from svc_tui.commands.connection import chosen_profile, opened
from svc_tui.commands.failures import describe
from svc_tui.commands.language_choice import chosen
from svc_tui.console.terminal.capabilities import capabilities
from svc_tui.console.terminal.round_trip import SLOW_TERMINAL, ask_terminal, ssh_round_trip
from svc_tui.interface.authentication.sessions import ping
from svc_tui.language import _, languages
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.core.link import SLOW_SECONDS, in_steps
from svc_tui.workspace.profiles.configuration_file import ConfigurationError
from svc_tui.workspace.profiles.profiles import Profiles

_COLOURS = {0: _("none (symbols and words show the state)"), 16: _("16, chosen by the terminal"), 256: "256"}
#: Number of requests to measure. The fastest shows the link; the first includes the connection.
ROUND_TRIPS = 3


@dataclass
class Measured:
    """The round trip to the service in seconds, None where it is unknown, and the setting that decides beside it."""

    setting: SlowLink = "auto"
    service: float | None = None


def show(profile: str, *, json: bool) -> None:
    """Write what this terminal and this connection support."""
    link = Measured()
    found = {
        "program": _program(),
        "terminal": _terminal(),
        "folders": _folders(),
        "connection": _connection(profile, link),
        "link": _link(link),
    }
    if warnings := _warnings():
        found["configuration"] = warnings
    if json:
        output.write_json(found)
        return
    for place, (title, facts) in enumerate(found.items()):
        output.write_line(("\n" if place else "") + title.upper(), "heading")
        output.write_fields(facts, bad=("connection",))


def _program() -> dict[str, Any]:
    return {
        "svc-tui": __version__,
        "Python": platform.python_version(),
        "Textual": version("textual"),
        "system": f"{platform.system()} {platform.release()}",
        "language": _language(),
    }


def _language() -> str:
    """The language, and what chose it; output for programs is English whatever is chosen."""
    name, source = chosen(os.environ)
    return f"{name} ({source or 'default'}; {', '.join(languages())})"


def _terminal() -> dict[str, Any]:
    terminal = capabilities(os.environ)
    size = shutil.get_terminal_size()
    drawn = _("no: the console is lines of text (linear mode)") if terminal.linear else _("yes")
    return {
        "terminal": (terminal.term or _("unknown")) + (_(", through tmux") if terminal.in_tmux else ""),
        "screen": drawn if sys.stdin.isatty() else _("no: only commands work here"),
        "size": _("{columns} columns, {lines} lines").format(columns=size.columns, lines=size.lines),
        "colours": _COLOURS.get(terminal.colours, _("16 million")),
        "theme": _("terminal colours") if terminal.plain_colours else _("console colours"),
        "Unicode": _("yes") if terminal.unicode else _("no: symbols and lines are ASCII"),
        "mouse": _("yes (optional)") if terminal.mouse else _("no"),
        "clipboard": ", then ".join(terminal.clipboard),
        "links": _("yes") if terminal.hyperlinks else _("no: addresses are shown as text"),
        "over SSH": _("yes") if terminal.over_ssh else _("no"),
    }


def _link(link: Measured) -> dict[str, Any]:
    """The round trips that the console compares with its limits, and what follows from them."""
    in_tmux = capabilities(os.environ).in_tmux
    terminal, reason = _to_terminal()
    beyond = ssh_round_trip(os.environ)
    saves_bytes = link.setting == "always" or (link.setting == "auto" and terminal > SLOW_TERMINAL)
    slow_service = link.setting == "auto" and (link.service or 0.0) > SLOW_SECONDS
    return {
        "to tmux" if in_tmux else "to the terminal": reason or _compared(terminal, SLOW_TERMINAL),
        "to the SSH client": _("unknown") if beyond is None else _compared(beyond, SLOW_TERMINAL),
        "to the service": _("unknown") if link.service is None else _compared(link.service, SLOW_SECONDS),
        "slow_link": _("{setting} (the setting of the profile: auto, always or never)").format(setting=link.setting),
        "colours": _("those of the terminal, which take the fewest bytes") if saves_bytes else _("those of the theme"),
        "requests": _("one at a time for each list")
        if saves_bytes or slow_service
        else _("two at a time for each list"),
        "details and filters": _("update after a second without a key")
        if saves_bytes or slow_service
        else _("update at once"),
    }


def _compared(seconds: float, slow: float) -> str:
    """A round trip beside the one from which a link is slow."""
    return _("{in_steps} ms, {seconds} (slow: more than {slow:.0f} ms)").format(
        in_steps=in_steps(seconds), seconds=_("slow") if seconds > slow else _("fast"), slow=slow * 1000
    )


def _to_terminal() -> tuple[float, str]:
    """The fastest round trip to the terminal in seconds, and why it is unknown."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or capabilities(os.environ).dumb:
        return 0.0, _("not measured: no terminal that can draw")
    trips = ask_terminal(sys.stdin.fileno(), sys.stdout.fileno(), ROUND_TRIPS)
    return (min(trips), "") if trips else (0.0, _("unknown: the terminal does not reply"))


def _warnings() -> dict[str, str]:
    """The ignored values of the configuration; a file that cannot be read is reported with the connection."""
    try:
        warnings = Profiles().configuration.warnings
    except ConfigurationError:
        return {}
    return {_("warning {number}").format(number=number): warning for number, warning in enumerate(warnings, 1)}


def _folders() -> dict[str, Any]:
    places = folders()
    found = {"config": places.config, "cache": places.cache, "data": places.data}
    return {kind: f"{path} ({_state(path)})" for kind, path in found.items()}


def _state(path: Path) -> str:
    nearest = next(folder for folder in (path, *path.parents) if folder.exists())
    if not os.access(nearest, os.W_OK | os.X_OK):
        return _("not writable: the console works in memory")
    free = shutil.disk_usage(nearest).free // 1_000_000
    return _("{exists}, {free} MB free").format(
        exists=_("writable") if path.exists() else _("created when needed"), free=free
    )


def _connection(profile_name: str, link: Measured) -> dict[str, Any]:
    """What is known about the connection, and the error with which it ended."""
    facts: dict[str, Any] = {}
    try:
        profile = chosen_profile(profile_name)
        link.setting = profile.slow_link
        facts |= {"profile": profile.name, "service": profile.base_url, "proxy": _proxy(profile.base_url)}
        if profile.encrypted and (reason := key_log_fault()):
            facts["SSLKEYLOGFILE"] = _("not written: {reason}").format(reason=reason)
        event_loop.run(_measure(profile, link, facts))
    except Exception as error:
        facts["connection"] = describe(error)[0]
    return facts


def _proxy(url: str) -> str:
    """The proxy to the service, without its password, or why there is none."""
    try:
        proxy = proxies.proxy_for(url)
    except ServiceError as error:
        return error.sentence
    if proxy is not None:
        return str(proxy)
    if is_loopback(urlsplit(url).hostname or ""):
        return _("none: the service is on this machine")
    entry = proxies.exception_for(url)
    return _("none: {entry} in NO_PROXY").format(entry=entry) if entry else _("none")


async def _measure(profile: Profile, link: Measured, facts: dict[str, Any]) -> None:
    async with opened(profile) as client:
        trips = [(await client.send(ping)).elapsed for _ in range(ROUND_TRIPS)]
        link.service = min(trips)
        facts["round trip"] = _("{trips:.0f} ms (first: {first:.0f} ms)").format(
            trips=min(trips) * 1000, first=trips[0] * 1000
        )
        facts["encrypted"] = _("yes") if profile.encrypted else _("no")
        facts["verified"] = _("yes") if profile.verified else _("no: the identity of the service is unknown")
        facts["session"] = _("stored") if client.session.restore() else _("none: the console opens with a login")
