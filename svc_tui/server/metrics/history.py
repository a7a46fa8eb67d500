"""Numbers of the time before this server counted: none, or the invented ones of the demo."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Protocol

from svc_tui.server.metrics.demo_history import DemoHistory
from svc_tui.server.service import Service

Document = dict[str, Any]


class History(Protocol):
    """Numbers of the past that are not in the store."""

    def usage(self, application: Document, hour: datetime) -> dict[str, int]:
        """The use of each group by an application within an hour (UTC)."""
        ...

    def day(self, companies: Iterable[tuple[str, int]], day: date) -> Document:
        """The sum of `users`, `systems` and `usages` of companies on a day; empty when unknown.

        Each company is given by its id and its number of users.
        """
        ...


class NoHistory:
    """A server without numbers of the time before it counted."""

    def usage(self, application: Document, hour: datetime) -> dict[str, int]:
        return {}

    def day(self, companies: Iterable[tuple[str, int]], day: date) -> Document:
        return {}


def history_of(service: Service) -> History:
    """The numbers of the time before this server: invented in a demo, otherwise none."""
    return DemoHistory() if service.settings.demo else NoHistory()
