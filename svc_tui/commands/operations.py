"""`svc-tui operations`: the catalogue of the API or one operation of it, read from the declaration."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from svc_tui.commands import operation_details
from svc_tui.commands.options import AsJson


def operations(
    name: Annotated[str, Parameter(show_default=False, help="ID of an operation, to show its parameters.")] = "",
    /,
    *,
    json: AsJson = False,
) -> None:
    """List the operations of the API with their roles, or show one with its parameters and body."""
    operation_details.show(name, json=json)
