"""What a process is given by its surroundings: closed streams, full disks, bytes that are no text, line ends."""

from __future__ import annotations

import codecs
import contextlib
import http.client
import os
import pty
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from svc_tui.server.settings import read_settings
from tests.commands.conftest import ADMIN, PASSWORDS, PATIENCE, Shell

FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


def in_bash(shell: Shell, command: str, *words: str | bytes, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run `svc-tui` with these words by a command line of bash, in which it is `"$@"`."""
    return subprocess.run(
        ["bash", "-c", command, "bash", sys.executable, "-m", "svc_tui", *words],
        env=shell.environment(more), stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
    )  # fmt: skip


def check_no_crash(shell: Shell, done: subprocess.CompletedProcess[bytes]) -> None:
    assert b"Traceback" not in done.stderr
    assert b"Internal error" not in done.stderr
    assert not list(shell.folder.glob("data/crash-*"))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("call", "list_applications"), 70),
        (("whoami",), 70),
        (("--version",), 70),
        (("call", "--help"), 70),
        (("open",), 2),
    ],
)
def test_data_for_a_closed_output_is_a_failure_of_this_machine(admin: Shell, words: tuple[str, ...], code: int) -> None:
    done = in_bash(admin, '"$@" >&-', *words)
    assert done.returncode == code, done.stderr
    assert code == 2 or b"standard output is closed" in done.stderr
    check_no_crash(admin, done)


@FULL
@pytest.mark.parametrize("words", [("--version",), ("call", "list_applications", "--all", "--output", "csv")])
def test_a_full_disk_behind_the_output_is_reported_by_each_command(admin: Shell, words: tuple[str, ...]) -> None:
    done = in_bash(admin, '"$@" >/dev/full', *words)
    assert done.returncode == 70
    assert done.stderr == b"svc-tui: This machine reports an error: no space left on device.\n"


@pytest.mark.parametrize(
    ("command", "words", "code"),
    [
        ('"$@" 2>&-', ("login",), 3),
        ('"$@" 2>&-', ("call", "ping"), 0),
        ('"$@" <&-', ("doctor",), 0),
        ('"$@" <&-', ("call", "create_application", "--body", "-"), 2),
        ('"$@" <&- >&- 2>&-', ("whoami",), 3),
        ('"$@" <&-', ("demo",), 2),
    ],
)
def test_a_command_without_input_or_messages_ends_as_documented(
    logged_out: Shell, command: str, words: tuple[str, ...], code: int
) -> None:
    done = in_bash(logged_out, command, *words)
    assert done.returncode == code, done.stderr
    check_no_crash(logged_out, done)


def test_help_for_a_reader_that_stopped_is_no_error(shell: Shell) -> None:
    done = in_bash(shell, '{ "$@"; echo "$?" >&2; } | true', "call", "--help")
    assert done.stderr == b"0\n"


def responds(port: int) -> bool:
    """Whether the service is ready: before, it only says that it is not."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with contextlib.suppress(OSError), contextlib.closing(connection):
        connection.request("GET", "/api/svc/ping")
        return connection.getresponse().status == 200
    return False


@pytest.mark.parametrize("streams", ["<&- >&- 2>&-", pytest.param(">/dev/full", marks=FULL), "> >(true) 2>&1"])
def test_a_server_serves_whatever_its_streams_are(shell: Shell, streams: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        ["bash", "-c", f'exec "$@" {streams}', "bash", sys.executable, "-m", "svc_tui", "serve",
         "--port", str(port), "--data-dir", str(shell.folder / "service")],
        env=shell.environment(),
    )  # fmt: skip
    while not responds(port):
        with contextlib.suppress(subprocess.TimeoutExpired):
            assert process.wait(0.1) is None, "the server ended"
    process.terminate()
    assert process.wait(PATIENCE) == 0
    assert not list(shell.folder.glob("**/crash-*"))


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["call", "get_company", b"companyId=\xff"], rb'"companyId=\xff"'),
        (["call", "create_user", "--body", b"password=a\xffb"], b'"password='),
        ([b"\xe9t\xe9"], rb'"\xe9t\xe9"'),
        (["open", b"applications/\xff"], rb"\xff"),
        (["serve", "--host", b"\xff"], rb'"\xff"'),
    ],
)
def test_an_argument_that_is_no_text_is_named(shell: Shell, words: list[str | bytes], shown: bytes) -> None:
    done = in_bash(shell, '"$@"', *words)
    assert done.returncode == 2
    assert shown in done.stderr
    assert b"a\\xffb" not in done.stderr
    check_no_crash(shell, done)


@pytest.mark.parametrize("name", ["SVC_TUI_PASSWORD", "SVC_TUI_DATA_DIR", "HTTPS_PROXY"])
def test_a_variable_that_is_no_text_is_named_without_its_value(shell: Shell, name: str) -> None:
    done = in_bash(shell, f"export {name}=$'secret\\xff'; \"$@\"", "operations")
    assert done.returncode == 2
    assert name.encode() in done.stderr
    assert b"secret" not in done.stderr


