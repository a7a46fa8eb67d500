"""`python -m tests.pictures.film`: writes screenshots/tour.gif, a film of the tour, from a recording of the demo.

The recording is an asciicast that `svc-tui demo --tour --record` writes in a terminal of 80x24. The film has a picture
for each step of its jobs: the last one with that caption. Needs Chromium and Fira Code.
"""

from __future__ import annotations

import io
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from PIL import Image
from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.text import Text

from svc_tui.console.terminal.screenshot import without_addresses
from tests.pictures.__main__ import FOLDER, browser_found, few_colours, photograph
from tests.support.pty import Emulator, Screen, Terminal

TARGET = FOLDER / "tour.gif"
COLUMNS, ROWS = 80, 24
#: Pauses of the recording, as a factor of those of the tour.
PACE = 0.25
#: The jobs that the film shows: search, the quotation workbench and the import doctor.
JOBS = ("Tour 1 of", "Tour 2 of", "Tour 4 of")
#: Seconds without a change after which a step may end, and how long the film shows each.
STAYS, SHOWN = 0.25, 2.8
#: Width in pixels, and colours.
WIDTH, COLOURS = 820, 48


def main() -> None:
    """Record the tour, and write the film."""
    browser = browser_found()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        recording = Path(sys.argv[1]) if len(sys.argv) > 1 else recorded(folder)
        pictures = []
        for number, svg in enumerate(steps(recording.read_text(encoding="utf-8").splitlines())):
            page, picture = folder / f"{number}.svg", folder / f"{number}.png"
            page.write_text(svg, encoding="utf-8")
            photograph(browser, page, picture)
            pictures.append(shrunk(picture))
    first, *others = pictures
    first.save(TARGET, save_all=True, append_images=others, duration=int(SHOWN * 1000), loop=0, optimize=True)
    print(f"screenshots/{TARGET.name}: {len(pictures)} pictures, {TARGET.stat().st_size // 1000} kB")


def recorded(folder: Path) -> Path:
    """The recording of a tour."""
    target = folder / "tour.cast"
    command = [sys.executable, "-m", "svc_tui", "demo", "--tour", "--pace", str(PACE), "--record", str(target)]
    variables = {"HOME": str(folder), "TZ": "UTC", "COLORTERM": "truecolor"}
    with Terminal(command, columns=COLUMNS, rows=ROWS, environment=variables) as terminal:
        terminal.wait_for("The tour has ended", timeout=240)
        terminal.type("q")
        terminal.wait_until_closed(30)
    return target


def steps(lines: list[str]) -> Iterator[str]:
    """The last screen of each step of the filmed jobs, as SVG."""
    emulator, caption, latest = Emulator(COLUMNS, ROWS), "", ""
    events = [json.loads(line) for line in lines[1:]]
    for event, following in pairwise([*events, None]):
        if event[1] == "o":
            emulator.feed(event[2].encode())
        if following is not None and following[0] - event[0] < STAYS:
            continue
        shown = "".join(emulator.screen.display[-2:])
        if shown != caption and latest:
            yield latest
        caption, latest = shown, svg_of(emulator.screen) if any(job in shown for job in JOBS) else ""


def svg_of(screen: Screen) -> str:
    """A screen as SVG."""
    console = Console(width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor", record=True)
    for row in screen.cells():
        line = Text(no_wrap=True, overflow="crop", end="")
        for style, cells in groupby(row, key=style_of):
            line.append("".join(cell.data for cell in cells), style)
        console.print(line, crop=True)
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
