"""`svc-tui wait`: until a list or a record fits a filter, with events, polls and a service that restarts."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bench.waits import together
from tests.commands.conftest import PATIENCE, Shell, serving

#: Only an event can be this quick: no test waits for the next read.
RARELY = ("--every", "10m")

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts `svc-tui wait`; what still waits at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(shell: Shell, *words: str) -> subprocess.Popen[str]:
        started.append(shell.start("wait", *words))
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate()


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out.strip(), err.strip()


def new_application(shell: Shell, name: str) -> str:
    done = shell.run("call", "create_application", "--body", json.dumps({"name": name, "type": "web", "activity": "J"}))
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout)["data"]["id"])


def test_what_holds_already_ends_at_once(admin: Shell) -> None:
    done = admin.run("wait", "applications", "--until", "state:new", *RARELY)
    assert (done.returncode, done.stdout.strip()) == (0, "state:new")
    done = admin.run("wait", "applications", "--gone", "name:=no-such-name", *RARELY)
    assert done.returncode == 0, done.stderr


def test_the_time_is_over(admin: Shell) -> None:
    done = admin.run("wait", "applications", "--until", "name:=no-such-name", "--timeout", "1s")
    assert (done.returncode, done.stdout) == (5, "")
    assert "no-such-name" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("applications",), "--until FILTER"),
        (("applications", "--until", "a", "--gone", "b"), "--until FILTER"),
        (("aplications", "--until", "a"), "Did you mean applications?"),
        (("applications", "--until", "a", "--timeout", "soon"), "--timeout"),
        (("applications", "--until", "a", "--every", "0"), "--every"),
        (("subscribers", "--until", "a"), "pbxs/ID/subscribers"),
        (("applications", "--until", "colour:red"), "colour"),
        (("applications", "--gone", "state:deployed"), "new, active"),
        (("sipdevices", "--until", "online:yes"), "cloudpbxs/ID/sipdevices"),
        ((f"cloudpbxs/{'5f' * 12}/sipdevices", "--until", "online:yes"), "one record at a time"),
        (("directory", "--until", "colour:red"), "colour"),
        (("directoryreports", "--until", "a"), "directoryreports"),
    ],
)
def test_wrong_usage_is_refused_at_once(admin: Shell, words: tuple[str, ...], said: str) -> None:
    done = admin.run("wait", *words)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_record_that_does_not_exist_fits_nothing(admin: Shell) -> None:
    place = "applications/0123456789abcdef01234567"
    done = admin.run("wait", place, "--until", "state:active", *RARELY)
    assert done.returncode == 1
    assert "no longer exists" in done.stderr
    assert admin.run("wait", place, "--gone", "state:active", *RARELY).returncode == 0


def test_a_change_of_another_one_ends_a_wait_for_a_list_and_for_a_record(admin: Shell, start: Start) -> None:
    id = new_application(admin, "awaited")
    waits = [
        start(admin, "applications", "--until", "name:=renamed", "--every", "1s"),
        start(admin, f"applications/{id}", "--until", "name:=renamed", "--every", "1s"),
        start(admin, f"applications/{id}", "--gone", "name:=awaited", "--every", "1s"),
    ]
    done = admin.run("call", "update_application", f"appId={id}", "--body", "name=renamed")
    assert done.returncode == 0, done.stderr
    assert [ended(each)[0] for each in waits] == [0, 0, 0]


def test_the_end_of_a_directory_import_is_waited_for(admin: Shell, start: Start, tmp_path: Path) -> None:
    waiting = start(admin, "directory", "--until", "state:completed", "--every", "1s")
    file = tmp_path / "contacts.csv"
    file.write_text("lastName,workPhoneNumber0\nNorth,+351210996100\n", "utf-8")
    done = admin.run("directory", "import", str(file), "--yes")
    assert done.returncode == 0, done.stderr
    code, said, errors = ended(waiting)
    assert (code, said) == (0, "state:completed"), errors


def test_waits_beyond_the_event_sessions_of_a_user_end_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A hundred of them at once; `python -m tests.bench.waits` does the same with a thousand."""
    (tmp_path / "service").mkdir()
    with serving(tmp_path / "service") as address:
        shell = Shell(tmp_path).use(address).log_in()
        for name, value in shell.environment().items():
            if name.startswith("SVC_TUI_"):
                monkeypatch.setenv(name, value)
        asyncio.run(together(100, 5.0, shell))
    assert capsys.readouterr().out.splitlines() == ["name:=Awaited"] * 100


def test_a_wait_outlives_a_restart_of_the_service(tmp_path: Path, start: Start) -> None:
    folder, shell = tmp_path / "service", Shell(tmp_path)
    folder.mkdir()
    with serving(folder) as address:
        shell.use(address).log_in()
        waiting = start(shell, "applications", "--until", "name:=later", "--every", "1s", "--timeout", "50s")
        new_application(shell, "before")
    port = address.rpartition(":")[2].strip("/")
    again = Shell(folder).start(
        "serve", "--port", port, "--data-dir", str(folder), "--database", f"sqlite:///{folder / 'svc.db'}",
        cwd=folder,
    )  # fmt: skip
    try:
        assert again.stdout is not None
        again.stdout.readline()
        new_application(shell, "later")
        assert ended(waiting)[0] == 0
    finally:
        again.send_signal(signal.SIGTERM)
        again.communicate(timeout=PATIENCE)
