"""`python -m tests.pictures.film [FOLDER]`: writes screenshots/tour.gif, five jobs from their first key to their end.

The keys are pressed in a real terminal of 80x24, on a demo. The film shows each character that is typed, and each
screen once it has come: what happens between a key and its screen is left out, so it does not wait. Needs Chromium and
Fira Code. With a FOLDER, the pictures are written there instead, to look at.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from PIL import Image
from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.text import Text

from svc_tui.console.dialogs.screen_file import without_addresses
from tests.pictures.__main__ import FOLDER, browser_found, few_colours, photograph
from tests.pictures.first_steps import usual
from tests.support.pty import Screen, Terminal

TARGET = FOLDER / "tour.gif"
COLUMNS, ROWS = 80, 24
#: Seconds that the film shows a typed character, a screen on the way, and the end of a job.
TYPED, SHOWN, END = 0.05, 0.6, 1.5
#: The link of a quiet machine.
_QUIET = "● 12 ms"
#: Width in pixels, and colours.
WIDTH, COLOURS = 820, 48
#: A screen that is not complete, whatever else it shows.
WAITS = re.compile(r"(?i)\b(?:loading|checking|searching|preparing|waiting|saving|reading|refreshing)\b[^\n]*…")


@dataclass(frozen=True)
class Step:
    """Keys (a text that begins with = is typed), and what is on the screen when it has come."""

    keys: tuple[str, ...]
    sees: str


@dataclass(frozen=True)
class Job:
    """What a user wants to know or to do, as a caption, with the steps to its end."""

    caption: str
    steps: tuple[Step, ...]


JOBS = (
    Job(
        "Why can a user not log in?",
        (
            Step(("ctrl+k", "=voiceonly", "enter"), r"M320 desk of Vera Quist"),
            Step(("enter",), r"Refused: all licences are for voice phones\."),
        ),
    ),
    Job(
        "Change an application, and undo it",
        (
            Step((":", "=applications inventory", "enter"), r"of 22 +/inventory"),
            Step(("e", "down", "down", "=store"), r"1 changed"),
            Step(("ctrl+o",), r"Origin: partner programme → store"),
            Step(("enter",), r"Changed\. ctrl\+z undoes it\."),
            Step(("ctrl+z",), r"Origin: store → partner programme"),
            Step(("enter",), r"Undone\."),
        ),
    ),
    Job(
        "Order twenty licences more",
        (
            Step(("4",), r"11/200"),
            Step(("u",), r"Valid until"),
            Step(("=220",), r"990\.00 EUR per month \(\+90\.00\)"),
            Step(("ctrl+o",), r"Type Business to confirm"),
            Step(("=Business", "enter"), r"Ordered\."),
        ),
    ),
    Job(
        "Correct a file of contacts",
        (
            Step((":", "=directory", "enter"), r"Contacts of the spring fair"),
            Step(("enter",), r"Rows with errors"),
            Step(("o",), r"20 with errors"),
            Step(("P",), r"Applied suggestions to 7 rows\."),
            Step(("o",), r"Import only the corrected rows\."),
            Step(("enter",), r"1 done"),
            Step(("enter",), r"7 done"),
        ),
    ),
    Job(
        "Where does a call go?",
        (
            Step(("enter", "escape", "5"), r"5 CloudPBXs"),
            Step(("down", "down", "down", "T"), r"Test a number on Northwind voice"),
            Step(("=0 601 234 567",), r"is barred"),
        ),
    ),
)


def main() -> None:
    """Do the jobs, and write the film."""
    browser = browser_found()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(made)
        folder.mkdir(exist_ok=True)
        pictures, seconds = [], []
        for number, (svg, shown) in enumerate(filmed(Path(made))):
            page, picture = folder / f"{number:03}.svg", folder / f"{number:03}.png"
            page.write_text(svg, encoding="utf-8")
            photograph(browser, page, picture)
            pictures.append(shrunk(picture))
            seconds.append(shown)
    if len(sys.argv) > 1:
        print(f"{folder}: {len(pictures)} pictures, {sum(seconds):.0f} seconds")
        return
    first, *others = pictures
    times = [round(shown * 1000) for shown in seconds]
    first.save(TARGET, save_all=True, append_images=others, duration=times, loop=0, optimize=True)
    size = TARGET.stat().st_size // 1000
    print(f"screenshots/{TARGET.name}: {len(pictures)} pictures, {sum(seconds):.0f} seconds, {size} kB")


def filmed(home: Path) -> Iterator[tuple[str, float]]:
    """The screens of all jobs as SVG, each with the seconds that it is shown."""
    command = [sys.executable, "-m", "svc_tui", "demo"]
    variables = {"HOME": str(home), "TZ": "UTC", "COLORTERM": "truecolor"}
    with Terminal(command, columns=COLUMNS, rows=ROWS, environment=variables) as terminal:
        terminal.wait_for(r"8  Invoices +\d", timeout=240)
        terminal.settle(2.0)
        yield svg_of(terminal.screen, JOBS[0].caption), SHOWN
        for job in JOBS:
            for step in job.steps:
                yield from taken(terminal, step, job)


def taken(terminal: Terminal, step: Step, job: Job) -> Iterator[tuple[str, float]]:
    """The screens of a step: after each typed character, and when all of it has come."""
    for key in step.keys:
        if not key.startswith("="):
            terminal.press(key)
            terminal.settle(0.3)
            continue
        for character in key[1:]:
            terminal.type(character)
            terminal.settle(0.3)
            if not WAITS.search(terminal.text):
                yield svg_of(terminal.screen, job.caption), TYPED
    terminal.wait_for(step.sees, timeout=60)
    terminal.wait_for(lambda screen: not WAITS.search(screen.text), timeout=60)
    terminal.settle(0.5)
    yield svg_of(terminal.screen, job.caption), END if step is job.steps[-1] else SHOWN


def svg_of(screen: Screen, caption: str) -> str:
    """A screen as SVG, with a caption below it."""
    console = Console(width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor", record=True)
    for row in screen.cells():
        line = Text(no_wrap=True, overflow="crop", end="")
        for style, cells in groupby(row, key=style_of):
            line.append("".join(cell.data for cell in cells), style)
        # The time of a round trip is that of a quiet machine.
        if (quiet := usual(line.plain)) != line.plain:
            kept = len(quiet.rstrip().removesuffix(_QUIET))
            line = (
                line[: len(quiet) - len(quiet.lstrip())] + Text(quiet[:kept].lstrip(), "bold") + Text(_QUIET, "green")
            )
        console.print(line, crop=True, end="\n")
    console.print(Text(f" {caption}".ljust(COLUMNS), "bold #101010 on #87d7ff"))
    return without_addresses(console.export_svg(title="svc-tui"))


def style_of(cell: Any) -> Style:
    """The colours and weight of a cell."""
    return Style(
        color=colour_of(cell.fg),
        bgcolor=colour_of(cell.bg),
        bold=cell.bold,
        reverse=cell.reverse,
        underline=cell.underscore,
    )


def colour_of(name: str) -> Color | None:
    """A colour of the emulator."""
    if name == "default":
        return None
    if re.fullmatch(r"[0-9a-f]{6}", name):
        return Color.parse(f"#{name}")
    bright = name.removeprefix("bright")
    plain = {"brown": "yellow"}.get(bright, bright)
    return Color.parse(f"bright_{plain}" if name != bright else plain)


def shrunk(picture: Path) -> Image.Image:
    """A picture in the size and with the few colours of the film."""
    with Image.open(picture) as image:
        height = round(image.height * WIDTH / image.width)
        small = image.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
        return few_colours(small, COLOURS)


if __name__ == "__main__":
    main()
