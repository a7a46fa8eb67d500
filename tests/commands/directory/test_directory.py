"""`svc-tui directory`: checks and imports from a script, with their exit codes."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
from pathlib import Path

import pytest

from svc_tui.server.demo.accounts import LOGISTICS
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.directory.demo import faulty_file
from tests.commands.conftest import SUPERADMIN, Shell
from tests.commands.terminal import Terminal

COMMAND = "5f3c1a2b3c4d5e6f7a8b9c0d"
COMPANY = id_of("company", LOGISTICS)
RIGHT = "firstName;lastName;workPhoneNumber0\nAnn;Smith;+351213456789\nBo;Ström;+351213456780\n"


@pytest.fixture
def faulty(tmp_path: Path) -> str:
    """The path of a file with forty rows, twenty of them with errors."""
    path = tmp_path / "fair.csv"
    path.write_text(faulty_file(), encoding="utf-8")
    return str(path)


@pytest.fixture
def right(tmp_path: Path) -> str:
    """The path of a file with two correct rows."""
    path = tmp_path / "right.csv"
    path.write_text(RIGHT, encoding="utf-8")
    return str(path)


def test_a_file_is_checked_locally_without_a_service(shell: Shell, faulty: str) -> None:
    done = shell.run("directory", "check", faulty, "--local", "--country", "PRT")
    assert done.returncode == 1, done.stderr
    assert done.stderr == "20 rows correct, 20 with errors.\n"
    found = json.loads(done.stdout)
    assert (found["okCount"], found["errorCount"]) == (20, 20)
    assert found["errorReport"]["entry4"]["errors"][-1]["param"] == "country"


def test_the_service_checks_a_file_with_the_same_result(admin: Shell, faulty: str) -> None:
    there = admin.run("directory", "check", faulty)
    here = admin.run("directory", "check", faulty, "--local", "--country", "PRT")
    assert there.returncode == here.returncode == 1, there.stderr
    assert json.loads(there.stdout) == json.loads(here.stdout)
    assert there.stderr == here.stderr


def test_errors_are_available_as_csv(shell: Shell, faulty: str) -> None:
    done = shell.run("directory", "check", faulty, "--local", "--country", "PRT", "--output", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len({row["row"] for row in rows}) == 20
    assert rows[0]["row"] == "3"
    assert rows[0]["column"] == "workPhoneNumber0"
    assert rows[0]["value"] == "21 34 56"


def test_one_long_value_does_not_widen_the_other_rows_of_a_table(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text(
        "firstName;lastName;workPhoneNumber0\nAnn;Smith;12\nBo;Ström;" + "9" * 5000 + "\n", encoding="utf-8"
    )
    done = shell.run("directory", "check", str(path), "--local", "--country", "PRT", "--output", "table")
    heading, short, *_ = done.stdout.splitlines()
    assert done.returncode == 1 and "Ann" in short and "99999" in done.stdout
    assert len(heading) < 240 and len(short) < 240


def test_a_correct_file_ends_with_0(admin: Shell, right: str) -> None:
    assert admin.run("directory", "check", right, "--local").returncode == 0
    done = admin.run("directory", "check", right)
    assert (done.returncode, done.stderr) == (0, "2 rows correct, 0 with errors.\n")


def test_an_unreadable_file_is_reported_with_its_line(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "broken.csv"
    path.write_text('firstName;lastName\nAnn;"Smith\n', encoding="utf-8")
    done = shell.run("directory", "check", str(path), "--local")
    assert (done.returncode, done.stdout) == (1, "")
    assert "line 2, column 5: this opening quote has no closing quote" in done.stderr
    path.write_text("firstName;lastNam\nAnn;Smith\n", encoding="utf-8")
    done = shell.run("directory", "check", str(path), "--local")
    assert done.returncode == 1
    assert "did you mean lastName?" in done.stderr


def test_an_import_replaces_the_directory_and_reports_the_number_of_rows(
    logged_out: Shell, right: str, tmp_path: Path
) -> None:
    root = logged_out.log_in(SUPERADMIN)
    done = root.run("directory", "import", right, "--company", COMPANY, "--label", "By a script", "--yes")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(
        r"Completed successfully: 2 created\. The directory had \d+ entries and has 2 entries\.\n", done.stderr
    )
    report = json.loads(done.stdout)
    assert (report["label"], report["companyId"], report["created"]) == ("By a script", COMPANY, 2)
    listed = root.run("call", "list_directory_entries", f"companyId={COMPANY}")
    assert [each["lastName"] for each in json.loads(listed.stdout)["data"]] == ["Smith", "Ström"]


def test_the_help_explains_what_an_import_replaces(shell: Shell) -> None:
    said = " ".join(shell.run("directory", "import", "--help").stdout.split())
    assert "Replaces the whole directory, unless --command is given: then each row has its own action." in said


def test_replacing_a_directory_requires_a_confirmation_on_a_terminal(logged_out: Shell, right: str) -> None:
    root = logged_out.log_in(SUPERADMIN)
    command = ("directory", "import", right, "--company", COMPANY, "--label", "Asked")

    def last() -> str:
        done = root.run("call", "list_directory_entries", f"companyId={COMPANY}", "limit=1")
        return str(json.loads(done.stdout)["total"])

    root.run("directory", "import", right, "--company", COMPANY, "--yes")
    with Terminal(root, *command) as terminal:
        terminal.see("This replaces the whole directory (2 entries). Continue? [y/N] ")
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
        terminal.see("2 created. The directory had 2 entries and has 2 entries.")
        assert terminal.end() == 0
    with Terminal(root, *command, "--yes") as terminal:
        terminal.see("2 created.")
        assert terminal.end() == 0
        assert "[y/N]" not in terminal.text


def test_a_part_of_a_directory_requires_a_confirmation_or_an_option(logged_out: Shell, tmp_path: Path) -> None:
    root, part = logged_out.log_in(SUPERADMIN), tmp_path / "part.csv"
    part.write_text("% part of a directory: entries that match smith\n" + RIGHT, encoding="utf-8")
    command = ("directory", "import", str(part), "--company", COMPANY)
    root.run(*command, "--yes")
    done = root.run(*command)
    assert done.returncode == 1
    assert "only a part of a directory (entries that match smith)" in done.stderr
    with Terminal(root, *command) as terminal:
        terminal.see("The file contains only a part of a directory (entries that match smith)")
        terminal.see("[y/N] ")
        terminal.type("n")
        terminal.see("Nothing was imported.")
    assert root.run(*command, "--yes").returncode == 0


def test_without_a_terminal_a_file_that_removes_most_entries_needs_yes(logged_out: Shell, tmp_path: Path) -> None:
    root, path = logged_out.log_in(SUPERADMIN), tmp_path / "rows.csv"

    def replaced(rows: int, *options: str) -> subprocess.CompletedProcess[str]:
        path.write_text("lastName\n" + "".join(f"Name {row}\n" for row in range(rows)), encoding="utf-8")
        return root.run("directory", "import", str(path), "--company", COMPANY, *options)

    replaced(36, "--yes")
    done = replaced(1)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "svc-tui: The file replaces 36 entries by 1. Nothing was sent. Use --yes to import it.\n"
    assert replaced(17).returncode == 1
    assert "The directory had 36 entries and has 18 entries." in replaced(18).stderr  # Half of them.
    assert "had 18 entries and has 10 entries." in replaced(10, "--yes").stderr
    assert "had 10 entries and has 1 entry." in replaced(1).stderr  # Fewer than ten.
    replaced(11, "--yes")
    assert replaced(1).returncode == 1
    assert "had 11 entries and has 1 entry." in replaced(1, "--yes").stderr


def test_failed_rows_are_reported_and_end_with_1(logged_out: Shell, faulty: str) -> None:
    root = logged_out.log_in(SUPERADMIN)
    done = root.run("directory", "import", faulty, "--company", COMPANY, "--output", "csv", "--yes")
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("Completed with failure: 20 created, 20 failed. The directory had ")
    assert len(list(csv.DictReader(io.StringIO(done.stdout)))) >= 20


def test_another_encoding_is_sent_as_utf8(logged_out: Shell, tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_text(RIGHT, encoding="cp1252")
    done = logged_out.log_in(SUPERADMIN).run("directory", "import", str(path), "--company", COMPANY, "--yes")
    assert done.returncode == 0, done.stderr
    assert "Ström" in logged_out.run("call", "list_directory_entries", f"companyId={COMPANY}").stdout


def test_without_a_comment_character_values_are_complete(logged_out: Shell, tmp_path: Path) -> None:
    path = tmp_path / "sure.csv"
    path.write_text("firstName;lastName\nAnn;100% sure\n", encoding="utf-8")
    root = logged_out.log_in(SUPERADMIN)
    done = root.run("directory", "import", str(path), "--company", COMPANY, "--comment", "", "--yes")
    assert done.returncode == 0, done.stderr
    assert "100% sure" in root.run("call", "list_directory_entries", f"companyId={COMPANY}").stdout


def test_options_select_a_personal_directory_and_a_command(admin: Shell, right: str, tmp_path: Path) -> None:
    done = admin.run("directory", "import", right, "--personal", "--yes")
    assert done.returncode == 0, done.stderr
    path = tmp_path / "command.csv"
    path.write_text("__action__;ldap_id;lastName\nsync;crm-1;Smith\ndelete;crm-none;\n", encoding="utf-8")
    done = admin.run("directory", "check", str(path), "--command", COMMAND)
    assert done.returncode == 0, done.stderr
    done = admin.run("directory", "import", str(path), "--command", COMMAND)
    assert done.returncode == 1, done.stderr
    assert "1 created" in done.stderr
    assert "no entry has this identifier" in done.stdout


def test_conflicting_options_are_wrong_usage(shell: Shell, right: str, tmp_path: Path) -> None:
    both = shell.run("directory", "check", right, "--personal", "--company", COMPANY)
    assert (both.returncode, both.stdout) == (2, "")
    assert "Use only one of" in both.stderr
    missing = shell.run("directory", "check", str(tmp_path / "none.csv"))
    assert missing.returncode == 2
    assert "Cannot read" in missing.stderr
    country = shell.run("directory", "check", right, "--country", "PRT")
    assert country.returncode == 2


def test_read_only_allows_no_import(admin: Shell, right: str) -> None:
    done = admin.run("directory", "import", right, "--read-only")
    assert (done.returncode, done.stdout) == (2, "")


def test_without_a_session_directory_commands_end_with_3(logged_out: Shell, right: str) -> None:
    assert logged_out.run("directory", "check", right).returncode == 3
    assert logged_out.run("directory", "import", right).returncode == 3


def test_a_role_without_permission_is_refused(logged_out: Shell, right: str) -> None:
    done = logged_out.log_in("user@demo.example").run("directory", "import", right, "--yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert "code 403" in done.stderr


def test_an_unreachable_service_ends_a_check_with_4(admin: Shell, right: str) -> None:
    done = admin.run("directory", "check", right, SVC_TUI_BASE_URL="http://127.0.0.1:9", SVC_TUI_PASSWORD="x")
    assert done.returncode == 4, done.stderr


def test_a_terminal_shows_progress(logged_out: Shell, tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("lastName\n" + "Smith\n" * 100_000, encoding="utf-8")
    with Terminal(logged_out, "directory", "check", str(path), "--local") as terminal:
        terminal.see("rows, 0 with errors")
        terminal.see("100,000 rows correct, 0 with errors.")
