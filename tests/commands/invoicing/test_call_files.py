"""`svc-tui call` with lists that have no envelope, and with files."""

from __future__ import annotations

import csv
import io
import json

from tests.commands.conftest import Shell

FINANCE = "bp_finance@demo.example"


def test_a_list_without_an_envelope_is_available_in_every_format(logged_out: Shell) -> None:
    finance = logged_out.log_in(FINANCE)
    asked = ("call", "list_invoice_files", "billingPeriod=2026-10")
    done = finance.run(*asked)
    entries = json.loads(done.stdout)
    assert [type(entry) for entry in entries] == [dict] * len(entries)
    assert entries
    rows = list(csv.DictReader(io.StringIO(finance.run(*asked, "--output", "csv").stdout)))
    assert [row["filepath"] for row in rows] == [entry["filepath"] for entry in entries]
    table = finance.run(*asked, "--output", "table")
    assert (table.returncode, table.stderr) == (0, "")
    assert all(entry["invoiceType"] in table.stdout for entry in entries)


def test_an_invoicing_file_goes_to_standard_output_unchanged(logged_out: Shell) -> None:
    finance = logged_out.log_in(FINANCE)
    entries = json.loads(finance.run("call", "list_invoice_files", "invoiceType=conference").stdout)
    done = finance.run("call", "download_invoice_file", f"invoicePath={entries[0]['filepath']}")
    assert done.returncode == 0, done.stderr
    head, *lines = csv.reader(io.StringIO(done.stdout))
    assert "endCustomerCompanyName" in head
    assert lines
