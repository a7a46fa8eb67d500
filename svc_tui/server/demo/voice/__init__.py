"""Voice in the demo data: CloudPBXs and their subscribers, devices, numbers, recordings, welcome services, trunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from svc_tui.server.demo.dates import Calendar
from svc_tui.server.demo.voice import devices, exchanges, numbers, recordings, welcomes
from svc_tui.server.demo.voice.lines import Line, subscribers

if TYPE_CHECKING:
    from svc_tui.server.store.store import Store
    from svc_tui.server.store.tables import Document


async def fill(store: Store, today: date, held: Sequence[Line], many: Iterable[Document]) -> None:
    """Write all voice records of these subscribers, and CloudPBXs of `many` companies at the large scale."""
    calendar = Calendar(today)
    others = list(many)
    await store.external_trunks.add_all(exchanges.trunks())
    await store.cloudpbxs.add_all([*exchanges.cloudpbxs(calendar), *exchanges.many(calendar, others)])
    await store.prohibited_numbers.add_all(exchanges.prohibited())
    extensions = list(subscribers(calendar, held))
    await store.subscribers.add_all(extensions)
    await store.ddis.add_all([*numbers.ddis(calendar, held), *(numbers.large(calendar) if others else ())])
    present = list(devices.devices(held))
    await store.devices.add_all(present)
    await store.registrations.add_all(devices.registrations(calendar, held, present))
    await store.office_hours.add_all(welcomes.office_hours(calendar))
    await store.welcomes.add_all(welcomes.welcomes())
    await store.welcome_services.add_all(welcomes.services(calendar, held))
    await store.recordings.add_all(recordings.recordings(today, extensions, large=bool(others)))


async def clear(store: Store) -> None:
    """Remove all voice records."""
    for collection in (
        store.external_trunks,
        store.cloudpbxs,
        store.prohibited_numbers,
        store.subscribers,
        store.ddis,
        store.devices,
        store.registrations,
        store.office_hours,
        store.welcomes,
        store.welcome_services,
        store.recordings,
    ):
        await collection.remove_all()
