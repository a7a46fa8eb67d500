"""`svc-tui document COMPANY`: a customer's documentation as Markdown or HTML, for hand-overs and wikis."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Literal

from cyclopts import Parameter

from svc_tui.commands import event_loop, output
from svc_tui.commands.connection import connected
from svc_tui.commands.exits import CommandExit, Exit, UsageError, print_message
from svc_tui.commands.options import ProfileName
from svc_tui.console.shell.resources import AREAS
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.files.document import Block, html, markdown
from svc_tui.workspace.lists.report_listing import KEPT_SECONDS
from svc_tui.workspace.lists.reports import Reading
from svc_tui.workspace.workspace import Workspace


def document(
    company: Annotated[str, Parameter(help="ID or name of the company.")],
    /,
    *,
    fresh: Annotated[
        bool, Parameter(negative="", show_default=False, help="Read everything again, also what is not an hour old.")
    ] = False,
    output: Annotated[Literal["markdown", "html"], Parameter(help="Format of the document.")] = "markdown",
    profile: ProfileName = "",
) -> None:
    """Write a customer's documentation to standard output."""
    event_loop.run(_write(company, fresh, output, profile))


async def _write(wanted: str, fresh: bool, format: Literal["markdown", "html"], profile: str) -> None:
    async with connected(profile, read_only=True) as client:
        workspace = Workspace(client.profile, folders(), read_only=True)
        workspace.attach(client)
        try:
            since = workspace.now() - (0 if fresh else KEPT_SECONDS)
            company = await _company(Reading(workspace, since=since), wanted)
            reading = Reading(workspace, since=since, companies=[str(company["id"])])
            gaps: list[ReadError] = []
            async with event_loop.progress(lambda: str(company.get("name") or "")):
                blocks = [block async for block in _blocks(reading, company, gaps)]
        finally:
            await workspace.close()
    made = markdown if format == "markdown" else html
    output.write_text("\n".join(made(str(company.get("name") or company["id"]), blocks)) + "\n")
    if gaps:
        away = any(each.offline for each in gaps)
        sentences = [each.sentence for each in gaps] + ([_("The next call continues here.")] if away else [])
        print_message(_("Incomplete: {reason}").format(reason=" ".join(dict.fromkeys(sentences))))
        raise CommandExit(Exit.UNREACHABLE if away else Exit.REFUSED)


async def _blocks(reading: Reading, company: RecordData, gaps: list[ReadError]) -> AsyncIterator[Block]:
    """The parts of all areas. One that cannot be read to its end is named in the document too."""
    for area in AREAS:
        for part in area.document:
            try:
                async with aclosing(part(reading, company)) as found:
                    async for block in found:
                        yield block
            except ReadError as error:
                gaps.append(error)
                yield Block(area.title, sentence=_("Not read: {reason}").format(reason=error.sentence), level=2)


async def _company(reading: Reading, wanted: str) -> RecordData:
    """The company with an ID or a name. UsageError for none and for several."""
    try:
        rows = [row async for rows in reading.pages("list_companies", {"format": "full"}, field="id") for row in rows]
    except ReadError as error:
        print_message(error.sentence)
        raise CommandExit(Exit.UNREACHABLE if error.offline else Exit.REFUSED) from error
    found = [row for row in rows if wanted == row.get("id")] or [
        row for row in rows if str(row.get("name") or "").casefold() == wanted.casefold()
    ]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(str(row["id"]) for row in found)
        raise UsageError(_("Several companies have the name “{name}”. Use an ID: {ids}").format(name=wanted, ids=ids))
    raise UsageError(_("No company has the ID or name “{name}”.").format(name=wanted))
