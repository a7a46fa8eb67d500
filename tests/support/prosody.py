"""A real Prosody, from its Debian package, with one account: WebSocket for clients, and a component for events."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

DOMAIN, COMPONENT, SECRET = "demo.example", "events.demo.example", "the component's secret"
#: A component that is not below the domain of the users.
FOREIGN_COMPONENT = "events.another.example"

_CONFIGURATION = """
run_as_root = true
daemonize = false
data_path = "{folder}/data"
pidfile = "{folder}/prosody.pid"
log = {{ info = "{folder}/prosody.log" }}
modules_enabled = {{ "roster"; "saslauth"; "disco"; "ping"; "offline"; "websocket" }}
modules_disabled = {{ "s2s" }}
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
consider_websocket_secure = true
authentication = "internal_hashed"
password_hash = "{hash}"
disable_sasl_mechanisms = {{ {disabled} }}
c2s_ports = {{ {c2s} }}
c2s_interfaces = {{ "127.0.0.1" }}
http_ports = {{ {http} }}
http_interfaces = {{ "127.0.0.1" }}
https_ports = {{}}
http_default_host = "{domain}"
http_paths = {{ websocket = "/websocket" }}
component_ports = {{ {component} }}
component_interfaces = {{ "127.0.0.1" }}
VirtualHost "{domain}"
Component "{name}"
    component_secret = "{secret}"
Component "{foreign}"
    component_secret = "{secret}"
"""


@dataclass
class Prosody:
    """A running Prosody, by its ports on the loopback interface."""

    http: int
    component: int
    folder: Path
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until its ports are open."""
        command = ["prosody", "-F", "--config", str(self.folder / "prosody.cfg.lua")]
        output = self.folder / "output"
        with output.open("w") as file:
            self._process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
        for port in (self.http, self.component):
            _until_open(port, self._process, output)

    def stop(self) -> None:
        """Stop it."""
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@contextmanager
def prosody(
    folder: Path, accounts: dict[str, str], *, hash: str = "SHA-1", disabled: tuple[str, ...] = ()
) -> Iterator[Prosody]:
    """Run Prosody with these accounts, name to password, without the `disabled` mechanisms.

    The test is skipped where it is not installed.
    """
    if shutil.which("prosody") is None:
        pytest.skip("needs Prosody: apt-get install prosody")
    data = folder / "data" / DOMAIN.replace(".", "%2e") / "accounts"
    data.mkdir(parents=True)
    for name, password in accounts.items():
        (data / f"{name}.dat").write_text(f'return {{ ["password"] = "{password}"; }};\n')
    http, component, c2s = _free_ports(3)
    settings = _CONFIGURATION.format(
        folder=folder,
        hash=hash,
        disabled="; ".join(f'"{each}"' for each in disabled),
        http=http,
        component=component,
        c2s=c2s,
        domain=DOMAIN,
        name=COMPONENT,
        foreign=FOREIGN_COMPONENT,
        secret=SECRET,
    )
    (folder / "prosody.cfg.lua").write_text(settings)
    running = Prosody(http, component, folder)
    running.start()
    try:
        yield running
    finally:
        running.stop()


def _free_ports(count: int) -> list[int]:
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in listeners]
    for each in listeners:
        each.close()
    return ports


def _until_open(port: int, process: subprocess.Popen[bytes], output: Path) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"Prosody did not start: {output.read_text()}") from error
            # Prosody announces its ports nowhere else.
            time.sleep(0.05)
