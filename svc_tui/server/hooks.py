"""What areas add to a running server in addition to rules: background jobs, and observers of requests.

    @background_job
    def importing(service: Service) -> AbstractAsyncContextManager[None]:
        return service.part(Imports).running()

As with rules, importing a file registers its hooks.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from svc_tui.interface.operations import AnyOperation
from svc_tui.server.service import Service

#: Runs for the length of a block: while the server runs.
BackgroundJob = Callable[[Service], AbstractAsyncContextManager[None]]
#: Called with the ID of the application, empty without one, and the operation of an authenticated request; also with
#: `login` for each completed login.
Observer = Callable[[Service, str, AnyOperation], None]

JobT = TypeVar("JobT", bound=BackgroundJob)
ObserverT = TypeVar("ObserverT", bound=Observer)

_JOBS: list[BackgroundJob] = []
_OBSERVERS: list[Observer] = []


def background_job(job: JobT) -> JobT:
    """Register a background job."""
    _JOBS.append(job)
    return job


def request_observer(observer: ObserverT) -> ObserverT:
    """Register an observer of authenticated requests. It must not wait for anything."""
    _OBSERVERS.append(observer)
    return observer


def background_jobs() -> tuple[BackgroundJob, ...]:
    """The background jobs of all areas."""
    return tuple(_JOBS)


def request_observers() -> tuple[Observer, ...]:
    """The observers of all areas."""
    return tuple(_OBSERVERS)
