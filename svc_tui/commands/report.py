"""`svc-tui report NAME`: a report across companies as a table, CSV, JSON or a workbook."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Annotated, Literal

from cyclopts import Parameter

from svc_tui.client.client import Client
from svc_tui.client.errors import Conflict
from svc_tui.commands import event_loop, output
from svc_tui.commands.connection import connected
from svc_tui.commands.exits import CommandExit, Exit, UsageError, print_message
from svc_tui.commands.options import ProfileName
from svc_tui.commands.request import CallRequest
from svc_tui.console.core.resource import Resource
from svc_tui.console.shell import groups, resources
from svc_tui.console.widgets.formatting import plain_share, read_at
from svc_tui.language import _
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.files import export
from svc_tui.workspace.lists.report_listing import ReportFile, ReportListing
from svc_tui.workspace.profiles.preferences import Preferences
from svc_tui.workspace.search.holders import Holders
from svc_tui.workspace.workspace import Workspace

ReportFormat = Literal["table", "csv", "json", "xlsx"]


def report(
    name: Annotated[str, Parameter(show_default=False, help="Name of the report; none lists all.")] = "",
    /,
    *,
    group: Annotated[str, Parameter(show_default=False, help="Only the companies of this group.")] = "",
    fresh: Annotated[
        bool, Parameter(negative="", show_default=False, help="Read everything again, also what is not an hour old.")
    ] = False,
    output: Annotated[
        ReportFormat | None,
        Parameter(help="Output format. Default: table on a terminal, json otherwise.", show_default=False),
    ] = None,
    profile: ProfileName = "",
) -> None:
    """Write a report across companies to standard output."""
    reports = {each.report.name: each for each in resources.ALL if each.report is not None}
    if not name:
        _list(reports)
        return
    if name not in reports:
        near = get_close_matches(name, reports, n=1)
        hint = _("Did you mean {near}?") if near else _("Reports: {names}")
        hint = hint.format(near="".join(near), names=", ".join(reports))
        raise UsageError(_("Unknown report “{name}”. {hint}").format(name=name, hint=hint))
    event_loop.run(_write(reports[name], group, fresh, output or _default(), profile))


def _default() -> ReportFormat:
    return "table" if output.is_terminal() else "json"


def _list(reports: dict[str, Resource]) -> None:
    declared = [each.report for each in reports.values() if each.report is not None]
    output.write_table([{"name": each.name, "content": each.help} for each in declared], ["name", "content"])


async def _write(resource: Resource, group: str, fresh: bool, format: ReportFormat, profile: str) -> None:
    if format == "xlsx" and output.is_terminal():
        raise UsageError(_("A workbook is no text: redirect it to a file, for example `> report.xlsx`."))
    async with connected(profile, read_only=True) as client:
        workspace = Workspace(client.profile, folders(), read_only=True)
        workspace.attach(client)
        try:
            if reason := resources.refused(resource, workspace):
                raise UsageError(reason)
            companies = await _members(workspace, group)
            listing = _opened(resource, workspace, companies, fresh)
            try:
                listing.request(0, 0)
                async with event_loop.counting(lambda: _amount(resource, listing)):
                    await listing.wait_until_idle()
                await _write_rows(listing, format)
            finally:
                listing.close()
        finally:
            await workspace.close()
    _say(listing)


def _amount(resource: Resource, listing: ReportListing) -> event_loop.Amount:
    """How much of a report was read."""
    done, steps = (listing.reading.done, listing.reading.steps) if listing.reading else (0, 0)
    return done, steps, f"{resource.title}: {listing.progress}", _("parts")


@asynccontextmanager
async def _workspace_of(client: Client) -> AsyncIterator[Workspace]:
    """A workspace that leaves the client open at its end: it is that of who called."""
    workspace = Workspace(client.profile, folders(), read_only=True)
    workspace.attach(client)
    try:
        yield workspace
    finally:
        workspace.client = None
        await workspace.close()


async def members_of(client: Client, group: str) -> frozenset[str] | None:
    """The IDs of the companies of a group, those of a filter found again. UsageError for a group that is not known."""
    async with _workspace_of(client) as workspace:
        return await _members(workspace, group)


async def name_holder(error: Conflict, request: CallRequest, client: Client) -> None:
    """Add to the refusal of a number or address that is taken who has it, as the console does."""
    async with _workspace_of(client) as workspace:
        await Holders(workspace).name(error, request.path, request.body)


async def _members(workspace: Workspace, group: str) -> frozenset[str] | None:
    known_members(workspace.preferences, group)
    if group and (reason := await groups.find_again(group, workspace)):
        print_message(reason)
    return known_members(workspace.preferences, group)


def known_members(preferences: Preferences, group: str) -> frozenset[str] | None:
    """The IDs of the companies of a group as it was last; None without one. UsageError for one that is not known."""
    if group and group not in preferences.groups:
        names = ", ".join(sorted(preferences.groups)) or _(
            "none; `:group NAME` in the console makes one of marked companies"
        )
        raise UsageError(_("Unknown group “{group}”. Groups: {names}").format(group=group, names=names))
    return preferences.members(group)


def _opened(resource: Resource, workspace: Workspace, companies: Collection[str] | None, fresh: bool) -> ReportListing:
    declared = resource.report
    if declared is None:
        raise LookupError(f"{resource.name} is no report")
    listing = workspace.listing(
        resource.list,
        derive=lambda source: ReportListing(source, declared, companies, fresh=fresh, service=workspace),
    )
    if not isinstance(listing, ReportListing):
        raise TypeError(f"the list of {resource.name} is a {type(listing).__name__}")
    return listing


async def _write_rows(listing: ReportListing, format: ReportFormat) -> None:
    file = ReportFile(listing, names=format == "json")
    if format == "xlsx":
        content, __ = await export.workbook(file, file.columns)
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    elif format == "table":
        parts = {name for name, each in zip(file.columns, listing.report.columns, strict=True) if each.type == "share"}
        rows = [
            {name: plain_share(value) if name in parts else _cell(value) for name, value in row.items()}
            async for row in file.rows()
        ]
        output.write_table(rows, file.columns, right=parts)
    else:
        async for part in export.lines(file, format, file.columns):
            output.write_text(part)


def _cell(value: object) -> object:
    """A value of a table: times and days are texts, numbers stay numbers."""
    return value if value is None or isinstance(value, int | float | str) else export.cell(value)


def _say(listing: ReportListing) -> None:
    """What is missing, and how old the oldest part is; exit code 1 or 4 for an incomplete report."""
    reading = listing.reading
    if reading is not None and reading.left_out:
        print_message(
            _("Not included, because the role does not allow it: {names}.").format(names=", ".join(reading.left_out))
        )
    oldest = None if reading is None or reading.oldest is None else datetime.fromtimestamp(reading.oldest, UTC)
    if age := read_at(oldest):
        print_message(_("The oldest part was {age}; --fresh reads everything again.").format(age=age))
    if not listing.complete:
        print_message(f"{listing.error_message} {_('The next call continues here.')}")
        raise CommandExit(Exit.UNREACHABLE if listing.unreachable else Exit.REFUSED)
