"""Copying from a terminal program: the buffer of tmux, OSC 52, or a file, with a message about the way."""

import asyncio
import base64
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from svc_tui.console.terminal.capabilities import ClipboardWay
from svc_tui.language import _

#: The most bytes of base64 that xterm and similar terminals accept in an OSC 52; they cut or ignore more.
OSC52_LIMIT = 74_994
_FILE = "copied.txt"


@dataclass(frozen=True, slots=True)
class CopyResult:
    """The result of a copy. `way` is None when no way worked; `sentence` is the message."""

    way: ClipboardWay | None
    sentence: str
    path: Path | None = None


async def copy(
    text: str, ways: Iterable[ClipboardWay], send: Callable[[str], object], folder: Path, *, patience: float = 2.0
) -> CopyResult:
    """Copy a text unchanged, by the first way that works.

    `ways` come from `Capabilities.clipboard`; `send` writes a control sequence to the terminal; `folder` is for the
    file; `patience` are the seconds that tmux may take.
    """
    data = text.encode("utf-8", "surrogatepass")
    error_message = ""
    for way in ways:
        if way == "tmux" and await _into_tmux(data, patience):
            return CopyResult(
                "tmux", _("Copied to the tmux buffer, which tmux offers to the clipboard of your terminal.")
            )
        if way == "osc52" and (sequence := osc52(data)):
            send(sequence)
            return CopyResult(
                "osc52", _("Sent to the clipboard of your terminal (OSC 52). Some terminals ignore this.")
            )
        if way == "file":
            try:
                path = await asyncio.to_thread(_into_file, data, folder)
            except OSError as error:
                error_message = _(": {folder} cannot be written ({reason})").format(
                    folder=folder, reason=error.strerror or error
                )
            else:
                return CopyResult("file", _("Written to {path}, which only you can read.").format(path=path), path)
    return CopyResult(None, _("Nothing was copied{reason}.").format(reason=error_message))


def osc52(data: bytes) -> str:
    """The sequence that puts bytes into the clipboard of the terminal; empty when there are too many."""
    encoded = base64.b64encode(data).decode("ascii")
    return f"\x1b]52;c;{encoded}\x07" if len(encoded) <= OSC52_LIMIT else ""


async def _into_tmux(data: bytes, patience: float) -> bool:
    """Load the tmux buffer; `-w` passes it to the outer terminal, since tmux 3.2."""
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
    """Write a file that only the user can read, completely or not at all."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=folder, prefix=".copied-")  # Created with mode 0600.
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        return Path(name).replace(folder / _FILE)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
