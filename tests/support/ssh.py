"""A real SSH server on the loopback interface, and clients that reach it over a slow line.

with ssh_server(folder) as server, server.open(["svc-tui", "demo"]) as terminal:
    terminal.wait_for("Help")
"""

from __future__ import annotations

import getpass
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.pty import Terminal

LINE = Path(__file__).with_name("slow_line.py")
#: The line of support staff who are far away.
ROUND_TRIP, KILOBITS = 150, 256
_SSHD = "/usr/sbin/sshd"
_CONFIG = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile none
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PrintMotd no
PrintLastLog no
"""


def missing() -> str:
    """What this machine lacks for an SSH server of its own; empty when nothing."""
    absent = [name for name in ("ssh", "ssh-keygen") if shutil.which(name) is None]
    absent += [] if Path(_SSHD).exists() else ["sshd"]
    return f"needs {', '.join(absent)} (Debian: apt-get install openssh-server)" if absent else ""


@dataclass(frozen=True, slots=True)
class SshServer:
    """A running server that knows one key, which is deleted with its folder."""

    folder: Path
    port: int

    def command(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        *,
        round_trip: int = ROUND_TRIP,
        kilobits: int = KILOBITS,
    ) -> list[str]:
        """The command of a client that runs a program on a terminal of the server, over a line of this quality."""
        line = [sys.executable, "-S", "-E", str(LINE), "127.0.0.1", str(self.port), str(round_trip), str(kilobits)]
        options = {
            "ProxyCommand": shlex.join(line),
            "IdentityFile": str(self.folder / "user"),
            "IdentitiesOnly": "yes",
            "UserKnownHostsFile": str(self.folder / "known_hosts"),
            "StrictHostKeyChecking": "accept-new",
            "LogLevel": "ERROR",
        }
        flags = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        setting = ["env", *(f"{name}={value}" for name, value in environment.items())]
        remote = f"cd {shlex.quote(str(self.folder))} && exec {shlex.join([*setting, *words])}"
        return ["ssh", "-F", "none", "-tt", *flags, f"{getpass.getuser()}@127.0.0.1", remote]

    def open(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        *,
        term: str = "xterm-256color",
        columns: int = 80,
        rows: int = 24,
    ) -> Terminal:
        """A program over the slow line, in a terminal of this kind and size."""
        return Terminal(self.command(words, environment), columns=columns, rows=rows, environment={"TERM": term})

    def processes(self, word: str) -> list[int]:
        """The consoles with a word in their environment, such as the name of a folder of the test."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                program, known = (entry / "cmdline").read_bytes(), (entry / "environ").read_bytes()
            except OSError:
                # It has ended since the folder was read.
                continue
            if b"svc-tui" in program.replace(b"svc_tui", b"svc-tui") and word.encode() in known:
                found.append(int(entry.name))
        return found


@contextmanager
def ssh_server(folder: Path) -> Iterator[SshServer]:
    """A server on a free port with its own keys, ended with all its sessions."""
    for name in ("host", "user"):
        keygen = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
        subprocess.run(keygen, check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "sshd_config").write_text(_CONFIG.format(folder=folder, port=port))
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    process = subprocess.Popen(
        [_SSHD, "-D", "-e", "-f", str(folder / "sshd_config")],
        stdin=subprocess.DEVNULL,
        stderr=(folder / "sshd.log").open("w"),
        start_new_session=True,
    )
    try:
        _wait_for(port, process, folder / "sshd.log")
        yield SshServer(folder, port)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(10)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 10
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError(f"sshd did not start: {log.read_text()}")
