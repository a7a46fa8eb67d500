"""Saving files: what is proposed as their place, and how far a download is, in words."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from svc_tui.console.dialogs.save import progress
from svc_tui.workspace.files.downloads import TimedSink, first_path


def test_the_folder_of_downloads_is_proposed_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert first_path("INV-1", ".pdf") == "~/INV-1.pdf"
    (tmp_path / "Downloads").mkdir()
    assert first_path("../INV-1", ".pdf") == "~/Downloads/INV-1.pdf"


def test_how_far_it_is_in_words() -> None:
    now = [0.0]
    flow = TimedSink(io.BytesIO(), lambda: now[0])
    flow.begin(4_000_000)
    assert progress(flow) == "0 bytes of 4.0 MB"
    flow.take(b"x" * 1_000_000)
    now[0] = 2.0
    assert progress(flow) == "1.0 MB of 4.0 MB   500 kB/s   6 s left"
    flow.begin(None)
    flow.take(b"x" * 1_000)
    now[0] = 3.0
    assert progress(flow) == "1 kB   1 kB/s"
