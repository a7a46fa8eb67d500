"""Images without a screen: where a splash screen comes from, who may change it, paths as they are completed."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.console.areas.companies.images import FileBox
from svc_tui.console.areas.companies.images_view import origin
from svc_tui.console.dialogs.path import candidates, unquoted


@pytest.mark.parametrize(
    ("info", "said"),
    [
        ({"forced": True, "inherited": True, "uploadedUsed": True, "lastUpdateDate": "d"}, "Forced by the BP company"),
        ({"inherited": True, "uploadedUsed": True, "lastUpdateDate": "d"}, "Inherited from the BP company"),
        ({"inherited": True, "uploadedUsed": False, "lastUpdateDate": "d"}, "The BP company uses the default"),
        ({"uploadedUsed": True, "lastUpdateDate": "d"}, "The uploaded splash screen is shown."),
        ({"uploadedUsed": False, "lastUpdateDate": "d"}, "but the default is selected"),
        ({"uploadedUsed": False, "lastUpdateDate": None}, "No splash screen is uploaded. The default is shown."),
    ],
)
def test_the_origin_of_a_splash_screen_is_a_sentence(info: dict[str, object], said: str) -> None:
    assert said in origin(info)


def test_paths_are_completed_folders_and_pictures_first(tmp_path: Path) -> None:
    for name in ("b.png", "a.txt", ".hidden.png", "B2.JPG"):
        (tmp_path / name).touch()
    (tmp_path / "beyond").mkdir()
    front = f"{tmp_path}/"
    assert candidates(front, FileBox.ENDINGS) == [front + name for name in ("B2.JPG", "b.png", "beyond/", "a.txt")]
    assert candidates(front + "B", FileBox.ENDINGS) == [front + name for name in ("B2.JPG", "b.png", "beyond/")]
    assert candidates(front + ".h", FileBox.ENDINGS) == [front + ".hidden.png"]
    assert candidates(front + "nothing/", FileBox.ENDINGS) == []
    assert candidates("\0", FileBox.ENDINGS) == []


def test_a_path_in_the_home_folder_keeps_its_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "logo.png").touch()
    assert candidates("~/lo", FileBox.ENDINGS) == ["~/logo.png"]


@pytest.mark.parametrize(
    ("typed", "path"), [("'/a b.png'", "/a b.png"), (' "/a.png" ', "/a.png"), ("/a'b.png", "/a'b.png"), ("'", "'")]
)
def test_quotes_of_a_dropped_file_are_taken_off(typed: str, path: str) -> None:
    assert unquoted(typed) == path
