"""A pseudo-terminal with a command in it: see, type, and every byte that reached the screen."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from types import TracebackType

from tests.commands.conftest import PATIENCE, Shell


class Terminal:
    """Runs one command on a terminal of its own. `text` is all that it wrote, escapes included."""

    def __init__(self, shell: Shell, *words: str, **more: str) -> None:
        self.text = ""
        self._side, inside = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "svc_tui", *words],
            env=shell.environment(more),
            stdin=inside,
            stdout=inside,
            stderr=inside,
            # It becomes the controlling one, so that password prompts find it.
            preexec_fn=_take_terminal,
            start_new_session=True,
        )
        os.close(inside)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._side)

    def see(self, text: str) -> None:
        """Wait until the command has written this."""
        while text not in self.text:
            if not self._read():
                raise AssertionError(f"the command ended without {text!r}: {self.text!r}")

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self._side, text.encode() + b"\n")

    def press(self, keys: bytes) -> None:
        os.write(self._side, keys)

    def end(self) -> int:
        """Wait for the end; the exit code."""
        while self._read():
            pass
        return self.process.wait(PATIENCE)

    def _read(self) -> bool:
        if not select.select([self._side], [], [], PATIENCE)[0]:
            raise AssertionError(f"the command is silent: {self.text!r}")
        try:
            data = os.read(self._side, 65536)
        except OSError:
            return False
        self.text += data.decode(errors="replace")
        return bool(data)


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
