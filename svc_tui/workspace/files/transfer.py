"""The state of an upload or a download."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

TransferState = Literal["new", "running", "done", "stopped", "failed"]


class Transfer:
    """Base of uploads and downloads. The state is `stopped` when the task that runs it was cancelled."""

    state: TransferState = "new"

    @contextmanager
    def running(self) -> Iterator[None]:
        """The transfer runs during the block; the way the block ends sets the state."""
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
