"""A worker process: reads its settings from standard input and serves on the inherited socket."""

from __future__ import annotations

import json
import socket
import sys

from svc_tui.server.application import build
from svc_tui.server.log_lines import log_to_standard_error
from svc_tui.server.processes import Server, ServerOptions, follow_parent
from svc_tui.server.settings import Settings


def main() -> None:
    """Serve until SIGTERM, or until the parent is gone."""
    order = json.loads(sys.stdin.readline())
    settings = Settings.model_validate(order["settings"])
    log_to_standard_error(settings.log_format)
    work = ServerOptions(settings, order["url"], order["tls_cert"], order["tls_key"])
    follow_parent()
    Server(work, build(settings), socket.socket(fileno=order["listener"]), "ready").run()


if __name__ == "__main__":
    main()
