"""Plug-ins, installed as users install them: their place and their key work, and a faulty one is named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from svc_tui.server.demo.accounts import accounts
from tests.support.process import ServerProcess
from tests.support.pty import Terminal

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "plugin"
_FAULTY = """
from svc_tui.console.core.actions import RECORDS, Action

def fails(context):
    raise KeyError("owner")

FAILS = Action(
    name="faulty.fails", keys=("f7",), label="Fails", help="Fail", run=fails, views=RECORDS, resource="applications"
)
TAKEN = Action(name="quit", keys=("f8",), label="Stop", help="Stop", run=fails)
"""
#: Views that fail: where the frame asks them, in their own work, while they are drawn, and in their declarations.
_FAILING_VIEWS = """
from textual.screen import ModalScreen
from textual.widgets import Static

from svc_tui.console.core.actions import RECORDS, Action
from svc_tui.console.core.resource import Display, Editing, Resource
from svc_tui.console.views.list import ListView
from svc_tui.console.views.view import View
from svc_tui.console.widgets.list.columns import Column
from svc_tui.workspace.kinds.kind import Kind

class Silent(ListView):
    def compose(self):
        # All is asked while the view is being opened, as the frame may do it too.
        self.status(), self.record, self.resource.display.called({})
        yield from super().compose()

    def status(self):
        raise RuntimeError("no status")

    @property
    def record(self):
        raise RuntimeError("no record")

class Blank(View):
    kind = "report"

    def compose(self):
        raise RuntimeError("no content")

class Ink(Static):
    def render(self):
        raise RuntimeError("no ink")

class Drawn(View):
    kind = "report"

    def compose(self):
        yield Ink()

class Late(View):
    kind = "report"

    def compose(self):
        yield Static("Nothing wrong yet")

    def move(self, by):
        self.post_message(self.Changed())
        self.set_timer(0.01, self.fails)

    def fails(self):
        raise ValueError("no way")

class Asking(ModalScreen):
    def compose(self):
        yield Ink()

class Speechless(ModalScreen):
    def compose(self):
        raise RuntimeError("no question")

def called(record):
    raise RuntimeError("no name")

LOST = Resource(
    kind=Kind("lost", "list_applications", "get_application", parameter="appId", derived=True),
    title="Lost applications",
    singular="lost application",
    sort="name",
    display=Display(columns=(Column(field="name", title="NAME", width=20),), list_view=lambda: Silent, called=called),
    editing=Editing(frozen=called),
)

def shows(view):
    async def run(context):
        await context.stage.show(view(context.view.place), replace=view is Drawn)
    return run

SHOWS = [
    Action(name=f"lost.{n}", keys=(n,), label=n, help="Show", run=shows(view), views=RECORDS, resource="applications")
    for n, view in (("f7", Blank), ("f10", Drawn), ("f11", Late))
]

def asks(dialog):
    async def run(context):
        await context.stage.ask(dialog())
    return run

SHOWS += [
    Action(name=f"lost.{n}", keys=(n,), label=n, help="Ask", run=asks(dialog), views=RECORDS, resource="applications")
    for n, dialog in (("f12", Asking), ("f6", Speechless))
]
"""


def install(target: Path, name: str, source: str, entries: str) -> None:
    """A package of one module, as pip leaves it."""
    (target / f"{name}-1.0.dist-info").mkdir(parents=True)
    (target / f"{name}.py").write_text(source)
    (target / f"{name}-1.0.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (target / f"{name}-1.0.dist-info" / "entry_points.txt").write_text(entries)


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with the example package as pip installs it, and with a package of several faults."""
    target = tmp_path / "packages"
    pip = [str(Path(sys.base_prefix) / "bin" / "python3"), "-m", "pip", "--python", sys.executable]
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(target)]
    subprocess.run([*pip, "install", *options, str(EXAMPLE)], check=True)
    install(
        target,
        "faulty",
        _FAULTY,
        "[svc_tui.actions]\nfails = faulty:FAILS\ntaken = faulty:TAKEN\n"
        "missing = faulty:NOTHING\nwrong = faulty:fails\n",
    )
    return target


def connection_of(server: ServerProcess, packages: Path) -> dict[str, str]:
    """The variables that log a company administrator in, with these packages."""
    known = accounts()
    password = next(one["password"] for one in known["accounts"] if one["login"] == "company_admin@demo.example")
    return {
        "SVC_TUI_BASE_URL": server.url,
        "SVC_TUI_APP_ID": known["appId"],
        "SVC_TUI_APP_SECRET": known["appSecret"],
        "SVC_TUI_LOGIN": "company_admin@demo.example",
        "SVC_TUI_PASSWORD": password,
        "PYTHONPATH": str(packages),
    }


