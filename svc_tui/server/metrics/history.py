"""What happened before this server counted: nothing, or what a demo makes up, always the same."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Protocol

Document = dict[str, Any]


class History(Protocol):
    """Numbers of the past that no record holds."""

    def usage(self, application: Document, hour: datetime) -> dict[str, int]:
        """How often each group was used by an application within an hour (UTC)."""
        ...

    def day(self, company: Document, day: date, users: int) -> Document:
        """`users`, `systems` and `usages` of a company of so many users on a day; empty where nothing is known."""
        ...


class NoHistory:
    """A server that knows only what it counted itself."""

    def usage(self, application: Document, hour: datetime) -> dict[str, int]:
        return {}

    def day(self, company: Document, day: date, users: int) -> Document:
        return {}