@pytest.fixture
def unasked(shell: Shell) -> Iterator[Shell]:
    """A shell with the address of a service that must not be asked."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        shell.use(f"http://127.0.0.1:{listener.getsockname()[1]}")
        yield shell
        with pytest.raises(BlockingIOError):
            listener.accept()


@pytest.mark.parametrize(
    ("name", "value", "sign"),
    [
        ("SVC_TUI_PASSWORD", "right\r", "carriage return"),
        ("SVC_TUI_PASSWORD", "right\r\n", "carriage return"),
        ("SVC_TUI_LOGIN", f"{ADMIN}\n", "line feed"),
        ("SVC_TUI_APP_SECRET", "a\tb", "tab"),
        ("SVC_TUI_APP_ID", "a\x01", "U+0001"),
        ("SVC_TUI_API_KEY", "key\x7f", "U+007F"),
        ("SVC_TUI_BASE_URL", "https://service.example\r", "carriage return"),
        ("SVC_TUI_PASSWORD", "\ufeffright", "byte order mark"),
    ],
)
def test_a_value_with_a_control_character_is_refused_before_anything_is_sent(
    unasked: Shell, name: str, value: str, sign: str
) -> None:
    unasked.variables["SVC_TUI_PASSWORD"] = "right"
    for words in (("login",), ("call", "ping")):
        done = unasked.run(*words, **{name: value})
        assert done.returncode == 2
        assert name in done.stderr
        assert sign in done.stderr
        assert "right" not in done.stderr


def test_a_secret_with_a_control_character_is_not_stored(shell: Shell) -> None:
    words = ("profile", "add", "own", "--base-url", "https://service.example", "--app-id", "x")
    assert shell.run(*words, SVC_TUI_APP_SECRET="secret\r").returncode == 2
    assert shell.run("server", "init", ADMIN, "--data-dir", str(shell.folder), SVC_TUI_PASSWORD="a\n").returncode == 2
    assert not list(shell.folder.glob("**/*.toml")) + list(shell.folder.glob("**/*.db"))


def test_a_prompt_takes_no_control_character(unasked: Shell) -> None:
    terminal, program = pty.openpty()
    process = unasked.start("login", stdin=program, start_new_session=True)
    os.close(program)
    assert process.stderr is not None
    while process.stderr.read(1) != ":":
        pass
    os.write(terminal, b"pass\x02word\n")
    _, err = process.communicate(timeout=PATIENCE)
    os.close(terminal)
    assert process.returncode == 2
    assert "U+0002" in err


def test_the_help_fits_into_a_terminal_that_does_not_know_its_size(shell: Shell) -> None:
    terminal, program = pty.openpty()
    process = shell.start("--help", stdout=program)
    os.close(program)
    _, err = process.communicate(timeout=PATIENCE)
    os.close(terminal)
    assert (process.returncode, err) == (0, "")


def test_the_home_of_an_unknown_user_is_no_internal_error(unasked: Shell) -> None:
    words = ("call", "create_application", "--dry-run", "--body")
    assert unasked.run(*words, '{"name": "CRM"}', SVC_TUI_DATA_DIR="~unknown-user/x").returncode == 0
    done = unasked.run(*words, "@~unknown-user/x")
    assert done.returncode == 2
    assert "cannot be read" in done.stderr


MARKED = codecs.BOM_UTF8 + b'{"name": "CRM"}'
WIDE = '{"name": "CRM"}'.encode("utf-16")


def test_a_byte_order_mark_before_a_body_is_ignored(unasked: Shell) -> None:
    file = unasked.folder / "body.json"
    for content, code, shown in (
        (MARKED, 0, b'"CRM"'),
        (WIDE, 2, b"UTF-16"),
        (WIDE[2:], 2, b"UTF-16"),
        (b"\xff", 2, b"UTF-8"),
    ):
        file.write_bytes(content)
        for command, given in (('"$@"', f"@{file}"), (f'"$@" <"{file}"', "-")):
            done = in_bash(unasked, command, "call", "create_application", "--dry-run", "--body", given)
            assert done.returncode == code
            assert shown in done.stdout + done.stderr


def test_a_byte_order_mark_before_a_configuration_is_ignored(shell: Shell) -> None:
    folder = shell.folder / "config"
    (folder / "themes").mkdir(parents=True)
    text = 'language = "en"\ntheme = "own"\n\n[keymap]\nedit = "f2"\n'
    (folder / "themes" / "own.toml").write_bytes(codecs.BOM_UTF8 + b'base = "dark"\n')
    (folder / "config.toml").write_bytes(codecs.BOM_UTF8 + text.encode())
    assert shell.run("config", "check").returncode == 0
    assert shell.run("profile", "add", "own", "--base-url", "https://service.example").returncode == 0
    assert "own" in shell.run("profile", "list", "--json").stdout
    (folder / "config.toml").write_bytes(text.encode("utf-16"))
    done = shell.run("call", "ping")
    assert done.returncode == 2
    assert "UTF-16" in done.stderr


def test_a_byte_order_mark_before_the_settings_of_a_server_is_ignored(shell: Shell) -> None:
    file = shell.folder / "server.toml"
    file.write_bytes(codecs.BOM_UTF8 + b'billing = "none"\n')
    assert read_settings(file).billing == "none"
    file.write_bytes('billing = "none"\n'.encode("utf-16"))
    done = shell.run("serve", "--config", str(file))
    assert done.returncode == 2
    assert "UTF-16" in done.stderr


@pytest.mark.parametrize("value", [".", ".."])
def test_dots_are_no_value_of_an_address(unasked: Shell, value: str) -> None:
    done = unasked.run("call", "get_company", f"companyId={value}", SVC_TUI_PASSWORD=PASSWORDS[ADMIN])
    assert done.returncode == 2
    assert f'companyId="{value}"' in done.stderr
