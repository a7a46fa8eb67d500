"""A console on a pseudo-terminal: its output, its size, the files that it saved, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import re
import signal
import struct
import sys
import termios
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from svc_tui.workspace.files.saved_files import VARIABLE as SAVED_FILES

#: Seconds that a console has to end.
END_SECONDS = 5.0
_PIECE = 65_536
_COLUMNS, _ROWS = (20, 500), (5, 300)
#: Modes of the terminal, for example the other screen, the mouse and pasted text.
_MODE = re.compile(rb"\x1b\[\?([\d;]+)([hl])")
#: A piece can end in the middle of a sequence; none of these is longer.
_LONGEST_SEQUENCE = 32


class Size(NamedTuple):
    """The size of a terminal in cells."""

    columns: int = 80
    rows: int = 24


class ConsoleProcess:
    """One console; `start` makes it."""

    def __init__(self, process: Process, terminal: int, files: int) -> None:
        self._process, self._terminal, self._files = process, terminal, files
        self._modes: dict[bytes, bytes] = {}
        self._tail = self._names = b""

    @classmethod
    async def start(cls, words: Sequence[str], environment: Mapping[str, str], size: Size) -> ConsoleProcess:
        """Start `svc-tui` with these arguments. OSError when that is not possible."""
        terminal, inside = os.openpty()
        files, files_inside = os.pipe()
        _set_size(terminal, size)
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "svc_tui.web.child", *words),
                stdin=inside,
                stdout=inside,
                stderr=inside,
                env={**environment, SAVED_FILES: f"{files_inside}:{os.fstat(files_inside).st_ino}"},
                pass_fds=[files_inside],
                start_new_session=True,
            )
        except OSError:
            os.close(terminal)
            os.close(files)
            raise
        finally:
            os.close(inside)
            os.close(files_inside)
        os.set_blocking(terminal, False)
        os.set_blocking(files, False)
        return cls(process, terminal, files)

    @property
    def modes(self) -> bytes:
        """The sequences that bring a new terminal into the state that the console expects."""
        return b"".join(b"\x1b[?%s%s" % mode for mode in self._modes.items())

    async def output(self) -> bytes:
        """The next output; empty at the end."""
        while True:
            await _ready(self._terminal, asyncio.get_running_loop().add_reader)
            try:
                data = os.read(self._terminal, _PIECE)
            except BlockingIOError:
                continue
            except OSError:  # Linux reports the end of the last process as an error.
                return b""
            self._remember_modes(data)
            return data

    def _remember_modes(self, data: bytes) -> None:
        known = self._tail + data
        for numbers, state in _MODE.findall(known):
            for number in numbers.split(b";"):
                self._modes[number] = state
        self._tail = known[-_LONGEST_SEQUENCE:]

    async def saved_file(self) -> Path | None:
        """The next file that the console saved for its user; None at the end."""
        while b"\0" not in self._names:
            await _ready(self._files, asyncio.get_running_loop().add_reader)
            with contextlib.suppress(BlockingIOError):
                piece = os.read(self._files, _PIECE)
                if not piece:
                    return None
                self._names += piece
        name, _, self._names = self._names.partition(b"\0")
        return Path(os.fsdecode(name))

    async def write(self, data: bytes) -> None:
        """Type into the console."""
        while data:
            try:
                data = data[os.write(self._terminal, data) :]
            except BlockingIOError:
                await _ready(self._terminal, asyncio.get_running_loop().add_writer)
            except OSError:
                return

    def resize(self, size: Size) -> None:
        """Set the size of the terminal. Sizes that no screen has are limited."""
        _set_size(self._terminal, size)

    def repaint(self) -> None:
        """Make the console send its whole screen."""
        self._signal(signal.SIGWINCH)

    async def wait(self) -> int:
        """Wait for the end; the exit code."""
        return await self._process.wait()

    async def end(self) -> None:
        """End the console as a closed terminal does; what does not end is killed. Its output must still be read."""
        self._signal(signal.SIGHUP)
        try:
            await asyncio.wait_for(self._process.wait(), END_SECONDS)
        except TimeoutError:
            self._signal(signal.SIGKILL)
            await self._process.wait()

    def close(self) -> None:
        """Close the terminal, after the end of the console and of its readers."""
        os.close(self._terminal)
        os.close(self._files)

    def _signal(self, number: signal.Signals) -> None:
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)


def _set_size(terminal: int, size: Size) -> None:
    columns, rows = _within(size.columns, _COLUMNS), _within(size.rows, _ROWS)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _within(number: int, limits: tuple[int, int]) -> int:
    return max(limits[0], min(number, limits[1]))


async def _ready(descriptor: int, watch: Callable[..., object]) -> None:
    """Wait until the loop's `add_reader` or `add_writer` reports a descriptor."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    watch(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        (loop.remove_reader if watch == loop.add_reader else loop.remove_writer)(descriptor)
