"""Pictures are taken at one moment: neither the service nor the console sees another day than that of the demo data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Self
from unittest import mock

from svc_tui import console
from svc_tui.workspace.workspace import Workspace
from tests.support.clock import SetClock

MOMENT = SetClock().now()
_CONSOLE = Path(console.__file__).parent
_SERVER = f"""
import sys
from datetime import datetime
from svc_tui.server.clock import SystemClock
SystemClock.now = lambda clock: datetime.fromisoformat({MOMENT.isoformat()!r})
from svc_tui.server.serve import serve
sys.exit(serve(**{{options!r}}))
"""


def _readers() -> Iterator[str]:
    """The modules of the console that read the clock on the wall by themselves."""
    for file in sorted(_CONSOLE.rglob("*.py")):
        if "datetime.now(" in file.read_text(encoding="utf-8"):
            yield ".".join(("svc_tui", "console", *file.relative_to(_CONSOLE).with_suffix("").parts))


class _Still(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls.fromtimestamp(MOMENT.timestamp(), tz)


@contextmanager
def service_stands_still() -> Iterator[None]:
    """A server that is started during this time never sees another moment."""
    with mock.patch("tests.support.process._PROGRAM", _SERVER):
        yield


@contextmanager
def console_stands_still() -> Iterator[None]:
    """A console that is opened during this time never sees another moment."""
    assert Workspace.__init__.__kwdefaults__ is not None
    with ExitStack() as stack:
        stack.enter_context(mock.patch.dict(Workspace.__init__.__kwdefaults__, now=MOMENT.timestamp))
        for module in _readers():
            stack.enter_context(mock.patch(f"{module}.datetime", _Still))
        yield
