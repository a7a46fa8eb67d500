"""`svc-tui users`: checks and imports of files from a script, also when the service is killed in the middle of one."""

from __future__ import annotations

import asyncio
import csv
import json
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from svc_tui.cache.secrets import without_secrets
from svc_tui.console.areas.authentication.users import USERS
from svc_tui.workspace.files.export import ExportFormat, export
from tests.commands.conftest import PASSWORDS, Shell
from tests.commands.terminal import Terminal
from tests.support.process import ServerProcess, ended, serving_demo, start

HEADER = "__action__;loginEmail;firstName;lastName;mobilePhone0"


def staff(folder: Path, count: int, action: str = "create") -> Path:
    rows = [f"{action};u{place}@northwind.example;U{place};New;91234{place:04}" for place in range(count)]
    path = folder / "staff.csv"
    path.write_text("\n".join([HEADER, *rows, ""]), encoding="utf-8")
    return path


def test_a_file_is_checked_locally_without_a_service(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "staff.csv"
    path.write_text(f"{HEADER}\ncreate;a@x.example;A;B;912345678\ncreat;b@x.example;;B;12 privat\n", encoding="utf-8")
    done = shell.run("users", "check", str(path), "--local", "--country", "PRT")
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    assert (found["rows"], found["create"], found["wrong"]) == (2, 1, 1)
    assert {each["column"] for each in found["faults"]} == {"__action__", "firstName", "mobilePhone0"}
    assert done.stderr == "1 to create, 0 to update, 0 to delete, 1 with errors.\n"


@pytest.fixture
def killable(tmp_path: Path) -> Iterator[ServerProcess]:
    with serving_demo(tmp_path / "service") as server:
        yield server


def test_a_service_killed_in_the_middle_of_an_import_gets_no_user_twice_and_no_password_is_lost(
    killable: ServerProcess, shell: Shell, tmp_path: Path
) -> None:
    path, passwords = staff(tmp_path, 25), tmp_path / "passwords.csv"
    shell.use(killable.url)
    shell.variables["SVC_TUI_PASSWORD"] = PASSWORDS["company_admin@demo.example"]
    words = ("users", "import", str(path), "--passwords", str(passwords))
    running = shell.start(*words)
    record = shell.folder / "data" / "imports"
    end = time.monotonic() + 60
    while sum(file.read_text().count('"done"') for file in record.glob("*.jsonl")) < 5 and time.monotonic() < end:
        assert running.poll() is None, running.communicate()
        time.sleep(0.01)
    killable.process.kill()
    killable.process.wait()
    _output, errors = running.communicate(timeout=60)
    assert running.returncode == 4, errors
    assert "Run the same command again to continue." in errors
    port = int(killable.url.rpartition(":")[2])
    folder = tmp_path / "service"
    with ended(start(folder / "again.log", data_dir=folder / "data", demo_data="small", port=port)):
        again = shell.run(*words)
        assert again.returncode == 0, again.stderr
        assert "Continues an interrupted import" in again.stderr
        made = dict(list(csv.reader(passwords.read_text().splitlines(), delimiter=";"))[1:])
        assert len(made) == 25
        shell.variables |= {"SVC_TUI_LOGIN": "u0@northwind.example", "SVC_TUI_PASSWORD": made["u0@northwind.example"]}
        assert "u0@northwind.example" in Shell(tmp_path / "other", shell.variables).run("whoami").stdout
    with sqlite3.connect(folder / "data" / "svc.db") as database:
        assert (
            database.execute("SELECT count(*) FROM users WHERE login_email LIKE 'u%@northwind.example'").fetchone()[0]
            >= 25
        )
    assert not list(record.glob("*.jsonl"))


COLUMNS = [name for column in USERS.display.columns for name in (*(column.exported or (column.field,)), *column.also)]


@pytest.mark.parametrize(("read_format", "form"), [("medium", "csv"), ("medium", "json"), ("full", "json")])
def test_an_export_of_all_users_changes_nothing_when_it_is_imported(
    admin: Shell, tmp_path: Path, read_format: str, form: ExportFormat
) -> None:
    done = admin.run("call", "list_users", f"format={read_format}", "limit=1000", "--output", "json")
    users = json.loads(done.stdout)["data"]

    class Rows:
        async def rows(self) -> AsyncIterator[dict[str, Any]]:
            for each in users:
                yield without_secrets("list_users", each)

    path = tmp_path / f"users.{form}"
    assert asyncio.run(export(Rows(), path, form, COLUMNS)) == len(users) > 30
    checked = admin.run("users", "check", str(path), "--output", "json")
    found = json.loads(checked.stdout)
    assert checked.returncode == 0, checked.stdout
    assert (found["rows"], found["same"]) == (len(users), len(users)), found


def test_users_are_deleted_from_a_file_only_after_a_confirmation(logged_out: Shell, tmp_path: Path) -> None:
    admin = logged_out.log_in()
    path = staff(tmp_path, 2)
    assert admin.run("users", "import", str(path)).returncode == 0
    path = staff(tmp_path, 2, "delete")
    refused = admin.run("users", "import", str(path))
    assert refused.returncode == 1
    assert refused.stderr == "svc-tui: This deletes 2 users. Nothing was sent. Use --yes to continue.\n"
    with Terminal(admin, "users", "import", str(path)) as terminal:
        terminal.see("This deletes 2 users. Continue? [y/N] ")
        terminal.type("")
        terminal.see("Nothing was imported.")
        assert terminal.end() == 1
    assert "2 to delete" in admin.run("users", "check", str(path)).stderr
    done = admin.run("users", "import", str(path), "--yes")
    assert done.returncode == 0 and done.stderr == "2 done.\n", done.stderr


def test_a_workbook_that_cannot_be_read_is_refused_in_a_sentence(admin: Shell, tmp_path: Path) -> None:
    for begins, words, reason in (
        (b"PK\x03\x04", ("users", "check", "--local"), "is a damaged or protected workbook: save it again"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            ("users", "check", "--local"),
            "is a workbook (such as .xlsx): save it as",
        ),
        (b"PK\x03\x04", ("directory", "check"), "is a workbook (such as .xlsx): save it as CSV (UTF-8)"),
    ):
        path = tmp_path / "staff.xlsx"
        path.write_bytes(begins + bytes(range(256)) * 4)
        done = admin.run(*words[:2], str(path), *words[2:])
        assert done.returncode in (1, 2)
        assert reason in done.stderr
        assert "line 1" not in done.stderr and "Traceback" not in done.stderr
