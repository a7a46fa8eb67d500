"""Pictures of every view, compared with those that were looked at (KEEP_PICTURES=1 keeps new ones, after a look)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pictures.picture import Picture
from tests.pictures.service import service_of_a_day
from tests.pictures.stories import PICTURES
from tests.pictures.taking import taken
from tests.stories.driver import private_folders

KEPT = Path(__file__).parent / "kept"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with service_of_a_day(tmp_path_factory.mktemp("pictures")) as url:
        yield url


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
async def test_the_view_looks_like_its_kept_picture(
    picture: Picture,
    service: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    private_folders(monkeypatch, tmp_path)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    svg = await taken(picture, service)
    kept = KEPT / f"{picture.name}.svg"
    if os.environ.get("KEEP_PICTURES"):
        KEPT.mkdir(exist_ok=True)
        kept.write_text(svg, encoding="utf-8")
    now = tmp_path / kept.name
    now.write_text(svg, encoding="utf-8")
    assert kept.exists(), f"{kept} is missing: look at {now}, then keep it with KEEP_PICTURES=1"
    assert svg == kept.read_text(encoding="utf-8"), f"{picture.name} looks different: compare {now} with {kept}"
