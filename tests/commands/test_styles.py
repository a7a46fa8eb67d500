"""Colours, signs and bars of commands: on a terminal only, and nothing is cut that has room."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from svc_tui.commands import event_loop, output, report
from svc_tui.commands.directory import files
from svc_tui.commands.help import lines
from svc_tui.commands.styles import bar, pace, painted, wrapped
from svc_tui.commands.users import files as users
from svc_tui.console.shell import resources


class Screen(io.StringIO):
    """Standard output that is a terminal."""

    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True

    def reconfigure(self, **options: Any) -> None:
        """As that of a real stream."""


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Screen]]:
    """Makes standard output a terminal of 120 columns: in the test, since pytest replaces it before."""

    def opens() -> Screen:
        made = Screen()
        monkeypatch.setattr("sys.stdout", made)
        output.is_terminal.cache_clear()
        return made

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    yield opens
    output.is_terminal.cache_clear()


def test_a_terminal_has_colours_and_signs(opened: Callable[[], Screen]) -> None:
    screen = opened()
    output.write_table([{"name": "Acme", "active": True}, {"name": "Old", "active": False}], ("name", "active"))
    heading, first, second = screen.getvalue().splitlines()
    assert "\x1b[1mNAME" in heading
    assert "\x1b[32m✓" in first and "\x1b[2m✗" in second
    assert "true" not in screen.getvalue()


@pytest.mark.parametrize("variable", ["NO_COLOR", "TERM"])
def test_no_colour_where_none_is_wanted(
    opened: Callable[[], Screen], monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    screen = opened()
    monkeypatch.setenv(variable, "dumb")
    output.write_table([{"name": "Acme"}], ("name",))
    output.write_fields({"Unicode": "yes", "over SSH": "no", "connection": "refused"}, bad=("connection",))
    assert "\x1b" not in screen.getvalue()
    assert "✓ yes" in screen.getvalue() and "✗ no" in screen.getvalue() and "✗ refused" in screen.getvalue()


def test_a_pipe_gets_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    output.is_terminal.cache_clear()
    output.write_table([{"name": "Acme", "active": True}], ("name", "active"))
    output.write_fields({"Unicode": "yes"})
    assert capsys.readouterr().out == "NAME  ACTIVE\nAcme  true\nUnicode  yes\n"
    output.is_terminal.cache_clear()


def test_escapes_in_data_never_reach_a_terminal(opened: Callable[[], Screen]) -> None:
    screen = opened()
    output.write_table([{"name": "\x1b[2Jwiped"}], ("name",))
    output.write_fields({"\x1b]0;x\x07": "\x1b[31mred"})
    assert (
        "\x1b[2J" not in screen.getvalue() and "\x1b[31m" not in screen.getvalue() and "\x07" not in screen.getvalue()
    )


def test_no_column_is_cut_while_the_terminal_has_room(opened: Callable[[], Screen]) -> None:
    screen = opened()
    address = "https://service.example/" + "a" * 60
    output.write_table([{"id": "x", "address": address, "note": "short"}], ("id", "address", "note"))
    assert address in screen.getvalue() and "…" not in screen.getvalue()


def test_where_there_is_no_room_the_widest_columns_are_cut_first(opened: Callable[[], Screen]) -> None:
    screen = opened()
    output.write_table([{"id": "kept", "text": "t" * 200, "end": "also kept"}], ("id", "text", "end"))
    row = screen.getvalue().splitlines()[1]
    assert row.startswith("kept") and row.endswith("also kept") and "…" in row and len(row) <= 120


def test_addresses_and_names_with_hyphens_are_not_divided() -> None:
    address = "https://service.example/a-long-path/" + "x" * 40
    assert address in wrapped(f"See {address} for more.", 30)
    assert any("--read-only" in line for line in lines(44))


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "················   0%"), (0.5, "━━━━━━━━········  50%"), (1, "━" * 16 + " 100%"), (2, "━" * 16 + " 100%")],
)
def test_a_bar_has_its_share(share: float, text: str) -> None:
    assert bar(share) == text


@pytest.mark.parametrize(
    ("done", "total", "seconds", "text"),
    [
        (0, 100, 5, ""),
        (50, 100, 0.5, ""),
        (820, 1640, 1, "820 rows/s   0:01 left"),
        (1000, 100_000, 10, "100 rows/s   16:30 left"),
        (500, 0, 10, "50 rows/s"),
        (500, 500, 10, "50 rows/s"),
    ],
)
def test_a_progress_has_its_rate_and_the_time_left(done: int, total: int, seconds: float, text: str) -> None:
    assert pace(done, total, seconds, "rows") == text


async def test_long_work_has_a_bar_its_rate_and_the_time_left_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    drawn = asyncio.Event()
    clock = iter((0.0, 10.0))
    monkeypatch.setattr("svc_tui.commands.event_loop.time.monotonic", lambda: next(clock, 10.0))

    def amount() -> event_loop.Amount:
        drawn.set()
        return 50, 100, "50 of 100 steps", "steps"

    async with event_loop.counting(amount):
        await drawn.wait()
    assert "━━━━━━━━········  50%   50 of 100 steps   5 steps/s   0:10 left" in screen.getvalue()


def test_the_amounts_of_long_work_are_those_of_its_rows() -> None:
    def importing(phase: str, purpose: str, **status: object) -> Any:
        upload = SimpleNamespace(sent=500_000, size=2_000_000)
        target = SimpleNamespace(purpose=purpose)
        return SimpleNamespace(phase=phase, upload=upload, target=target, status=status, error_message="")

    assert files._imported(importing("sending", "replace"), 10)[:2] == (500, 2000)
    counts = {"state": "working", "created": 3, "failed": 1, "deleted": 40, "updated": None}
    done, total, text, unit = files._imported(importing("working", "replace", **counts), 10)
    assert (done, total, unit) == (4, 10, "rows") and text.startswith("working   3 created, 40 deleted")
    assert files._imported(importing("working", "synchronize", **counts), 100)[:2] == (44, 100)
    job: Any = SimpleNamespace(done=3, failed=1, left=6)
    assert users._amount(job) == (4, 10, "3 done, 1 failed, 6 left", "records")
    listing: Any = SimpleNamespace(reading=SimpleNamespace(done=7, steps=12), progress="7 of 12 parts")
    assert report._amount(resources.BY_NAME["report-seats"], listing)[:2] == (7, 12)


def test_what_has_no_style_is_unchanged(opened: Callable[[], Screen]) -> None:
    opened()
    assert painted("text") == "text" and painted("", "ok") == ""
    assert painted("text", "ok") == "\x1b[32mtext\x1b[0m"
