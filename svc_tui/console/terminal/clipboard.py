"""Copying from a terminal program: tmux's buffer, OSC 52, or a file, and an honest word about which one it was."""

import asyncio
import base64
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from svc_tui.console.terminal.capabilities import ClipboardWay

#: The most that xterm and its kin accept in one OSC 52, in bytes of base64; more is cut off or thrown away silently.
OSC52_LIMIT = 74_994
_FILE = "copied.txt"


@dataclass(frozen=True, slots=True)
class Copied:
    """Where a copy went. `way` is None when nothing worked; `sentence` says what is known about it, for people."""

    way: ClipboardWay | None
    sentence: str
    path: Path | None = None


async def copy(
    text: str, ways: Iterable[ClipboardWay], send: Callable[[str], object], folder: Path, *, patience: float = 2.0
) -> Copied:
    """Copy text exactly as it is by the first way that works.

    `ways` come from `Capabilities.clipboard`; `send` writes a control sequence to the terminal; `folder` is ours, for
    the file; `patience` is how long tmux may take, in seconds.
    """
    data = text.encode("utf-8", "surrogatepass")
    trouble = ""
    for way in ways:
        if way == "tmux" and await _into_tmux(data, patience):
            return Copied("tmux", "Copied into tmux's buffer; tmux offers it to your terminal's clipboard too.")
        if way == "osc52" and (sequence := osc52(data)):
            send(sequence)
            return Copied("osc52", "Sent to your terminal's clipboard (OSC 52); not every terminal accepts that.")
        if way == "file":
            try:
                path = await asyncio.to_thread(_into_file, data, folder)
            except OSError as error:
                trouble = f": {folder} cannot be written ({error.strerror or error})"
            else:
                return Copied("file", f"Written to {path}, readable by you alone.", path)
    return Copied(None, f"Nothing was copied{trouble}.")


def osc52(data: bytes) -> str:
    """The sequence that asks a terminal to put bytes into its clipboard; empty when they are too many."""
    encoded = base64.b64encode(data).decode("ascii")
    return f"\x1b]52;c;{encoded}\x07" if len(encoded) <= OSC52_LIMIT else ""


async def _into_tmux(data: bytes, patience: float) -> bool:
    """Load tmux's buffer; `-w` hands it to the outer terminal, which tmux before 3.2 does not know."""
    for options in (["-w"], []):
        if await _run(["tmux", "load-buffer", *options, "-"], data, patience):
            return True
    return False


async def _run(command: list[str], data: bytes, patience: float) -> bool:
    nowhere = asyncio.subprocess.DEVNULL
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=nowhere, stderr=nowhere
        )
    except OSError:
        return False
    try:
        await asyncio.wait_for(process.communicate(data), patience)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        return False
    return process.returncode == 0


def _into_file(data: bytes, folder: Path) -> Path:
    """Write a file that nobody else can read, whole or not at all."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=folder, prefix=".copied-")  # made with mode 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        return Path(name).replace(folder / _FILE)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