def test_a_plug_in_adds_a_place_and_a_key_and_a_faulty_one_is_named(
    server_process: ServerProcess, environment: dict[str, str], svc_tui: str, tmp_path: Path, packages: Path
) -> None:
    connection = connection_of(server_process, packages)
    with Terminal([svc_tui, "open", "applications"], environment={**environment, **connection}) as terminal:
        terminal.wait_for("Plug-ins")
        for fault in ("another action has the name", "has no attribute 'NOTHING'", "function is not Action"):
            assert fault in " ".join(terminal.text.replace("│", " ").split()), terminal.text
        terminal.press("enter")
        terminal.wait_for("Branch Planner")
        terminal.type("\x1b[18~")
        terminal.wait_for("The plug-in faulty .* failed: KeyError: 'owner'")
        terminal.press("down")
        terminal.type("\x1bOS")
        terminal.wait_for("Copy message: the application is not blocked")
        terminal.type(":blocked\r")
        terminal.wait_for("▸ Blocked applications")
        terminal.wait_for("Branch Planner")
        assert "Branch Studio" not in terminal.text
        terminal.type("\x1bOS")
        terminal.wait_for("Message: ")
        terminal.press("enter")
        terminal.wait_for("Identity")
        terminal.press("escape", "?")
        terminal.wait_for("Copy message")
        assert terminal.running
    with Terminal([svc_tui, "open", "blocked"], environment={**environment, **connection}) as terminal:
        terminal.wait_for("Plug-ins")
        terminal.press("enter")
        terminal.wait_for("▸ Blocked applications")
        terminal.wait_for("Branch Planner")
    check = subprocess.run(
        [svc_tui, "config", "check"], env={**environment, **connection}, capture_output=True, text=True
    )
    assert check.returncode == 2
    assert "The plug-in faulty (faulty:NOTHING) is ignored" in check.stderr


def test_a_place_of_a_plug_in_can_be_typed_while_a_demo_is_prepared(
    environment: dict[str, str], svc_tui: str, packages: Path
) -> None:
    with Terminal([svc_tui, "demo"], environment={**environment, "PYTHONPATH": str(packages)}) as terminal:
        terminal.wait_for(lambda screen: "▸ Home" in screen.text and "Preparing the demo data" in screen.text)
        terminal.type(":blocked\r")
        terminal.wait_for("▸ Blocked applications")


def test_a_view_of_a_plug_in_that_fails_becomes_a_message_and_the_console_works_on(
    server_process: ServerProcess, environment: dict[str, str], svc_tui: str, tmp_path: Path
) -> None:
    entries = "[svc_tui.resources]\nlost = lost:LOST\n[svc_tui.actions]\nshows = lost:SHOWS\n"
    install(tmp_path / "packages", "lost", _FAILING_VIEWS, entries)
    connection = connection_of(server_process, tmp_path / "packages")
    with Terminal([svc_tui, "open", "applications"], environment={**environment, **connection}) as terminal:
        terminal.wait_for("Branch Planner")
        terminal.wait_for("live")
        terminal.press("*")
        terminal.wait_for("marked")
        # The view's own work fails: it closes, and the list below it still has its marks.
        terminal.type("\x1b[18~")
        terminal.wait_for("The plug-in lost failed: RuntimeError: no content. Its view is closed.")
        terminal.press("down")
        terminal.wait_for("marked")
        # The frame asks it, and its declarations: the list remains, with the console's own status line.
        terminal.type(":lost\r")
        terminal.wait_for("▸ Lost applications")
        terminal.wait_for("The plug-in lost .*failed: RuntimeError: no")
        terminal.wait_for("Branch Planner")
        terminal.press("down")
        terminal.wait_for("58 lost applications")
        # What it draws fails: the rest of the screen is drawn, and the message is shown once.
        terminal.type(":applications\r")
        terminal.wait_for("▸ Applications")
        terminal.type("\x1b[21~")
        terminal.wait_for("The plug-in lost failed: RuntimeError: no ink")
        # No other view is below it: the start page takes its place.
        terminal.wait_for("Its view is closed.")
        terminal.wait_for("Needs attention")
        # A view that was drawn fails in its own work, and a dialog while it is drawn.
        terminal.type(":applications\r")
        terminal.wait_for("▸ Applications")
        terminal.type("\x1b[23~")
        terminal.wait_for("Nothing wrong yet")
        terminal.press("down")
        terminal.wait_for("The plug-in lost failed: ValueError: no way. Its view is closed.")
        terminal.wait_for("Branch Planner")
        for key, error in (("\x1b[24~", "RuntimeError: no ink"), ("\x1b[17~", "RuntimeError: no question")):
            terminal.type(key)
            terminal.wait_for(f"The plug-in lost failed: {error}")
            terminal.wait_for("Branch Planner")
        terminal.type(":companies\r")
        terminal.wait_for("▸ Companies")
        assert terminal.running and "Traceback" not in terminal.text
