"""`python -m tests.pictures`: writes screenshots/*.png from the demo data, and screenshots/sizes/*.webp, which are
views in three sizes. Needs Chromium and Fira Code.

`python -m tests.pictures FOLDER [NAME …]` writes each view, or those with these names, to another folder: at 80x24 and
120x40, in every theme.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from pathlib import Path

from PIL import Image

from svc_tui.workspace.profiles.configuration import THEMES
from tests.pictures.picture import DESIGN, LARGE, WIDE, Picture
from tests.pictures.service import service_of_a_day
from tests.pictures.stories import PICTURES
from tests.pictures.taking import taken

FOLDER = Path(__file__).resolve().parents[2] / "screenshots"
BROWSER = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


#: Sizes of the pictures in another folder.
SIZES = (DESIGN, WIDE)
#: Colours of a picture: enough for text, and a fifth of the bytes.
COLOURS = 128
#: A cell of rich has 12.2 times 24.4 pixels.
CELL_SCALE = 12 / 12.2
#: Where rich begins the first cell, and where whole pixels begin.
WHOLE_PIXELS = ("translate(9, 41)", "translate(9.15, 41)")
#: Lines of boxes and bars of charts have gaps in other fonts.
FONT = "Fira Code"


def main() -> None:
    if len(sys.argv) > 1:
        write(Path(sys.argv[1]), views(sys.argv[2:]))
    else:
        write(FOLDER, PICTURES)
        write(FOLDER / "sizes", sized(), ".webp")


def sized() -> Iterator[Picture]:
    """Each view in three sizes."""
    for picture, size in product(distinct(), (DESIGN, WIDE, LARGE)):
        yield replace(picture, name=f"{picture.name}-{size[0]}x{size[1]}", size=size)


def views(names: Sequence[str]) -> Iterator[Picture]:
    """Each view in all sizes and themes; only these names, unless there are none."""
    for picture, size, theme in product(distinct(), SIZES, THEMES):
        if not names or picture.name in names:
            name = f"{picture.name}-{size[0]}x{size[1]}-{theme}"
            yield replace(picture, name=name, size=size, changes={**picture.changes, "theme": theme})


def distinct() -> list[Picture]:
    """The first picture of each view: others show it in another size or theme."""
    return [*{(picture.steps, picture.login): picture for picture in reversed(PICTURES)}.values()][::-1]


def write(target: Path, pictures: Iterable[Picture], kind_of_file: str = ".png") -> None:
    """Take pictures and write them to a folder, as PNG or as WebP, which takes half of the bytes."""
    browser = browser_found()
    target.mkdir(exist_ok=True)
    os.environ["TZ"] = "UTC"
    time.tzset()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        with service_of_a_day(folder) as url:
            for picture in pictures:
                for kind in ("config", "cache", "data"):
                    os.environ[f"SVC_TUI_{kind.upper()}_DIR"] = str(folder / picture.name / kind)
                page = folder / f"{picture.name}.svg"
                page.write_text(asyncio.run(taken(picture, url)), encoding="utf-8")
                photograph(browser, page, (file := target / f"{picture.name}{kind_of_file}"))
                print(file, flush=True)


def browser_found() -> str:
    """The path of Chromium. SystemExit if it or the font is missing."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None or not subprocess.run(["fc-list", FONT], capture_output=True, check=True).stdout:
        raise SystemExit(f"needs Chromium and {FONT} (Debian: apt-get install chromium fonts-firacode)")
    return browser


def photograph(browser: str, page: Path, picture: Path) -> None:
    """One SVG file as PNG, with whole pixels for each cell, so that borders and bars have no gaps."""
    svg = page.read_text(encoding="utf-8")
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found is not None
    width, height = (float(side) * CELL_SCALE for side in found.groups())
    svg = svg.replace("<svg ", f'<svg width="{width}" height="{height}" ', 1)
    svg = svg.replace("<style>", "<style>text { font-variant-ligatures: none; }", 1).replace(*WHOLE_PIXELS)
    page.write_text(svg, encoding="utf-8")
    size = f"--window-size={int(width) + 1},{int(height) + 1}"
    shot = page.with_suffix(".png")
    command = [browser, *BROWSER, size, f"--screenshot={shot}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True)
    with Image.open(shot) as image:
        drawn = few_colours(image.convert("RGB"), COLOURS)
    if picture.suffix == ".webp":
        drawn.convert("RGB").save(picture, lossless=True)
    else:
        drawn.save(picture, optimize=True)


def few_colours(image: Image.Image, count: int) -> Image.Image:
    """A picture with so many colours: the most frequent ones, and some between for the edges of letters."""
    found = image.getcolors(image.width * image.height) or []
    frequent = [color for _, color in sorted(found, reverse=True)[: count // 2]]
    edges = image.quantize(count - len(frequent), method=Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*chain.from_iterable(frequent), *edges])
    return image.quantize(count, palette=palette, dither=Image.Dither.NONE)


if __name__ == "__main__":
    main()
