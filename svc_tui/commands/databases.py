"""The work of `svc-tui server`: what an operator does with the database of a service."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from svc_tui.commands import output, prompts
from svc_tui.commands.event_loop import exit_on_signals
from svc_tui.commands.exits import CommandExit, Exit, UsageError, print_message
from svc_tui.commands.options import DatabaseOptions
from svc_tui.commands.progress import ProgressLine
from svc_tui.interface.texts import counted
from svc_tui.server.backup.restoring import contents_of, restore_backup
from svc_tui.server.backup.writing import write_backup
from svc_tui.server.first_account import create_first_account
from svc_tui.server.security.key_replacement import replace_signing_keys
from svc_tui.server.serve import ServerCommandError, settings_of
from svc_tui.server.settings import Settings


@contextmanager
def _messages() -> Iterator[None]:
    """Print a failure of the service as a message. A signal raises SystemExit, so that unfinished files are removed."""
    try:
        with exit_on_signals():
            yield
    except ServerCommandError as error:
        print_message(f"svc-tui: {error}")
        raise CommandExit(error.code) from None


def _settings(where: DatabaseOptions) -> Settings:
    """The settings of the service. ServerCommandError for unsuitable ones."""
    return settings_of(where.config, where.database, where.folder)


def init(login: str, *, company: str, application: str, where: DatabaseOptions, json: bool) -> None:
    """Create the first superadmin and an application. UsageError without a password."""
    password = prompts.secret("SVC_TUI_PASSWORD", f"Password for {login}")
    if not password:
        raise UsageError("A password is required. Set SVC_TUI_PASSWORD, or run this command in a terminal.")
    with _messages():
        account = create_first_account(
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


def backup(file: Path, where: DatabaseOptions, *, json: bool) -> None:
    """Write all records of the database to a file."""
    line = ProgressLine()
    with _messages():
        settings = _settings(where)
        try:
            contents = write_backup(
                settings,
                file,
                lambda rows, total: line.count(rows, total, f"{rows:,} of {counted(total, 'record')}", "records"),
            )
        finally:
            line.clear()
    found = {"file": str(file), "records": contents.rows, "bytes": file.stat().st_size, "created": contents.created}
    (output.write_json if json else output.write_fields)(found)


def restore(file: Path, where: DatabaseOptions, *, replace: bool, confirmed: bool, json: bool) -> None:
    """Put a backup into an empty database, or in place of its records."""
    line = ProgressLine()
    with _messages():
        settings = _settings(where)
        contents = contents_of(file)
        if replace and not confirmed:
            _confirm(
                f"Remove all records of the database, and restore the backup of {contents.created}?",
                "--replace removes all records of the database.",
            )
        try:
            restore_backup(
                settings,
                file,
                replace=replace,
                progress=lambda rows: line.count(
                    rows, contents.rows, f"{rows:,} of {counted(contents.rows, 'record')}", "records"
                ),
            )
        finally:
            line.clear()
    found = {"file": str(file), "records": contents.rows, "created": contents.created}
    (output.write_json if json else output.write_fields)(found)


def replace_key(where: DatabaseOptions, *, confirmed: bool) -> None:
    """Replace the key that signs tokens."""
    with _messages():
        settings = _settings(where)
        if not confirmed:
            _confirm("End the sessions of all users?", "All users would have to log in again.")
        replace_signing_keys(settings)
    print_message("The signing key was replaced. Running servers use the new one within a minute.")


def _confirm(question: str, consequence: str) -> None:
    """Ask before something is lost. UsageError without a terminal, CommandExit for any answer but yes."""
    if not prompts.interactive():
        raise UsageError(f"{consequence} Add --yes to confirm.")
    if prompts.prompt_line(f"{question} [y/N] ").casefold() not in ("y", "yes"):
        print_message("Nothing was changed.")
        raise CommandExit(Exit.REFUSED)
