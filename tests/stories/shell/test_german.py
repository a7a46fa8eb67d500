"""The console in another language: the tour walks through it, and finds the texts that it expects."""

from __future__ import annotations

import os
import subprocess
import sys

#: Takes the tour in German, prints its last screen and ends with the exit code of the console.
TOUR = """
import asyncio, sys
from svc_tui.language import use
use("de")
from svc_tui.console.core.demo import Demo
from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT
from tests.stories.driver import profile, story

async def main():
    demo = Demo(lambda: "", tour=0)
    async with story(profile(sys.argv[1], DEFAULT_ACCOUNT.login), first="home", demo=demo) as user:
        while user.app.return_value is None:
            await user.pilot.pause(0.05)
        print(user.screen)
        return user.app.return_value

sys.exit(asyncio.run(main()))
"""


def test_the_tour_walks_through_a_console_in_german(service: str) -> None:
    words = [sys.executable, "-c", TOUR, service]
    done = subprocess.run(words, env=dict(os.environ), capture_output=True, text=True, timeout=170, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert "Braucht Aufmerksamkeit" in done.stdout and "Needs attention" not in done.stdout
