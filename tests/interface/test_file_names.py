"""Names of saved files: harmless, and different where the names of the service are."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_tui.interface.texts import file_name


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("INV-0042", "INV-0042.pdf"),
        ("INV-0042.PDF", "INV-0042.pdf"),
        ("../../etc/passwd", "passwd.pdf"),
        ("..\\..\\a", "a.pdf"),
        (".bashrc", "bashrc.pdf"),
        ("-rf\x1b[2J\n", "rf__2J_.pdf"),
        ("~root", "root.pdf"),
        ("/INV/7/", "INV~7.pdf"),
        ("", "file.pdf"),
        (None, "file.pdf"),
        ("///", "file.pdf"),
        ("x" * 500, "x" * 120 + ".pdf"),
        ("Ümit & Søn", "Ümit _ Søn.pdf"),
        ("nul", "_nul.pdf"),
        ("Com1.2026", "_Com1.2026.pdf"),
        ("Console", "Console.pdf"),
        ("日本" * 100, "日本" * 33 + ".pdf"),
    ],
)
def test_a_name_from_the_service_is_a_harmless_file_name(name: object, wanted: str) -> None:
    assert file_name(name, ".pdf") == wanted


def test_numbers_that_differ_only_by_a_slash_are_different_files() -> None:
    numbers = ["INV/2026/11", "INV/202611", "INV/2026-11", "INV-2026/11", "INV_2026/11", "INV2026/11", "2026/11", "11"]
    names = [file_name(number, ".pdf") for number in numbers]
    assert names[0] == "INV~2026~11.pdf"
    assert len({name.casefold() for name in names}) == len(numbers)


def test_an_ending_of_the_name_itself_stays() -> None:
    assert file_name("lines 2026/11.csv") == "lines 2026~11.csv"


@given(st.text(), st.sampled_from(["", ".pdf"]))
def test_any_name_is_one_part_of_a_path(name: str, ending: str) -> None:
    found = file_name(name, ending)
    assert Path(found).name == found and len(found.encode()) < 255
    assert not found.startswith((".", "~", "-")) and found.endswith(ending) and found.isprintable()
