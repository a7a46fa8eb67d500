"""Copying says where the text went, and nothing more than it knows."""

import base64
import stat
from pathlib import Path

import pytest

from svc_tui.console.terminal.clipboard import OSC52_LIMIT, copy


def program(folder: Path, name: str, script: str) -> None:
    """Put a program of this name before all others on the path."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o700)


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


async def test_in_tmux_the_text_is_in_its_buffer(bin_folder: Path, tmp_path: Path) -> None:
    program(bin_folder, "tmux", f'echo "$@" > {tmp_path}/asked; cat > {tmp_path}/buffer')
    sent: list[str] = []
    copied = await copy("Zoë\x1b[31m", ("tmux", "osc52", "file"), sent.append, tmp_path / "data")
    assert copied.way == "tmux"
    assert (tmp_path / "buffer").read_text() == "Zoë\x1b[31m"
    assert (tmp_path / "asked").read_text() == "load-buffer -w -\n"
    assert sent == []


async def test_an_old_tmux_without_the_option_is_asked_more_simply(bin_folder: Path, tmp_path: Path) -> None:
    program(bin_folder, "tmux", f'[ "$2" = -w ] && exit 1; cat > {tmp_path}/buffer')
    copied = await copy("text", ("tmux",), lambda _: None, tmp_path)
    assert copied.way == "tmux"
    assert (tmp_path / "buffer").read_text() == "text"


async def test_when_tmux_refuses_or_hangs_the_next_way_is_tried(bin_folder: Path, tmp_path: Path) -> None:
    sent: list[str] = []
    program(bin_folder, "tmux", "exit 1")
    assert (await copy("text", ("tmux", "osc52"), sent.append, tmp_path)).way == "osc52"
    program(bin_folder, "tmux", "exec sleep 60")
    assert (await copy("text", ("tmux", "osc52"), sent.append, tmp_path, patience=0.05)).way == "osc52"


async def test_the_terminal_gets_the_text_unchanged(tmp_path: Path) -> None:
    sent: list[str] = []
    copied = await copy("a\x07b", ("osc52", "file"), sent.append, tmp_path)
    assert copied.way == "osc52"
    assert "Some terminals ignore" in copied.sentence
    assert len(sent) == 1
    assert base64.b64decode(sent[0].removeprefix("\x1b]52;c;").removesuffix("\x07")) == b"a\x07b"


async def test_what_a_terminal_would_cut_off_goes_to_a_file_that_only_we_can_read(tmp_path: Path) -> None:
    text = "x" * OSC52_LIMIT
    copied = await copy(text, ("osc52", "file"), lambda _: pytest.fail("sent too much"), tmp_path / "data")
    assert copied.way == "file"
    assert copied.path is not None
    assert copied.path.read_text() == text
    assert stat.S_IMODE(copied.path.stat().st_mode) == 0o600
    assert str(copied.path) in copied.sentence
    assert [path.name for path in (tmp_path / "data").iterdir()] == [copied.path.name]


async def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    copied = await copy("text", ("file",), lambda _: None, tmp_path / "data")
    assert copied.way is None
    assert copied.sentence.startswith("Nothing was copied: ")


async def test_an_incomplete_character_is_copied_without_failing(tmp_path: Path) -> None:
    copied = await copy("\ud800", ("file",), lambda _: None, tmp_path)
    assert copied.path is not None
    assert copied.path.read_bytes() == b"\xed\xa0\x80"
