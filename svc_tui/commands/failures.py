"""The one place that turns an error into a message and an exit code."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from svc_tui.client.errors import OutcomeUnknown, ReadOnlyError, Refused, ServiceError, SessionEnded, Unreachable
from svc_tui.commands.exits import CommandError, CommandExit, Exit, print_message
from svc_tui.language import _
from svc_tui.workspace.core.crash import write_crash_log
from svc_tui.workspace.profiles.configuration_file import ConfigurationError


def describe(error: Exception) -> tuple[str, Exit]:
    """The message and the exit code of any error."""
    match error:
        case CommandError():
            return str(error), error.code
        case ConfigurationError():
            return str(error), Exit.USAGE
        case SessionEnded():
            return _("{refusal}\n  Run `svc-tui login` to log in.").format(refusal=_refusal(error)), Exit.NOT_LOGGED_IN
        case Refused():
            return _refusal(error), Exit.REFUSED
        case ReadOnlyError():
            return error.sentence, Exit.USAGE
        case Unreachable() | OutcomeUnknown():
            return error.sentence, Exit.UNREACHABLE
        case ServiceError():
            return error.sentence, Exit.REFUSED
        case OSError(strerror=str(reason)):
            file = f"{error.filename}: " if error.filename else ""
            return _("This machine reports an error: {file}{reason}{reason_2}.").format(
                file=file, reason=reason[:1].lower(), reason_2=reason[1:]
            ), Exit.FAILED
    return write_crash_log(error), Exit.FAILED


def print_error_as_json(error: Exception) -> NoReturn:
    """End the command with an error as one line of JSON on standard error.

    `message` and `exitCode` are always there; `status`, `code`, `requestId` and `problems` if the service responded.
    """
    if isinstance(error, CommandExit | BrokenPipeError):
        raise error
    message, code = describe(error)
    found: dict[str, Any] = {"message": message.partition("\n")[0], "exitCode": int(code)}
    if isinstance(error, Refused):
        found |= {"status": error.status, "code": error.code, "requestId": error.request_id, "text": error.message}
        found["problems"] = [{"param": each.param, "msg": each.msg} for each in error.problems]
    print_message(json.dumps(found, ensure_ascii=False))
    raise CommandExit(code)


def _refusal(error: Refused) -> str:
    """The sentence of a refusal, the service's own code and message, and the problem of each value."""
    lines = [error.sentence]
    facts = [_("code {code}").format(code=error.code)] if error.code is not None else []
    facts += [_("request {request_id}").format(request_id=error.request_id)] if error.request_id else []
    message = error.message if error.message and error.message not in error.sentence else ""
    if facts or message:
        lines.append("  " + ": ".join(part for part in (", ".join(facts), message) if part))
    lines += [f"  {problem.param}: {problem.msg}" for problem in error.problems if problem.msg not in error.sentence]
    return "\n".join(lines)
