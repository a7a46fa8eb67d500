"""How the driver ends and continues, at moments that a test with a terminal meets by chance only."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any

from textual.drivers.linux_driver import LinuxDriver
from textual.events import CursorPosition

from svc_tui.console.terminal.base_driver import BaseDriver


def driver() -> Any:
    made: Any = object.__new__(BaseDriver)
    made._replied, made._patient_until = threading.Event(), 0.0
    made._auto_restart, made._must_signal_resume = True, False
    return made


def test_the_console_continues_outside_of_the_handler_which_can_interrupt_a_write() -> None:
    later: list[Any] = []
    stopped = driver()
    stopped._loop = SimpleNamespace(call_soon_threadsafe=later.append)
    stopped._sigcont_application()
    assert later == [stopped._restart]


def test_the_end_waits_for_a_reply_that_is_on_its_way(monkeypatch: Any) -> None:
    monkeypatch.setattr(LinuxDriver, "process_message", lambda *_: None)
    monkeypatch.setattr(LinuxDriver, "disable_input", lambda *_: None)
    asking = driver()
    asking.expect_reply()
    ended = threading.Event()

    def end() -> None:
        asking.disable_input()
        ended.set()

    ending = threading.Thread(target=end)
    ending.start()
    assert not ended.wait(0.2)
    asking.process_message(CursorPosition(0, 0))
    assert ended.wait(0.5)
    ending.join()


def test_the_end_does_not_wait_where_nothing_was_asked_or_no_reply_comes_for_long(monkeypatch: Any) -> None:
    monkeypatch.setattr(LinuxDriver, "disable_input", lambda *_: None)
    asking = driver()
    asking.disable_input()
    asking.expect_reply()
    asking._patient_until = time.monotonic()
    asking.disable_input()
