"""A program between the commands and the service: it forwards requests, as a proxy too, and can answer by itself."""

from __future__ import annotations

import contextlib
import http.client
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

#: The refusal of a token by the service.
ENDED = (401, b'{"errorCode": 401, "errorDetailsCode": 401202, "errorDetails": "jwt expired"}')
#: Headers of one connection.
_OWN = ("host", "connection", "content-length", "proxy-connection")


class Gateway:
    """`answer` gets each request line, such as `GET /api/svc/ping`, and returns status and body in place of the
    service; None forwards the request. `seen` are all request lines."""

    def __init__(self, service: str) -> None:
        self.seen: list[str] = []
        self.answer: Callable[[str], tuple[int, bytes] | None] = lambda _line: None
        self._service = urlsplit(service).netloc
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            def handle_one_request(self) -> None:
                self.raw_requestline = self.rfile.readline(65537)
                if self.raw_requestline and self.parse_request():
                    gateway.handle(self)
                self.close_connection = True

            def log_message(self, *_: object) -> None:
                """Write nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"127.0.0.1:{self._server.server_port}"

    def handle(self, request: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(request.path)
        line = f"{request.command} {parts.path or request.path}"
        self.seen.append(line)
        body = request.rfile.read(int(request.headers.get("content-length", 0)))
        status, content = self.answer(line) or (0, b"")
        headers = {"content-type": "application/json"}
        if not status:
            target = f"{parts.path}{f'?{parts.query}' if parts.query else ''}"
            with contextlib.closing(http.client.HTTPConnection(self._service)) as connection:
                sent = {name: value for name, value in request.headers.items() if name.lower() not in _OWN}
                connection.request(request.command, target, body or None, sent)
                reply = connection.getresponse()
                status, content, headers = reply.status, reply.read(), dict(reply.getheaders())
        request.send_response(status)
        for name in ("content-type", "content-encoding"):
            if value := headers.get(name):
                request.send_header(name, value)
        request.send_header("content-length", str(len(content)))
        request.send_header("connection", "close")
        request.end_headers()
        request.wfile.write(content)


@contextlib.contextmanager
def gateway(service: str) -> Iterator[Gateway]:
    """A gateway to a service for the length of a block."""
    made = Gateway(service)
    thread = threading.Thread(target=made._server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made._server.shutdown()
        thread.join()
        made._server.server_close()
