"""Pictures are taken at one moment: neither the service nor the console sees another day than that of the demo data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, tzinfo
from typing import Self
from unittest import mock

from svc_tui.workspace.workspace import Workspace
from tests.support.clock import SetClock

MOMENT = SetClock().now()
#: What reads the clock on the wall by itself.
_READERS = (
    "svc_tui.console.values",
    "svc_tui.console.recordings",
    "svc_tui.console.subscribing",
    "svc_tui.console.dialogs.flow",
    "svc_tui.console.resources.subscriptions",
    "svc_tui.console.resources.authentication",
)
_SERVER = f"""
import sys
from datetime import datetime
from svc_tui.server.clock import SystemClock
SystemClock.now = lambda clock: datetime.fromisoformat({MOMENT.isoformat()!r})
from svc_tui.server.serve import serve
sys.exit(serve(**{{options!r}}))
"""


class _Still(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls.fromtimestamp(MOMENT.timestamp(), tz)


@contextmanager
def service_stands_still() -> Iterator[None]:
    """A server that is started meanwhile never sees another moment."""
    with mock.patch("tests.support.process._PROGRAM", _SERVER):
        yield


@contextmanager
def console_stands_still() -> Iterator[None]:
    """A console that is opened meanwhile never sees another moment."""
    assert Workspace.__init__.__kwdefaults__ is not None
    with ExitStack() as stack:
        stack.enter_context(mock.patch.dict(Workspace.__init__.__kwdefaults__, now=MOMENT.timestamp))
        for module in _READERS:
            stack.enter_context(mock.patch(f"{module}.datetime", _Still))
        yield
