"""`svc-tui web` in a real browser: log in, look at a list and a form, copy, download, load again, leave."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from svc_tui.server.demo.accounts import APP_ID, APP_SECRET
from tests.browser.chromium import Tab
from tests.browser.support import site
from tests.commands.conftest import ADMIN, PASSWORDS, PATIENCE, Shell
from tests.support.process import serving_demo

#: The screen of the terminal in the page, one line for each row.
SCREEN = "[...document.querySelectorAll('.xterm-rows > div')].map(row => row.textContent).join('\\n')"

#: The message over the terminal, until the next key.
NOTE = "document.getElementById('note').textContent"

#: The ID of the element with the focus, or its class.
FOCUS = "document.activeElement.id || document.activeElement.className"


@dataclass
class Web:
    """A running `svc-tui web`; `address` admits one browser."""

    process: subprocess.Popen[str]
    address: str
    folder: Path

    @property
    def origin(self) -> str:
        return self.address.partition("/?")[0]

    @property
    def token(self) -> str:
        return self.address.partition("token=")[2]

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    """Consoles with a profile of a demo service, without a session; the secrets of the environment are not for them."""
    shell = Shell(tmp_path)
    with serving_demo(tmp_path) as service:
        words = ("--base-url", service.url, "--app-id", APP_ID, "--login", ADMIN)
        added = shell.run("profile", "add", "work", *words, SVC_TUI_APP_SECRET=APP_SECRET)
        assert added.returncode == 0, added.stderr
        shell.variables |= {
            "HOME": str(tmp_path),
            "SVC_TUI_PASSWORD": PASSWORDS[ADMIN],
            "AWS_SECRET_ACCESS_KEY": "not for consoles",
        }
        process = shell.start("web", "--port", "0")
        assert process.stdout is not None
        found = Web(process, process.stdout.readline().strip(), tmp_path)
        try:
            yield found
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)


async def finds(tab: Tab, script: str, *texts: str) -> None:
    """Wait until the value of a script contains these texts."""
    found, end = "", time.monotonic() + PATIENCE
    while not all(text in found for text in texts):
        assert time.monotonic() < end, f"{texts} did not appear in {found!r}\n{tab.errors}\n{await tab.text()}"
        await tab.drawn()
        # Blanks between words are cells without a character.
        found = str(await tab.evaluate(script)).replace("\u00a0", " ")


async def sees(tab: Tab, *texts: str) -> None:
    """Wait until the terminal shows these texts."""
    await finds(tab, SCREEN, *texts)


async def says(tab: Tab, text: str) -> None:
    """Wait until the line below the terminal shows this text."""
    await finds(tab, "document.getElementById('message').textContent", text)


def consoles_of(web: Web) -> list[int]:
    """The processes that `svc-tui web` has started."""
    listed = subprocess.run(["pgrep", "-P", str(web.process.pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in listed.stdout.split()]


async def test_log_in_list_form_copy_download_and_load_again(web: Web, tab: Tab) -> None:
    saved = web.folder / "saved"
    await tab.send(
        "Browser.setDownloadBehavior", browserContextId=tab.context, behavior="allow", downloadPath=str(saved)
    )
    await tab.go(web.address)
    await sees(tab, "Log in", ADMIN)
    (console,) = consoles_of(web)
    environment = Path(f"/proc/{console}/environ").read_text()
    assert "SVC_TUI_CONFIG_DIR" in environment
    assert not [word for word in ("PASSWORD", "SECRET", PASSWORDS[ADMIN]) if word in environment]
    await tab.type(PASSWORDS[ADMIN])
    await tab.press("Enter")
    await sees(tab, "company_admin +1")
    await tab.type("1")
    await sees(tab, "Applications", "NAME")

    await tab.evaluate("navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied'))")
    await tab.type("y")
    await finds(tab, FOCUS, "copy-text")
    by_hand = await tab.evaluate("getSelection().toString()")
    await tab.press("Escape")
    await finds(tab, FOCUS, "xterm-helper-textarea")
    await tab.evaluate("delete navigator.clipboard.writeText")
    permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"]
    await tab.send("Browser.grantPermissions", browserContextId=tab.context, permissions=permissions)
    await tab.type("y")
    await finds(tab, NOTE, "Copied to the clipboard.")
    copied = await tab.evaluate_promise("navigator.clipboard.readText()")
    assert copied == by_hand and len(copied) > 20

    await tab.select((14, 13), (400, 13))
    await tab.press("ctrl+c")
    await finds(tab, NOTE, "Copied to the clipboard.")
    assert await tab.evaluate_promise("navigator.clipboard.readText()") == "work ▸ Applications"

    await tab.type("n")
    await sees(tab, "New application", "Name")
    await tab.press("ctrl+v")
    await finds(tab, SCREEN, "1 changed", "work ▸ Applications ")
    assert await tab.evaluate(NOTE) == ""
    await tab.press("Escape")
    await sees(tab, "Discard unsaved changes?")
    await tab.type("y")
    await sees(tab, "NAME")

    await tab.type("W")
    await sees(tab, "Export applications")
    await tab.press("Enter")
    await says(tab, "Saved. F6 leads to the download.")
    await tab.press("F6")
    await finds(tab, FOCUS, "download")
    await tab.press("Enter")
    end = time.monotonic() + PATIENCE
    while not (saved / "Applications.csv").exists():
        assert time.monotonic() < end, tab.errors
        await tab.drawn()
    assert (saved / "Applications.csv").read_bytes() == (web.folder / "Applications.csv").read_bytes()

    async with tab.loading():
        await tab.send("Page.reload")
    assert tab.dialogs == ["beforeunload"]
    await sees(tab, "Applications", "NAME")
    assert consoles_of(web) == [console]
    await tab.type("qq")
    await says(tab, "The console has ended.")
    async with tab.loading():
        await tab.send("Page.reload")
    assert tab.dialogs == ["beforeunload"]
    assert tab.errors == []
    assert web.end(signal.SIGINT) == 130


@pytest.fixture
def gated(tmp_path: Path) -> Iterator[Web]:
    """Consoles without a profile."""
    process = Shell(tmp_path).start("web", "--port", "0")
    assert process.stdout is not None
    yield Web(process, process.stdout.readline().strip(), tmp_path)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)


async def test_the_page_is_in_the_language_of_the_console(tmp_path: Path, tab: Tab) -> None:
    process = Shell(tmp_path).start("web", "--port", "0", more={"LANGUAGE": "de"})
    assert process.stdout is not None
    await tab.go(process.stdout.readline().strip())
    await sees(tab, "Willkommen")
    assert await tab.evaluate("document.documentElement.lang") == "de"
    await tab.press("Escape")
    await tab.type("q")
    await says(tab, "Die Konsole ist beendet.")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)


async def test_the_gate(gated: Web, tab: Tab) -> None:
    """The address works once; other origins, other names and other sites of this machine are refused."""
    origin, port = gated.origin, gated.origin.rpartition(":")[2]
    socket = f"{origin.replace('http', 'ws')}/console"
    async with httpx.AsyncClient(base_url=origin, trust_env=False) as browser:
        assert (await browser.get("/")).status_code == 403
        assert (await browser.get("/?token=wrong")).status_code == 403
        foreign = await browser.get(f"/?token={gated.token}", headers={"host": f"attacker.example:{port}"})
        assert foreign.status_code == 403
        first = await browser.get(f"/?token={gated.token}")
        assert first.status_code == 303
        kept = first.headers["set-cookie"]
        assert "HttpOnly" in kept and "SameSite=Strict" in kept
        assert (await browser.get("/")).status_code == 200
        assert (await browser.get("/files/unknown")).status_code == 404
        for headers in (
            {"host": f"attacker.example:{port}"},
            {"origin": "http://attacker.example"},
            {"origin": f"http://localhost:{port}"},
            {"sec-fetch-site": "same-site"},
            {"sec-fetch-site": "cross-site"},
        ):
            refused = await browser.get("/", headers=headers)
            assert refused.status_code == 403, headers
            assert refused.headers["x-frame-options"] == "DENY"
    async with httpx.AsyncClient(base_url=origin, trust_env=False) as other:
        assert (await other.get(f"/?token={gated.token}")).status_code == 403
        assert (await other.get("/static/page.js")).status_code == 403
    cookie = kept.partition(";")[0]
    for headers in (
        {"Cookie": cookie},
        {"Origin": origin},
        {"Origin": "http://attacker.example", "Cookie": cookie},
        {"Origin": origin, "Cookie": cookie.partition("=")[0] + "=wrong"},
    ):
        with pytest.raises(InvalidStatus):
            await connect(socket, additional_headers=headers, proxy=None)
    async with site() as attacker:
        await tab.go(attacker.address("/"))
        opened = (
            f"new Promise(end => {{ const s = new WebSocket('{socket}'); s.onopen = s.onclose = e => end(e.type) }})"
        )
        assert await tab.evaluate_promise(opened) == "close"
    assert consoles_of(gated) == []
    async with connect(socket, additional_headers={"Origin": origin, "Cookie": cookie}, proxy=None) as page:
        assert "session" in str(await page.recv())
        (console,) = consoles_of(gated)
        assert gated.end(signal.SIGTERM) == 0
    assert not Path(f"/proc/{console}").exists()
