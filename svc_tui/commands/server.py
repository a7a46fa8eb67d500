"""`svc-tui server`: what an operator does with the database of a service."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from svc_tui.commands import output, prompts
from svc_tui.commands.exits import CommandEnded, UsageError, print_message
from svc_tui.commands.options import AsJson
from svc_tui.commands.serve import data_folder
from svc_tui.late import late

if TYPE_CHECKING:
    from svc_tui.server import first_account
    from svc_tui.server import serve as server
else:
    first_account = late("svc_tui.server.first_account")
    server = late("svc_tui.server.serve")

app = App(name="server", version_flags=[], help_epilogue="", help="Prepare the database of a service.")


@app.command
def init(
    login: Annotated[str, Parameter(help="Login of the superadmin. Its password: SVC_TUI_PASSWORD, or a prompt.")],
    /,
    *,
    company: Annotated[str, Parameter(help="Name of the first company.")] = "Operator",
    application: Annotated[str, Parameter(help="Name of the application to log in with.")] = "Console",
    database: Annotated[
        str | None,
        Parameter(show_default=False, help="sqlite:///FILE or postgresql://… Default: a file in the data folder."),
    ] = None,
    config: Annotated[Path | None, Parameter(show_default=False, help="TOML file of the service.")] = None,
    data_dir: Annotated[Path | None, Parameter(show_default=False, help="Folder for the database file.")] = None,
    json: AsJson = False,
) -> None:
    """Create the first superadmin of a new service, and an application to log in with."""
    password = prompts.secret("SVC_TUI_PASSWORD", f"Password for {login}")
    if not password:
        raise UsageError("A password is required. Set SVC_TUI_PASSWORD, or run this command in a terminal.")
    folder = data_folder(data_dir, config)
    try:
        account = first_account.create_first_account(
            login, password, company=company, application=application, database=database, data_dir=folder, config=config
        )
    except server.CannotServe as error:
        print_message(f"svc-tui: {error}")
        raise CommandEnded(error.code) from None
    found = {"login": account.login, "appId": account.app_id, "appSecret": account.app_secret}
    if json:
        output.write_json(found)
    else:
        output.write_fields(found)
        print_message("Keep the secret of the application: it is not shown again.")
