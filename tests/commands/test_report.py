"""`svc-tui report`: the list of reports, their formats, groups, and what a refused or unreachable service leaves."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import openpyxl
import pytest

from tests.commands.conftest import PATIENCE, SUPERADMIN, Shell, serving
from tests.commands.gateway import gateway
from tests.support.process import ended, serving_demo, start


@pytest.fixture
def partner(shell: Shell, service: str) -> Shell:
    return shell.use(service).log_in(SUPERADMIN)


def test_the_reports_are_listed_without_a_login(shell: Shell) -> None:
    done = shell.run("report")
    assert done.returncode == 0, done.stderr
    assert {"licences", "seats", "numbers", "devices", "security"} <= {
        line.split()[0] for line in done.stdout.splitlines()
    }


def test_a_report_is_json_csv_or_a_workbook_with_the_same_rows(partner: Shell, tmp_path: Path) -> None:
    done = partner.run("report", "numbers")
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)
    assert rows and all(row["first"].startswith("+") and row["companyId"] for row in rows)
    lines = list(csv.DictReader(io.StringIO(partner.run("report", "numbers", "--output", "csv").stdout)))
    assert [row["FIRST"] for row in lines] == [row["first"] for row in rows]
    command = [sys.executable, "-m", "svc_tui", "report", "numbers", "--output", "xlsx"]
    made = subprocess.run(command, env=partner.environment(), capture_output=True, check=True).stdout
    sheet = openpyxl.load_workbook(io.BytesIO(made)).active
    column = [cell.value for cell in sheet[1]].index("FIRST")
    cells = [line[column] for line in sheet.iter_rows(min_row=2)]
    assert [cell.value for cell in cells] == [row["first"] for row in rows]
    assert {cell.data_type for cell in cells} == {"s"}


def test_a_group_is_read_alone_and_one_that_is_unknown_is_named(partner: Shell) -> None:
    rows = json.loads(partner.run("report", "seats").stdout)
    chosen = rows[0]["companyId"]
    (file,) = (partner.folder / "data").rglob("preferences.json")
    kept = json.loads(file.read_text())
    file.write_text(json.dumps({**kept, "groups": {"north": {"companies": [chosen], "filter": ""}}}))
    mine = json.loads(partner.run("report", "seats", "--group", "north").stdout)
    assert mine == [row for row in rows if row["companyId"] == chosen]
    done = partner.run("report", "seats", "--group", "south")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Unknown group “south”. Groups: north" in done.stderr


def test_what_was_read_is_there_while_the_service_is_not_with_exit_code_4_for_what_is_missing(
    shell: Shell, tmp_path: Path
) -> None:
    (folder := tmp_path / "service").mkdir()
    with serving(folder) as address:
        shell.use(address).log_in(SUPERADMIN)
        known = {name: json.loads(shell.run("report", name).stdout) for name in ("seats", "reconciliation")}
    for name, rows in known.items():
        done = shell.run("report", name)
        assert (done.returncode, json.loads(done.stdout)) == (0, rows)
    done = shell.run("report", "seats", "--fresh")
    assert (done.returncode, json.loads(done.stdout)) == (4, [])
    assert "The next call continues here." in done.stderr


def test_wrong_usage(partner: Shell) -> None:
    done = partner.run("report", "licence")
    assert done.returncode == 2
    assert "Did you mean licences?" in done.stderr
    assert "Unknown report “xyz”. Reports: security, licences, " in partner.run("report", "xyz").stderr


def test_parts_are_aligned_as_numbers(partner: Shell) -> None:
    heading, *rows = partner.run("report", "seats", "--output", "table").stdout.splitlines()
    ends = {row.index(" %") for row in rows if " %" in row}
    assert ends == {heading.index("IN USE") + len("IN USE") - 2}


def test_a_call_for_a_group_calls_each_company_and_joins_their_records(partner: Shell) -> None:
    rows = json.loads(partner.run("report", "seats").stdout)
    one, other = list(dict.fromkeys(row["companyId"] for row in rows))[:2]
    (file,) = (partner.folder / "data").rglob("preferences.json")
    kept = json.loads(file.read_text())
    groups = {"two": {"companies": [one, other]}, "gone": {"companies": [one, "0123456789abcdef01234567"]}}
    file.write_text(json.dumps({**kept, "groups": groups}))
    done = partner.run("call", "list_sites", "--group", "two", "--all")
    assert done.returncode == 0, done.stderr
    assert {each["companyId"] for each in json.loads(done.stdout)["data"]} <= {one, other}
    done = partner.run("call", "get_company", "--group", "gone", "--output", "jsonl")
    assert (done.returncode, [json.loads(line)["id"] for line in done.stdout.splitlines()]) == (1, [one])
    assert done.stderr.startswith("companyId 0123456789abcdef01234567: ")
    done = partner.run("call", "update_company", "--group", "two", "--body", "name=x", "--dry-run")
    assert [line for line in done.stdout.splitlines() if line.startswith("PUT")] == [
        next(line for line in done.stdout.splitlines() if each in line) for each in sorted((one, other))
    ]


def test_a_group_is_only_for_operations_of_a_company(partner: Shell) -> None:
    for words, said in (
        (("get_own_user", "--group", "two"), "get_own_user has no parameter companyId that --group could give."),
        (("list_users", "companyId=1", "--group", "two"), "Use --group or companyId=…, not both."),
        (("list_users", "--group", "none"), "Unknown group “none”."),
    ):
        done = partner.run("call", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr


def test_what_is_billed_stands_beside_what_is_sold(partner: Shell) -> None:
    done = partner.run("report", "reconciliation")
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)
    assert {"billed", "bought", "assigned", "difference", "since"} <= rows[0].keys()
    assert all(row["difference"] == row["billed"] - row["bought"] for row in rows)


def test_the_documentation_of_a_customer_has_its_licences_numbers_devices_and_call_flows(partner: Shell) -> None:
    done = partner.run("document", "northwind telecom")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# Northwind Telecom\n")
    chapters = [line.removeprefix("## ") for line in done.stdout.splitlines() if line.startswith("## ")]
    assert chapters == [
        "Company and contacts",
        "Sites",
        "Who may do what",
        "Licences",
        "CloudPBX Northwind voice",
    ]
    assert "| +351210990000 |" in done.stdout
    assert "├── open ──▸ " in done.stdout and "└── closed ──▸ " in done.stdout
    page = partner.run("document", "Northwind Telecom", "--output", "html")
    assert page.stdout.startswith("<!DOCTYPE html>") and "<h2>Sites</h2>" in page.stdout
    missing = partner.run("document", "Missing Ltd")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "No company has the ID or name “Missing Ltd”." in missing.stderr


#: The last lists that a documentation reads of a customer with a CloudPBX.
LAST = ["devices", "welcomeservices"]


def test_a_documentation_whose_service_is_killed_has_what_was_read_and_the_next_call_continues(
    shell: Shell, tmp_path: Path
) -> None:
    folder = tmp_path / "service"
    with serving_demo(folder) as server, gateway(server.url) as between:
        shell.use(f"http://{between.address}").log_in(SUPERADMIN)

        def killed_before_devices(line: str) -> None:
            if line.endswith("/devices"):
                server.process.kill()
                server.process.wait()

        between.answer = killed_before_devices
        stopped = shell.run("document", "northwind telecom")
        assert stopped.returncode == 4
        assert "Incomplete: " in stopped.stderr and "The next call continues here." in stopped.stderr
        assert "### Extensions" in stopped.stdout and "### Devices" not in stopped.stdout
        between.answer = lambda _line: None
        between.seen.clear()
        port = int(server.url.rpartition(":")[2])
        with ended(start(folder / "again.log", data_dir=folder / "data", demo_data="small", port=port)):
            whole = shell.run("document", "northwind telecom")
            assert [line.rpartition("/")[2] for line in between.seen] == LAST
            fresh = shell.run("document", "northwind telecom", "--fresh")
        assert (whole.returncode, whole.stdout, whole.stderr) == (0, fresh.stdout, "")
        read, missing = stopped.stdout.rsplit("\n## ", 1)
        assert whole.stdout.startswith(read) and "\nNot read: " in missing


def test_ctrl_c_leaves_what_a_documentation_read_for_the_next_call(shell: Shell, service: str) -> None:
    with gateway(service) as between:
        reached, released = Event(), Event()

        def held_at_devices(line: str) -> None:
            if line.endswith("/devices"):
                reached.set()
                released.wait(PATIENCE)

        shell.use(f"http://{between.address}").log_in(SUPERADMIN)
        between.answer = held_at_devices
        running = shell.start("document", "northwind telecom")
        assert reached.wait(PATIENCE)
        running.send_signal(signal.SIGINT)
        out, errors = running.communicate(timeout=PATIENCE)
        released.set()
        assert (running.returncode, out, errors) == (130, "", "")
        between.seen.clear()
        done = shell.run("document", "northwind telecom")
        assert (done.returncode, done.stderr) == (0, "")
        assert [line.rpartition("/")[2] for line in between.seen] == LAST
