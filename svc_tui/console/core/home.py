"""What an area adds to the start page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.places import Link, Place
from svc_tui.language import _, plural
from svc_tui.workspace.lists.list_reader import list_key

if TYPE_CHECKING:
    from svc_tui.workspace.workspace import Workspace

#: The most companies that the start page reads for its numbers.
MOST_COMPANIES = 50


@dataclass(frozen=True, slots=True)
class Number:
    """How many records need attention. `at_least`: not all records were read.

    `totals` are the lengths of whole lists that the same response contains, by the name of their place. `link` leads to
    these records where they are not at the place of the attention.
    """

    value: int
    at_least: bool = False
    totals: Mapping[str, int] = field(default_factory=dict)
    link: Link | None = None
    #: Since when, or until when, in words: `for 75 days`, `the next in 6 days`; empty where no record says it.
    age: str = ""


def since(moment: object, now: float) -> str:
    """How long something needs attention, in whole days: `since today`, `for 3 days`; empty for no time."""
    try:
        began = datetime.fromisoformat(str(moment).replace("Z", "+00:00"))
    except ValueError:
        return ""
    days = int((now - began.timestamp()) // 86_400)
    if days < 1:
        return _("since today")
    return plural(days, "for {number} day", "for {number} days").format(number=days)


class SharedReads:
    """The responses for the numbers of one visit; a request that several numbers need is sent once."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._requests: dict[str, asyncio.Task[Any]] = {}

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        """The body of a response. ReadError without one."""
        key = list_key(operation_id, path, query)
        if key not in self._requests:
            self._requests[key] = asyncio.ensure_future(self.workspace.read(operation_id, path, query))
        return await asyncio.shield(self._requests[key])

    async def companies(self) -> tuple[list[dict[str, Any]], int]:
        """The first companies of the caller, at most `MOST_COMPANIES`, and how many there are."""
        query = {"format": "full", "limit": MOST_COMPANIES, "offset": 0}
        body = await self.read("list_companies", {}, query)
        return list(body.get("data") or ()), int(body.get("total") or 0)


#: The number of records that need attention. ReadError when it cannot be read.
Count = Callable[[SharedReads], Awaitable[Number]]


@dataclass(frozen=True, kw_only=True)
class Attention:
    """Records that need attention, and the place that lists them, with a filter if it lists others too."""

    #: What they need, for one record and for several.
    one: str
    several: str
    place: str
    count: Count
    filter: str = ""
    #: The places whose lengths are in `Number.totals`.
    lengths: tuple[str, ...] = ()

    def leads_to(self, number: Number) -> Link:
        """The records that were counted."""
        return number.link or Link(Place((self.place,)), self.filter)


@dataclass(frozen=True, kw_only=True)
class SuggestedTask:
    """Something to do, as a suggestion, and the place where it begins."""

    text: str
    place: str
    #: The operation that it leads to; empty where reading the place is all. Roles that may not call it do not see it.
    operation: str = ""
