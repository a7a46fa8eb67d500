"""`svc-tui call`: any operation of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from svc_tui.commands import event_loop, exits
from svc_tui.commands import output as standard_output
from svc_tui.commands.options import Output, ProfileName, ReadOnly
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.client import shape
    from svc_tui.commands import connection, preview, request, responses
else:
    shape = lazy_import("svc_tui.client.shape")
    connection = lazy_import("svc_tui.commands.connection")
    preview = lazy_import("svc_tui.commands.preview")
    request = lazy_import("svc_tui.commands.request")
    responses = lazy_import("svc_tui.commands.responses")


def call(
    operation: Annotated[str, Parameter(help="ID of the operation. `svc-tui operations` lists all.")],
    /,
    *values: Annotated[str, Parameter(name="NAME=VALUE", help="Path or query parameter.")],
    body: Annotated[
        tuple[str, ...],
        Parameter(
            show_default=False,
            allow_leading_hyphen=True,
            consume_multiple=False,
            json_list=False,
            negative="",
            help="Request body: JSON, @FILE (JSON or an image), or - for standard input; "
            "or one of its fields as NAME=VALUE, as often as needed.",
        ),
    ] = (),
    all: Annotated[bool, Parameter(negative="", show_default=False, help="Fetch all pages of a list.")] = False,
    dry_run: Annotated[
        bool, Parameter(negative="", show_default=False, help="Show the request and send nothing. Needs no login.")
    ] = False,
    errors: Annotated[Literal["text", "json"], Parameter(help="Format of an error on standard error.")] = "text",
    output: Output = None,
    profile: ProfileName = "",
    read_only: ReadOnly = False,
) -> None:
    """Call one operation and write its response to standard output."""
    try:
        prepared = request.prepare(operation, values, body, all_pages=all)
        if dry_run:
            preview.write(prepared, connection.chosen_profile(profile))
            return
        request.check_output(prepared, output, terminal=standard_output.is_terminal())
        event_loop.run(_perform(prepared, standard_output.format_or_default(output), profile, read_only))
    except Exception as error:
        if errors == "json":
            exits.print_error_as_json(error)
        raise


async def _perform(
    prepared: request.CallRequest, format: standard_output.Format, profile: str, read_only: bool
) -> None:
    operation = prepared.operation
    async with connection.connected(profile, read_only=read_only, credentials=operation.credentials) as client:
        if prepared.all_pages:
            await responses.write_pages(prepared, client, format)
        else:
            answer = await client.send(operation, path=prepared.path, query=prepared.query, body=prepared.body)
            shape.check_shape(operation, answer.status, answer.body)
            responses.write(prepared, answer.body, format)
