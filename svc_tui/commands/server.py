"""`svc-tui server`: what an operator does with the database of a service."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from svc_tui.commands.options import AsJson, DatabaseOptions
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.commands import databases
else:
    databases = lazy_import("svc_tui.commands.databases")

app = App(
    name="server",
    version_flags=[],
    help_epilogue="",
    help="Prepare, back up and restore the database of a service.",
)

Yes = Annotated[bool, Parameter(name="--yes", negative="", show_default=False, help="Replace without confirmation.")]


_DEFAULT = DatabaseOptions()


@app.command
def init(
    login: Annotated[str, Parameter(help="Login of the superadmin. Its password: SVC_TUI_PASSWORD, or a prompt.")],
    /,
    *,
    company: Annotated[str, Parameter(help="Name of the first company.")] = "Operator",
    application: Annotated[str, Parameter(help="Name of the application to log in with.")] = "Console",
    where: DatabaseOptions = _DEFAULT,
    json: AsJson = False,
) -> None:
    """Create the first superadmin of a new service, and an application to log in with."""
    databases.init(login, company=company, application=application, where=where, json=json)


@app.command
def backup(
    file: Annotated[Path, Parameter(help="New file, for example svc-2026-11-20.backup.")],
    /,
    *,
    where: DatabaseOptions = _DEFAULT,
    json: AsJson = False,
) -> None:
    """Write all records of the database to a file with its secrets, also while servers use it."""
    databases.backup(file, where, json=json)


@app.command
def restore(
    file: Annotated[Path, Parameter(help="File of `svc-tui server backup`.")],
    /,
    *,
    replace: Annotated[
        bool,
        Parameter(name="--replace", negative="", show_default=False, help="Remove the present records first."),
    ] = False,
    yes: Yes = False,
    where: DatabaseOptions = _DEFAULT,
    json: AsJson = False,
) -> None:
    """Put a backup into an empty database, completely or not at all. Stop all servers first."""
    databases.restore(file, where, replace=replace, confirmed=yes, json=json)


@app.command(name="replace-key")
def replace_key(
    *,
    yes: Yes = False,
    where: DatabaseOptions = _DEFAULT,
) -> None:
    """Replace the key that signs tokens, when others can know it. Every user has to log in again."""
    databases.replace_key(where, confirmed=yes)
