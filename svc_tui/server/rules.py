"""Rules: one plain function an operation. A rule knows no HTTP and no SQL; it gets a Call and returns an answer.

    @rule(declared.get_user)
    async def get_user(call: Call[FormatQuery]) -> Answer:
        user = await call.store.users.get(call.path["userId"])
        if user is None:
            raise not_found("User", call.path["userId"])
        call.require(await user_subject(call.store, user))
        return {"data": User.shown(user, call.query.format)}

Before a rule runs, the caller is known, one of his roles is among those of the operation, and path, query and body
are valid. What the rule writes is kept when it returns, and undone when it raises.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic

from typing_extensions import TypeVar

from svc_tui.interface.access import Access, Caller, Decision, Reach, Subject, decide, reaches
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import AnyOperation, Nothing, Operation
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import Record
from svc_tui.interface.timestamps import stamp
from svc_tui.interface.typed_access import typed
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import Condition
from svc_tui.server.store.documents import DocumentCollection, Sort
from svc_tui.server.store.queries import UnknownField
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredApiKey, StoredApplication, StoredUser, TokenClaims
from svc_tui.server.uploads import Upload

Q = TypeVar("Q", bound=Record, default=Nothing)
B = TypeVar("B", bound=Record, default=Nothing)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Headers:
    """The headers that rules look at; empty where a request has none."""

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
    cookie: str = ""
    user_agent: str = ""
    content_type: str = ""
    if_none_match: str = ""
    #: Address of the client as the socket says it.
    address: str = ""
    #: How the client reaches us, e.g. https://svc.example.
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RedirectResult:
    """The answer of a browser page: it is sent there. A `cookie` ties what follows to this browser."""

    location: str
    cookie: str = ""


@dataclass(frozen=True, slots=True)
class ImageResult:
    """The answer is an image. Without content the client has it already. `mark` is its ETag, `cache` how it is kept."""

    content: bytes | None
    media_type: str
    mark: str
    cache: str


@dataclass(frozen=True, slots=True)
class FileResult:
    """The answer is a file to save, sent in pieces as they are ready. `size` is its bytes where they are known.

    The pieces are read after the rule has returned: they open units of their own, so that a slow client holds none.
    """

    pieces: AsyncIterator[bytes]
    media_type: str
    filename: str
    size: int | None = None


RuleResult = Document | list[Document] | RedirectResult | ImageResult | FileResult


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
    #: The body where it is no JSON.
    content: bytes = field(default=b"", repr=False)
    #: The body where it may be too large for memory.
    upload: Upload | None = None

    @property
    def known_caller(self) -> Caller:
        """The caller of an operation that requires credentials. LookupError for an operation without them."""
        if self.caller is None:
            raise LookupError(f"{self.operation.id} has no caller")
        return self.caller

    @property
    def now(self) -> datetime:
        """The present moment, in UTC."""
        return self.service.clock.now()

    @property
    def stamp(self) -> str:
        """The present moment as it stands on the wire."""
        return stamp(self.now)

    @property
    def reached(self) -> frozenset[Reach]:
        """Everything the caller's roles reach with this operation; lists are narrowed by it."""
        return self.operation.who.of(self.caller.roles) if self.caller else frozenset()

    def allows(self, subject: Subject, access: Access | None = None) -> Decision:
        """Whether the caller may do this to the subject."""
        return decide(access or self.operation.who, self.caller, subject)

    def require(self, subject: Subject, code: Code = Code.NOT_MANAGED) -> None:
        """Refuse (403) what the caller's roles do not reach."""
        decision = self.allows(subject)
        if not decision:
            raise Refusal(code, decision.reason)

    def reaches(self, reach: Reach, subject: Subject) -> bool:
        """Whether one reach of the caller covers the subject, whatever the operation says."""
        return self.caller is not None and reaches(self.caller, reach, subject)


Rule = Callable[[Call[Any, Any]], Awaitable[RuleResult]]

_RULES: dict[str, tuple[AnyOperation, Rule]] = {}


def rule(
    operation: Operation[R, Q, B],
) -> Callable[[Callable[[Call[Q, B]], Awaitable[RuleResult]]], Callable[[Call[Q, B]], Awaitable[RuleResult]]]:
    """Register the rule of an operation."""

    def register(
        function: Callable[[Call[Q, B]], Awaitable[RuleResult]],
    ) -> Callable[[Call[Q, B]], Awaitable[RuleResult]]:
        if operation.id in _RULES:
            raise ValueError(f"{operation.id} has a rule already")
        _RULES[operation.id] = (operation, function)
        return function

    return register


def rules() -> list[tuple[AnyOperation, Rule]]:
    """The operations that have a rule; fixed path segments (`/current`, `/me`) come before parameters."""
    return sorted(_RULES.values(), key=lambda each: [part.startswith("{") for part in each[0].path.split("/")])


async def page_of(
    collection: DocumentCollection,
    model: type[Record],
    query: ListQuery,
    *where: Condition,
    show: Callable[[Document], Document] | None = None,
    then: Mapping[str, str] = {},
) -> Document:
    """One page of what meets all conditions, in the format, order and window of the query (section 4).

    `show` prepares a stored document for the reader before its format is applied. `then` names the field that orders
    what has the same value of a sort field.
    """
    by = query.sort_field or query.DEFAULT_SORT
    sort = Sort(by, query.sort_order == -1, then.get(by, ""))
    try:
        found = await collection.find(*where, sort=sort, limit=query.limit, offset=query.offset)
    except UnknownField as error:
        raise invalid(Problem("sortField", "is no field that this list can be sorted by", sort.field)) from error
    documents = [show(document) for document in found.documents] if show else found.documents
    data = [model.shown(document, query.format) for document in documents]
    return {"data": data, "limit": query.limit, "offset": query.offset, "total": found.total}
