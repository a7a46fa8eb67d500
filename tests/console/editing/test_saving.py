"""Saving files: what is proposed as their place, and how far a download is, in words; columns of any file of lines."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from svc_tui.console.areas.invoices.invoice_file_view import line_columns
from svc_tui.console.dialogs.save import progress
from svc_tui.console.editing.saving import start
from svc_tui.workspace.files.downloads import FileSink
from svc_tui.workspace.invoices.lines import FileLines, summarise


def test_the_folder_of_downloads_is_proposed_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert start("INV-1", ".pdf") == "~/INV-1.pdf"
    (tmp_path / "Downloads").mkdir()
    assert start("../INV-1", ".pdf") == "~/Downloads/INV-1.pdf"


def test_how_far_it_is_in_words() -> None:
    now = [0.0]
    flow = FileSink(io.BytesIO(), lambda: now[0])
    flow.begin(4_000_000)
    assert progress(flow) == "0 bytes of 4.0 MB"
    flow.take(b"x" * 1_000_000)
    now[0] = 2.0
    assert progress(flow) == "1.0 MB of 4.0 MB   500 kB/s   6 s left"
    flow.begin(None)
    flow.take(b"x" * 1_000)
    now[0] = 3.0
    assert progress(flow) == "1 kB   1 kB/s"


def test_a_file_with_other_columns_shows_its_first_ones() -> None:
    content = io.BytesIO(b"caller;called;at.time;seconds;price;a;b\r\n100;200;noon;60;0.10;x;y\r\n")
    found = summarise(content)
    row = FileLines(content, found).row(0)
    assert row is not None
    columns = line_columns(found)
    assert [column.title for column in columns] == ["CALLER", "CALLED", "AT.TIME", "SECONDS", "PRICE", "A"]
    assert [column.text(row)[0].text for column in columns] == ["100", "200", "noon", "60", "0.10", "x"]


def test_of_the_known_columns_those_that_the_file_has_are_shown() -> None:
    content = io.BytesIO(b"empty1,currency,endCustomerCompanyName,volume\r\n,EUR,Elm,3\r\n")
    assert [column.title for column in line_columns(summarise(content))] == ["CUSTOMER", "VOLUME", "CUR"]
