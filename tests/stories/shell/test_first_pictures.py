"""The first picture of a list from the cache: its rows, cells and footer load no declarations."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.repository.test_first_picture import LATER
from tests.stories.driver import profile, story

#: Opens each place in turn until its first picture, and prints what that tried to load of what comes later.
OPENS = """
import asyncio, json, sys
later, url, *places = json.loads(sys.argv[1])
tried = {}

class Guard:
    place = ""
    def find_spec(self, name, path=None, target=None):
        if name in later:
            tried.setdefault(self.place, name)
            raise ImportError(name)

guard = Guard()
sys.meta_path.insert(0, guard)
from svc_tui.client.profile import Profile
from svc_tui.console.shell.app import Console
from svc_tui.console.terminal.capabilities import capabilities

class FirstPicture(Console):
    def _connect(self):
        assert self.frame.view.listing.total, guard.place
        self.painted.set()

async def opens(place):
    guard.place = place
    console = FirstPicture(Profile(name="demo", base_url=url), place=place, terminal=capabilities({}))
    console.painted = asyncio.Event()
    try:
        async with console.run_test(size=(80, 24)):
            await console.painted.wait()
    except ImportError:
        pass

async def main():
    for place in places:
        await opens(place)

asyncio.run(main())
print(json.dumps(tried))
"""
#: Lists with actions whose rules read the declarations. Telephony and entries of directories still load them for cells.
PLACES = ("applications", "companies", "users", "subscriptions", "offers", "licences")


async def test_the_first_picture_of_a_filled_list_loads_no_declarations(service: str) -> None:
    async with story(profile(service), first="home") as person:
        await person.sees("out of licences")
        for place in PLACES:
            await person.goes(place)
            await person.is_ready()
            assert person.app.frame.view.record is not None
    words = json.dumps([LATER, service, *PLACES])
    done = subprocess.run([sys.executable, "-c", OPENS, words], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {}
