"""`svc-tui call`: any operation of the API, or with `--dry-run` its request, which is not sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from svc_tui.client.brand import Brand
from svc_tui.client.profile import Profile
from svc_tui.client.requests import build
from svc_tui.commands import event_loop, exits, output
from svc_tui.commands import output as standard_output
from svc_tui.commands.options import Output, ProfileName, ReadOnly
from svc_tui.commands.request import CallRequest
from svc_tui.language import _, number_text
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.client import shape
    from svc_tui.commands import connection, request, responses
else:
    shape = lazy_import("svc_tui.client.shape")
    connection = lazy_import("svc_tui.commands.connection")
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
            write_preview(prepared, connection.chosen_profile(profile))
            return
        request.check_output(prepared, output, terminal=standard_output.is_terminal())
        event_loop.run(_perform(prepared, standard_output.format_or_default(output), profile, read_only))
    except Exception as error:
        if errors == "json":
            exits.print_error_as_json(error)
        raise


async def _perform(prepared: CallRequest, format: standard_output.Format, profile: str, read_only: bool) -> None:
    operation = prepared.operation
    async with connection.connected(profile, read_only=read_only, credentials=operation.credentials) as client:
        if prepared.all_pages:
            await responses.write_pages(prepared, client, format)
        else:
            answer = await client.send(operation, path=prepared.path, query=prepared.query, body=prepared.body)
            shape.check_shape(operation, answer.status, answer.body)
            responses.write(prepared, answer.body, format)


def write_preview(request: CallRequest, profile: Profile) -> None:
    """Write method and address, and the body if there is one, in the words of the deployment."""
    built = build(profile, Brand(profile), request.operation, request.path, request.query, request.body)
    output.write_line(f"{request.operation.method} {built.url}")
    if built.raw is not None:
        output.write_line(
            _("({content} bytes of {type})").format(content=number_text(len(built.content or b"")), type=built.raw.type)
        )
    elif built.content and request.operation.sends_form:
        output.write_line(built.content.decode())
    elif built.content:
        output.write_json(json.loads(built.content))
