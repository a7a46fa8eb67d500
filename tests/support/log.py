"""The lines that the server writes to its log, as an operator sees them."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from svc_tui.server.log_lines import JsonLines, LogFormat, TextLines


@contextmanager
def written(format: LogFormat = "text") -> Iterator[io.StringIO]:
    """The log lines of a block."""
    stream, logger = io.StringIO(), logging.getLogger("svc_tui.server")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if format == "json" else TextLines())
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield stream
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
