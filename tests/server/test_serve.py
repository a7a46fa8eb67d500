"""The server as a process: announcing itself, ending, workers, TLS, and one sentence for whatever prevents it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import ssl
import stat
import warnings
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import trustme
from sqlalchemy import text

from svc_tui.interface.authentication.proof import API_KEY, APP_AUTH, CHALLENGE, app_auth, basic
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, PASSWORD
from svc_tui.server.first_account import create_first_account
from svc_tui.server.security.key_replacement import replace_signing_keys
from svc_tui.server.serve import ServerCommandError, serve
from svc_tui.server.settings import Settings
from svc_tui.server.store.database import engine_for
from tests.support.postgres import Postgres
from tests.support.process import ServerProcess, serving, serving_demo

LOGIN = "/api/svc/authentication/v1.0/login"
VALIDATOR = "/api/svc/authentication/v1.0/validator"
KEYS = "/api/svc/authentication/v1.0/apikeys"
ME = "/api/svc/enduser/v1.0/users/me"


def login(url: str, name: str = "user", **options: ssl.SSLContext) -> httpx.Response:
    headers = {
        "authorization": basic(f"{name}@demo.example", PASSWORD),
        APP_AUTH: app_auth(APP_ID, APP_SECRET, PASSWORD),
    }
    return httpx.get(url + LOGIN, headers=headers, timeout=20, **options)


def test_it_serves_the_demo_data_and_ends_with_0(tmp_path: Path) -> None:
    with serving(tmp_path, demo_data="small") as server:
        body = login(server.url, "superadmin").json()
        assert body["loggedInUser"]["loginEmail"] == "superadmin@demo.example"
        assert httpx.get(f"{server.url}/openapi.json").json()["openapi"] == "3.1.0"
        assert server.end() == 0
        assert "svc-tui demo-accounts" in server.log
        assert PASSWORD not in server.log
        assert body["token"] not in server.log


@pytest.mark.parametrize(("host", "warned"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_demo_accounts_that_other_machines_can_reach_are_warned_of(tmp_path: Path, host: str, warned: bool) -> None:
    with serving_demo(tmp_path, host=host) as server:
        assert server.end() == 0
        assert ("the demo accounts have public passwords" in server.log) is warned


@pytest.mark.parametrize(("mode", "folder_mode", "warnings"), [(0o640, 0o755, []), (0o644, 0o777, ["read", "replace"])])
def test_files_that_all_users_can_read_or_replace_are_warned_of(
    tmp_path: Path, mode: int, folder_mode: int, warnings: list[str]
) -> None:
    config, data = tmp_path / "server.toml", tmp_path / "data"
    config.write_text('signing_key_secret = "not to be read by all"\n')
    config.chmod(mode)
    data.mkdir()
    data.chmod(folder_mode)
    with serving(tmp_path, config=config) as server:
        found = [line for line in server.log.splitlines() if "all users of this machine" in line]
    assert [word for line in found for word in ("read", "replace") if f"can {word} " in line] == warnings
    assert all("WARNING" in line and "chmod o-rwx" in line for line in found)


def test_requests_in_progress_are_completed_before_the_end(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        parts = urlsplit(server.url)
        address = (str(parts.hostname), int(parts.port or 0))
        head = f"POST {KEYS} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n"
        with socket.create_connection(address, timeout=20) as open_request:
            open_request.sendall(head.encode() + b"{")
            httpx.get(f"{server.url}/api/svc/ping")
            server.process.terminate()
            _until_closed(address)
            open_request.sendall(b"}")
            answer = b""
            while chunk := open_request.recv(65536):
                answer += chunk
        assert answer.startswith(b"HTTP/1.1 401")
        assert server.process.wait(20) == 0


def test_requests_get_the_interpreter_back_from_the_check_of_a_file_after_half_a_millisecond(tmp_path: Path) -> None:
    at_the_end = "import atexit, sys; atexit.register(lambda: print(sys.getswitchinterval(), file=sys.stderr))"
    with serving(tmp_path, before=at_the_end) as server:
        server.process.terminate()
        assert server.process.wait(20) == 0
        assert server.log.split()[-1] == "0.0005"


def _until_closed(address: tuple[str, int]) -> None:
    while True:
        try:
            socket.create_connection(address, timeout=5).close()
        except OSError:
            return


async def test_several_workers_share_socket_key_and_challenges(tmp_path: Path, postgres: Postgres) -> None:
    with serving(tmp_path, demo_data="small", workers=2, database=await postgres.fresh()) as server:
        token = login(server.url).json()["token"]
        bearer = {"authorization": f"Bearer {token}"}
        body = {"description": "job", "isActive": True, "scope": ["all"]}
        key = httpx.post(server.url + KEYS, headers=bearer, json=body).json()["data"]["apiKey"]
        headers = {API_KEY: key, CHALLENGE: "one", APP_AUTH: app_auth(APP_ID, APP_SECRET, "one")}

        async def alone(path: str, headers: dict[str, str]) -> int:
            async with httpx.AsyncClient(timeout=20) as client:
                return (await client.get(server.url + path, headers=headers)).status_code

        validated = await asyncio.gather(*(alone(VALIDATOR, bearer) for _ in range(12)))
        assert set(validated) == {200}
        raced = await asyncio.gather(*(alone(ME, headers) for _ in range(12)))
        assert sorted(raced) == [200] + [401] * 11
        assert server.end() == 0
        assert server.log.count("Finished server process") == 2
        assert "Fatal" not in server.log


async def test_a_worker_that_dies_is_replaced_and_all_end_with_their_parent(tmp_path: Path, postgres: Postgres) -> None:
    with serving(tmp_path, workers=2, database=await postgres.fresh()) as server:
        victim = workers_of(server)[0]
        os.kill(victim, signal.SIGKILL)
        while len(set(workers_of(server)) - {victim}) < 2:
            assert server.process.poll() is None
        assert httpx.get(f"{server.url}/api/svc/ping", timeout=20).status_code == 200
        left = workers_of(server)
        server.process.kill()
        server.process.wait()
        while any(is_running(pid) for pid in left):
            assert left


def is_running(pid: int) -> bool:
    """Whether a process exists; it may end while this is asked."""
    try:
        return Path(f"/proc/{pid}/cmdline").exists()
    except ProcessLookupError:
        return False


def workers_of(server: ServerProcess) -> list[int]:
    """The processes of the workers."""
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text()
    return [int(pid) for pid in children.split()]


def test_tls_is_served_with_the_given_certificate(tmp_path: Path) -> None:
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    certificate.private_key_pem.write_to_path(key)
    for index, blob in enumerate(certificate.cert_chain_pems):
        blob.write_to_path(cert, append=index > 0)
    context = ssl.create_default_context()
    authority.configure_trust(context)
    (tmp_path / "server.toml").write_text("head_seconds = 2\n")
    with serving(tmp_path, tls_cert=cert, tls_key=key, config=tmp_path / "server.toml") as server:
        assert server.url.startswith("https://127.0.0.1:")
        with socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), timeout=40) as half:
            half.sendall(b"\x16\x03\x01")
            assert half.recv(1) == b""
        answer = login(server.url, verify=context)
        assert answer.status_code == 401
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert "server" not in answer.headers
        assert not _accepts(server, ssl.TLSVersion.TLSv1_1)
        assert _accepts(server, ssl.TLSVersion.TLSv1_2)
        with pytest.raises(httpx.ConnectError):
            httpx.get(server.url)


def _accepts(server: ServerProcess, version: ssl.TLSVersion) -> bool:
    """Whether the server accepts a client that knows no later version of TLS."""
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        old.minimum_version = ssl.TLSVersion.TLSv1
        old.maximum_version = version
    at = urlsplit(server.url)
    with socket.create_connection((str(at.hostname), int(at.port or 0)), timeout=20) as connection:
        try:
            old.wrap_socket(connection).close()
        except ssl.SSLError:
            return False
    return True


def test_files_of_the_server_are_of_its_user_only(tmp_path: Path) -> None:
    with serving(tmp_path, before="import os; os.umask(0)") as server:
        login(server.url)
        made = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [tmp_path / "data", *tmp_path.glob("data/*")]}
    assert made.pop("data") == 0o700
    assert set(made) >= {"svc.db", "svc.db-wal", "svc.db-shm"}
    assert set(made.values()) == {0o600}


def test_settings_come_from_a_toml_file(tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    config.write_text("lock_failures = 1\n")
    with serving(tmp_path, config=config) as server:
        codes = [login(server.url).json()["errorDetailsCode"] for _ in range(2)]
    assert codes == [401500, 401501]


def test_demo_data_never_replaces_records_that_are_there(tmp_path: Path) -> None:
    for _ in range(2):
        with serving(tmp_path, demo_data="small") as server:
            assert login(server.url).status_code == 200
    assert "no demo data was added" in server.log


def refusal(capsys: pytest.CaptureFixture[str], expected: int, **options: object) -> str:
    """The sentence with which serving is refused."""
    assert serve(**{"port": 0, **options}) == expected  # type: ignore[arg-type]
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = [line for line in captured.err.splitlines() if line.startswith("svc-tui: ")]
    assert len(lines) == 1
    assert "Traceback" not in captured.err
    return lines[0]


def test_a_port_in_use_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refusal(capsys, 2, port=port, data_dir=tmp_path)
    assert said == f"svc-tui: cannot listen on 127.0.0.1 port {port}: Address already in use"


def test_an_unreachable_database_is_reported_without_its_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(capsys, 4, data_dir=tmp_path, database="postgresql://svc:hidden@127.0.0.1:9/svc")
    assert said.startswith("svc-tui: the database does not respond: ")
    assert "hidden" not in said


#: What another version could have done to a database.
_OTHER = (
    "ALTER TABLE sites ADD COLUMN later TEXT",
    "INSERT INTO sites (id, document, name, later) VALUES ('s1', '{}', 'Lyon', 'kept')",
)


async def _on_its_own(url: str, *statements: str) -> list[tuple[object, ...]]:
    """Execute statements; the version and the sites of the database after them."""
    engine = engine_for(url)
    async with engine.begin() as connection:
        for statement in statements:
            await connection.execute(text(statement))
        found = await connection.execute(text("SELECT s.*, version_num FROM sites s, alembic_version"))
        rows = [tuple(row) for row in found]
    await engine.dispose()
    return rows


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ("9999", "newer version"),
        ("0026", "before the first release of svc-tui, and cannot be upgraded; name an empty database, or remove this"),
    ],
)
def test_a_database_of_an_unknown_version_is_left_alone(
    database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], version: str, sentence: str
) -> None:
    before = asyncio.run(_on_its_own(database_url, f"UPDATE alembic_version SET version_num = '{version}'", *_OTHER))
    assert sentence in refusal(capsys, 2, data_dir=tmp_path, database=database_url)
    with pytest.raises(ServerCommandError, match=sentence):
        create_first_account("root@example.com", "Correct-horse-1", database=database_url, data_dir=tmp_path)
    with pytest.raises(ServerCommandError, match=sentence):
        replace_signing_keys(Settings(database_url=database_url, data_dir=tmp_path))
    assert asyncio.run(_on_its_own(database_url)) == before and len(before) == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"database": "mysql://x/y"}, "must be sqlite or postgresql, not mysql"),
        ({"database": "nonsense"}, "the database address cannot be used"),
        ({"host": "no.such.host.invalid"}, "no.such.host.invalid is not an address of this machine"),
        ({"port": 99999}, "from 0 to 65535, not 99999"),
        ({"workers": 0}, "must be 1 or more"),
        ({"workers": 2}, "several workers need PostgreSQL: SQLite has one writer."),
        ({"workers": 2, "database": "sqlite:///svc.db"}, "Use --database postgresql://… or --workers 1"),
        ({"demo_data": "huge"}, "small, large or hostile, not huge"),
        ({"tls_cert": "cert.pem"}, "TLS needs a certificate and its key"),
        ({"tls_cert": "cert.pem", "tls_key": "key.pem"}, "cannot be used: No such file or directory"),
        ({"config": "missing.toml"}, "cannot read missing.toml"),
        ({"data_dir": "/dev/null/x"}, "the data folder /dev/null/x cannot be used"),
    ],
)
def test_unusable_options_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: dict[str, object], sentence: str
) -> None:
    assert sentence in refusal(capsys, 2, **{"data_dir": tmp_path, **options})


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("lock_failures = ", "is not a TOML file"),
        ("lock_failures = 0", "setting lock_failures"),
        ("colour = 'red'", "no setting is named colour"),
        ("billing = 'unknown'", "setting billing: unknown cannot be used"),
    ],
)
def test_a_wrong_setting_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, sentence: str
) -> None:
    config = tmp_path / "server.toml"
    config.write_text(content)
    assert sentence in refusal(capsys, 2, data_dir=tmp_path, config=config)
