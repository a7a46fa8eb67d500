"""The work of `svc-tui call`: one request, and its response on standard output."""

from __future__ import annotations

import json
from collections.abc import Sequence

from svc_tui.client.brand import Brand
from svc_tui.client.profile import Profile
from svc_tui.client.requests import build
from svc_tui.client.responses import check_shape
from svc_tui.commands import event_loop, output, responses
from svc_tui.commands.connection import chosen_profile, connected
from svc_tui.commands.failures import print_error_as_json
from svc_tui.commands.request import CallRequest, check_output, prepare
from svc_tui.language import _, number_text


def call(
    operation: str,
    values: Sequence[str],
    body: Sequence[str],
    *,
    all_pages: bool,
    dry_run: bool,
    json_errors: bool,
    format: output.Format | None,
    profile: str,
    read_only: bool,
) -> None:
    """Call one operation and write its response to standard output, or only its request for `dry_run`."""
    try:
        prepared = prepare(operation, values, body, all_pages=all_pages)
        if dry_run:
            _write_preview(prepared, chosen_profile(profile))
            return
        check_output(prepared, format, terminal=output.is_terminal())
        event_loop.run(_perform(prepared, output.format_or_default(format), profile, read_only))
    except Exception as error:
        if json_errors:
            print_error_as_json(error)
        raise


async def _perform(prepared: CallRequest, format: output.Format, profile: str, read_only: bool) -> None:
    operation = prepared.operation
    async with connected(profile, read_only=read_only, credentials=operation.credentials) as client:
        if prepared.all_pages:
            await responses.write_pages(prepared, client, format)
        else:
            answer = await client.send(operation, path=prepared.path, query=prepared.query, body=prepared.body)
            check_shape(operation, answer.status, answer.body)
            responses.write(prepared, answer.body, format)


def _write_preview(request: CallRequest, profile: Profile) -> None:
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
