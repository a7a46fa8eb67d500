"""Doubtful rows of files have a suggestion, and are left over until it is taken; nothing is emptied by accident."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from svc_tui.server.demo.accounts import LOGISTICS
from svc_tui.server.demo.repeatable import id_of
from tests.commands.conftest import SUPERADMIN, Shell
from tests.commands.terminal import Terminal

COMPANY = id_of("company", LOGISTICS)
#: Lines 2 and 5 are right, 3 and 4 doubtful, 6 has a word. A comment and an empty line count as lines.
MIXED = (
    "lastName;workPhoneNumber0;country\nHahn;030 123456 ::: 0171 1234567;DEU\n"
    "% a comment\nKlein;30123456;DEU\nLang;4917112345678;DEU\n\nRoy;01 42 68 53 00;FRA\nVogt;030 12 privat;DEU\n"
)


@pytest.fixture
def root(logged_out: Shell) -> Shell:
    return logged_out.log_in(SUPERADMIN)


def written(folder: Path, text: str) -> str:
    path = folder / "contacts.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def stored(root: Shell) -> dict[str, list[str]]:
    done = root.run("call", "list_directory_entries", f"companyId={COMPANY}", "format=full")
    return {each["lastName"]: each.get("workPhoneNumbers") for each in json.loads(done.stdout)["data"]}


def test_a_check_has_three_kinds_of_rows(shell: Shell, tmp_path: Path) -> None:
    file = written(tmp_path, MIXED)
    done = shell.run("directory", "check", file, "--local")
    assert (done.returncode, done.stderr) == (1, "2 rows correct, 2 doubtful, 1 with errors.\n")
    found = json.loads(done.stdout)
    assert (found["okCount"], found["doubtfulCount"], found["errorCount"]) == (2, 2, 1)
    klein, lang, vogt = found["errorReport"].values()
    assert (klein["line"], klein["status"], klein["marked"]) == (4, "doubtful", "Klein;▸30123456;DEU")
    (error,) = klein["errors"]
    assert error["suggestion"] == "+4930123456" and error["doubtful"] and "area code" in error["msg"]
    assert (lang["line"], lang["errors"][0]["suggestion"]) == (5, "+4917112345678")
    assert (vogt["line"], vogt["status"]) == (8, "failed") and "doubtful" not in vogt["errors"][0]


def test_a_table_names_the_lines_marks_the_values_and_counts_what_it_does_not_list(
    shell: Shell, tmp_path: Path
) -> None:
    file = written(tmp_path, MIXED)
    table = shell.run("directory", "check", file, "--local", "--output", "table").stdout.splitlines()
    assert table[1].split()[:3] == ["4", "doubtful", "workPhoneNumber0"] and "▸30123456" in table[1]
    assert table[3].split()[:2] == ["8", "failed"]
    rows = list(csv.DictReader(io.StringIO(shell.run("directory", "check", file, "--local", "--output", "csv").stdout)))
    assert [(row["line"], row["row"], row["status"], row["suggestion"]) for row in rows] == [
        ("4", "2", "doubtful", "+4930123456"),
        ("5", "3", "doubtful", "+4917112345678"),
        ("8", "5", "failed", ""),
    ]
    many = written(tmp_path, "lastName;workPhoneNumber0\n" + "A;privat\n" * 112)
    done = shell.run("directory", "check", many, "--local", "--output", "table")
    assert done.stderr == "and 12 more\n0 rows correct, 112 with errors.\n"


def test_doubtful_rows_are_left_over_until_they_are_accepted(root: Shell, tmp_path: Path) -> None:
    command = ("directory", "import", written(tmp_path, MIXED), "--company", COMPANY, "--yes")
    done = root.run(*command)
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert (report["created"], report["doubtful"], report["failed"]) == (2, 2, 1)
    assert [(each["line"], each["status"]) for each in report["report"].values() if "errors" in each] == [
        (4, "doubtful"),
        (5, "doubtful"),
        (8, "failed"),
    ]
    assert "2 created, 1 failed, 2 doubtful." in done.stderr and "and has 2 entries." in done.stderr
    assert "--accept-doubtful" in done.stderr
    assert stored(root) == {"Hahn": ["+4930123456", "+491711234567"], "Roy": ["+33142685300"]}
    done = root.run(*command, "--accept-doubtful")
    assert done.returncode == 1 and "4 created, 1 failed." in done.stderr
    assert stored(root)["Lang"] == ["+4917112345678"] and "Vogt" not in stored(root)


def test_when_no_row_is_right_nothing_is_sent(root: Shell, tmp_path: Path) -> None:
    root.run("directory", "import", written(tmp_path, "lastName\nStays\n"), "--company", COMPANY, "--yes")
    file = written(tmp_path, "lastName;workPhoneNumber0;country\nKlein;30123456;DEU\nVogt;1001;DEU\n")
    done = root.run("directory", "import", file, "--company", COMPANY, "--yes")
    assert done.returncode == 1 and "Nothing was imported: no row is correct. The directory had 1 entry" in done.stderr
    assert (json.loads(done.stdout)["doubtful"], json.loads(done.stdout)["failed"]) == (1, 1)
    assert list(stored(root)) == ["Stays"]


def test_when_most_rows_would_be_left_over_a_script_needs_yes_and_a_terminal_asks(root: Shell, tmp_path: Path) -> None:
    root.run("directory", "import", written(tmp_path, "lastName\nStays\n"), "--company", COMPANY, "--yes")
    file = written(tmp_path, "lastName;workPhoneNumber0\nA;1001\nB;privat\nC;\n")
    command = ("directory", "import", file, "--company", COMPANY)
    done = root.run(*command)
    assert (done.returncode, done.stdout) == (1, "")
    assert "2 of 3 rows would be left over" in done.stderr and "Use --yes" in done.stderr
    with Terminal(root, *command) as terminal:
        terminal.see("2 of 3 rows would be left over")
        terminal.type("n")
        terminal.see("Nothing was imported.")
        assert terminal.end() == 1
    assert list(stored(root)) == ["Stays"]
    done = root.run(*command, "--yes")
    assert done.returncode == 1 and "The directory had 1 entry and has 1 entry." in done.stderr
    assert list(stored(root)) == ["C"]


def test_a_conversion_takes_accepted_suggestions_and_adds_columns(shell: Shell, tmp_path: Path) -> None:
    target = tmp_path / "converted.csv"
    command = ("directory", "convert", written(tmp_path, MIXED), "--output", str(target))
    assert shell.run(*command).returncode == 1
    assert target.read_text(encoding="utf-8").splitlines() == [
        "lastName;workPhoneNumber0;country;workPhoneNumber1",
        "Hahn;+4930123456;DEU;+491711234567",
        "Roy;+33142685300;FRA;",
    ]
    shell.run(*command, "--accept-doubtful")
    assert "Klein;+4930123456;DEU;" in target.read_text(encoding="utf-8").splitlines()
