"""Serving the page on the loopback interface until SIGTERM or Ctrl+C."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType

import uvicorn

from svc_tui.web.application import build
from svc_tui.web.consoles import Consoles
from svc_tui.web.environment import console_environment
from svc_tui.web.page import Gate

#: The longest message of a page, in bytes: a pasted text.
_LONGEST_MESSAGE = 1_048_576
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class _Server(uvicorn.Server):
    """Serves on an open socket. `received` is the signal that ended it."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], before_end: Consoles) -> None:
        super().__init__(config)
        self.received: int | None = None
        self._ready, self._consoles = ready, before_end

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # First, so that each page hears of the end of its console.
        await self._consoles.end()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.received = sig
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn raises the signal again at the end; then the process would die of it instead of returning.
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def serve(
    listener: socket.socket, words: Sequence[str], environment: Mapping[str, str], ready: Callable[[str], None]
) -> int | None:
    """Serve consoles that run `svc-tui` with these arguments; returns the signal that ended it.

    `listener` is a socket on 127.0.0.1; `ready` is called with the address that admits one browser.
    """
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="svc-tui: %(message)s")
    gate = Gate(listener.getsockname()[1])
    consoles = Consoles(words, console_environment(environment))
    config = uvicorn.Config(
        build(gate, consoles),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="websockets-sansio",
        ws_max_size=_LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=5,
    )
    server = _Server(config, lambda: ready(gate.address), consoles)
    asyncio.run(server.serve([listener]))
    return server.received
