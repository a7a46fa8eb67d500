"""TLS handshakes: counted and ended like every other connection that waits for its client.

A server of asyncio says nothing of a connection before its handshake is complete, so connections are accepted here.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from collections.abc import Callable
from functools import partial
from typing import Any

from svc_tui.server.http.connections import (
    ACCEPTED_AT_ONCE,
    Connections,
    GuardedProtocol,
    Phase,
    address_of,
    log_missing_descriptors,
)

Factory = Callable[[], GuardedProtocol]

#: Errors of a system that has nothing left for another connection, and seconds until the next attempt.
_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_PAUSE_SECONDS = 1.0


def accept_with_tls(loop: asyncio.AbstractEventLoop, guard: Connections, seconds: float) -> None:
    """Servers that this loop creates with `ssl` do their handshakes under the guard, each within these seconds."""

    async def create_server(factory: Factory, *, sock: socket.socket, ssl: ssl.SSLContext, **_: Any) -> TlsServer:
        return TlsServer(sock, lambda accepted, address: Handshake(accepted, address, factory, ssl, guard, seconds))

    loop.create_server = create_server  # type: ignore[assignment, method-assign]


class TlsServer:
    """Accepts connections from a listening socket, as long as it is not closed."""

    def __init__(self, listener: socket.socket, greet: Callable[[socket.socket, str], Handshake]) -> None:
        self._listener, self._greet = listener, greet
        self._loop, self._closed = asyncio.get_running_loop(), False
        self._incomplete: set[Handshake] = set()
        listener.setblocking(False)
        self._listen()

    def close(self) -> None:
        """Accept no more connections, and end those that could not send a request yet."""
        self._closed = True
        self._loop.remove_reader(self._listener)
        for handshake in self._incomplete:
            handshake.abort()

    async def wait_closed(self) -> None:
        """It is closed immediately."""

    def _listen(self) -> None:
        if not self._closed:
            self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> None:
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                accepted, peer = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                # Another worker was faster, or the client is gone.
                return
            except OSError as error:
                if error.errno not in _EXHAUSTED:
                    raise
                log_missing_descriptors(self._loop, {"exception": error})
                self._loop.remove_reader(self._listener)
                self._loop.call_later(_PAUSE_SECONDS, self._listen)
                return
            accepted.setblocking(False)
            handshake = self._greet(accepted, address_of(peer))
            self._incomplete.add(handshake)
            handshake.task.add_done_callback(partial(self._complete, handshake))

    def _complete(self, handshake: Handshake, task: asyncio.Task[Any]) -> None:
        self._incomplete.discard(handshake)


class Handshake:
    """A connection until its TLS handshake is complete."""

    phase = Phase.HEAD
    held = 0

    def __init__(
        self,
        accepted: socket.socket,
        address: str,
        factory: Factory,
        context: ssl.SSLContext,
        guard: Connections,
        seconds: float,
    ) -> None:
        def protocol() -> GuardedProtocol:
            made = factory()
            made.handshake = self
            return made

        loop = asyncio.get_running_loop()
        self.since, self.address = loop.time(), address
        self._guard, self._accepted = guard, accepted
        self.task = loop.create_task(
            loop.connect_accepted_socket(protocol, accepted, ssl=context, ssl_handshake_timeout=seconds)
        )
        self.task.add_done_callback(self._done)
        guard.add(self)

    def abort(self) -> None:
        """Close without waiting for the client."""
        self.task.cancel()

    def check(self, now: float, seconds: float) -> None:
        """The loop ends a handshake that takes too long."""

    def refuse(self, status: int) -> None:
        """It holds no bytes of a request."""

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._guard.remove(self)
        error = None if task.cancelled() else task.exception()
        if task.cancelled():
            # It may not have begun.
            self._accepted.close()
        elif error is not None and not isinstance(error, OSError):
            raise error
        # Other errors are those of the client: no TLS, another version, or no answer in time.
