"""Operations: one declaration for client, server, console, command line and documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Generic, Literal

from typing_extensions import TypeVar

from svc_tui.interface.access import Access
from svc_tui.interface.addresses import filled, parameters_of
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.records import Record
from svc_tui.language import translated

Method = Literal["GET", "POST", "PUT", "DELETE"]

#: Content types of a page.
PAGES = ("text/html",)
#: Content type of a form.
FORM = "application/x-www-form-urlencoded"
#: Content types of a body that can be too large for memory.
CSV = ("text/csv",)


class Nothing(Record):
    """The query or body of an operation without one."""


R = TypeVar("R")
Q = TypeVar("Q", bound=Record, default=Nothing)
B = TypeVar("B", bound=Record, default=Nothing)


class Credentials(StrEnum):
    """Credentials of a request (sections 4.1 and 5)."""

    NONE = "none"
    #: Bearer token, or the API key headers.
    CALLER = "caller"
    #: The token of a user, for renewal and logout.
    TOKEN = "token"
    #: The API key headers only.
    API_KEY = "api_key"
    #: Login and password, and the proof of the application.
    LOGIN = "login"
    #: As CALLER, or the limited token of a login before its second factor.
    LIMITED = "limited"
    #: The token of a backchannel session.
    BACKCHANNEL = "backchannel"
    #: ID and secret of an application, as HTTP Basic.
    APPLICATION = "application"
    #: A page for a browser, with its credentials in the parameters.
    BROWSER = "browser"


@dataclass(frozen=True)
class Operation(Generic[R, Q, B]):
    """One operation of the interface.

    `path` is a template with the wire names of its parameters in braces, `{name:path}` for one with slashes.
    `result` is the type of the whole response body. `section` is the section of the specification.
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
    #: Content types of a request body that is not JSON (an image), and of such a response, whose `result` is `bytes`.
    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    #: The body is a form of `body` (application/x-www-form-urlencoded), not JSON.
    sends_form: bool = False
    #: Largest raw body in bytes, by default.
    most_bytes: int | None = None
    #: A GET with an effect (login counts failures, renewal creates a token).
    changes: bool = field(default=False)
    #: A POST without an effect (a quotation).
    only_reads: bool = False
    #: It gives or takes lasting access of the user: an OAuth access token is refused.
    no_oauth: bool = False
    #: The limit of requests in a minute that it counts for, by address and by account; empty: none.
    rate: str = ""
    #: It changes costs: the user confirms with a name, and without a response it is checked, never repeated.
    costs: bool = False
    #: The kind of record that it creates, updates or deletes; empty where no list shows it.
    creates: str = ""
    updates: str = ""
    deletes: str = ""
    #: The operation that reverses it on the same record; an update is undone by itself, with the old values.
    undone_by: str = ""
    #: What it belongs to, for an operation of this server that the specification does not have: "the audit log".
    extension: str = ""

    def __post_init__(self) -> None:
        translated(self, "summary", "deprecated")

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The wire names of the path parameters, in order."""
        return parameters_of(self.path)

    @property
    def changed_kind(self) -> str:
        """The kind of record that it changes; empty for none that a list shows."""
        return self.creates or self.updates or self.deletes

    @property
    def has_pages(self) -> bool:
        """Whether it returns a list in pages, with its total."""
        return issubclass(self.query, ListQuery)

    @property
    def reads(self) -> bool:
        """Whether it has no effect. Read-only mode refuses all other operations."""
        return self.only_reads or (self.method == "GET" and not self.changes)

    @property
    def repeatable(self) -> bool:
        """Whether it is safe to send again without a response."""
        return self.reads

    @property
    def sends_body(self) -> bool:
        return self.body is not Nothing

    @property
    def sends_body_unchanged(self) -> bool:
        """Whether the body is sent unchanged, with one of the content types in `takes`."""
        return bool(self.takes)

    def url(self, **values: str) -> str:
        """The path with its parameters filled in, percent-encoded. ValueError when one is missing or empty, or dots."""
        try:
            return filled(self.path, values)
        except ValueError as error:
            value = values.get(str(error))
            raise ValueError(f'{error} cannot be "{value}"' if value else f"{self.id} needs {error}") from None


AnyOperation = Operation[Any, Any, Any]
