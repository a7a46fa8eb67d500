"""Rules: one function for each operation. A rule is independent of HTTP and SQL: it gets a Call and returns a result.

    @rule(declared.get_user)
    async def get_user(call: Call[FormatQuery]) -> Answer:
        user = await call.store.users.get(call.path["userId"])
        if user is None:
            raise not_found("User", call.path["userId"])
        call.require(await user_subject(call.store, user))
        return {"data": User.answered(user, call.query.format)}

Before a rule runs, the caller is authenticated and has a role of the operation, and path, query and body are valid.
Changes are committed when the rule returns, and rolled back when it raises.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property
from typing import Any, Generic, TypeAlias

from typing_extensions import TypeVar

from svc_tui.interface.access import Access, Caller, Decision, Reach, Subject, decide, reaches
from svc_tui.interface.dates import stamp
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import AnyOperation, Nothing, Operation
from svc_tui.interface.problems import Problem
from svc_tui.interface.readers import Guard, nobody
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import typed
from svc_tui.server.http.uploads import Upload
from svc_tui.server.readers import Readers
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import Condition
from svc_tui.server.store.documents import LARGEST_WINDOW, DocumentCollection, LargeWindow, Sort
from svc_tui.server.store.queries import UnknownField
from svc_tui.server.store.read_cache import Show
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredApiKey, StoredApplication, StoredUser, TokenClaims

Q = TypeVar("Q", bound=Record, default=Nothing)
B = TypeVar("B", bound=Record, default=Nothing)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Headers:
    """The headers that rules read; empty where a request has none."""

    authorization: str = ""
    app_auth: str = ""
    api_key: str = ""
    challenge: str = ""
    client: str = ""
    client_version: str = ""
    resource: str = ""
    trusted_app: str = ""
    correlation: str = ""
    application_token: str = ""
    #: The whole header.
    cookie: str = ""
    user_agent: str = ""
    content_type: str = ""
    accept: str = ""
    if_none_match: str = ""
    #: Address of the client, from the socket.
    address: str = ""
    #: Address under which the client reaches this server, for example https://svc.example.
    origin: str = ""

    @property
    def shows_pages(self) -> bool:
        """Whether the response is a page for a user, not data for a program."""
        return "text/html" in self.accept


@dataclass(frozen=True, slots=True)
class RedirectResult:
    """The result is a redirect of the browser. `cookies` link the next requests to it; an empty value removes one."""

    location: str
    cookies: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class PageResult:
    """The result is a page with forms. `cookies` as in RedirectResult; `target` is where its forms may lead."""

    html: str = field(repr=False)
    status: int = 200
    cookies: Mapping[str, str] = field(default_factory=dict, repr=False)
    target: str = ""


@dataclass(frozen=True, slots=True)
class SecretResult:
    """The result is JSON that no cache may store, or the error of a protocol with its own status."""

    body: Document = field(repr=False)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImageResult:
    """The result is an image; the client has it already when there is no content. `mark` is the ETag of the image,
    `cache` its Cache-Control."""

    content: bytes | None
    media_type: str
    mark: str
    cache: str


@dataclass(frozen=True, slots=True)
class FileResult:
    """The result is a file to save, sent piece by piece. `size` in bytes, where it is known.

    The pieces are read after the rule has returned and open their own units of work, so that a slow client holds none.
    """

    pieces: AsyncIterator[bytes]
    media_type: str
    filename: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class ListResult:
    """The result is a page of records, which is JSON already."""

    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class StreamResult:
    """The result is JSON, sent piece by piece like the content of a file: all of it is never in memory."""

    pieces: AsyncIterator[bytes]


RuleResult = (
    Document
    | list[Document]
    | ListResult
    | RedirectResult
    | PageResult
    | SecretResult
    | ImageResult
    | FileResult
    | StreamResult
)


@dataclass(frozen=True)
class Call(Generic[Q, B]):
    """One request as a rule sees it.

    `user` is the caller's record, `claims` are those of the token; with an API key they are empty, and `api_key` is its
    record. `application` is that of the credentials. `body.model_fields_set` holds the fields that were sent.
    """

    operation: AnyOperation
    query: Q
    body: B
    path: Mapping[str, str]
    headers: Headers
    store: Store
    service: Service
    caller: Caller | None = None
    user: StoredUser = field(default_factory=lambda: typed(StoredUser, {}))
    application: StoredApplication = field(default_factory=lambda: typed(StoredApplication, {}))
    claims: TokenClaims = field(default_factory=lambda: typed(TokenClaims, {}))
    api_key: StoredApiKey | None = None
    #: The body, where it is not JSON.
    content: bytes = field(default=b"", repr=False)
    #: The body, where it can be too large for memory.
    upload: Upload | None = None

    @property
    def known_caller(self) -> Caller:
        """The caller of an operation that requires credentials. LookupError for an operation without them."""
        if self.caller is None:
            raise LookupError(f"{self.operation.id} has no caller")
        return self.caller

    @property
    def now(self) -> datetime:
        """The current time, in UTC."""
        return self.service.clock.now()

    @property
    def stamp(self) -> str:
        """The current time in the format of the wire."""
        return stamp(self.now)

    @property
    def reached(self) -> frozenset[Reach]:
        """Everything that the caller's roles reach with this operation. Lists are filtered by it."""
        return self.operation.who.of(self.caller.roles) if self.caller else frozenset()

    def allows(self, subject: Subject, access: Access | None = None) -> Decision:
        """Whether the caller may do this to the subject."""
        return decide(access or self.operation.who, self.caller, subject)

    def require(self, subject: Subject, code: Code = Code.NOT_MANAGED) -> None:
        """Refuse (403) a subject beyond the reach of the caller's roles."""
        decision = self.allows(subject)
        if not decision:
            raise Refusal(code, decision.reason)

    @cached_property
    def readers(self) -> Readers:
        """What the caller reads of records."""
        return Readers(self.caller, self.store, self.operation, self.path)

    def reaches(self, reach: Reach, subject: Subject) -> bool:
        """Whether one reach of the caller covers the subject, independent of the operation."""
        return self.caller is not None and reaches(self.caller, reach, subject)


