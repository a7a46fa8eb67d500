"""The round trip of the SSH connection for `svc-tui doctor`, as the system measures it; nothing is sent.

Inside tmux it is the only way to know the link: tmux itself answers what is asked of the terminal.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence

#: Milliseconds in the output of `ss`, before their deviation.
_ROUND_TRIP = re.compile(r"\brtt:([\d.]+)/")


def ssh_round_trip(environment: Mapping[str, str]) -> float | None:
    """Seconds of a round trip to the SSH client; None without SSH, and where the system does not report it.

    In tmux, the connection is that of the client that attached last.
    """
    connection = environment.get("SSH_CONNECTION", "")
    if environment.get("TMUX"):
        connection = _output(["tmux", "show-environment", "SSH_CONNECTION"]).strip().partition("=")[2]
    match connection.split():
        case [client, client_port, server, server_port]:
            ends = ["src", _socket(server, server_port), "dst", _socket(client, client_port)]
            measured = _ROUND_TRIP.search(_output(["ss", "-tinH", *ends]))
            return float(measured[1]) / 1_000 if measured else None
    return None


def _socket(address: str, port: str) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _output(command: Sequence[str]) -> str:
    """The standard output of a command; empty if it is missing or does not respond."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=2, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
