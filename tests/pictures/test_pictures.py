"""Pictures of every view, compared with those that were looked at (KEEP_PICTURES=1 keeps new ones, after a look).

The same views have enough contrast in every theme.
"""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from tests.pictures.__main__ import sized
from tests.pictures.contrast import faint_in_each_theme
from tests.pictures.picture import Picture
from tests.pictures.stories import PICTURES
from tests.pictures.taking import photographed, posed
from tests.stories.driver import private_folders

KEPT = Path(__file__).parent / "kept"


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
async def test_the_view_looks_like_its_kept_picture_and_can_be_read_in_every_theme(
    picture: Picture,
    service: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    private_folders(monkeypatch, tmp_path)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    async with posed(picture, service) as person:
        svg = photographed(person, service)
        faint = await faint_in_each_theme(person)
    kept = KEPT / f"{picture.name}.svg"
    if os.environ.get("KEEP_PICTURES"):
        KEPT.mkdir(exist_ok=True)
        kept.write_text(svg, encoding="utf-8")
    now = tmp_path / kept.name
    now.write_text(svg, encoding="utf-8")
    assert faint == {}
    assert kept.exists(), f"{kept} is missing: look at {now}, then keep it with KEEP_PICTURES=1"
    assert svg == kept.read_text(encoding="utf-8"), f"{picture.name} looks different: compare {now} with {kept}"


def test_each_view_has_a_kept_picture_and_a_screenshot_and_no_other_is_left() -> None:
    """What screenshots show is brought up to date by each release (CONTRIBUTING.md)."""
    names = {picture.name for picture in PICTURES}
    assert {file.stem for file in KEPT.glob("*.svg")} == names
    assert {file.stem for file in (KEPT.parents[2] / "screenshots").glob("*.png")} == names


def test_the_page_of_sizes_shows_each_view_in_three_sizes() -> None:
    root = KEPT.parents[2]
    names = {picture.name for picture in sized()}
    assert {file.stem for file in (root / "screenshots" / "sizes").iterdir()} == names
    page = (root / "docs" / "sizes.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\.\./screenshots/sizes/([\w-]+)\.webp", page)) == names
