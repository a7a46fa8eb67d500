"""TLS handshakes: counted and ended like every other connection that waits for its client.

A server of asyncio says nothing of a connection before its handshake is complete, so connections are accepted here.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from functools import partial

from svc_tui.server.http.connections import Connection, Connections, HttpConnection, log_missing_descriptors

#: Seconds until the next attempt, where the system has nothing left for another connection.
_PAUSE_SECONDS = 1.0


def tls_context(certificate: str, key: str) -> ssl.SSLContext:
    """TLS 1.2 and later, whatever the system allows, with a certificate and its key in files."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(certificate, key)
    return context


class TlsServer:
    """Accepts connections from a listening socket, as long as it is not closed."""

    def __init__(
        self, listener: socket.socket, guard: Connections, context: ssl.SSLContext, http: Callable[[], HttpConnection]
    ) -> None:
        self._listener, self._guard, self._context, self._http = listener, guard, context, http
        self._incomplete: set[Handshake] = set()
        listener.setblocking(False)
        self._accepting = asyncio.create_task(self._accept())

    def close(self) -> None:
        """Accept no more connections, and end those that could not send a request yet."""
        self._accepting.cancel()
        for handshake in self._incomplete:
            handshake.abort()

    async def wait_closed(self) -> None:
        """It is closed immediately."""

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, peer = await loop.sock_accept(self._listener)
            except ConnectionAbortedError:
                # The client is gone.
                continue
            except OSError as error:
                log_missing_descriptors(loop, {"message": "a connection was not accepted", "exception": error})
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            handshake = Handshake(accepted, self._guard, self._context, self._http())
            handshake.enter(peer)
            self._incomplete.add(handshake)
            handshake.task.add_done_callback(partial(self._complete, handshake))
            # Others have their turn, however many wait.
            await asyncio.sleep(0)

    def _complete(self, handshake: Handshake, _task: asyncio.Task[object]) -> None:
        self._incomplete.discard(handshake)


class Handshake(Connection):
    """A connection until its TLS handshake is complete; then it is `http`."""

    def __init__(
        self, accepted: socket.socket, guard: Connections, context: ssl.SSLContext, http: HttpConnection
    ) -> None:
        self.guard, self._accepted = guard, accepted
        http.handshake = self
        loop = asyncio.get_running_loop()
        handshake = loop.connect_accepted_socket(
            lambda: http, accepted, ssl=context, ssl_handshake_timeout=guard.seconds
        )
        self.task = loop.create_task(handshake)
        self.task.add_done_callback(self._done)

    def abort(self) -> None:
        self.task.cancel()

    def _done(self, task: asyncio.Task[object]) -> None:
        self.guard.remove(self)
        error = None if task.cancelled() else task.exception()
        if task.cancelled():
            # It may not have begun.
            self._accepted.close()
        elif error is not None and not isinstance(error, OSError):
            raise error
        # Other errors are those of the client: no TLS, another version, or no answer in time.
