"""Lines of the server's log: one for each entry, as text or JSON, with the id of the request that it is about.

Nothing that a client sends can begin its own line or control a terminal: such characters are escaped.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

LogFormat = Literal["text", "json"]
#: Seconds between two lines of a warning that many requests can cause.
_THROTTLE_SECONDS = 10.0

log = logging.getLogger("svc_tui.server")


@dataclass(slots=True)
class LoggedRequest:
    """The properties of the request in progress that are logged. `caller` and `application` are ids."""

    id: str
    operation: str = ""
    caller: str = ""
    application: str = ""


#: The request that the current task works for; also in tasks that it started.
_CURRENT_REQUEST: ContextVar[LoggedRequest | None] = ContextVar("request", default=None)


def begin(id: str) -> LoggedRequest:
    """Make a request the current one in this context."""
    current_request = LoggedRequest(id)
    _CURRENT_REQUEST.set(current_request)
    return current_request


def current_request() -> LoggedRequest:
    """The request in progress. Outside a request nothing reads it."""
    return _CURRENT_REQUEST.get() or LoggedRequest("")


def note_caller(user_id: str, application_id: str) -> None:
    """Log the caller of the request in progress."""
    note = current_request()
    note.caller, note.application = user_id, application_id


def of_request(**fields: Any) -> dict[str, Any]:
    """The `extra` of a log call that adds named values to its line."""
    return {"fields": {name: value for name, value in fields.items() if value != ""}}


class TextLines(logging.Formatter):
    """`TIME LEVEL message name=value …`. The lines of a traceback follow, indented."""

    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(f"{name}={value}" for name, value in _fields(record))
        moment = _time(record).isoformat(sep=" ", timespec="milliseconds").removesuffix("+00:00")
        line = escaped(f"{moment}Z {record.levelname} {record.getMessage()} {fields}".rstrip())
        return "\n".join((line, *(f"  {escaped(each)}" for each in self._traceback(record).splitlines())))

    def _traceback(self, record: logging.LogRecord) -> str:
        return self.formatException(record.exc_info) if record.exc_info else ""


class JsonLines(TextLines):
    """One JSON object in each line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": _time(record).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **dict(_fields(record)),
        }
        if trace := self._traceback(record):
            line["traceback"] = trace
        return json.dumps(line, default=str)


def escaped(text: str) -> str:
    """The text without characters that are not printable."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def _fields(record: logging.LogRecord) -> Iterator[tuple[str, Any]]:
    if request := current_request().id:
        yield "request", request
    yield from getattr(record, "fields", {}).items()


def _time(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


def log_to_standard_error(format: LogFormat = "text") -> None:
    """Log to standard error. Libraries log warnings only: their other lines can hold addresses."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if format == "json" else TextLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    for library in ("alembic", "httpx", "httpcore", "asyncio", "slixmpp"):
        logging.getLogger(library).setLevel(logging.WARNING)


class ThrottledLog:
    """A warning that many requests can cause: one line in ten seconds, with the number of those that it stands for."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._next, self._left_out = 0.0, 0

    def warning(self, sentence: str, *values: object) -> None:
        """Log it, unless it was logged a moment ago."""
        now = time.monotonic()
        if now < self._next:
            self._left_out += 1
            return
        times = f" ({self._left_out} more times before)" if self._left_out else ""
        self._next, self._left_out = now + _THROTTLE_SECONDS, 0
        self._log.warning(sentence + times, *values)
