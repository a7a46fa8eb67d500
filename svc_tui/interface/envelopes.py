"""The shapes of responses (section 4, general rules), the query of every list, and the body of errors (section 7)."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, Literal, TypeVar

from svc_tui.interface.field_specs import ReadFormat
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record

T = TypeVar("T")

DEFAULT_LIMIT = 100
#: Largest page that a client can request.
LARGEST_LIMIT = 1000


class Page(Record, Generic[T]):
    """One page of a list."""

    ALWAYS: ClassVar = ("data", "limit", "offset", "total")

    data: list[T]
    limit: int = DEFAULT_LIMIT
    offset: int = 0
    total: int = 0


class Single(Record, Generic[T]):
    """One record."""

    data: T
    status: str | None = None


class Plain(Record, Generic[T]):
    """A list without paging."""

    data: list[T]


class Done(Record):
    """The response of a change without a record."""

    status: str = ""
    data: Any = None


class ListQuery(Record):
    """The query of every list operation (section 4)."""

    DEFAULT_SORT: ClassVar[str] = "name"

    format: ReadFormat = field("small", help="Number of fields in each record")
    limit: int = field(DEFAULT_LIMIT, ge=1, le=LARGEST_LIMIT, help="Records per page")
    offset: int = field(0, ge=0, help="Records to skip; empty beyond the total")
    sort_field: str | None = field(None, help="Field to sort by")
    sort_order: Literal[-1, 1] = field(1, help="1 ascending, -1 descending")


class FormatQuery(Record):
    """The read format of a single record."""

    format: ReadFormat = field("full", help="Number of fields in the record")


class ErrorBody(Record):
    """The body of every refusal. Details are a text, one {param, msg, value}, or a list of these."""

    ALWAYS: ClassVar = ("errorCode", "errorMsg", "errorDetails")

    error_code: int = 500
    error_msg: str = ""
    error_details: str | dict[str, Any] | list[dict[str, Any]] | None = None
    error_details_code: int | None = None
