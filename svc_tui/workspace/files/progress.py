"""Something long that runs once: how far it has come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

State = Literal["new", "running", "done", "stopped", "failed"]


class UnderWay:
    """Base of what is sent and saved. `state` is how it stands; `stopped` when what ran it was cancelled."""

    state: State = "new"

    @contextmanager
    def running(self) -> Iterator[None]:
        """It runs for the length of a block, which decides how it ended."""
        self.state = "running"
        try:
            yield
        except Exception:
            self.state = "failed"
            raise
        except BaseException:
            self.state = "stopped"
            raise
        self.state = "done"
