"""`svc-tui call`: any operation of the API, or with `--dry-run` its request, which is not sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from svc_tui.commands.options import Output, ProfileName, ReadOnly
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.commands import calling
else:
    calling = lazy_import("svc_tui.commands.calling")


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
    group: Annotated[
        str,
        Parameter(show_default=False, help="Call it once for each company of this group, as its companyId."),
    ] = "",
    errors: Annotated[Literal["text", "json"], Parameter(help="Format of an error on standard error.")] = "text",
    output: Output = None,
    profile: ProfileName = "",
    read_only: ReadOnly = False,
) -> None:
    """Call one operation and write its response to standard output."""
    calling.call(
        operation,
        values,
        body,
        all_pages=all,
        dry_run=dry_run,
        group=group,
        json_errors=errors == "json",
        format=output,
        profile=profile,
        read_only=read_only,
    )
