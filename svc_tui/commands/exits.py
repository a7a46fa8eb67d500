"""The end of a command: the one place that turns an error into a message and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NoReturn

from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    import json

    from svc_tui.client import errors
    from svc_tui.console.terminal import text
    from svc_tui.workspace.core import crash
    from svc_tui.workspace.profiles import configuration_file
else:
    json = lazy_import("json")
    errors = lazy_import("svc_tui.client.errors")
    text = lazy_import("svc_tui.console.terminal.text")
    crash = lazy_import("svc_tui.workspace.core.crash")
    configuration_file = lazy_import("svc_tui.workspace.profiles.configuration_file")


class Exit(IntEnum):
    """The exit codes that scripts can rely on."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    NOT_LOGGED_IN = 3
    UNREACHABLE = 4
    #: A failure of this machine or a fault in the program.
    FAILED = 70
    INTERRUPTED = 130


class CommandError(Exception):
    """A command failed. The text is the message: what happened and what to do."""

    code = Exit.FAILED


class UsageError(CommandError):
    code = Exit.USAGE


class NotLoggedIn(CommandError):
    code = Exit.NOT_LOGGED_IN


class ServiceUnreachable(CommandError):
    code = Exit.UNREACHABLE


class CommandExit(Exception):
    """Ends a command whose message is already printed."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def print_message(message: str) -> None:
    """A message on standard error, made safe for a terminal."""
    try:
        unicode = (sys.stderr.encoding or "").lower().startswith("utf")
        print(
            "\n".join(text.safe_text(line, unicode).text for line in message.split("\n")), file=sys.stderr, flush=True
        )
    except (OSError, ValueError):
        pass  # Standard error is closed; the exit code remains.


def run_command(command: Callable[[], int | None]) -> int:
    """Run a command and return its exit code. Never raises and never prints a traceback."""
    try:
        code = int(command() or Exit.DONE)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        discard_output()
        return Exit.DONE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except CommandExit as end:
        return end.code
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):
            # The library that prints the help ends the program with 1.
            return Exit.DONE
        return end.code if isinstance(end.code, int) else Exit.DONE if end.code is None else Exit.FAILED
    except Exception as error:
        message, code = describe(error)
        print_message(f"svc-tui: {message}")
        return code


def describe(error: Exception) -> tuple[str, Exit]:
    """The message and the exit code of any error."""
    match error:
        case CommandError():
            return str(error), error.code
        case configuration_file.ConfigurationError():
            return str(error), Exit.USAGE
        case errors.SessionEnded():
            return _("{refusal}\n  Run `svc-tui login` to log in.").format(refusal=_refusal(error)), Exit.NOT_LOGGED_IN
        case errors.Refused():
            return _refusal(error), Exit.REFUSED
        case errors.ReadOnlyError():
            return error.sentence, Exit.USAGE
        case errors.Unreachable() | errors.OutcomeUnknown():
            return error.sentence, Exit.UNREACHABLE
        case errors.ServiceError():
            return error.sentence, Exit.REFUSED
        case OSError(strerror=str(reason)):
            file = f"{error.filename}: " if error.filename else ""
            return _("This machine reports an error: {file}{reason}{reason_2}.").format(
                file=file, reason=reason[:1].lower(), reason_2=reason[1:]
            ), Exit.FAILED
    return crash.write_crash_log(error), Exit.FAILED


def print_error_as_json(error: Exception) -> NoReturn:
    """End the command with an error as one line of JSON on standard error.

    `message` and `exitCode` are always there; `status`, `code`, `requestId` and `problems` if the service responded.
    """
    if isinstance(error, CommandExit | BrokenPipeError):
        raise error
    message, code = describe(error)
    found: dict[str, Any] = {"message": message.partition("\n")[0], "exitCode": int(code)}
    if isinstance(error, errors.Refused):
        found |= {"status": error.status, "code": error.code, "requestId": error.request_id, "text": error.message}
        found["problems"] = [{"param": each.param, "msg": each.msg} for each in error.problems]
    print_message(json.dumps(found, ensure_ascii=False))
    raise CommandExit(code)


def _refusal(error: errors.Refused) -> str:
    """The sentence of a refusal, the service's own code and message, and the problem of each value."""
    lines = [error.sentence]
    facts = [_("code {code}").format(code=error.code)] if error.code is not None else []
    facts += [_("request {request_id}").format(request_id=error.request_id)] if error.request_id else []
    message = error.message if error.message and error.message not in error.sentence else ""
    if facts or message:
        lines.append("  " + ": ".join(part for part in (", ".join(facts), message) if part))
    lines += [f"  {problem.param}: {problem.msg}" for problem in error.problems if problem.msg not in error.sentence]
    return "\n".join(lines)


def discard_output() -> None:
    """Continue without standard output: it has no reader, and Python would try again when it ends."""
    sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
