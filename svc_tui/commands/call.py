"""`svc-tui call`: any operation of the interface, for scripts and for the curious."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from svc_tui.commands.options import ProfileName, ReadOnly
from svc_tui.commands.output import Format

if TYPE_CHECKING:
    from svc_tui.commands.request import Wanted


def call(
    operation: Annotated[str, Parameter(help="Its id; `svc-tui operations` names them all.")],
    /,
    *values: Annotated[str, Parameter(name="NAME=VALUE", help="A parameter of the path or of the query.")],
    body: Annotated[
        str,
        Parameter(
            show_default=False,
            allow_leading_hyphen=True,
            help="The body: JSON, @FILE (also of a picture), or - for standard input.",
        ),
    ] = "",
    all: Annotated[
        bool, Parameter(negative="", show_default=False, help="Follow the pages of a list to the end.")
    ] = False,
    output: Annotated[Format | None, Parameter(help="Default: table on a terminal, otherwise json.")] = None,
    profile: ProfileName = "",
    read_only: ReadOnly = False,
) -> None:
    """Perform one operation; data on standard output.

    For example: svc-tui call list_applications state=active env=deployed --all --output csv
    """
    from svc_tui.commands import request
    from svc_tui.commands.output import is_terminal

    wanted = request.prepare(operation, values, body, follow=all)
    request.check_output(wanted, output, terminal=is_terminal())
    chosen: Format = output or ("table" if is_terminal() else "json")
    asyncio.run(_perform(wanted, chosen, profile, read_only))


async def _perform(wanted: Wanted, output: Format, profile: str, read_only: bool) -> None:
    from svc_tui.commands import answers
    from svc_tui.commands.connection import connected

    async with connected(profile, read_only=read_only, credentials=wanted.operation.credentials) as client:
        if wanted.follow:
            await answers.write_pages(wanted, client, output)
        else:
            answer = await client.send(wanted.operation, path=wanted.path, query=wanted.query, body=wanted.body)
            answers.write(wanted, answer.body, output)
