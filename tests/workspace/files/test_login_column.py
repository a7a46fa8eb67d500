"""Logins from a CSV file: the column of logins or the only column; invalid files are refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.workspace.files.login_column import MOST_BYTES, LoginFileError, read_logins


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("name;loginEmail;site\nA;a@x.example;1\nB;b@x.example;2\n", "loginEmail"),
        ("Login,Name\r\na@x.example,A\r\nb@x.example,B\r\n", "Login"),
        ("E-Mail\tName\na@x.example\tA\nb@x.example\tB\n", "E-Mail"),
        ("\ufefflogin\na@x.example\nb@x.example\n", "login"),
        ("other\na@x.example\nb@x.example\n", "other"),
        ("a@x.example\nb@x.example\n", ""),
        ("a@x.example;Anna\nb@x.example;Bert\n", ""),
        ('"login","name"\n"a@x.example","A, of B"\n\n" b@x.example ",""\n', "login"),
    ],
)
def test_the_column_is_found(tmp_path: Path, text: str, column: str) -> None:
    (tmp_path / "a.csv").write_text(text, encoding="utf-8", newline="")
    found = read_logins(tmp_path / "a.csv")
    assert (found.found, found.column) == (("a@x.example", "b@x.example"), column)


def test_a_repeated_login_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("login\na@x.example\nA@X.example\nb@x.example\n")
    found = read_logins(tmp_path / "a.csv")
    assert found.found == ("a@x.example", "b@x.example")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"login\n", "contains no logins"),
        (b"name;site\nA;1\n", "has several columns"),
        (b"\xff\xfe\x00a", "UTF-16 text"),
        (b"\xffa", "not UTF-8 text"),
    ],
)
def test_a_file_without_logins_is_refused(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(LoginFileError, match=expected):
        read_logins(tmp_path / "a.csv")


def test_unreadable_and_too_large_files_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path, tmp_path / "a\0b"):
        with pytest.raises(LoginFileError, match="Cannot read"):
            read_logins(path)
    with (tmp_path / "huge.csv").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(LoginFileError, match="is larger than"):
        read_logins(tmp_path / "huge.csv")
