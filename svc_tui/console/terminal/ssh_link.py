"""The round trip of the SSH connection, as the system measures it; nothing is sent.

Inside tmux it is the only way to know the link: tmux itself answers what is asked of the terminal.
"""

from __future__ import annotations

import os
import socket
import struct
import subprocess
from collections.abc import Mapping

#: Numbers of the Linux kernel: the protocol of questions about sockets, its message, and the part with the times.
_SOCK_DIAG, _BY_FAMILY, _REQUEST, _TCP_INFO = 4, 20, 1, 2
_ALL_STATES = 0xFFFFFFFF
#: Any cookie: the addresses alone name the socket.
_NO_COOKIE = 0xFFFFFFFF
_HEADER, _QUESTION = struct.Struct("=IHHII"), struct.Struct("=BBBxI")
#: Length of the header of an answer with its description of the socket; the parts follow.
_ANSWER = 16 + 72
#: Where the round trip is in the part with the times; in microseconds.
_ROUND_TRIP = 68


def ssh_round_trip(environment: Mapping[str, str]) -> float | None:
    """Seconds of a round trip to the SSH client; None without SSH, and where the system does not report it.

    In tmux, the connection is that of the client that attached last. It may wait for tmux a moment.
    """
    connection = _connection_of_tmux() if environment.get("TMUX") else environment.get("SSH_CONNECTION", "")
    words = connection.split()
    if len(words) != 4:
        return None
    try:
        return _of_socket((words[2], int(words[3])), (words[0], int(words[1])))
    except (OSError, ValueError, struct.error):
        return None


def _connection_of_tmux() -> str:
    try:
        shown = subprocess.run(
            ["tmux", "show-environment", "SSH_CONNECTION"], capture_output=True, text=True, timeout=2, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return shown.stdout.strip().partition("=")[2]


def _of_socket(here: tuple[str, int], there: tuple[str, int]) -> float | None:
    """The smoothed round trip of a TCP connection of this machine. OSError where the system knows none."""
    if not hasattr(socket, "AF_NETLINK"):
        return None
    family = socket.AF_INET6 if ":" in here[0] else socket.AF_INET
    ends = struct.pack(">HH", here[1], there[1]) + _address(family, here[0]) + _address(family, there[0])
    question = _QUESTION.pack(family, socket.IPPROTO_TCP, 1 << (_TCP_INFO - 1), _ALL_STATES) + ends
    question += struct.pack("=III", 0, _NO_COOKIE, _NO_COOKIE)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG) as asked:
        asked.settimeout(0.5)
        asked.send(_HEADER.pack(_HEADER.size + len(question), _BY_FAMILY, _REQUEST, 1, os.getpid()) + question)
        answer = asked.recv(8192)
    if _HEADER.unpack_from(answer)[1] != _BY_FAMILY:
        return None
    place = _ANSWER
    while place + 4 <= len(answer):
        length, kind = struct.unpack_from("=HH", answer, place)
        if kind == _TCP_INFO:
            return float(struct.unpack_from("=I", answer, place + 4 + _ROUND_TRIP)[0]) / 1_000_000
        place += max(4, (length + 3) & ~3)
    return None


def _address(family: int, text: str) -> bytes:
    return socket.inet_pton(family, text.partition("%")[0]).ljust(16, b"\0")
