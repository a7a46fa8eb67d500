"""From an operation and its values to a request: address, body, headers without credentials; and lists page by page,
never endless.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from svc_tui.client.brand import Brand
from svc_tui.client.content import Content, Sink, Stream
from svc_tui.client.credentials import common, new_correlation
from svc_tui.client.masking import secrets_in
from svc_tui.client.profile import Profile
from svc_tui.interface.envelopes import DEFAULT_LIMIT, Page
from svc_tui.interface.operations import FORM, AnyOperation
from svc_tui.interface.records import Record
from svc_tui.language import _

RequestValues = Record | Mapping[str, Any] | None
Body = RequestValues | Content | Stream


@dataclass(frozen=True, slots=True)
class Request:
    """A request, the same in every attempt but for its credentials, in the words of the deployment.

    `secrets` are the wire names that must not enter a log. `raw` is a body that is not JSON, `sink` takes the response
    body.
    """

    operation: AnyOperation
    url: str
    content: bytes | None
    headers: Mapping[str, str]
    secrets: frozenset[str]
    raw: Content | Stream | None = None
    sink: Sink | None = None


def build(
    profile: Profile, brand: Brand, operation: AnyOperation, path: Mapping[str, str], query: RequestValues, body: Body
) -> Request:
    """The request of one call. ValueError without a path parameter, or without a body that is not JSON."""
    template = operation if brand.plain else replace(operation, path=brand.path(operation.path))
    url = profile.base_url + template.url(**path)
    parameters = brand.deployment_values(_by_wire_name(query), operation.query)
    encoded = urlencode(
        [(name, parameter_text(value)) for name, value in parameters.items() if value is not None], quote_via=quote
    )
    headers = brand.deployment_headers(common(profile, new_correlation()))
    if operation.gives:
        headers["accept"] = ", ".join((*operation.gives, "application/json"))
    content: bytes | None = None
    raw: Content | Stream | None = None
    if operation.takes or isinstance(body, (Content, Stream)):
        raw = _raw(operation, body)
        headers["content-type"] = raw.type
        if isinstance(raw, Content):
            content = raw.data
        elif raw.size is not None:
            headers["content-length"] = str(raw.size)
    elif body is not None or operation.sends_body:
        values = brand.deployment_values(_by_wire_name(body), operation.body)
        content = urlencode(values).encode() if operation.sends_form else _json(values)
        headers["content-type"] = FORM if operation.sends_form else "application/json"
    secrets = frozenset(brand.deployment_name(name) for name in secrets_in(operation))
    return Request(operation, f"{url}?{encoded}" if encoded else url, content, headers, secrets, raw)


def _raw(operation: AnyOperation, body: Body) -> Content | Stream:
    if not operation.takes:
        raise ValueError(_("{id} does not accept this kind of body").format(id=operation.id))
    if not isinstance(body, (Content, Stream)):
        raise ValueError(
            _("{id} needs a body of {takes}").format(id=operation.id, takes=_(" or ").join(operation.takes))
        )
    return body


def _by_wire_name(values: RequestValues) -> Mapping[str, Any]:
    if values is None:
        return {}
    return values.wire() if isinstance(values, Record) else values


def parameter_text(value: Any) -> str:
    """A value as a query parameter: true, ISO 8601 in UTC, comma-separated."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return parameter_text(value.value)
    if isinstance(value, datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=UTC)
        return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(parameter_text(item) for item in value)
    return str(value)


def _json(values: Mapping[str, Any]) -> bytes:
    # Half a surrogate pair, which a terminal can send, has no UTF-8: it is sent escaped.
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=parameter_text)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(values, separators=(",", ":"), default=parameter_text).encode()


T = TypeVar("T")

#: More pages than any list has; the limit for a service that never ends a list.
MOST_PAGES = 20_000


async def follow(fetch: Callable[[int], Awaitable[Page[T]]], offset: int, limit: int | None) -> AsyncIterator[Page[T]]:
    """The pages from `offset` on. `fetch` gets the page at an offset, `limit` is the requested one (None: default).

    The total of each response counts, so that a growing or shrinking list is read to its present end. After a short
    page reading continues while the total is larger. An empty page is the end.
    """
    before: Page[T] | None = None
    for _page in range(MOST_PAGES):
        page = await fetch(offset)
        # A service that ignores `offset` always responds with the first page.
        if not page.data or (before is not None and page.data == before.data and page.offset != offset):
            return
        yield page
        offset += len(page.data)
        short = len(page.data) < min(limit or DEFAULT_LIMIT, page.limit or DEFAULT_LIMIT)
        if offset >= page.total if page.total else short:
            return
        before = page
