"""What happened before this server counted: nothing, or what a demo makes up, always the same."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Protocol

Document = dict[str, Any]


class History(Protocol):
    """Numbers of the past that no record holds."""

    def usage(self, application: Document, hour: datetime) -> dict[str, int]:
        """How often each group was used by an application within an hour (UTC)."""
        ...

    def day(self, companies: Iterable[tuple[str, int]], day: date) -> Document:
        """`users`, `systems` and `usages` of companies on a day, added up; empty where nothing is known.

        Of each company it takes the identifier and how many users it had.
        """
        ...


class NoHistory:
    """A server that knows only what it counted itself."""

    def usage(self, application: Document, hour: datetime) -> dict[str, int]:
        return {}

    def day(self, companies: Iterable[tuple[str, int]], day: date) -> Document:
        return {}
