"""`svc-tui server`: what an operator does with the database of a service."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from svc_tui.commands import output, prompts
from svc_tui.commands.exits import CommandExit, Exit, UsageError, print_message
from svc_tui.commands.options import AsJson, DatabaseUrl
from svc_tui.commands.progress import ProgressLine
from svc_tui.commands.serve import data_folder
from svc_tui.commands.signals import exit_on_signals
from svc_tui.interface.counts import counted
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.server import first_account
    from svc_tui.server import serve as server
    from svc_tui.server.backup import restoring, writing
    from svc_tui.server.security import key_replacement
    from svc_tui.server.settings import Settings
else:
    first_account = lazy_import("svc_tui.server.first_account")
    server = lazy_import("svc_tui.server.serve")
    restoring = lazy_import("svc_tui.server.backup.restoring")
    writing = lazy_import("svc_tui.server.backup.writing")
    key_replacement = lazy_import("svc_tui.server.security.key_replacement")

app = App(
    name="server",
    version_flags=[],
    help_epilogue="",
    help="Prepare, back up and restore the database of a service.",
)

Yes = Annotated[bool, Parameter(name="--yes", negative="", show_default=False, help="Replace without confirmation.")]


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseOptions:
    """The options that name the database of a service."""

    database: DatabaseUrl = None
    config: Annotated[Path | None, Parameter(show_default=False, help="TOML file of the service.")] = None
    data_dir: Annotated[Path | None, Parameter(show_default=False, help="Folder for the database file.")] = None

    @property
    def folder(self) -> Path | None:
        """The folder for the database file."""
        return data_folder(self.data_dir, self.config)

    @property
    def settings(self) -> Settings:
        """The settings of the service. ServerCommandError for unsuitable ones."""
        return server.settings_of(self.config, self.database, self.folder)


_DEFAULT = DatabaseOptions()


@contextmanager
def _messages() -> Iterator[None]:
    """Print a failure of the service as a message. A signal raises SystemExit, so that unfinished files are removed."""
    try:
        with exit_on_signals():
            yield
    except server.ServerCommandError as error:
        print_message(f"svc-tui: {error}")
        raise CommandExit(error.code) from None


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
    password = prompts.secret("SVC_TUI_PASSWORD", f"Password for {login}")
    if not password:
        raise UsageError("A password is required. Set SVC_TUI_PASSWORD, or run this command in a terminal.")
    with _messages():
        account = first_account.create_first_account(
            login,
            password,
            company=company,
            application=application,
            database=where.database,
            data_dir=where.folder,
            config=where.config,
        )
    found = {"login": account.login, "appId": account.app_id, "appSecret": account.app_secret}
    if json:
        output.write_json(found)
    else:
        output.write_fields(found)
        print_message("Keep the secret of the application: it is not shown again.")


@app.command
def backup(
    file: Annotated[Path, Parameter(help="New file, for example svc-2026-11-20.backup.")],
    /,
    *,
    where: DatabaseOptions = _DEFAULT,
    json: AsJson = False,
) -> None:
    """Write all records of the database to a file with its secrets, also while servers use it."""
    line = ProgressLine()
    with _messages():
        settings = where.settings
        try:
            contents = writing.write_backup(settings, file, lambda rows: line.update(lambda: counted(rows, "record")))
        finally:
            line.clear()
    found = {"file": str(file), "records": contents.rows, "bytes": file.stat().st_size, "created": contents.created}
    (output.write_json if json else output.write_fields)(found)


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
    line = ProgressLine()
    with _messages():
        settings = where.settings
        contents = restoring.contents_of(file)
        if replace and not yes:
            _confirm(
                f"Remove all records of the database, and restore the backup of {contents.created}?",
                "--replace removes all records of the database.",
            )
        try:
            restoring.restore_backup(
                settings,
                file,
                replace=replace,
                progress=lambda rows: line.update(lambda: f"{rows:,} of {counted(contents.rows, 'record')}"),
            )
        finally:
            line.clear()
    found = {"file": str(file), "records": contents.rows, "created": contents.created}
    (output.write_json if json else output.write_fields)(found)


@app.command(name="replace-key")
def replace_key(
    *,
    yes: Yes = False,
    where: DatabaseOptions = _DEFAULT,
) -> None:
    """Replace the key that signs tokens, when others can know it. Every user has to log in again."""
    with _messages():
        settings = where.settings
        if not yes:
            _confirm("End the sessions of all users?", "All users would have to log in again.")
        key_replacement.replace_signing_keys(settings)
    print_message("The signing key was replaced. Running servers use the new one within a minute.")


def _confirm(question: str, consequence: str) -> None:
    """Ask before something is lost. UsageError without a terminal, CommandExit for any answer but yes."""
    if not prompts.interactive():
        raise UsageError(f"{consequence} Add --yes to confirm.")
    if prompts.prompt_line(f"{question} [y/N] ").casefold() not in ("y", "yes"):
        print_message("Nothing was changed.")
        raise CommandExit(Exit.REFUSED)
