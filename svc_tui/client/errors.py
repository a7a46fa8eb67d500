"""Errors of calls: each has a sentence with the event and the next step, without secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svc_tui.language import _

if TYPE_CHECKING:
    from svc_tui.interface.problems import Problem

#: Longest sentence: a service can put a whole page into an error.
LONGEST = 400


def plain(text: str, most: int = LONGEST) -> str:
    """A text of the service as one printable line of at most `most` characters."""
    line = "".join(char if char.isprintable() else " " for char in text[: most * 4])
    line = " ".join(line.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def too_late(host: str, seconds: float, what: str = _("response from")) -> str:
    """The sentence about an answer or a connection that did not come in time."""
    return _("No {what} {host} within {seconds:g} s. Check the service, the network and its firewalls.").format(
        what=what, host=host, seconds=seconds
    )


class ServiceError(Exception):
    """Base of all errors of a call. `sentence` is the text for the user."""

    def __init__(self, sentence: str) -> None:
        self.sentence = plain(sentence)
        super().__init__(self.sentence)


class Refused(ServiceError):
    """The service responded with an error (section 7).

    `status` is the HTTP status, `code` the errorDetailsCode, `message` the text of the service, `problems` the refused
    values, `request_id` the id for its operators.
    """

    def __init__(
        self,
        sentence: str,
        *,
        status: int,
        code: int | None = None,
        message: str = "",
        problems: tuple[Problem, ...] = (),
        request_id: str = "",
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.message = message
        self.problems = problems
        self.request_id = request_id


def code_of(error: BaseException | None) -> int | None:
    """The errorDetailsCode of a refusal; None for other errors."""
    return error.code if isinstance(error, Refused) else None


def problems_of(error: BaseException | None) -> tuple[Problem, ...]:
    """The refused values of a refusal; none for other errors."""
    return error.problems if isinstance(error, Refused) else ()


class NotFound(Refused):
    """There is no such record, or it is not visible to the caller (status 404)."""


class Conflict(Refused):
    """The record contradicts another one, or its present state (status 409)."""


class Forbidden(Refused):
    """The caller may not do this, or a rule of the service prevents it (status 403)."""


class RateLimited(Refused):
    """Too many requests (status 429), and the wait was longer than the client may wait.

    `retry_after` is the wait in seconds that the service asked for; None when it named none.
    """

    retry_after: float | None = None


class ValidationFailed(Refused):
    """Values are missing or not accepted: `problems` has each with its name. Found before anything is sent, or by the
    service (status 400)."""


class LoginRefused(Refused):
    """The credentials or the second factor of a login were refused (section 5.6)."""


class SessionEnded(Refused):
    """There is no valid session: the call needs a login."""

    def __init__(
        self,
        sentence: str = _("You are not logged in."),
        *,
        status: int = 401,
        code: int | None = None,
        message: str = "",
        problems: tuple[Problem, ...] = (),
        request_id: str = "",
    ) -> None:
        super().__init__(sentence, status=status, code=code, message=message, problems=problems, request_id=request_id)


class Unreachable(ServiceError):
    """No response: the host is unknown, refuses the connection, or does not respond in time. Nothing was changed.

    `sent`: the request may have left this machine. `temporary`: a retry may succeed.
    """

    def __init__(self, sentence: str, *, sent: bool = False, temporary: bool = True) -> None:
        super().__init__(sentence)
        self.sent = sent
        self.temporary = temporary


class NotTrusted(Unreachable):
    """The certificate is not trusted. Nothing was sent."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, temporary=False)


class OutcomeUnknown(ServiceError):
    """A change was sent without a response. It is never repeated automatically."""


class ReadOnlyError(ServiceError):
    """The console is in read-only mode, and the operation can change data."""


class InvalidResponse(ServiceError):
    """The response does not match the interface."""
