"""Round trips to the terminal, with a clock of the test."""

from __future__ import annotations

import socket

import pytest

from svc_tui.console.terminal.round_trip import INTERVAL, LONGEST, RoundTrip, ssh_round_trip


class Line:
    """A terminal that replies after the seconds of the test."""

    def __init__(self) -> None:
        self.now = 100.0
        self.questions = 0
        self.round_trip = RoundTrip(self._ask, lambda: self.now)

    def _ask(self) -> None:
        self.questions += 1

    def replies_after(self, seconds: float) -> bool:
        self.now += seconds
        return self.round_trip.replied(self.now)


@pytest.fixture
def line() -> Line:
    return Line()


def test_the_faster_of_two_replies_counts(line: Line) -> None:
    line.round_trip.measure()
    assert line.replies_after(0.9), "a long picture came before the reply"
    assert line.round_trip.seconds is None and line.questions == 2
    assert line.replies_after(0.15)
    assert line.round_trip.seconds == pytest.approx(0.15)
    assert line.questions == 2


def test_the_link_is_measured_again_only_while_keys_are_pressed_and_rarely(line: Line) -> None:
    line.round_trip.measure()
    line.replies_after(0.02)
    line.replies_after(0.02)
    for _ in range(100):
        line.round_trip.used()
    assert line.questions == 2
    line.now += INTERVAL
    line.round_trip.used()
    line.round_trip.used()
    assert line.questions == 3


def test_a_reply_to_a_console_that_was_stopped_is_no_round_trip(line: Line) -> None:
    line.round_trip.measure()
    assert not line.replies_after(LONGEST + 1)
    assert not line.replies_after(0.01), "nothing was asked"
    assert line.round_trip.seconds is None


def test_a_terminal_that_does_not_reply_is_asked_once(line: Line) -> None:
    line.round_trip.measure()
    line.now += INTERVAL
    line.round_trip.used()
    assert line.questions == 1


def test_the_system_knows_the_round_trip_of_an_ssh_connection() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
        server.accept()[0] as accepted,
    ):
        accepted.sendall(b"data")
        client.recv(4)
        there, here = accepted.getpeername(), accepted.getsockname()
        found = ssh_round_trip({"SSH_CONNECTION": f"{there[0]} {there[1]} {here[0]} {here[1]}"})
    assert found is not None and 0 < found < 1


@pytest.mark.parametrize("connection", ["", "unknown", "127.0.0.1 1 127.0.0.1 2", "here 1 there 2"])
def test_without_an_ssh_connection_of_this_machine_nothing_is_known(connection: str) -> None:
    assert ssh_round_trip({"SSH_CONNECTION": connection}) is None
