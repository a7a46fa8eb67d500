"""How the driver ends and continues, at moments that a test with a terminal meets by chance only."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue
from select import select
from types import SimpleNamespace
from typing import Any

import pytest
from textual.drivers.linux_driver import LinuxDriver
from textual.events import CursorPosition, Key

from svc_tui.console.terminal.base_driver import BaseDriver


def driver() -> Any:
    made: Any = object.__new__(BaseDriver)
    made._replied, made._patient_until = threading.Event(), 0.0
    made._auto_restart, made._must_signal_resume = True, False
    made._key_thread, made._continues, made._typed_ahead = None, False, b""
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
    asking._patient_until += 60
    ended = threading.Event()

    def end() -> None:
        asking.disable_input()
        ended.set()

    ending = threading.Thread(target=end)
    ending.start()
    assert not ended.wait(0.2)
    asking.process_message(CursorPosition(0, 0))
    assert ended.wait(10)
    ending.join()


def test_the_end_does_not_wait_where_nothing_was_asked_or_no_reply_comes_for_long(monkeypatch: Any) -> None:
    monkeypatch.setattr(LinuxDriver, "disable_input", lambda *_: None)
    asking = driver()
    asking.disable_input()
    asking.expect_reply()
    asking._patient_until = time.monotonic()
    asking.disable_input()


@contextmanager
def reading() -> Iterator[tuple[Any, int, Queue[Any]]]:
    """A driver whose input thread reads a pipe; the other end of the pipe, and what was read."""
    made, read = driver(), Queue[Any]()
    made.fileno, typing = os.pipe()
    made._end_of_input, made._end_input = os.pipe()
    made._debug, made._mouse, made.exit_event = False, False, threading.Event()
    made._edits_text, made.process_message = lambda: False, read.put
    made._key_thread = threading.Thread(target=made.run_input_thread, daemon=True)
    made._key_thread.start()
    try:
        yield made, typing, read
    finally:
        for handle in (made.fileno, typing, made._end_of_input, made._end_input):
            os.close(handle)


def until_read(pipe: int) -> None:
    """Wait until nothing is left to read."""
    while select([pipe], [], [], 0)[0]:
        time.sleep(0.001)


def test_the_end_wakes_the_thread_that_waits_for_input() -> None:
    with reading() as (waiting, _, _):
        # In a thread, so that a thread that is not woken cannot hold the tests.
        threading.Thread(target=waiting.disable_input, daemon=True).start()
        waiting._key_thread.join(10)
        assert not waiting._key_thread.is_alive()


@pytest.mark.parametrize("continues", [True, False])
def test_what_was_typed_while_the_console_was_stopped_is_read_when_it_continues(*, continues: bool) -> None:
    with reading() as (stopped, typing, read):
        stopped.disable_input()
        os.write(typing, b"G")
        os.write(stopped._end_input, b"\0")
        stopped._continues = continues
        stopped.run_input_thread()
        assert [read.get().character for _ in range(read.qsize())] == (["G"] if continues else [])


def test_keys_arrive_as_they_are_typed_and_an_escape_without_more() -> None:
    with reading() as (waiting, typing, read):
        for text, key in (
            ("j", "j"),
            ("\x1b", "escape"),
            ("\xe9", "\xe9"),
            ("\x1b[A", "up"),
        ):
            os.write(typing, text.encode())
            assert isinstance(event := read.get(timeout=10), Key)
            assert event.key == key
        first, rest = "\xfc".encode()[:1], "\xfc".encode()[1:]
        os.write(typing, first)
        until_read(waiting.fileno)
        os.write(typing, rest)
        assert read.get(timeout=10).key == "\xfc"
        os.write(typing, b"\xff")
        assert read.get(timeout=10).character == "\N{REPLACEMENT CHARACTER}"
        waiting.disable_input()


async def test_a_message_of_the_input_thread_reaches_the_application_in_order_and_without_a_task() -> None:
    reached: Queue[Any] = Queue()
    arrived = asyncio.Event()
    sending = driver()
    sending._loop = asyncio.get_running_loop()

    def post_message(message: Any) -> None:
        reached.put((message, threading.get_ident()))
        if message == "last":
            arrived.set()

    sending._app = SimpleNamespace(post_message=post_message)
    before = asyncio.all_tasks()
    thread = threading.Thread(target=lambda: [sending.send_message(each) for each in ("first", "last")])
    thread.start()
    thread.join()
    await asyncio.wait_for(arrived.wait(), 10)
    here = threading.get_ident()
    assert [reached.get() for _ in range(reached.qsize())] == [("first", here), ("last", here)]
    assert asyncio.all_tasks() == before
