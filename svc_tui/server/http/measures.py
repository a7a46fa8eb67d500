"""What the server counts for Prometheus. Without the setting `metrics_address`, nothing is counted.

Declared here, counted where it happens: `service.part(Measures).add(TURNS, name, "done")`. Several workers count in
files of one folder, of which their parent makes the sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import prometheus_client
from sqlalchemy import event

if TYPE_CHECKING:
    from svc_tui.server.service import Service


@dataclass(frozen=True)
class Measure:
    """One series of numbers. A `gauge` goes up and down; over several processes it is the sum of those that live."""

    kind: Literal["counter", "gauge", "histogram"]
    name: str
    help: str
    labels: tuple[str, ...] = ()


REQUESTS = Measure(
    "counter", "svc_requests", "Completed requests; status 0: the client disconnected.", ("operation", "status")
)
REQUEST_SECONDS = Measure("histogram", "svc_request_seconds", "Duration of requests.", ("operation",))
CONNECTIONS = Measure("gauge", "svc_database_connections", "Database connections in use.")
MOST_CONNECTIONS = Measure("gauge", "svc_database_connections_limit", "Maximum database connections of the processes.")
EVENT_SESSIONS = Measure("gauge", "svc_event_sessions", "Open event sessions.")
TURNS = Measure("counter", "svc_turns", "Runs of background jobs.", ("job", "result"))
IMPORTS_RUNNING = Measure("gauge", "svc_imports_running", "Imports of directories in progress.")
IMPORTS = Measure("counter", "svc_imports", "Imports of directories that ended.", ("result",))
SYNCHRONISATIONS = Measure(
    "counter", "svc_synchronisations", "Ended synchronisations with the billing systems.", ("result",)
)

MEASURES = (
    REQUESTS,
    REQUEST_SECONDS,
    CONNECTIONS,
    MOST_CONNECTIONS,
    EVENT_SESSIONS,
    TURNS,
    IMPORTS_RUNNING,
    IMPORTS,
    SYNCHRONISATIONS,
)


class Measures:
    """The numbers of one service."""

    def __init__(self, service: Service) -> None:
        self.registry: Any = None
        self._series: dict[Measure, Any] = {}
        if service.settings.metrics_address:
            self.registry = prometheus_client.CollectorRegistry()
            self._series = {measure: _series(measure, self.registry) for measure in MEASURES}
            self.add(MOST_CONNECTIONS, by=service.settings.database_connections)
            engine = service.database.engine.sync_engine
            event.listen(engine, "checkout", lambda *_: self.add(CONNECTIONS))
            event.listen(engine, "checkin", lambda *_: self.add(CONNECTIONS, by=-1))

    def add(self, measure: Measure, *labels: str, by: float = 1) -> None:
        """Count; a gauge may also go down."""
        if series := self._series.get(measure):
            (series.labels(*labels) if labels else series).inc(by)

    def observe(self, measure: Measure, value: float, *labels: str) -> None:
        """Add a value to a histogram."""
        if series := self._series.get(measure):
            series.labels(*labels).observe(value)

    @contextmanager
    def during(self, measure: Measure) -> Iterator[None]:
        """Add one to a gauge for the length of a block."""
        self.add(measure)
        try:
            yield
        finally:
            self.add(measure, by=-1)


def _series(measure: Measure, registry: prometheus_client.CollectorRegistry) -> Any:
    if measure.kind == "gauge":
        return prometheus_client.Gauge(
            measure.name, measure.help, measure.labels, registry=registry, multiprocess_mode="livesum"
        )
    kind = prometheus_client.Counter if measure.kind == "counter" else prometheus_client.Histogram
    return kind(measure.name, measure.help, measure.labels, registry=registry)
