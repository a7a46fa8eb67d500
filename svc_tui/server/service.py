"""The parts of a running server: settings, clock, identifiers, database, hashes and keys."""

from __future__ import annotations

from dataclasses import dataclass

from svc_tui.server.billing.interface import Billing
from svc_tui.server.billing.loading import load_billing
from svc_tui.server.clock import Clock, Ids, RandomIds, SystemClock
from svc_tui.server.directory.importing import Imports
from svc_tui.server.events.courier import Courier
from svc_tui.server.metrics.collecting import Collecting
from svc_tui.server.metrics.counting import Counting
from svc_tui.server.metrics.history import History, NoHistory
from svc_tui.server.openid_connect import OpenIdClient
from svc_tui.server.security.passwords import Passwords
from svc_tui.server.security.tokens import Tokens, signing_key
from svc_tui.server.settings import Settings
from svc_tui.server.store.database import Database
from svc_tui.server.subscriptions.synchroniser import Synchroniser


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
    courier: Courier
    imports: Imports
    counting: Counting
    collecting: Collecting
    history: History
    billing: Billing
    synchroniser: Synchroniser


def service_of(settings: Settings, *, clock: Clock | None = None, ids: Ids | None = None) -> Service:
    """A service with these settings. Creates the data folder and the signing key at the first start."""
    key = signing_key(settings.data_dir)
    clock = clock or SystemClock()
    ids = ids or RandomIds()
    database = Database(settings.database)
    courier, billing = Courier(database), load_billing(settings)
    return Service(
        settings=settings,
        clock=clock,
        ids=ids,
        database=database,
        passwords=Passwords(cheap=settings.cheap_hashes),
        tokens=Tokens(key),
        openid=OpenIdClient(clock, insecure=settings.insecure_identity_providers),
        imports=Imports(database, clock, ids, settings),
        counting=Counting(database, clock),
        collecting=Collecting(database, clock),
        history=_history(settings),
        courier=courier,
        billing=billing,
        synchroniser=Synchroniser(database, clock, billing, courier.wake),
    )


def _history(settings: Settings) -> History:
    if not settings.demo:
        return NoHistory()
    from svc_tui.server.demo.statistics import DemoHistory

    return DemoHistory()
