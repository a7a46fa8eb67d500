"""The check of directory files: its memory does not grow with the file. What it takes is printed by the program."""

from __future__ import annotations

from pathlib import Path

from tests.bench.directory.check import check_file, most_memory, read_bare, write_file

#: Kilobytes that a file ten times as long may take more.
MORE = 4_096


def test_a_file_ten_times_as_long_takes_no_more_memory(tmp_path: Path) -> None:
    short, long = tmp_path / "short.csv", tmp_path / "long.csv"
    write_file(short, 5_000)
    write_file(long, 50_000)
    wrong, memory = most_memory(short)
    ten_times, more = most_memory(long)
    assert (wrong, ten_times) == (25, 250)
    assert more - memory < MORE


def test_what_is_measured_is_the_check_that_console_and_service_make(tmp_path: Path) -> None:
    path = tmp_path / "short.csv"
    write_file(path, 1_000)
    read_bare(path)
    doctor = check_file(path)
    assert (doctor.total, doctor.left) == (1_000, 5)
