"""The console in another language: the tour finds the texts that it expects, and findings and quotations are German."""

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

#: Prints the overview of a user and a quotation in German.
VIEWS = """
import asyncio, sys
from svc_tui.language import use
use("de")
from svc_tui.server.demo.accounts import DEFAULT_ACCOUNT
from tests.stories.driver import profile, story

async def main():
    async with story(profile(sys.argv[1], DEFAULT_ACCOUNT.login), place="users?filter=arslan") as user:
        await user.is_ready()
        await user.press("enter")
        await user.sees("Nur intern", "Darf anrufen")
        print(user.screen)
        await user.press("4")
        await user.sees("11/200")
        await user.press("u")
        await user.sees("900,00", "HEUTE")
        print(user.screen)

asyncio.run(main())
"""

#: Opens every place and its first record in German; prints what has an internal error or a day in the English form.
PLACES = """
import asyncio, re, sys
from svc_tui.language import use
use("de")
from svc_tui.console.shell.resources import ALL
from tests.stories.driver import profile, story

async def main():
    async with story(profile(sys.argv[1], "superadmin@demo.example"), first="home", size=(120, 40)) as user:
        await user.is_ready()
        for resource in ALL:
            await user.goes(resource.name)
            for keys in ((), ("enter",)):
                await user.press(*keys)
                await user.is_ready()
                wrong = [line for line in user.lines if re.search("Interner Fehler|[0-9]{4}-[0-9]{2}-[0-9]{2}", line)]
                print(*(f"{resource.name} {keys}: {line}" for line in wrong), sep="\\n", end="\\n" if wrong else "")

asyncio.run(main())
"""


def test_the_tour_walks_through_a_console_in_german(service: str) -> None:
    words = [sys.executable, "-c", TOUR, service]
    done = subprocess.run(words, env=dict(os.environ), capture_output=True, text=True, timeout=170, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert "Erfordert Aufmerksamkeit" in done.stdout and "Needs attention" not in done.stdout


def test_findings_and_quotations_have_german_labels(service: str) -> None:
    words = [sys.executable, "-c", VIEWS, service]
    done = subprocess.run(words, env=dict(os.environ), capture_output=True, text=True, timeout=170, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert not {"Calls", "Recording", "none", "TODAY", "on"} & {*done.stdout.split()}, done.stdout


def test_every_place_and_its_first_record_open_in_german_with_days_in_german(service: str) -> None:
    words = [sys.executable, "-c", PLACES, service]
    done = subprocess.run(words, env=dict(os.environ), capture_output=True, text=True, timeout=170, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr[-2000:]
