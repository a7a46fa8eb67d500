"""What areas add to a running server in addition to rules: background jobs, observers of requests, and what they have
of users.

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
from svc_tui.interface.problems import Problem
from svc_tui.server.service import Service
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: Runs for the length of a block: while the server runs.
BackgroundJob = Callable[[Service], AbstractAsyncContextManager[None]]
#: Called with the ID of the application, empty without one, and the operation of an authenticated request; also with
#: `login` for each completed login.
Observer = Callable[[Service, str, AnyOperation], None]


class UserBelongings:
    """What an area has of users, for the deletion of one."""

    async def locks(self, store: Store, user: Document) -> list[str]:
        """The locks that keep it as it is until the user is deleted."""
        return []

    async def preventing(self, store: Store, user: Document) -> list[Problem]:
        """Records that prevent the deletion of the user."""
        return []

    async def release(self, store: Store, user: Document) -> None:
        """Remove it, or make it free for others. It can change the record of the user."""


JobT = TypeVar("JobT", bound=BackgroundJob)
ObserverT = TypeVar("ObserverT", bound=Observer)

_JOBS: list[BackgroundJob] = []
_OBSERVERS: list[Observer] = []
_BELONGINGS: list[UserBelongings] = []


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


def of_users(belongings: UserBelongings) -> None:
    """Register what an area has of users."""
    _BELONGINGS.append(belongings)


def user_belongings() -> tuple[UserBelongings, ...]:
    """What the areas have of users."""
    return tuple(_BELONGINGS)
