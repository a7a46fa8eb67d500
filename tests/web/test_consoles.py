"""Consoles without a browser: their number, a page that is loaded again, and their end."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from svc_tui.web.console_process import Size
from svc_tui.web.consoles import ENDED, TAKEN_OVER, TOO_MANY, Consoles
from svc_tui.web.environment import console_environment, withheld
from svc_tui.workspace.files import saved_files
from tests.support.pty import Emulator

LEAVES_OTHER_SCREEN = b"\x1b[?1049l"
#: The question for the background, once in a session.
BACKGROUND = b"\x1b]11;?"


class Page:
    """A page with an emulated terminal."""

    def __init__(self, size: tuple[int, int] = (80, 24)) -> None:
        self.terminal = Emulator(*size)
        self.messages: list[dict[str, Any]] = []
        self.closed: int | None = None
        self._news = asyncio.Event()
        #: Takes what the terminal answers when it is asked for its background.
        self.answers: Callable[[], Awaitable[None]] | None = None
        self.received = b""

    async def send_bytes(self, data: bytes) -> None:
        self.received += data
        if self.answers is not None and BACKGROUND in self.received:
            answers, self.answers = self.answers, None
            await answers()
        self.terminal.feed(data)
        self._news.set()

    async def send_json(self, data: Any) -> None:
        self.messages.append(json.loads(json.dumps(data)))
        self._news.set()

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        self.closed = code
        self._news.set()

    async def sees(self, text: str) -> None:
        async with asyncio.timeout(60):
            while text not in self.terminal.screen.text:
                self._news.clear()
                await self._news.wait()

    async def ends(self) -> None:
        async with asyncio.timeout(60):
            while self.closed is None:
                self._news.clear()
                await self._news.wait()


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    folders = {f"SVC_TUI_{kind.upper()}_DIR": str(tmp_path / kind) for kind in ("config", "cache", "data")}
    return console_environment({**os.environ, **folders, "HOME": str(tmp_path), "LANG": "C.UTF-8"})


@pytest.fixture
async def consoles(environment: dict[str, str]) -> AsyncIterator[Consoles]:
    made = Consoles([], environment, most=1, grace=0)
    yield made
    await made.end()


async def test_a_reloaded_page_finds_its_console_unchanged(environment: dict[str, str]) -> None:
    consoles = Consoles([], environment, most=1)
    first, second, third = Page(), Page((100, 30)), Page()
    console = await consoles.show(first, "", Size())
    assert console is not None
    await first.sees("Welcome")
    again = await consoles.show(second, console.id, Size(100, 30))
    assert again is console
    assert first.closed == TAKEN_OVER
    await second.sees("Welcome")
    # The other screen, which a new terminal uses only when its mode is sent again.
    assert b"\x1b[?1049h" in console.process.modes
    assert await consoles.show(third, "unknown", Size()) is None
    assert third.closed == TOO_MANY
    await console.process.write(b"\x1b")
    await second.ends()
    assert second.closed == ENDED
    assert second.messages[-1] == {"ended": 0}


@pytest.mark.parametrize(("colour", "light"), [(b"ffff/ffff/ffff", True), (b"1212/1212/1212", False)])
async def test_the_theme_fits_the_background_of_the_page(consoles: Consoles, colour: bytes, light: bool) -> None:
    page = Page()
    starting = asyncio.create_task(consoles.show(page, "", Size()))

    async def answer() -> None:
        console = await starting
        assert console is not None
        await console.process.write(b"\x1b]11;rgb:" + colour + b"\x1b\\\x1b[?1;2c")

    page.answers = answer
    await starting
    await page.sees("Welcome")
    # Red of the background, or of the panel that is drawn first.
    assert (int(page.terminal.screen.buffer[0][0].bg[:2], 16) > 127) is light
    assert page.received.count(BACKGROUND) == 1
    assert "11;" not in page.terminal.screen.text


async def test_a_console_ends_after_its_page(consoles: Consoles) -> None:
    page = Page()
    console = await consoles.show(page, "", Size())
    assert console is not None
    await page.sees("Welcome")
    console.detach(page)
    async with asyncio.timeout(60):
        assert await console.process.wait() != 0
    await consoles.end()
    assert consoles.find(console.id) is None


def test_saved_files_are_reported_to_the_pipe_of_the_page_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    other_reading, other = os.pipe()
    os.set_blocking(other_reading, False)
    try:
        for descriptor in (writing, other):
            monkeypatch.setenv(saved_files.VARIABLE, f"{descriptor}:{os.fstat(writing).st_ino}")
            with saved_files.saved_file(tmp_path / "line\nbreak.csv") as file:
                file.write(b"content")
        assert os.read(reading, 1000) == os.fsencode(tmp_path / "line\nbreak.csv") + b"\0"
        with pytest.raises(BlockingIOError):
            os.read(other_reading, 1000)
    finally:
        for descriptor in (reading, writing, other_reading, other):
            os.close(descriptor)


def test_the_environment_of_consoles_has_no_secrets() -> None:
    given = {
        "PATH": "/bin",
        "LC_ALL": "C.UTF-8",
        "https_proxy": "http://proxy",
        "SVC_TUI_BASE_URL": "https://portal.example",
        "SVC_TUI_PASSWORD": "p",
        "SVC_TUI_APP_SECRET": "s",
        "SVC_TUI_API_KEY": "k",
        "TERM": "dumb",
        "TMUX": "/tmp/tmux",
        "SSH_CONNECTION": "10.0.0.1",
        "GITHUB_TOKEN": "t",
    }
    kept = console_environment(given)
    assert sorted(kept) == ["COLORTERM", "LC_ALL", "PATH", "SVC_TUI_BASE_URL", "TERM", "https_proxy"]
    assert kept["TERM"] == "xterm-256color"
    assert withheld(given) == ["SVC_TUI_PASSWORD", "SVC_TUI_APP_SECRET", "SVC_TUI_API_KEY"]
