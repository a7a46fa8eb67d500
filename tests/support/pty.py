"""A program in a pseudo terminal: start it, press keys, wait for what is on its screen, count what it sends.

with Terminal([sys.executable, "-m", "svc_tui", "demo"]) as terminal:
    terminal.wait_for("? Help")
    sent = terminal.press("down")          # the bytes that one key cost
    assert "Enterprise" in terminal.text
"""

import codecs
import fcntl
import os
import re
import selectors
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyte

ENVIRONMENT = {
    "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TERM": "xterm-256color",
    "PYTHONDONTWRITEBYTECODE": "1",
}
KEYS = {
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "delete": "\x1b[3~",
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "backspace": "\x7f",
    "space": " ",
    "ctrl+space": "\x00",
    "f1": "\x1bOP",
}

_SEQUENCE = re.compile(
    r"\x1b\[(?P<parameters>[0-?]*)(?P<between>[ -/]*)(?P<final>[@-~])"
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"
    r"|\x1b[PX^_](?:[^\x1b]|\x1b(?!\\))*\x1b\\"
)
_UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_](?:[^\x1b]|\x1b(?!\\))*)?\Z")


class Screen(pyte.Screen):
    """pyte's screen, which is silent: the terminal around it answers."""

    def report_device_attributes(self, mode: int = 0, **_: Any) -> None:
        """Answered by `Terminal`."""

    def report_device_status(self, mode: int = 0, **_: Any) -> None:
        """Answered by `Terminal`."""

    def erase_in_display(self, how: int = 0, *arguments: Any, **options: Any) -> None:
        """Erase in the background of the pen, as terminals do; pyte leaves cells out that were never drawn."""
        for y in range(self.lines):
            for x in range(self.columns):
                self.buffer[y][x] = self.buffer[y][x]
        super().erase_in_display(how, *arguments, **options)

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.display)

    def cells(self) -> list[list[Any]]:
        """Every cell with its colours and attributes: two equal results are the same picture."""
        return [[_seen(self.buffer[y][x]) for x in range(self.columns)] for y in range(self.lines)]


class FillingScreen(Screen):
    """A screen that gives new lines the background of the pen, as some terminals do."""

    def index(self) -> None:
        """One line down, or all lines one up."""
        bottom = self.margins.bottom if self.margins else self.lines - 1
        new = self.cursor.y == bottom
        super().index()
        if new:
            self._fill(bottom)

    def reverse_index(self) -> None:
        """One line up, or all lines one down."""
        top = self.margins.top if self.margins else 0
        new = self.cursor.y == top
        super().reverse_index()
        if new:
            self._fill(top)

    def _fill(self, y: int) -> None:
        blank = self.default_char._replace(bg=self.cursor.attrs.bg)
        for x in range(self.columns):
            self.buffer[y][x] = blank


def _seen(cell: Any) -> Any:
    """A cell as it looks: on a blank the text's colour and weight cannot be seen, and reverse swaps the colours."""
    if cell.reverse and "default" not in (cell.fg, cell.bg):
        cell = cell._replace(fg=cell.bg, bg=cell.fg, reverse=False)
    if cell.data == " " and not (cell.reverse or cell.underscore or cell.strikethrough):
        return cell._replace(fg="default", bold=False, italics=False, blink=False)
    return cell


class Emulator:
    """Bytes of a terminal program made into a screen."""

    def __init__(self, columns: int, rows: int, kind: type[Screen] = Screen) -> None:
        self.screen = kind(columns, rows)
        self._stream = pyte.Stream(self.screen)
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._rest = ""

    def feed(self, data: bytes) -> None:
        """Draw what a program sent."""
        text = self._rest + self._decode(data)
        unfinished = _UNFINISHED.search(text)
        self._rest = text[unfinished.start() :] if unfinished else ""
        text = text[: unfinished.start()] if unfinished else text
        self._stream.feed(_SEQUENCE.sub(_understood, text))


def _understood(sequence: "re.Match[str]") -> str:
    """A sequence as pyte reads it; those it would draw as text (keyboard protocols, titles) are left out."""
    final = sequence["final"]
    if final is None or sequence["between"] or sequence["parameters"][:1] in ("<", "=", ">") or final in "utcnpq":
        return ""
    return sequence[0]


_QUESTION = re.compile(
    rb"\x1b\[(?:(?P<mode>\?\d+)\$p|(?P<status>[56])n|(?P<attributes>0?)c)|\x1b\]11;(?P<background>\?)"
)


