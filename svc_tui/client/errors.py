"""What can go wrong, typed: every error says in one sentence what happened and what to do, without secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from svc_tui.interface.problems import Problem

#: Longest sentence that is shown; services can put whole pages into an error.
LONGEST = 400


def plain(text: str, most: int = LONGEST) -> str:
    """Text from outside as one printable line of at most `most` characters."""
    line = "".join(char if char.isprintable() else " " for char in text[: most * 4])
    line = " ".join(line.split())
    return line if len(line) <= most else line[: most - 1] + "…"


class ServiceError(Exception):
    """Base of everything that a call can raise; `sentence` is what people read."""

    def __init__(self, sentence: str) -> None:
        self.sentence = plain(sentence)
        super().__init__(self.sentence)


class Refused(ServiceError):
    """The service answered with an error (section 7).

    `status` is the HTTP status, `code` the errorDetailsCode, `message` the service's own words, `problems` the
    single values it did not accept, `request_id` what its operators can search for.
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


class LoginRefused(Refused):
    """The credentials of a login, or its second factor, were not accepted (section 5.6)."""


class SessionEnded(Refused):
    """There is no valid session (any more): a login is needed before the call can go on."""

    def __init__(
        self,
        sentence: str = "You are not logged in.",
        *,
        status: int = 401,
        code: int | None = None,
        message: str = "",
        problems: tuple[Problem, ...] = (),
        request_id: str = "",
    ) -> None:
        super().__init__(sentence, status=status, code=code, message=message, problems=problems, request_id=request_id)


class Unreachable(ServiceError):
    """No answer: the host is not known, refuses, or does not answer in time. Nothing was changed.

    `sent` says that something may have left this machine, `passing` that trying again may help.
    """

    def __init__(self, sentence: str, *, sent: bool = False, passing: bool = True) -> None:
        super().__init__(sentence)
        self.sent = sent
        self.passing = passing


class NotTrusted(Unreachable):
    """The certificate does not verify; nothing was sent."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, passing=False)


class OutcomeUnknown(ServiceError):
    """A change was sent and no answer came: nobody knows whether it happened. It is never sent again by itself."""


class ReadOnlyError(ServiceError):
    """Refused here: the console is read-only and the operation is not known to read."""


class InvalidResponse(ServiceError):
    """The answer is not what the interface says."""
