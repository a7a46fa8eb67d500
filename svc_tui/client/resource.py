"""The parts of the generated resources: keyword arguments that were not given, lists by page, and unwrapped results."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, get_args

from pydantic import ValidationError

from svc_tui.client.client import Client, declared_result
from svc_tui.client.content import Content, Stream, type_of
from svc_tui.client.errors import ValidationFailed
from svc_tui.client.masking import placeholder
from svc_tui.interface.catalogue import operation as declared
from svc_tui.interface.envelopes import Done, ListQuery, Page, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.problems import Problem, problems_from
from svc_tui.interface.records import Record
from svc_tui.language import _

if TYPE_CHECKING:
    from svc_tui.client.client import Response

T = TypeVar("T")


class NotGiven(Enum):
    """The type of a keyword argument that was not given. None is a value: it empties a field."""

    NOT_GIVEN = auto()

    def __repr__(self) -> str:
        return self.name

    def __bool__(self) -> bool:
        return False


NOT_GIVEN: Final = NotGiven.NOT_GIVEN

#: Bytes of a file, the path of a file, or a body with its content type.
Upload = bytes | Path | Content | Stream


class Listing(Generic[T]):
    """The records of a list: `async for record in listing`. Each loop reads the list again, a page at a time.

    Errors are raised when a page is read, as `Client.send` raises them.
    """

    def __init__(
        self, client: Client, operation_id: str, path: Mapping[str, str], query: Mapping[str, Any] | None = None
    ) -> None:
        self._client, self._operation, self._path = client, declared(operation_id), path
        self._query = _record(self._operation, self._operation.query, query or {})
        _check_path(self._operation, path)
        self._records: AsyncGenerator[T, None] | None = None

    def __aiter__(self) -> AsyncIterator[T]:
        return self._read()

    async def __anext__(self) -> T:
        if self._records is None:
            self._records = self._read()
        return await anext(self._records)

    async def _read(self) -> AsyncGenerator[T, None]:
        async for page in self.pages():
            for record in page.data:
                yield record

    async def pages(self) -> AsyncGenerator[Page[T], None]:
        """The pages, each with its records in `data` and the `total` of the list. A list without pages is one page."""
        if issubclass(self._operation.query, ListQuery):
            async for page in self._client.pages(self._operation, path=self._path, query=self._query):
                yield page
            return
        answer = await self._client.call(self._operation, path=self._path, query=self._query)
        records = answer if isinstance(answer, list) else answer.data
        yield Page[Any](data=records, limit=len(records), total=len(records))

    async def all(self) -> list[T]:
        """All records, in memory."""
        return [record async for record in self]


class Resource:
    """The operations on one kind of record."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def _call(
        self,
        operation_id: str,
        path: Mapping[str, str],
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        content: Upload | None = None,
    ) -> Any:
        """Call an operation and unwrap its result: the record of one, the list of several, None without either."""
        operation = declared(operation_id)
        _check_path(operation, path)
        sent = _record(operation, operation.body, body) if body is not None else _content(operation, content)
        response: Response = await self._client.send(
            operation, path=path, query=_record(operation, operation.query, query or {}), body=sent
        )
        result = declared_result(operation, response.body)
        if isinstance(result, (Single, Plain)):
            return result.data
        return None if isinstance(result, Done) else result


def _check_path(operation: AnyOperation, path: Mapping[str, object]) -> None:
    """TypeError for an id that is no text; the address itself is checked when it is made."""
    for name, value in path.items():
        if not isinstance(value, str):
            kind = type(value).__name__
            raise TypeError(_("{id} needs a text for {name}, not {type}").format(id=operation.id, name=name, type=kind))


def _record(operation: AnyOperation, model: type[Record], values: Mapping[str, Any]) -> Record:
    """The query or the body with the values that were given. ValidationFailed, before anything is sent."""
    several = {spec.name: spec for spec in fields_of(model) if spec.facet.several}
    given = {name: value for name, value in values.items() if value is not NOT_GIVEN}
    problems: tuple[Problem, ...] = ()
    for name, spec in several.items():
        value = given.get(name)
        between = spec.facet.between
        texts = value if isinstance(value, (list, tuple)) else str(value).split(between) if value else []
        known = get_args(spec.facet.several)
        said = _("must be one of {expected}").format(expected=", ".join(known))
        problems += tuple(Problem(spec.wire, said, each) for each in texts if known and each not in known)
        if isinstance(value, (list, tuple)):
            given[name] = between.join(value)
    try:
        made = model(**given)
    except ValidationError as error:
        # Without its cause, which quotes secrets.
        problems += tuple(_without_secret(problem) for problem in problems_from(error))
    else:
        if not problems:
            return made
    raise ValidationFailed(
        _("Nothing was sent: {id} does not accept {problems}.").format(
            id=operation.id, problems="; ".join(f"{problem.param}: {problem.msg}" for problem in problems)
        ),
        status=Code.VALIDATION.status,
        code=Code.VALIDATION,
        problems=problems,
    )


def _without_secret(problem: Problem) -> Problem:
    return problem if placeholder(problem.param.rpartition(".")[2]) is None else replace(problem, value=None)


def _content(operation: AnyOperation, content: Upload | None) -> Content | Stream | None:
    """A body that is not JSON. A content type that was not given is that of its first bytes, or of the operation."""
    if isinstance(content, Path):
        with content.open("rb") as file:
            beginning = file.read(16)
        return Stream.of_file(content, _type(operation, beginning))
    if isinstance(content, bytes):
        return Content(_type(operation, content[:16]), content)
    return content


def _type(operation: AnyOperation, beginning: bytes) -> str:
    return found if (found := type_of(beginning)) in operation.takes else operation.takes[0]
