"""The facts about a directory file, in lines that fit."""

from __future__ import annotations

from svc_tui.console.areas.directory.csv_file_dialog import _cut


def test_a_value_takes_two_lines_at_most_however_long_it_is() -> None:
    assert _cut("name, country") == "name, country"
    assert _cut("x" * 120) == "x" * 120
    assert _cut("x" * 300_000) == "x" * 119 + "…"
    assert _cut("漢" * 300_000) == "漢" * 59 + "…"
