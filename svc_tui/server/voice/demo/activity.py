"""Simulated activity in the telephony of two demo companies: calls are recorded, telephones go online and offline."""

from __future__ import annotations

import random
from datetime import timedelta

from svc_tui.interface.dates import stamp
from svc_tui.server.demo.accounts import NORTHWIND, PARTNER
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import Condition, In, Is, Not, ReferencedBy
from svc_tui.server.store.documents import DocumentCollection, Sort
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.demo.devices import registration
from svc_tui.server.voice.demo.recordings import one

#: The companies of the demo's main accounts, and the CloudPBX of each.
_COMPANIES = (NORTHWIND, PARTNER)
_SYSTEMS = tuple(id_of("cloudpbx", company) for company in _COMPANIES)
_OWN = In("systemId", _SYSTEMS)
#: Number of registrations renewed at a time, and their duration.
_RENEWED, _LASTS = 20, timedelta(hours=24)


async def recording_arrived(store: Store, service: Service, chance: random.Random) -> bool:
    """A recorded call ended, equally often in each company."""
    company = chance.choice(_COMPANIES)
    own = Is("systemId", id_of("cloudpbx", company))
    subscriber = await _any(store.subscribers, chance, own, Not(Is("recordingProfile", "none")))
    colleague = await _any(store.subscribers, chance, own)
    if subscriber is None or colleague is None:
        return False
    recording = one(chance, subscriber, (colleague["shortNumber"],), id_of("company", company), service.clock.now())
    # The call began as long ago as it lasted.
    began = service.clock.now() - timedelta(seconds=recording["duration"])
    await store.recordings.add({**recording, "date": stamp(began)})
    return True


async def registrations_renewed(store: Store, service: Service, chance: random.Random) -> bool:
    """The registrations that end next are renewed."""
    ending = (await store.registrations.find(_OWN, sort=Sort("expirationDate"), limit=_RENEWED)).documents
    for each in ending:
        lasts = _LASTS + timedelta(seconds=chance.randrange(3_600))
        await store.registrations.put({**each, "expirationDate": stamp(service.clock.now() + lasts)})
    return bool(ending)


async def telephone_unplugged(store: Store, service: Service, chance: random.Random) -> bool:
    """A telephone goes offline."""
    gone = await _any(store.registrations, chance, _OWN, Not(Is("deviceId", None)))
    return gone is not None and await store.registrations.remove(gone["id"])


async def telephone_plugged(store: Store, service: Service, chance: random.Random) -> bool:
    """A telephone that was offline goes online."""
    for system in _SYSTEMS:
        await store.lock(f"cloudpbx:{system}")
    online = ReferencedBy("registrations", "deviceId", _OWN)
    device = await _any(store.devices, chance, _OWN, Not(Is("phoneNumberId", None)), Not(online))
    if device is None:
        return False
    await store.registrations.put(registration(device, stamp(service.clock.now() + _LASTS)))
    return True


async def _any(collection: DocumentCollection, chance: random.Random, *where: Condition) -> Document | None:
    """A random record that meets all conditions; None if there is none."""
    total = await collection.count(*where)
    if not total:
        return None
    return (await collection.find(*where, limit=1, offset=chance.randrange(total))).documents[0]
