"""Columns of the lines of an invoicing file."""

from __future__ import annotations

import io

from svc_tui.console.areas.invoices.invoice_file_view import line_columns
from svc_tui.workspace.invoices.lines import FileLines, summarise


def test_a_file_with_other_columns_shows_its_first_ones() -> None:
    content = io.BytesIO(b"caller;called;at.time;seconds;price;a;b\r\n100;200;noon;60;0.10;x;y\r\n")
    found = summarise(content)
    row = FileLines(content, found).row(0)
    assert row is not None
    columns = line_columns(found)
    assert [column.title for column in columns] == ["CALLER", "CALLED", "AT.TIME", "SECONDS", "PRICE", "A"]
    assert [column.text(row)[0].text for column in columns] == ["100", "200", "noon", "60", "0.10", "x"]


def test_the_known_columns_of_the_file_are_shown() -> None:
    content = io.BytesIO(b"empty1,currency,endCustomerCompanyName,volume\r\n,EUR,Elm,3\r\n")
    assert [column.title for column in line_columns(summarise(content))] == ["CUSTOMER", "VOLUME", "CUR"]
