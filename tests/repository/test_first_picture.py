"""The first picture, a list or the start page: what is loaded until then delays every start."""

from __future__ import annotations

from tests.repository.test_imports import SERVER_SIDE, loaded, within

#: Opens the console on an empty cache and stops where it would connect: the first picture is painted then.
FIRST_PICTURE = """
PLACE = "applications"
import asyncio, os, tempfile
folder = tempfile.TemporaryDirectory()
for name in ("CONFIG", "CACHE", "DATA"):
    os.environ[f"SVC_TUI_{name}_DIR"] = os.path.join(folder.name, name)
from svc_tui.client.profile import Profile
from svc_tui.console.shell.app import Console
from svc_tui.console.terminal.capabilities import capabilities

async def open_list():
    painted = asyncio.Event()
    class FirstPicture(Console):
        def _connect(self):
            assert self.frame.view.place.kind == PLACE
            painted.set()
    profile = Profile(name="demo", base_url="http://127.0.0.1:9")
    async with FirstPicture(profile, place=PLACE, terminal=capabilities({})).run_test():
        await painted.wait()

asyncio.run(open_list())
"""
#: Libraries and parts that only what comes after the first picture needs.
LATER = (
    "pydantic",
    "httpx",
    "PIL",
    "fpdf",
    "phonenumbers",
    "segno",
    "pyotp",
    "svc_tui.interface.records",
    "svc_tui.client.client",
    "svc_tui.server",
    *SERVER_SIDE,
)


def test_the_first_painted_list_has_loaded_neither_records_nor_libraries_for_later() -> None:
    modules = loaded(FIRST_PICTURE)
    assert "svc_tui.console.views.list" in modules
    assert not within(modules, LATER)


def test_the_start_page_loads_as_little_as_the_first_list() -> None:
    modules = loaded(FIRST_PICTURE.replace('"applications"', '"home"'))
    assert "svc_tui.console.shell.home_view" in modules
    assert not within(modules, LATER)


#: The work after the first picture, where nothing answers: until that is in the status line.
CONNECTED = FIRST_PICTURE.replace(
    """        def _connect(self):
            assert self.frame.view.place.kind == PLACE
            painted.set()
""",
    """        def _connect(self):
            super()._connect()
            show_message = self.frame.show_message
            self.frame.show_message = lambda *words: (show_message(*words), painted.set())
""",
)


#: Modules of areas that declare none of the operations that a start calls.
NOT_CALLED = (
    "voice.subscribers",
    "voice.cloudpbx",
    "companies.records",
    "authentication.api_keys",
    "authentication.oauth",
)


def test_what_follows_the_first_list_loads_the_client_and_the_records_of_its_operations_alone() -> None:
    areas = within(loaded(CONNECTED), ("svc_tui.interface",))
    assert "svc_tui.interface.applications.records" in areas
    assert not within(areas, tuple(f"svc_tui.interface.{module}" for module in NOT_CALLED))


#: A demo until what it needs would be loaded; `--tour` as well.
FIRST_LINE = """
from svc_tui.commands import demo_start, start

opened = []
demo_start.prepare_console = lambda **_: None
demo_start.demo_console = type("Opens", (), {"open_demo": lambda loaded, **options: opened.append(options) or 0})
assert start.run(["demo"]) == start.run(["demo", "--tour"]) == 0
assert opened == [{}, {"tour": True}], opened
"""


def test_the_first_line_of_a_demo_waits_neither_for_the_parser_nor_for_the_demo() -> None:
    assert not within(loaded(FIRST_LINE), ("asyncio", "cyclopts", "textual", "subprocess", "svc_tui.server"))
