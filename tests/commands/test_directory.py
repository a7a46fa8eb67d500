"""`svc-tui directory`: files checked and imported by a script, with exit codes that it can rely on."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from svc_tui.server.demo.accounts import LOGISTICS
from svc_tui.server.demo.directory import faulty_file
from svc_tui.server.demo.ids import id_of
from tests.commands.conftest import SUPERADMIN, Shell
from tests.commands.terminal import Terminal

COMMAND = "5f3c1a2b3c4d5e6f7a8b9c0d"
COMPANY = id_of("company", LOGISTICS)
RIGHT = "firstName;lastName;workPhoneNumber0\nAnn;Smith;+351213456789\nBo;Ström;+351213456780\n"


@pytest.fixture
def faulty(tmp_path: Path) -> str:
    """The path of a file of forty rows; twenty are wrong."""
    path = tmp_path / "fair.csv"
    path.write_text(faulty_file(), encoding="utf-8")
    return str(path)


@pytest.fixture
def right(tmp_path: Path) -> str:
    """The path of a file of two rows that are right."""
    path = tmp_path / "right.csv"
    path.write_text(RIGHT, encoding="utf-8")
    return str(path)


def test_a_file_is_checked_here_without_any_service(shell: Shell, faulty: str) -> None:
    done = shell.run("directory", "check", faulty, "--local", "--country", "PRT")
    assert done.returncode == 1, done.stderr
    assert done.stderr == "20 rows are right, 20 wrong.\n"
    found = json.loads(done.stdout)
    assert (found["okCount"], found["errorCount"]) == (20, 20)
    assert found["errorReport"]["entry4"]["errors"][-1]["param"] == "country"


def test_the_service_checks_a_file_with_the_same_result(admin: Shell, faulty: str) -> None:
    there = admin.run("directory", "check", faulty)
    here = admin.run("directory", "check", faulty, "--local", "--country", "PRT")
    assert there.returncode == here.returncode == 1, there.stderr
    assert json.loads(there.stdout) == json.loads(here.stdout)
    assert there.stderr == here.stderr


def test_what_is_wrong_is_a_table_for_programs_too(shell: Shell, faulty: str) -> None:
    done = shell.run("directory", "check", faulty, "--local", "--country", "PRT", "--output", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len({row["row"] for row in rows}) == 20
    assert rows[0]["row"] == "3"
    assert rows[0]["column"] == "workPhoneNumber0"
    assert rows[0]["value"] == "21 34 56"


def test_a_file_that_is_right_ends_with_zero(admin: Shell, right: str) -> None:
    assert admin.run("directory", "check", right, "--local").returncode == 0
    done = admin.run("directory", "check", right)
    assert (done.returncode, done.stderr) == (0, "2 rows are right, 0 wrong.\n")


def test_a_file_that_is_none_is_told_with_its_line(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "broken.csv"
    path.write_text('firstName;lastName\nAnn;"Smith\n', encoding="utf-8")
    done = shell.run("directory", "check", str(path), "--local")
    assert (done.returncode, done.stdout) == (1, "")
    assert "line 2, column 5: a quote is opened here and never closed" in done.stderr
    path.write_text("firstName;lastNam\nAnn;Smith\n", encoding="utf-8")
    done = shell.run("directory", "check", str(path), "--local")
    assert done.returncode == 1
    assert "did you mean lastName?" in done.stderr


def test_an_import_replaces_the_directory_and_tells_how_many_rows(person: Shell, right: str, tmp_path: Path) -> None:
    root = person.log_in(SUPERADMIN)
    done = root.run("directory", "import", right, "--company", COMPANY, "--label", "By a script")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"Completed successfully: 2 created\. There were \d+ entries before\.\n", done.stderr)
    report = json.loads(done.stdout)
    assert (report["label"], report["companyId"], report["created"]) == ("By a script", COMPANY, 2)
    listed = root.run("call", "list_directory_entries", f"companyId={COMPANY}")
    assert [each["lastName"] for each in json.loads(listed.stdout)["data"]] == ["Smith", "Ström"]


def test_the_help_says_what_an_import_replaces(shell: Shell) -> None:
    said = " ".join(shell.run("directory", "import", "--help").stdout.split())
    assert "Without --command the whole directory is replaced; with --command each row says" in said


def test_a_person_is_asked_before_a_directory_is_replaced(person: Shell, right: str) -> None:
    root = person.log_in(SUPERADMIN)
    command = ("directory", "import", right, "--company", COMPANY, "--label", "Asked")

    def last() -> str:
        done = root.run("call", "list_directory_entries", f"companyId={COMPANY}", "limit=1")
        return str(json.loads(done.stdout)["total"])

    root.run("directory", "import", right, "--company", COMPANY)
    with Terminal(root, *command) as terminal:
        terminal.see("Replaces the whole directory (2 entries). Continue? [y/N] ")
        terminal.type("")
        terminal.see("Nothing was imported.")
        assert terminal.end() == 1
    with Terminal(root, *command) as terminal:
        terminal.see("[y/N] ")
        terminal.press(b"\x03")
        assert terminal.end() == 130
    assert last() == "2"
    with Terminal(root, *command) as terminal:
        terminal.see("[y/N] ")
        terminal.type("y")
        terminal.see("2 created. There were 2 entries before.")
        assert terminal.end() == 0
    with Terminal(root, *command, "--yes") as terminal:
        terminal.see("2 created.")
        assert terminal.end() == 0
        assert "[y/N]" not in terminal.text


def test_a_part_of_a_directory_replaces_the_rest_only_when_that_is_said(person: Shell, tmp_path: Path) -> None:
    root, part = person.log_in(SUPERADMIN), tmp_path / "part.csv"
    part.write_text("% part of a directory: entries that match smith\n" + RIGHT, encoding="utf-8")
    command = ("directory", "import", str(part), "--company", COMPANY)
    root.run(*command, "--yes")
    done = root.run(*command)
    assert done.returncode == 1
    assert "a part of a directory only (entries that match smith)" in done.stderr
    with Terminal(root, *command) as terminal:
        terminal.see("The file holds a part of a directory only (entries that match smith)")
        terminal.see("[y/N] ")
        terminal.type("n")
        terminal.see("Nothing was imported.")
    assert root.run(*command, "--yes").returncode == 0


def test_rows_that_failed_are_named_and_the_exit_code_says_so(person: Shell, faulty: str) -> None:
    root = person.log_in(SUPERADMIN)
    done = root.run("directory", "import", faulty, "--company", COMPANY, "--output", "csv")
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("Completed with failure: 20 created, 20 failed. There were ")
    assert len(list(csv.DictReader(io.StringIO(done.stdout)))) >= 20


def test_another_encoding_is_sent_as_utf8(person: Shell, tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_text(RIGHT, encoding="cp1252")
    done = person.log_in(SUPERADMIN).run("directory", "import", str(path), "--company", COMPANY)
    assert done.returncode == 0, done.stderr
    assert "Ström" in person.run("call", "list_directory_entries", f"companyId={COMPANY}").stdout


def test_without_a_comment_character_nothing_is_cut_off(person: Shell, tmp_path: Path) -> None:
    path = tmp_path / "sure.csv"
    path.write_text("firstName;lastName\nAnn;100% sure\n", encoding="utf-8")
    root = person.log_in(SUPERADMIN)
    done = root.run("directory", "import", str(path), "--company", COMPANY, "--comment", "")
    assert done.returncode == 0, done.stderr
    assert "100% sure" in root.run("call", "list_directory_entries", f"companyId={COMPANY}").stdout


def test_a_personal_directory_and_a_command_are_meant_by_their_options(
    admin: Shell, right: str, tmp_path: Path
) -> None:
    done = admin.run("directory", "import", right, "--personal")
    assert done.returncode == 0, done.stderr
    path = tmp_path / "command.csv"
    path.write_text("__action__;ldap_id;lastName\nsync;crm-1;Smith\ndelete;crm-none;\n", encoding="utf-8")
    done = admin.run("directory", "check", str(path), "--command", COMMAND)
    assert done.returncode == 0, done.stderr
    done = admin.run("directory", "import", str(path), "--command", COMMAND)
    assert done.returncode == 1, done.stderr
    assert "1 created" in done.stderr
    assert "there is no such entry" in done.stdout


def test_what_cannot_be_meant_is_wrong_usage(shell: Shell, right: str, tmp_path: Path) -> None:
    both = shell.run("directory", "check", right, "--personal", "--company", COMPANY)
    assert (both.returncode, both.stdout) == (2, "")
    assert "only one can be meant" in both.stderr
    missing = shell.run("directory", "check", str(tmp_path / "none.csv"))
    assert missing.returncode == 2
    assert "cannot be read" in missing.stderr
    country = shell.run("directory", "check", right, "--country", "PRT")
    assert country.returncode == 2


def test_nothing_is_imported_read_only(admin: Shell, right: str) -> None:
    done = admin.run("directory", "import", right, "--read-only")
    assert (done.returncode, done.stdout) == (2, "")


def test_who_is_not_logged_in_is_told_so(person: Shell, right: str) -> None:
    assert person.run("directory", "check", right).returncode == 3
    assert person.run("directory", "import", right).returncode == 3


def test_a_role_that_may_not_is_refused(person: Shell, right: str) -> None:
    done = person.log_in("user@demo.example").run("directory", "import", right)
    assert (done.returncode, done.stdout) == (1, "")
    assert "code 403" in done.stderr


def test_a_service_that_is_not_there_is_out_of_reach(admin: Shell, right: str) -> None:
    done = admin.run("directory", "check", right, SVC_TUI_BASE_URL="http://127.0.0.1:9", SVC_TUI_PASSWORD="x")
    assert done.returncode == 4, done.stderr


def test_a_person_sees_how_far_it_is(person: Shell, tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("lastName\n" + "Smith\n" * 100_000, encoding="utf-8")
    with Terminal(person, "directory", "check", str(path), "--local") as terminal:
        terminal.see("rows, 0 of them wrong")
        terminal.see("rows a second")
        terminal.see("100,000 rows are right, 0 wrong.")
