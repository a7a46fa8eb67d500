"""A recording of the console as an asciicast: header, times, sizes, and errors of its file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from svc_tui.console.terminal.recording import ScreenRecording


def lines_of(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_recording_begins_with_its_size_and_has_seconds_since_the_first_picture(tmp_path: Path) -> None:
    now = [100.0]
    recording = ScreenRecording(tmp_path / "demo.cast", lambda: now[0])
    recording.cleared()
    recording.drawn("one", (80, 24))
    now[0] = 101.25
    recording.drawn("two \x1b[31m", (80, 24))
    recording.drawn("three", (120, 40))
    recording.close()
    header, first, *rest = lines_of(tmp_path / "demo.cast")
    assert header == {"version": 2, "width": 80, "height": 24, "env": {"TERM": "xterm-256color"}}
    assert first == [0.0, "o", "\x1b[0m\x1b[2J\x1b[Hone"]
    assert rest == [[1.25, "o", "two \x1b[31m"], [1.25, "r", "120x40"], [1.25, "o", "three"]]
    assert (tmp_path / "demo.cast").stat().st_mode & 0o777 == 0o600
    assert not recording.error_message


def test_an_existing_file_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept")
    with pytest.raises(FileExistsError):
        ScreenRecording(tmp_path / "kept")
    assert (tmp_path / "kept").read_text() == "kept"


def test_a_full_disk_ends_the_recording_and_nothing_else(tmp_path: Path) -> None:
    recording = ScreenRecording(tmp_path / "demo.cast")
    assert recording._file is not None
    recording._file.close()
    recording._file = Path("/dev/full").open("w", buffering=1)  # noqa: SIM115
    for _ in range(3):
        recording.drawn("text", (80, 24))
    recording.close()
    assert "is incomplete: No space left on device" in recording.error_message
