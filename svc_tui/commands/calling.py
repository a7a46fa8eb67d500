"""The work of `svc-tui call`: one request, or one for each company of a group, and the responses on standard output."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from svc_tui.client.brand import Brand
from svc_tui.client.errors import Conflict, Refused
from svc_tui.client.profile import Profile
from svc_tui.client.requests import build
from svc_tui.client.responses import check_shape
from svc_tui.commands import event_loop, output, responses
from svc_tui.commands.connection import chosen_profile, connected
from svc_tui.commands.exits import CommandExit, Exit, UsageError, print_message
from svc_tui.commands.failures import print_error_as_json
from svc_tui.commands.request import CallRequest, check_output, named, prepare, query_fields
from svc_tui.language import _, number_text
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.profiles.preferences import Preferences

if TYPE_CHECKING:
    from svc_tui.client.client import Client
    from svc_tui.commands import report
else:
    # It knows the lists of the console, which other calls do not need.
    report = lazy_import("svc_tui.commands.report")

#: The parameter that a group gives, and its value until then.
_COMPANY, _EACH = "companyId", "0" * 24


def call(
    operation: str,
    values: Sequence[str],
    body: Sequence[str],
    *,
    all_pages: bool,
    dry_run: bool,
    group: str,
    json_errors: bool,
    format: output.Format | None,
    profile: str,
    read_only: bool,
) -> None:
    """Call one operation and write its response to standard output, or only its request for `dry_run`."""
    try:
        if group:
            _check_group(operation, values)
            values = (*values, f"{_COMPANY}={_EACH}")
        prepared = prepare(operation, values, body, all_pages=all_pages)
        if dry_run:
            _preview(prepared, group, profile)
            return
        check_output(prepared, format, terminal=output.is_terminal())
        if group:
            event_loop.run(_perform_each(prepared, output.format_or_default(format), group, profile, read_only))
            return
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
            try:
                answer = await client.send(operation, path=prepared.path, query=prepared.query, body=prepared.body)
            except Conflict as error:
                await report.name_holder(error, prepared, client)
                raise
            check_shape(operation, answer.status, answer.body)
            responses.write(prepared, answer.body, format)


def _check_group(operation_id: str, values: Sequence[str]) -> None:
    """UsageError for an operation that is not for one company, or that names the company itself."""
    operation = named(operation_id)
    if operation.gives or _COMPANY not in (*operation.parameters, *(spec.wire for spec in query_fields(operation))):
        raise UsageError(
            _("{id} has no parameter {company} that --group could give.").format(id=operation.id, company=_COMPANY)
        )
    if any(word.startswith(f"{_COMPANY}=") for word in values):
        raise UsageError(_("Use --group or {company}=…, not both.").format(company=_COMPANY))


def _of_each(request: CallRequest, companies: Iterable[str]) -> list[CallRequest]:
    """The request for each company."""
    if _COMPANY in request.path:
        return [replace(request, path={**request.path, _COMPANY: each}) for each in sorted(companies)]
    return [replace(request, query={**request.query, _COMPANY: each}) for each in sorted(companies)]


def _preview(request: CallRequest, group: str, name: str) -> None:
    profile = chosen_profile(name)
    requests = [request]
    if group:
        # Nothing is sent: a group with a filter has the companies that it had last.
        preferences = Preferences(folders().data_of(profile.name) / "preferences.json")
        requests = _of_each(request, report.known_members(preferences, group) or ())
    for each in requests:
        _write_preview(each, profile)


async def _perform_each(request: CallRequest, format: output.Format, group: str, profile: str, read_only: bool) -> None:
    """Call the operation for each company in turn; the records of all responses are one list.

    A company that is refused is named, and the others are called; the exit code is then 1.
    """
    writer, refused = responses.writer_of(request, format), 0
    async with connected(profile, read_only=read_only) as client:
        for each in _of_each(request, await report.members_of(client, group) or ()):
            try:
                await _write_one_of(each, client, writer)
            except Refused as error:
                refused += 1
                company = each.path.get(_COMPANY) or each.query.get(_COMPANY)
                print_message(f"{_COMPANY} {company}: {error.sentence}")
    writer.end()
    if refused:
        raise CommandExit(Exit.REFUSED)


async def _write_one_of(request: CallRequest, client: Client, writer: responses.ResponseWriter) -> None:
    if request.all_pages:
        async for body in responses.pages(request, client):
            writer.write(body)
        return
    answer = await client.send(request.operation, path=request.path, query=request.query, body=request.body)
    check_shape(request.operation, answer.status, answer.body)
    data = responses.data_of(answer.body)
    rows = responses.rows_of(data)
    writer.write({"data": [data if isinstance(data, dict) else {"value": data}] if rows is None else rows})


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
