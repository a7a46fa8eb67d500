"""Signals while a program is busy."""

from __future__ import annotations

import subprocess
import sys

BUSY = """
import asyncio, os, signal
from svc_tui.commands.event_loop import exit_on_signals

async def busy():
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.Event().wait()

async def main():
    task = asyncio.create_task(busy())
    try:
        await asyncio.Event().wait()
    finally:
        print("cleaned up")

with exit_on_signals():
    asyncio.run(main())
"""


def test_a_signal_that_arrives_in_a_task_ends_the_program_without_a_traceback() -> None:
    done = subprocess.run([sys.executable, "-c", BUSY], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (143, "cleaned up\n", "")
