"""The address where Prometheus reads the measures: a small server on its own address, beside that of the API."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import prometheus_client
from prometheus_client import multiprocess

#: The variable by which prometheus_client finds the folder of several processes; it reads it when it is imported.
_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


class MetricsAddressError(Exception):
    """The address cannot be used. The text is the reason in one sentence."""


@contextmanager
def metrics_server(address: str, registry: Any) -> Iterator[None]:
    """Serve the measures of a registry for the length of a block; nothing without an address or a registry."""
    if not address or registry is None:
        yield
        return
    host, _, port = address.rpartition(":")
    try:
        server, thread = prometheus_client.start_http_server(int(port), host.strip("[]"), registry)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise MetricsAddressError(f"cannot listen on {address} for metrics: {reason}") from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class SharedMeasures:
    """The measures of several workers, which count in files of one folder."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.registry = prometheus_client.CollectorRegistry()
        multiprocess.MultiProcessCollector(self.registry, path=folder)  # type: ignore[no-untyped-call]

    @property
    def environment(self) -> dict[str, str]:
        """What a worker must find in its environment."""
        return {**os.environ, _FOLDER: self._folder}

    def ended(self, process: int) -> None:
        """A worker ended: its connections and sessions are gone, what it counted stays."""
        multiprocess.mark_process_dead(process, self._folder)  # type: ignore[no-untyped-call]


@contextmanager
def shared(address: str) -> Iterator[SharedMeasures | None]:
    """The measures of several workers, served for the length of a block; None without an address."""
    if not address:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="svc-metrics-") as folder:
        measures = SharedMeasures(folder)
        with metrics_server(address, measures.registry):
            yield measures
