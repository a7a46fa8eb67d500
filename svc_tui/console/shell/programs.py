"""Programs of this machine: beside the console with bounded time and output, or on its terminal while it waits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text

#: The most output that is kept, in bytes.
MOST_OUTPUT = 1_000_000


@dataclass(frozen=True, slots=True)
class Result:
    """The output of a program, and why it failed; empty when it did not."""

    output: str
    failure: str = ""


async def execute(words: Sequence[str], environment: Mapping[str, str], seconds: float) -> Result:
    """Run a program without input, with both outputs together. It ends with the task, and after the time."""
    try:
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=dict(environment),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return _not_started(words, error)
    try:
        output, complete = await asyncio.wait_for(_output(process), seconds)
        code = await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        return Result(
            "", _("did not end and was stopped after {seconds}.").format(seconds=counted(round(seconds), "second"))
        )
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    text = output.decode("utf-8", "replace")
    if not complete:
        return Result(
            text, _("stopped after {most_output} bytes of output.").format(most_output=number_text(MOST_OUTPUT))
        )
    last = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
    return Result(text, f"{_('exit code {code}.').format(code=code)} {last}".rstrip() if code else "")


def run_on_terminal(words: Sequence[str], environment: Mapping[str, str]) -> Result:
    """Run a program that has the terminal until its end. ctrl+c is for the program alone."""
    # A handler, unlike ignoring, is not inherited by the program.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        code = subprocess.run(list(words), env=dict(environment), check=False).returncode
    except (OSError, ValueError) as error:
        return _not_started(words, error)
    finally:
        signal.signal(signal.SIGINT, before)
    return Result("", _("exit code {code}.").format(code=code) if code else "")


def _not_started(words: Sequence[str], error: Exception) -> Result:
    reason = _("not found") if isinstance(error, FileNotFoundError) else getattr(error, "strerror", None) or error
    return Result("", _("cannot run {words}: {reason}.").format(words=words[0], reason=reason))


async def _output(process: asyncio.subprocess.Process) -> tuple[bytes, bool]:
    """The output, and whether it is complete."""
    assert process.stdout is not None
    found = bytearray()
    while chunk := await process.stdout.read(1 << 16):
        found += chunk
        if len(found) > MOST_OUTPUT:
            return bytes(found[:MOST_OUTPUT]), False
    return bytes(found), True
