"""`svc-tui wait PLACE --until FILTER`: waits until a record or a list of the service fits a filter."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import replace
from typing import Annotated

from cyclopts import Parameter

from svc_tui.client.client import Client
from svc_tui.commands import event_loop, output
from svc_tui.commands.connection import connected
from svc_tui.commands.exits import CommandExit, Exit, NotLoggedIn, UsageError, print_message
from svc_tui.commands.options import ProfileName
from svc_tui.console.core.places import InvalidLink, Link
from svc_tui.console.core.resource import Resource
from svc_tui.console.core.waiting import SECONDS, Awaited, CannotWait
from svc_tui.console.shell import resources
from svc_tui.console.widgets.formatting import duration
from svc_tui.language import _
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.workspace import Workspace

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)([smhd]?)")


def wait(
    place: Annotated[str, Parameter(help="A list or a record, for example `devices` or `applications/ID`.")],
    /,
    *,
    until: Annotated[str, Parameter(show_default=False, help="Wait until this filter matches.")] = "",
    gone: Annotated[str, Parameter(show_default=False, help="Wait until this filter no longer matches.")] = "",
    timeout: Annotated[
        str, Parameter(show_default=False, help="Longest time, for example `90s`, `10m` or `2h`; none without it.")
    ] = "",
    every: Annotated[str, Parameter(help="Time between two reads while no event reports a change.")] = f"{SECONDS:g}s",
    profile: ProfileName = "",
) -> None:
    """Wait until a record or a list fits a filter."""
    if bool(until) == bool(gone):
        raise UsageError(_("--until FILTER or --gone FILTER is needed, and not both."))
    longest = _seconds("--timeout", timeout) if timeout else None
    resource, link = _target(place, until or gone)
    event_loop.run(_wait(resource, link, bool(gone), longest, _seconds("--every", every), profile))


async def _wait(
    resource: Resource, link: Link, absent: bool, longest: float | None, every: float, profile: str
) -> None:
    async with connected(profile, read_only=True) as client:
        workspace = Workspace(client.profile, folders(), read_only=True)
        workspace.attach(client)
        if reason := resources.refused(resource, workspace):
            raise UsageError(reason)
        try:
            awaited = Awaited(resource, link, workspace, absent=absent)
        except CannotWait as error:
            raise UsageError(str(error)) from error
        try:
            async with event_loop.progress(lambda: _progress(awaited)), asyncio.timeout(longest):
                await _until_met(awaited, every, client, workspace)
        except TimeoutError:
            print_message(_("Not in {time}: {awaited}").format(time=duration(longest or 0), awaited=awaited))
            raise CommandExit(Exit.TIMED_OUT) from None
        except CannotWait as error:
            print_message(str(error))
            raise CommandExit(Exit.REFUSED) from error
        finally:
            awaited.close()
            await workspace.close()
    output.write_line(str(awaited))


async def _until_met(awaited: Awaited, every: float, client: Client, workspace: Workspace) -> None:
    """Wait; NotLoggedIn as soon as the session has ended, and nothing can log in again."""
    ended = asyncio.Event()
    unsubscribe = client.session.subscribe(lambda: None if client.session.state == "full" else ended.set())
    waiting = asyncio.create_task(awaited.wait(every, follow=lambda: workspace.live.follow(client)))
    ending = asyncio.create_task(ended.wait())
    try:
        await asyncio.wait([waiting, ending], return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            raise NotLoggedIn(_("The session has ended. Run `svc-tui login` to log in."))
        waiting.result()
    finally:
        unsubscribe()
        for task in (waiting, ending):
            task.cancel()
            with suppress(asyncio.CancelledError, CannotWait):
                await task


def _target(place: str, filter: str) -> tuple[Resource, Link]:
    """The resource and the link to wait for. UsageError for a place that is not known, or not complete."""
    try:
        link = Link.parse(place)
    except InvalidLink as error:
        raise UsageError(str(error)) from error
    resource = resources.find(link.place.kind)
    if resource is None:
        near = resources.nearest(link.place.kind)
        hint = _("Did you mean {near}?").format(near=near) if near else _("Example: `applications`.")
        raise UsageError(_("Unknown place “{place}”. {hint}").format(place=link.place.kind, hint=hint))
    link = link.at(link.place.named(resource.name))
    if missing := resource.missing(link.place):
        raise UsageError(
            _("{place} needs a record above it: {missing}/ID/{place}").format(place=resource.name, missing=missing)
        )
    return resource, replace(link, filter=f"{link.filter} {filter}".strip())


def _progress(awaited: Awaited) -> str:
    return _("Waiting for {awaited}. {obstacle}").format(awaited=awaited, obstacle=awaited.obstacle).strip()


def _seconds(option: str, text: str) -> float:
    found = _DURATION.fullmatch(text.strip())
    if found is None or not float(found[1]):
        raise UsageError(_("{option}: a time such as `90s`, `10m` or `2h` is needed.").format(option=option))
    return float(found[1]) * _UNITS[found[2]]
