"""A real Chromium, driven over its DevTools protocol: pages, keys, and the accessibility tree that readers get."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--remote-debugging-port=0",
    # Nothing outside of this machine is asked.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)
#: Name of a key -> its virtual key code, and the text that it types.
_KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), "Space": (32, " "), "Escape": (27, ""), "F6": (117, "")} | {
    letter: (ord(letter.upper()), "") for letter in "cv"
}
_CONTROL, _SHIFT = 2, 8
#: For a page on a machine that is busy; a test waits for events, not for this time.
_PATIENCE = 60


@contextmanager
def chromium(folder: Path) -> Iterator[str]:
    """A browser; its DevTools address. The test is skipped where Chromium is not installed."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    log = folder / "chromium.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [program, *_ARGUMENTS, f"--user-data-dir={folder}", "about:blank"],
            stderr=subprocess.PIPE,
            stdout=output,
            text=True,
        )
    try:
        assert process.stderr is not None
        found = next(filter(None, (re.search(r"ws://127\.0\.0\.1:\S+", line) for line in process.stderr)))
        yield found[0]
    finally:
        process.terminate()
        process.communicate(timeout=_PATIENCE)


@dataclass(frozen=True)
class Node:
    """An element as assistive technology sees it."""

    role: str
    name: str
    focused: bool
    required: bool
    value: str


class Tab:
    """A page of its own profile: no cookies of other tests."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._ids = count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._loaded = asyncio.Event()
        self._session = ""
        #: The profile of the page.
        self.context = ""
        #: Headers, status and address of the page.
        self.headers: dict[str, str] = {}
        self.status = 0
        self.address = ""
        #: The kinds of the dialogs of the browser that appeared, and were accepted.
        self.dialogs: list[str] = []
        #: What the page or its policy reported as an error.
        self.errors: list[str] = []

    async def open_new(self) -> None:
        context = await self.send("Target.createBrowserContext", disposeOnDetach=True)
        self.context = context["browserContextId"]
        made = await self.send("Target.createTarget", url="about:blank", browserContextId=self.context)
        attached = await self.send("Target.attachToTarget", targetId=made["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime", "Accessibility"):
            await self.send(f"{domain}.enable")
        await self.send("Emulation.setFocusEmulationEnabled", enabled=True)

    async def listen(self) -> None:
        """Take what the browser sends, until the connection ends."""
        async for message in self._connection:
            event = json.loads(message)
            if "id" in event:
                self._answers.pop(event["id"]).set_result(event)
            else:
                self._take(event["method"], event["params"])

    def _take(self, method: str, values: dict[str, Any]) -> None:
        match method:
            case "Page.loadEventFired":
                self._loaded.set()
            case "Network.responseReceived" if values["type"] == "Document":
                response = values["response"]
                self.headers = {name.lower(): value for name, value in response["headers"].items()}
                self.status, self.address = response["status"], response["url"]
            case "Log.entryAdded" if "favicon" not in str(values):
                self.errors.append(values["entry"]["text"])
            case "Page.javascriptDialogOpening":
                self.dialogs.append(values["type"])
                self._answering = asyncio.create_task(self.send("Page.handleJavaScriptDialog", accept=True))
            case "Runtime.exceptionThrown":
                self.errors.append(values["exceptionDetails"]["text"])

    async def send(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of one command of the protocol."""
        id = next(self._ids)
        answer = self._answers[id] = asyncio.get_running_loop().create_future()
        session = {"sessionId": self._session} if self._session else {}
        await self._connection.send(json.dumps({"id": id, "method": method, "params": params, **session}))
        found = await asyncio.wait_for(answer, _PATIENCE)
        assert "error" not in found, (method, found)
        result: dict[str, Any] = found["result"]
        return result

    @asynccontextmanager
    async def loading(self) -> AsyncIterator[None]:
        """Wait for the next page that the block leads to, and until it is drawn: the focus is set then."""
        self._loaded.clear()
        yield
        await asyncio.wait_for(self._loaded.wait(), _PATIENCE)
        await self.drawn()

    async def drawn(self) -> None:
        """Wait until the page has drawn its present state."""
        await self.evaluate_promise("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")

    async def evaluate_promise(self, script: str) -> Any:
        """What the promise of a script becomes."""
        values = {"expression": script, "awaitPromise": True, "returnByValue": True}
        return (await self.send("Runtime.evaluate", **values))["result"].get("value")

    async def go(self, address: str) -> None:
        """Open an address."""
        async with self.loading():
            await self.send("Page.navigate", url=address)

    async def evaluate(self, script: str) -> Any:
        """The value of a script in the page."""
        return (await self.send("Runtime.evaluate", expression=script, returnByValue=True))["result"].get("value")

    async def text(self) -> str:
        """The text that users see."""
        return str(await self.evaluate("document.body.innerText"))

    async def type(self, text: str) -> None:
        """Type into the element with the focus."""
        await self.send("Input.insertText", text=text)

    async def press(self, key: str) -> None:
        """Press a key, `ctrl+c` for example. What the browser itself does with ctrl+v is a command beside the key."""
        key, control = key.removeprefix("ctrl+"), key.startswith("ctrl+")
        number, text = _KEYS[key]
        values: dict[str, Any] = {"key": " " if key == "Space" else key, "code": key, "windowsVirtualKeyCode": number}
        if control:
            values |= {"modifiers": _CONTROL, "commands": ["paste"] if key == "v" else []}
        await self.send("Input.dispatchKeyEvent", type="keyDown", **values, **({"text": text} if text else {}))
        await self.send("Input.dispatchKeyEvent", type="keyUp", **values)

    async def select(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Select text with the mouse, with shift as in terminals whose program uses the mouse."""
        for kind, (x, y) in (("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end)):
            values = {"button": "left", "buttons": 1, "clickCount": 1, "modifiers": _SHIFT}
            await self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **values)

    async def tab_to(self, name: str) -> None:
        """Move the focus with the keyboard to the element of this name."""
        for _ in range(12):
            if await self.focused() == name:
                return
            await self.press("Tab")
        raise AssertionError(f"no key leads to {name!r}")

    async def choose(self, name: str) -> None:
        """Use the button or link of this name, with the keyboard, and wait for its page."""
        await self.tab_to(name)
        async with self.loading():
            await self.press("Enter")

    async def nodes(self) -> list[Node]:
        """The accessibility tree, without what it ignores."""
        found = (await self.send("Accessibility.getFullAXTree"))["nodes"]
        return [_node(each) for each in found if not each.get("ignored")]

    async def names(self, role: str) -> list[str]:
        """The names of the elements of a role, in their order."""
        return [node.name for node in await self.nodes() if node.role == role]

    async def focused(self) -> str:
        """The name of the element with the focus."""
        return next((node.name for node in await self.nodes() if node.focused and node.role != "RootWebArea"), "")


def _node(values: dict[str, Any]) -> Node:
    def of(name: str) -> str:
        return str(values.get(name, {}).get("value", ""))

    states = {each["name"]: each["value"].get("value") for each in values.get("properties", ())}
    return Node(of("role"), of("name"), bool(states.get("focused")), bool(states.get("required")), of("value"))


@asynccontextmanager
async def new_tab(devtools: str) -> AsyncIterator[Tab]:
    """A tab with its own cookies, closed at the end of the block."""
    async with connect(devtools, max_size=None, proxy=None) as connection:
        tab = Tab(connection)
        listening = asyncio.create_task(tab.listen())
        try:
            await tab.open_new()
            yield tab
        finally:
            listening.cancel()
