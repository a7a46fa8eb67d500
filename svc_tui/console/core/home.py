"""What an area adds to the start page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from svc_tui.console.core.lazy import load

if TYPE_CHECKING:
    from svc_tui.workspace.workspace import Workspace

#: The number of records that need attention, from one request. ReadError when it cannot be read.
Count = Callable[["Workspace"], Awaitable[int]]


@dataclass(frozen=True, kw_only=True)
class Attention:
    """Records that need attention, and the place that lists them, with a filter if it lists others too."""

    #: What they need, for one record and for several.
    one: str
    several: str
    place: str
    #: Lazy name of the `Count`.
    count: str
    filter: str = ""

    def counting(self) -> Count:
        """The function that counts them, imported."""
        count: Count = load(self.count)
        return count


@dataclass(frozen=True, kw_only=True)
class Job:
    """Something to do, as a suggestion, and the place where it begins."""

    text: str
    place: str
