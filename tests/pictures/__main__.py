"""`python -m tests.pictures`: writes screenshots/*.png from the demo data. Needs Chromium and Fira Code."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

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


def main() -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        raise SystemExit("needs Chromium (Debian: apt-get install chromium fonts-firacode)")
    FOLDER.mkdir(exist_ok=True)
    os.environ["TZ"] = "UTC"
    time.tzset()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        with service_of_a_day(folder) as url:
            for picture in PICTURES:
                for kind in ("config", "cache", "data"):
                    os.environ[f"SVC_TUI_{kind.upper()}_DIR"] = str(folder / picture.name / kind)
                page = folder / f"{picture.name}.svg"
                page.write_text(asyncio.run(taken(picture, url)), encoding="utf-8")
                photograph(browser, page, FOLDER / f"{picture.name}.png")
                print(f"screenshots/{picture.name}.png")


def photograph(browser: str, page: Path, picture: Path) -> None:
    """One SVG file as PNG, at its own size."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', page.read_text(encoding="utf-8"))
    assert found is not None
    width, height = (int(float(side)) + 1 for side in found.groups())
    command = [browser, *BROWSER, f"--window-size={width},{height}", f"--screenshot={picture}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    main()
