"""Access to the service for parts of the workspace and for areas: protocols that Workspace implements."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

from svc_tui.interface import labels

if TYPE_CHECKING:
    from svc_tui.cache.store import Cache
    from svc_tui.client.content import Content, Sink, Stream
    from svc_tui.client.errors import ServiceError
    from svc_tui.client.session import Session
    from svc_tui.interface.access import Caller, Decision, Subject
    from svc_tui.interface.data import RecordData
    from svc_tui.workspace.core.events import Event

#: Why no request can be sent now.
Obstacle = Literal["connecting", "offline", "no login"]
#: Records in one request when a whole list is read: the most that the service returns.
LARGEST_REQUEST = 1000
#: In the path of a request that follows a creation: the ID of the created record.
CREATED = "created"


class ReadError(Exception):
    """A failed read. `offline`: the service did not respond; `missing`: it has no such record."""

    def __init__(self, sentence: str, *, offline: bool = False, missing: bool = False) -> None:
        self.sentence, self.offline, self.missing = sentence, offline, missing
        super().__init__(sentence)


def sentence_of_read(error: ServiceError, path: Mapping[str, str]) -> str:
    """The sentence of a refused read; with a label for a parameter of the path, which the user did not enter."""
    problems = getattr(error, "problems", ())
    if not problems or any(problem.param not in path for problem in problems):
        return error.sentence
    return "; ".join(f"{labels.label_of(problem.param)}: {problem.msg}" for problem in problems) + "."


class Reader(Protocol):
    """Reads from the service."""

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        """The body of a response. ReadError when there is none."""


async def rows_of(
    service: Reader, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]
) -> AsyncIterator[RecordData]:
    """The records of a list, read in the largest pages as they are needed. ReadError."""
    offset = 0
    while True:
        body = await service.read(operation_id, path, {**query, "limit": LARGEST_REQUEST, "offset": offset})
        rows = body.get("data") or ()
        for row in rows:
            yield row
        offset += len(rows)
        # A list without pages has no total, and all rows.
        if not rows or offset >= int(body.get("total") or 0):
            return


class Performer(Protocol):
    """Performs changes."""

    async def perform(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] = ...,
        query: Mapping[str, object] = ...,
        body: Mapping[str, object] | Content | Stream | None = ...,
    ) -> dict[str, Any]:
        """The body of the response. ServiceError when the change was refused or the outcome is unknown."""


class Downloader(Protocol):
    """Downloads files."""

    async def download(self, operation_id: str, path: Mapping[str, str], sink: Sink) -> None:
        """Write a file of the service into a sink. ServiceError when it is not complete."""


class ListService(Reader, Protocol):
    """What lists and records need of the workspace."""

    @property
    def cache(self) -> Cache: ...
    def now(self) -> float: ...
    def obstacle(self) -> Obstacle | None:
        """Why no request can be sent now; None when requests can be sent."""

    def retry_now(self) -> None:
        """Send the next request even while offline."""

    def forget_open(self, view: object) -> None:
        """A view was closed: changes are no longer shown in it."""

    @property
    def frugal(self) -> bool:
        """Whether the link is slow, so that a list sends one request at a time."""


class Service(ListService, Performer, Protocol):
    """The workspace, for its parts."""

    @property
    def session(self) -> Session | None: ...
    @property
    def caller(self) -> Caller | None: ...
    @property
    def user(self) -> Mapping[str, Any] | None: ...
    def decide(self, operation_id: str, subject: Subject | None = None) -> Decision: ...
    def subscribe(self, callback: Callable[[Event], None]) -> Callable[[], None]: ...
