"""A pseudo-terminal that runs a command, with input and every byte of output."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from types import TracebackType

from tests.commands.conftest import PATIENCE, Shell


class Terminal:
    """Runs one command, or another Python program, on its own terminal.

    `text` is all that it wrote, escapes included.
    """

    def __init__(self, shell: Shell, *words: str, program: str = "", **more: str) -> None:
        self.text = ""
        command = ["-c", program] if program else ["-m", "svc_tui"]
        self._side, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, *command, *words],
            env=shell.environment(more),
            stdin=inside,
            stdout=inside,
            stderr=inside,
            # The controlling terminal, so that password prompts use it.
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
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