class Terminal:
    """A program on a terminal of a given size.

    `synchronized`: the terminal knows synchronized output; `background`: what it sends when it is asked for the colour
    of its background; `known`: it reports its kind.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        columns: int = 80,
        rows: int = 24,
        environment: Mapping[str, str] | None = None,
        directory: str | None = None,
        synchronized: bool = True,
        background: bytes = b"",
        known: bool = True,
    ) -> None:
        self._background, self._known = background, known
        self.received = bytearray()
        self._emulator = Emulator(columns, rows)
        self._synchronized = synchronized
        self._master, slave = os.openpty()
        self._set_size(columns, rows)
        self._process = subprocess.Popen(
            list(command),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=directory,
            env=ENVIRONMENT | dict(environment or {}),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._master, selectors.EVENT_READ)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def screen(self) -> Screen:
        """The text on the screen."""
        return self._emulator.screen

    @property
    def text(self) -> str:
        """The screen's lines as text."""
        return self.screen.text

    @property
    def running(self) -> bool:
        """Whether the program is there."""
        return self._process.poll() is None

    @property
    def processor_seconds(self) -> float:
        """Processor time of the program and its threads until now, exact to the microsecond."""
        tasks = Path(f"/proc/{self._process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    @property
    def peak_memory(self) -> float:
        """The most memory that the program has used until now, in MB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        return int(found[1]) / 1024 if found else 0.0

    def press(self, *keys: str, answer: float = 3.0, quiet: float = 0.06) -> bytes:
        """Press keys by name (or the character itself) one after the other; what was sent for them.

        After each key waits up to `answer` seconds for the first byte, then until it was quiet for `quiet` seconds.
        """
        start = len(self.received)
        for key in keys:
            self.type(KEYS.get(key, key) if not key.startswith("ctrl+") or key in KEYS else _control(key))
            if self._read(answer):
                self.settle(quiet)
        return bytes(self.received[start:])

    def type(self, text: str) -> None:
        """Send text as it is."""
        os.write(self._master, text.encode())

    def settle(self, quiet: float = 0.08, timeout: float = 10.0) -> None:
        """Read until nothing came for `quiet` seconds."""
        end = time.monotonic() + timeout
        while time.monotonic() < end and self._read(quiet):
            pass

    def wait_for(self, what: str | Callable[[Screen], bool], timeout: float = 20.0) -> None:
        """Read until a regular expression is found on the screen, or a condition holds for it."""
        holds = what if callable(what) else lambda screen: re.search(what, screen.text, re.MULTILINE) is not None
        end = time.monotonic() + timeout
        while not holds(self.screen):
            left = end - time.monotonic()
            if left <= 0 or not (self._read(min(left, 0.5)) or self.running):
                raise AssertionError(f"{what!r} did not appear on this screen:\n{self.text}")

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size and notify the program."""
        self._set_size(columns, rows)
        self.screen.resize(rows, columns)
        self.signal(signal.SIGWINCH)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and what it started."""
        os.killpg(self._process.pid, number)

    def wait_until_stopped(self, timeout: float = 10.0) -> None:
        """Read until the program has suspended itself."""
        end = time.monotonic() + timeout
        state = ""
        while state != "T":
            if time.monotonic() > end:
                raise AssertionError(f"the program is not stopped; its state is {state!r}")
            self._read(0.05)
            stat = Path(f"/proc/{self._process.pid}/stat").read_text()
            state = stat.rpartition(")")[2].split()[0]
        # What it wrote between the last look and its stop.
        while self._read(0):
            pass

    def wait_until_closed(self, timeout: float = 10.0) -> int:
        """Read until the program ends; its exit status."""
        end = time.monotonic() + timeout
        while self.running and time.monotonic() < end:
            self._read(0.1)
        self._read(0)
        if self.running:
            raise AssertionError(f"the program did not end; its screen:\n{self.text}")
        return self._process.wait()

    def close(self) -> None:
        """End the program, if it is still there."""
        for ending in (signal.SIGTERM, signal.SIGKILL):
            if not self.running:
                break
            self._process.send_signal(ending)
            try:
                self._process.wait(3)
            except subprocess.TimeoutExpired:
                continue
        self._selector.close()
        os.close(self._master)

    def _read(self, wait: float) -> bool:
        if not self._selector.select(wait):
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the program has closed its side
            return False
        self.received += data
        fed = 0
        for question in _QUESTION.finditer(data):
            # What comes after a question must not move the cursor before it is answered.
            self._emulator.feed(data[fed : question.end()])
            fed = question.end()
            self._answer(question)
        self._emulator.feed(data[fed:])
        return bool(data)

    def _answer(self, question: "re.Match[bytes]") -> None:
        if question["background"]:
            self._reply(self._background)
        elif question["mode"]:
            known = self._synchronized and question["mode"] == b"?2026"
            self._reply(b"\x1b[%s;%d$y" % (question["mode"], 2 if known else 0))
        elif question["status"] == b"6":
            self._reply(b"\x1b[%d;%dR" % (self.screen.cursor.y + 1, self.screen.cursor.x + 1))
        elif question["status"]:
            self._reply(b"\x1b[0n")
        elif self._known:
            self._reply(b"\x1b[?62;22c")

    def _reply(self, data: bytes) -> None:
        os.write(self._master, data)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _control(key: str) -> str:
    return chr(ord(key.removeprefix("ctrl+").upper()) & 0x1F)
