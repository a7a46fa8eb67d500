"""Many waits of one user at once: `python -m tests.bench.waits [--waits 1000] [--every 30]`.

One server process with the small demo data, and as many `svc-tui wait` in one other process, each with a client, a
session, a cache and events of its own. All wait for an application that does not exist. When each has read once, it is
created: how long until each wait has ended, and what the server needed. A user has 20 event sessions; the rest poll.
"""

import argparse
import asyncio
import io
import json
import os
import sys
import tempfile
import time
from contextlib import redirect_stdout
from pathlib import Path

from svc_tui.commands import wait as command
from svc_tui.console.core.waiting import Awaited
from tests.commands.conftest import Shell, serving
from tests.support.kept import keep_in

NAME = "Awaited"
#: Seconds that all waits may take, beyond the time between two reads.
BOUND = 120.0


async def together(count: int, every: float, shell: Shell) -> tuple[float, float]:
    """Seconds until each wait has read once, and from the change until each has ended. TimeoutError if a wait hangs."""
    made: list[Awaited] = []

    class Noted(Awaited):
        def __init__(self, *given: object, **named: object) -> None:
            super().__init__(*given, **named)
            made.append(self)

    resource, link = command._target("applications", f"name:={NAME}")
    before, command.Awaited = command.Awaited, Noted
    started = time.perf_counter()
    waits = [asyncio.create_task(command._wait(resource, link, False, None, every, "")) for _ in range(count)]
    try:
        async with asyncio.timeout(BOUND + every):
            known: set[int] = set()
            while len(known) < count:
                known |= {at for at, each in enumerate(made) if each.matches is not None}
                await asyncio.sleep(0.1)
        read = time.perf_counter()
        body = json.dumps({"name": NAME, "type": "web", "activity": "J"})
        done = await asyncio.to_thread(shell.run, "call", "create_application", "--body", body)
        assert done.returncode == 0, done.stderr
        changed = time.perf_counter()
        async with asyncio.timeout(BOUND + 1.25 * every):
            await asyncio.gather(*waits)
        return read - started, time.perf_counter() - changed
    finally:
        command.Awaited = before
        for each in waits:
            each.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


def main() -> int:
    """Serve, wait and print the figures; an error when a wait failed or did not end in time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--waits", type=int, default=1000)
    parser.add_argument("--every", type=float, default=30.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        keep_in(folder / "kept")
        (folder / "service").mkdir()
        with serving(folder / "service") as address:
            shell = Shell(folder).use(address).log_in()
            os.environ.update({key: value for key, value in shell.environment().items() if key.startswith("SVC_TUI_")})
            with redirect_stdout(io.TextIOWrapper(io.BytesIO())):
                read, ended = asyncio.run(together(options.waits, options.every, shell))
    used = os.times()
    print(f"{options.waits} waits, a read every {options.every:g} s without an event:")
    print(f"each has read once after {read:.1f} s, each has ended {ended:.1f} s after the change")
    print(f"processor time: server {used.children_user + used.children_system:.1f} s, waits {used.user:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
