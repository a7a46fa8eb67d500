"""What the stories about directory files share."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.server.directory.demo import faulty_file


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Forty rows of which twenty are not right, in the present folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "fair.csv"
    path.write_text(faulty_file(), encoding="utf-8")
    return path