#: A call whose query and body have any types.
AnyCall: TypeAlias = Call[Any, Any]
Rule = Callable[[AnyCall], Awaitable[RuleResult]]

_RULES: dict[str, tuple[AnyOperation, Rule]] = {}


def rule(
    operation: Operation[R, Q, B],
) -> Callable[[Callable[[Call[Q, B]], Awaitable[RuleResult]]], Callable[[Call[Q, B]], Awaitable[RuleResult]]]:
    """Register the rule of an operation."""

    def register(
        function: Callable[[Call[Q, B]], Awaitable[RuleResult]],
    ) -> Callable[[Call[Q, B]], Awaitable[RuleResult]]:
        if operation.id in _RULES:
            raise ValueError(f"{operation.id} already has a rule")
        _RULES[operation.id] = (operation, function)
        return function

    return register


def rules() -> list[tuple[AnyOperation, Rule]]:
    """The operations that have a rule. Fixed path segments (`/current`, `/me`) come before parameters."""
    return sorted(_RULES.values(), key=lambda each: [part.startswith("{") for part in each[0].path.split("/")])


async def page_of(
    call: AnyCall,
    collection: DocumentCollection,
    model: type[Record],
    query: ListQuery,
    *where: Condition,
    show: Show | None = None,
) -> RuleResult:
    """One page of the records that meet all conditions, in the format, order and window of the query (section 4).

    `show` prepares a stored document, before the format is applied: a function of a module, the same for all callers.
    Its JSON is kept for all callers from whom the same fields are withheld.
    """
    guard = call.readers.in_list(model, query.format)
    if guard is not None and guard.is_limited:
        return await documents_page(call, collection, model, query, *where, show=show)
    sort = _order(call, model, query)
    with _sortable(sort):
        shown = _shown(model, query.format, show, guard)
        return ListResult(await collection.page(shown, *where, sort=sort, limit=query.limit, offset=query.offset))


async def documents_page(
    call: AnyCall,
    collection: DocumentCollection,
    model: type[Record],
    query: ListQuery,
    *where: Condition,
    show: Show | None = None,
) -> Document:
    """The same page with records as documents, for a rule that changes them. `show` can depend on the caller.

    It has all fields: what the caller does not read is left out of the result of the rule.
    """
    sort = _order(call, model, query)
    with _sortable(sort):
        found = await collection.find(*where, sort=sort, limit=query.limit, offset=query.offset)
    documents = [show(document) for document in found.documents] if show else found.documents
    data = [model.answered(document, query.format) for document in documents]
    return {"data": data, "limit": query.limit, "offset": query.offset, "total": found.total}


def _order(call: AnyCall, model: type[Record], query: ListQuery) -> Sort:
    """The order that was asked for; by id where the caller does not read the field of the usual one."""
    field = query.sort_field or query.DEFAULT_SORT
    return Sort("id" if field in call.readers.withheld_in_lists(model) else field, query.sort_order == -1)


@cache
def _shown(model: type[Record], format: str, show: Show | None, guard: Guard | None) -> Show:
    if show is not None and "<locals>" in show.__qualname__:
        raise ValueError(f"{show.__qualname__} is another function for each request")

    def answered(document: Document) -> Document:
        found = model.answered(show(document) if show else document, format)
        return found if guard is None else guard.readable(found, nobody)

    return answered


@contextmanager
def _sortable(sort: Sort) -> Iterator[None]:
    try:
        yield
    except UnknownField as error:
        raise invalid(Problem("sortField", "is not a field that this list can be sorted by", sort.field)) from error
    except LargeWindow as error:
        sentence = f"these records are larger than {LARGEST_WINDOW >> 20} MB together: request fewer at a time"
        raise invalid(Problem("limit", sentence)) from error
