"""Failures outside the program: one message, the right exit code, never a traceback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from svc_tui.client.in_flight import Timeouts
from tests.commands.conftest import ADMIN, PASSWORDS, PATIENCE, Shell, serving


def check_failure(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """Check for one message with these words, this exit code, and no data."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("svc-tui: ")
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@pytest.mark.parametrize("words", [("login",), ("call", "ping")])
def test_an_unreachable_service_ends_with_4(shell: Shell, words: tuple[str, ...]) -> None:
    shell.use(f"http://127.0.0.1:{free_port()}")
    check_failure(shell.run(*words, SVC_TUI_PASSWORD="any"), 4, "127.0.0.1")


def test_an_unknown_host_ends_with_4(shell: Shell) -> None:
    check_failure(shell.use("https://nowhere.invalid").run("call", "ping"), 4, "nowhere.invalid")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a service with a certificate of an unknown authority, and the authority's file."""
    folder = tmp_path_factory.mktemp("tls")
    ca = trustme.CA()
    ca.cert_pem.write_to_path(str(folder / "ca.pem"))
    certificate = ca.issue_cert("127.0.0.1", "localhost")
    certificate.cert_chain_pems[0].write_to_path(str(folder / "cert.pem"))
    certificate.private_key_pem.write_to_path(str(folder / "key.pem"))
    with serving(folder, "--tls-cert", str(folder / "cert.pem"), "--tls-key", str(folder / "key.pem")) as address:
        yield address, folder / "ca.pem"


def test_an_untrusted_certificate_ends_with_4_and_nothing_is_sent(shell: Shell, authority: tuple[str, Path]) -> None:
    address, ca = authority
    done = shell.use(address).run("login", SVC_TUI_PASSWORD=PASSWORDS[ADMIN])
    check_failure(done, 4, "certificate")
    shell.run("profile", "add", "own", "--base-url", address, "--login", ADMIN, "--app-id", "x", "--ca-bundle", str(ca))
    assert shell.run("login", SVC_TUI_PROFILE="own", SVC_TUI_PASSWORD=PASSWORDS[ADMIN]).returncode == 0


def test_an_expired_session_ends_with_3(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "service"
    folder.mkdir()
    (folder / "server.toml").write_text(f'data_dir = "{folder}"\ntoken_lifetime = 1\nmax_token_renew = 0\n')
    with serving(folder, "--config", str(folder / "server.toml")) as address:
        shell.use(address).log_in()
        # The session expires one second after the login; requests show when.
        while (done := shell.run("whoami")).returncode == 0:
            pass
        check_failure(done, 3, "svc-tui login")


def test_an_invalid_token_ends_with_3(admin: Shell) -> None:
    kept = next((admin.folder / "data" / "sessions").glob("*.json"))
    text = kept.read_text()
    start = text.index('"token": "') + 10
    signature = text.index('"', start) - 20
    kept.write_text(text[:signature] + ("A" * 10) + text[signature + 10 :])
    check_failure(admin.run("call", "list_applications"), 3, "401")


def test_without_a_profile_the_message_shows_how_to_add_one(shell: Shell) -> None:
    check_failure(shell.run("whoami"), 2, "svc-tui profile add")


def test_ctrl_c_ends_with_130_and_prints_nothing(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        shell.use(f"http://127.0.0.1:{silent.getsockname()[1]}")
        process = shell.start("call", "ping")
        connection, _ = silent.accept()
        with connection:
            connection.recv(1)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert (out, err) == ("", "")


#: Runs a command; its interrupt is delivered to a thread, so that it does not interrupt what the event loop waits for.
INTERRUPTED = """
import signal, sys, threading
from svc_tui.commands import start
def interrupt():
    sys.stdin.readline()
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
sys.exit(start.run(sys.argv[1:]))
"""


def test_ctrl_c_just_before_the_command_begins_to_wait_ends_it_too(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        shell.use(f"http://127.0.0.1:{silent.getsockname()[1]}")
        process = shell.start("call", "ping", program=INTERRUPTED, stdin=subprocess.PIPE)
        connection, _ = silent.accept()
        with connection:
            connection.recv(1)
            out, err = process.communicate("now\n", timeout=Timeouts().read / 2)
    assert process.returncode == 130
    assert (out, err) == ("", "")


def test_a_reader_that_stops_early_is_no_error(shell: Shell) -> None:
    read, write = os.pipe()
    os.close(read)
    process = shell.start("operations", "--json", stdout=write)
    os.close(write)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert err == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_reported(shell: Shell) -> None:
    with Path("/dev/full").open("w") as full:
        process = shell.start("operations", "--json", stdout=full)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 70
    assert "no space left" in err
    assert "Traceback" not in err


def test_a_read_only_cache_folder_stops_no_command(admin: Shell) -> None:
    (admin.folder / "file").write_text("")
    broken = {"SVC_TUI_CACHE_DIR": str(admin.folder / "file" / "cache")}
    assert admin.run("call", "list_applications", **broken).returncode == 0
    assert admin.run("cache", "info", **broken).returncode == 0


def test_a_session_that_cannot_be_stored_is_reported_and_the_login_succeeds(logged_out: Shell) -> None:
    (logged_out.folder / "file").write_text("")
    broken = str(logged_out.folder / "file" / "data")
    done = logged_out.run("login", SVC_TUI_PASSWORD=PASSWORDS[ADMIN], SVC_TUI_DATA_DIR=broken)
    assert done.returncode == 0
    assert "cannot be stored" in done.stderr


def test_an_invalid_configuration_is_reported_with_its_field(shell: Shell) -> None:
    (shell.folder / "config").mkdir()
    (shell.folder / "config" / "config.toml").write_text('[profiles.work]\nbase_url = "nowhere"\n')
    check_failure(shell.run("whoami"), 2, "config.toml", "base_url")


def test_an_internal_error_is_logged_to_a_private_file(shell: Shell) -> None:
    # A broken library represents any internal error.
    (shell.folder / "tomlkit.py").write_text("raise RuntimeError('a fault')\n")
    words = ("profile", "add", "work", "--base-url", "https://work.example.com")
    done = shell.run(*words, PYTHONPATH=str(shell.folder))
    assert done.returncode == 70
    assert len(done.stderr.strip().splitlines()) == 1
    logs = list((shell.folder / "data").glob("crash-*.log"))
    assert len(logs) == 1
    assert str(logs[0]) in done.stderr
    assert logs[0].stat().st_mode & 0o777 == 0o600
    assert "a fault" in logs[0].read_text()


def test_the_console_requires_a_terminal(shell: Shell) -> None:
    for words in ((), ("open", "applications"), ("demo",)):
        check_failure(shell.run(*words), 2, "terminal")
