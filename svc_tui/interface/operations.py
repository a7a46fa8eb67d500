"""The Operation value: one declaration that client, server, console, command line and documents read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Generic, Literal
from urllib.parse import quote

from typing_extensions import TypeVar

from svc_tui.interface.access import Access
from svc_tui.interface.errors import Code
from svc_tui.interface.records import Record

Method = Literal["GET", "POST", "PUT", "DELETE"]


class Nothing(Record):
    """The query or body of an operation that has none."""


#: `{name}` takes one segment of the path, `{name:path}` any number of them.
_PARAMETER = re.compile(r"{(\w+)(:path)?}")

R = TypeVar("R")
Q = TypeVar("Q", bound=Record, default=Nothing)
B = TypeVar("B", bound=Record, default=Nothing)


class Credentials(StrEnum):
    """What a request must carry (sections 4.1 and 5)."""

    NONE = "none"
    #: Bearer token, or the API key headers.
    CALLER = "caller"
    #: A user's own token, which renewal and logout need.
    TOKEN = "token"
    #: The API key headers and nothing else.
    API_KEY = "api_key"
    #: Login and password beside the application's proof.
    LOGIN = "login"
    #: Also open to the limited token of a login that waits for its second factor.
    LIMITED = "limited"
    #: The token of a backchannel session.
    BACKCHANNEL = "backchannel"
    #: A page for a browser: parameters carry what is needed.
    BROWSER = "browser"


@dataclass(frozen=True)
class Operation(Generic[R, Q, B]):
    """One operation of the interface.

    `path` is a template with the wire names of its parameters in braces, `{name:path}` where one may hold slashes.
    `result` is the whole answer body.
    `section` names the sections of the specification. `refuses` names the error codes of its own.
    """

    id: str
    section: str
    method: Method
    path: str
    summary: str
    result: type[R]
    who: Access
    query: type[Q] = Nothing  # type: ignore[assignment]
    body: type[B] = Nothing  # type: ignore[assignment]
    credentials: Credentials = Credentials.CALLER
    refuses: tuple[Code, ...] = ()
    deprecated: str = ""
    #: Content types of a body that is no JSON (an image), and of such an answer, whose `result` is then `bytes`.
    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    #: Largest raw body in bytes, as the service has it by default.
    most_bytes: int | None = None
    #: A GET that changes something (login counts failures, renewal makes a token).
    changes: bool = field(default=False)
    #: A POST that changes nothing (a quotation).
    only_reads: bool = False
    #: It changes what is paid for: a person types a name first, and without an answer it is looked at, never repeated.
    costs: bool = False

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The wire names of the path parameters, in order."""
        return tuple(match[1] for match in _PARAMETER.finditer(self.path))

    @property
    def reads(self) -> bool:
        """Known to change nothing; read-only mode refuses everything else."""
        return self.only_reads or (self.method == "GET" and not self.changes)

    @property
    def repeatable(self) -> bool:
        """Safe to send again when no answer came."""
        return self.reads

    @property
    def sends_body(self) -> bool:
        return self.body is not Nothing

    @property
    def sends_raw(self) -> bool:
        """The body is sent as it is, with one of the content types in `takes`."""
        return bool(self.takes)

    def url(self, **values: str) -> str:
        """The path with its parameters filled in, percent-encoded. ValueError when one is missing or empty."""

        def fill(match: re.Match[str]) -> str:
            value = str(values.get(match[1], ""))
            parts = value.split("/") if match[2] else [value]
            if any(part in ("", ".", "..") for part in parts):
                raise ValueError(f"{self.id} needs {match[1]}")
            return "/".join(quote(part, safe="") for part in parts)

        return _PARAMETER.sub(fill, self.path)


AnyOperation = Operation[Any, Any, Any]
