"""The parts of a running server: settings, clock, identifiers, database, hashes and keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from svc_tui.interface.authentication.proof import ACCESS_SECONDS
from svc_tui.server.billing.interface import Billing, load_billing
from svc_tui.server.clock import Clock, Ids, RandomIds, SystemClock
from svc_tui.server.events.delivery import EventDelivery
from svc_tui.server.openid_connect import OpenIdClient
from svc_tui.server.security.passwords import Passwords
from svc_tui.server.security.signing_keys import KeyRing, Tokens
from svc_tui.server.settings import Settings
from svc_tui.server.store.database import Database

P = TypeVar("P")


@dataclass(frozen=True)
class Service:
    """Everything that a rule can use in addition to the request."""

    settings: Settings
    clock: Clock
    ids: Ids
    database: Database
    passwords: Passwords
    tokens: Tokens
    openid: OpenIdClient
    event_delivery: EventDelivery
    billing: Billing
    _parts: dict[Callable[[Service], Any], Any] = field(default_factory=dict, init=False, repr=False)

    def part(self, make: Callable[[Service], P]) -> P:
        """The one object in this service that `make` creates, created on first use. Areas keep their state in parts."""
        if make not in self._parts:
            self._parts[make] = make(self)
        part: P = self._parts[make]
        return part


def service_of(settings: Settings, *, clock: Clock | None = None, ids: Ids | None = None) -> Service:
    """A service with these settings. Creates the data folder at the first start."""
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    clock = clock or SystemClock()
    ids = ids or RandomIds()
    database = Database(settings.database, connections=settings.database_connections)
    return Service(
        settings=settings,
        clock=clock,
        ids=ids,
        database=database,
        passwords=Passwords(cheap=settings.cheap_hashes),
        tokens=Tokens(KeyRing(database, clock, settings, lifetime=max(settings.token_lifetime, ACCESS_SECONDS))),
        openid=OpenIdClient(clock, insecure=settings.insecure_identity_providers),
        event_delivery=EventDelivery(database),
        billing=load_billing(settings),
    )
