"""The first picture of every kind of view from the cache: its rows, cells, charts and footer load no declarations."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.repository.test_first_picture import LATER
from tests.stories.driver import profile, story

#: Opens each place in turn until its first picture, and prints what that tried to load of what comes later.
OPENS = """
import asyncio, json, sys
later, filled, url, *places = json.loads(sys.argv[1])
tried = {}

class Guard:
    place = ""
    def find_spec(self, name, path=None, target=None):
        if name in later:
            tried.setdefault(self.place, name)

guard = Guard()
sys.meta_path.insert(0, guard)
from svc_tui.client.profile import Profile
from svc_tui.console.shell.app import Console
from svc_tui.console.terminal.capabilities import capabilities

class FirstPicture(Console):
    def _connect(self):
        view = self.frame.view
        if guard.place in filled and not view.listing.total:
            tried.setdefault(guard.place, "no rows")
        self.painted.set()

async def opens(place):
    guard.place = place
    console = FirstPicture(Profile(name="demo", base_url=url), place=place, terminal=capabilities({}))
    console.painted = asyncio.Event()
    async with console.run_test(size=(80, 24)):
        await console.painted.wait()
        # Charts are drawn as soon as the cache has answered.
        view, patience = console.frame.view, 400
        while not getattr(view, "ready", True) and (patience := patience - 1):
            await asyncio.sleep(0.01)
        if not patience:
            tried.setdefault(place, "nothing from the cache")

async def main():
    for place in places:
        await opens(place)

asyncio.run(main())
print(json.dumps(tried))
"""
#: What telephone numbers are written with in the notation of their country, also in a first picture.
NUMBERS = ("phonenumbers",)
#: The account that can show everything.
DEMO = "demo@demo.example"
#: Lists with actions whose rules read the declarations, with money, telephone numbers and states of their area, and
#: views of numbers.
PLACES = (
    "applications",
    "subscriptions",
    "licences",
    "holders",
    "invoices",
    "cloudpbxs",
    "dashboard",
    "statistics",
)
#: The lists among them that have rows with this account.
FILLED = ("applications", "invoices", "cloudpbxs")
#: The same below the first record of a list.
BELOW = {"applications": ("usage/numbers",)}


async def test_the_first_picture_of_every_view_loads_no_declarations(service: str) -> None:
    places = []
    async with story(profile(service, DEMO), first="home") as person:
        await person.is_ready()

        async def visit(place: str) -> None:
            places.append(place)
            await person.goes(place)
            await person.is_ready()

        for place in PLACES:
            await visit(place)
            record = person.app.frame.view.record or {}
            for below in BELOW.get(place, ()):
                await visit(f"{place}/{record['id']}/{below}")
    later = [name for name in LATER if name not in NUMBERS]
    words = json.dumps([later, FILLED, service, *places])
    done = subprocess.run(
        [sys.executable, "-c", OPENS, words], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {}
