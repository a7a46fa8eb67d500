"""How a command ends: the one place that turns what went wrong into a sentence and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import IntEnum
from typing import Any


class Exit(IntEnum):
    """The exit codes that scripts can rely on."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    NOT_LOGGED_IN = 3
    UNREACHABLE = 4
    #: Something on this machine failed, or the program itself.
    FAILED = 70
    INTERRUPTED = 130


class CommandError(Exception):
    """A command cannot do what was asked; the text is one sentence that says why and what to do."""

    code = Exit.FAILED


class WrongUsage(CommandError):
    code = Exit.USAGE


class NotLoggedIn(CommandError):
    code = Exit.NOT_LOGGED_IN


class OutOfReach(CommandError):
    code = Exit.UNREACHABLE


class Told(Exception):
    """Ends a command whose sentence was already written."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def say(sentence: str) -> None:
    """One line of narration on standard error, safe for a terminal."""
    from svc_tui.console.terminal.text import shown

    try:
        unicode = (sys.stderr.encoding or "").lower().startswith("utf")
        print("\n".join(shown(line, unicode).text for line in sentence.split("\n")), file=sys.stderr, flush=True)
    except OSError:
        pass  # Nobody listens; the exit code still tells.


def guarded(work: Callable[[], int | None]) -> int:
    """Run a command and give its exit code, whatever happens in it. Never raises, never shows a traceback."""
    try:
        code = int(work() or Exit.DONE)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _forget_output()
        return Exit.DONE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except Told as ending:
        return ending.code
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else Exit.DONE if left.code is None else Exit.FAILED
    except Exception as error:
        sentence, code = told(error)
        say(f"svc-tui: {sentence}")
        return code


def told(error: Exception) -> tuple[str, Exit]:
    """The sentence and the exit code of anything that can go wrong."""
    from svc_tui.client import errors
    from svc_tui.workspace.profiles.settings_file import ConfigurationError

    match error:
        case CommandError():
            return str(error), error.code
        case ConfigurationError():
            return str(error), Exit.USAGE
        case errors.SessionEnded():
            return f"{_refused(error)}\n  `svc-tui login` logs in.", Exit.NOT_LOGGED_IN
        case errors.Refused():
            return _refused(error), Exit.REFUSED
        case errors.ReadOnlyError():
            return error.sentence, Exit.USAGE
        case errors.Unreachable() | errors.OutcomeUnknown():
            return error.sentence, Exit.UNREACHABLE
        case errors.ServiceError():
            return error.sentence, Exit.REFUSED
        case OSError(strerror=str(reason)):
            where = f" {error.filename}" if error.filename else ""
            return f"This machine could not do it:{where} {reason[:1].lower()}{reason[1:]}.", Exit.FAILED
    from svc_tui.workspace.core.crash import record

    return record(error), Exit.FAILED


def _refused(error: Any) -> str:
    """Sentence, the service's own code and words, and what is wrong with each value."""
    lines = [error.sentence]
    facts = [f"code {error.code}"] if error.code is not None else []
    facts += [f"request {error.request_id}"] if error.request_id else []
    words = error.message if error.message and error.message not in error.sentence else ""
    if facts or words:
        lines.append("  " + ": ".join(part for part in (", ".join(facts), words) if part))
    lines += [f"  {problem.param}: {problem.msg}" for problem in error.problems if problem.msg not in error.sentence]
    return "\n".join(lines)


def _forget_output() -> None:
    """The reader of our output has gone: point it nowhere, so that nothing complains while Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
