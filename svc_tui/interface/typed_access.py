"""Typed access to documents: fields of a stored or received record as attributes that mypy checks.

    user = typed(User, await store.users.get(id))
    if user is not None and not user.is_terminated:
        user.display_name = "Ada Lovelace"
        await store.users.put(document_of(user))

A document is a JSON object with wire names; `typed` shows it as the declared record. The attribute `login_email` reads
and writes `document["loginEmail"]`; the declaration is the only table of names. Nothing is validated or copied:

- A field that the document does not have, or has as null, is None where the declaration allows None. Otherwise it is
  the declared default. Without a default value, reading it raises MissingField.
- Records inside a record, lists of them and objects of them are shown in the same way. Such a list or object is a new
  one each time: assign another to change the document.
- Dates and times are read as `date` and `datetime`, amounts of money as `Decimal`, and written as the wire has them.
- A name that the record does not declare raises AttributeError. Fields that only the server knows are declared in a
  subclass of the record: `class StoredSubscription(Subscription)`. A subclass also narrows: `id: str` for a field that
  the interface declares as `str | None` and that every stored record has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    TypeAlias,
    TypeVar,
    Union,
    assert_type,
    cast,
    get_args,
    get_origin,
    overload,
)

from svc_tui.interface.dates import day, moment, stamp
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.money import amount
from svc_tui.interface.records import Record
from svc_tui.language import _

Document: TypeAlias = dict[str, Any]
M = TypeVar("M", bound=Record)
FieldReader: TypeAlias = Callable[[Any], Any]


class MissingField(LookupError):
    """A document lacks a field that its record declares as always there."""

    def __init__(self, record: str, wire: str) -> None:
        super().__init__(_("{record} without {wire}").format(record=record, wire=wire))


class DocumentView:
    """A document shown as a record. One subclass for each record has the fields as properties."""

    __slots__ = ("_document",)

    _record: type[Record]

    def __init__(self, document: Document) -> None:
        self._document = document

    def __eq__(self, other: object) -> bool:
        return self._document == other._document if isinstance(other, DocumentView) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{self._record.__name__} {self._document.get('id', '')}>"


@overload
def typed(model: type[M], document: None) -> None: ...
@overload
def typed(model: type[M], document: Document) -> M: ...
def typed(model: type[M], document: Document | None) -> M | None:
    """The document as a record of this class; None stays None."""
    return None if document is None else _view_of(model)(document)


if TYPE_CHECKING:
    # Where overloads overlap for a document mypy infers Any, without an error, and checks nothing.
    def _inferred(document: Document, found: Document | None) -> None:
        assert_type(typed(Record, document), Record)
        assert_type(typed(Record, found), Record | None)


def all_typed(model: type[M], documents: Iterable[Document]) -> list[M]:
    """Each document as a record of this class."""
    view = _view_of(model)
    return [view(document) for document in documents]


def document_of(record: Record | None) -> Document:
    """The document behind a typed record, itself and not a copy; an empty one for None.

    TypeError for a validated record, which has no document behind it.
    """
    if record is None:
        return {}
    if not isinstance(record, DocumentView):
        raise TypeError(f"{type(record).__name__} has no document behind it")
    return cast("DocumentView", record)._document


def copied(record: M) -> M:
    """A typed record whose fields can be assigned without a change of the original. Inner objects are shared."""
    view = cast("DocumentView", record)
    return cast("M", type(view)(dict(view._document)))


@cache
def _view_of(model: type[Record]) -> Any:
    """The class of views for a record. Any: to mypy its instances are instances of the record."""
    fields = {spec.name: _property(model.__name__, spec) for spec in fields_of(model)}
    return type(f"{model.__name__}View", (DocumentView,), {"__slots__": (), "_record": model, **fields})


def _property(record: str, spec: FieldSpec) -> property:
    wire, default, optional = spec.wire, spec.default, _allows_none(spec.annotation)
    reader = _reader(spec.annotation)

    def absent() -> Any:
        if default is None:
            raise MissingField(record, wire)
        return copy(default)

    def read_optional(view: DocumentView) -> Any:
        return view._document.get(wire)

    def read_plain(view: DocumentView) -> Any:
        value = view._document.get(wire)
        return absent() if value is None else value

    def read_converted(view: DocumentView) -> Any:
        value = view._document.get(wire)
        if value is None:
            return None if optional else absent()
        return convert(value)

    def write(view: DocumentView, value: Any) -> None:
        view._document[wire] = _json(value)

    def remove(view: DocumentView) -> None:
        view._document.pop(wire, None)

    if reader is None:
        return property(read_optional if optional else read_plain, write, remove)
    convert = reader
    return property(read_converted, write, remove)


def _allows_none(annotation: Any) -> bool:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _allows_none(get_args(annotation)[0])
    return annotation is Any or (origin in (Union, UnionType) and NoneType in get_args(annotation))


def _reader(annotation: Any) -> FieldReader | None:
    """The conversion from JSON of values with this annotation; None where the value is taken as it is."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _reader(get_args(annotation)[0])
    if origin in (Union, UnionType):
        readers = [found for part in get_args(annotation) if (found := _reader(part)) is not None]
        return _in_turn(readers) if readers else None
    if origin is list:
        return _list_reader(_reader(get_args(annotation)[0]))
    if origin is dict:
        return _object_reader(_reader(get_args(annotation)[1]))
    if not isinstance(annotation, type):
        return None
    if issubclass(annotation, Record):
        return lambda value: _view_of(annotation)(value) if isinstance(value, dict) else value
    if issubclass(annotation, datetime):
        return lambda value: moment(value) if isinstance(value, str) else value
    if issubclass(annotation, date):
        return lambda value: day(value) if isinstance(value, str) else value
    return amount if issubclass(annotation, Decimal) else None


def _list_reader(inner: FieldReader | None) -> FieldReader | None:
    if inner is None:
        return None
    return lambda value: [inner(each) for each in value] if isinstance(value, list) else value


def _object_reader(inner: FieldReader | None) -> FieldReader | None:
    if inner is None:
        return None
    return lambda value: {key: inner(each) for key, each in value.items()} if isinstance(value, dict) else value


def _in_turn(readers: Sequence[FieldReader]) -> FieldReader:
    """The readers of a union: each converts values of its own shape and leaves others as they are."""
    if len(readers) == 1:
        return readers[0]

    def read(value: Any) -> Any:
        for reader in readers:
            value = reader(value)
        return value

    return read


def _set_fields(record: Record) -> list[FieldSpec]:
    return [spec for spec in fields_of(type(record)) if spec.name in record.model_fields_set]


#: The types of JSON values that are written unchanged.
_PLAIN = frozenset({str, int, float, bool, NoneType})


def _json(value: Any) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, DocumentView):
        return value._document
    if isinstance(value, Record):
        present = {spec.wire: getattr(value, spec.name) for spec in _set_fields(value)}
        return value.wire() | {wire: _json(each) for wire, each in present.items()}
    if isinstance(value, list | tuple):
        return [_json(each) for each in value]
    if isinstance(value, dict):
        return {key: _json(each) for key, each in value.items()}
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return value.value if isinstance(value, Enum) else value
