"""Voice in the demo data: CloudPBXs and their subscribers, devices, numbers, recordings, welcome services, trunks."""

from __future__ import annotations

from svc_tui.server.demo.area import DemoArea, DemoRecords, Fill
from svc_tui.server.store.store import Store
from svc_tui.server.voice.demo import activity, devices, exchanges, hostile, numbers, recordings, welcomes
from svc_tui.server.voice.demo.lines import subscribers, with_lines


def _records(shared: DemoRecords) -> Fill:
    """Users with voice licences become subscribers. Of the many companies of the large scale some have CloudPBXs."""
    calendar, others = shared.calendar, shared.many
    shared.users, held = with_lines(shared.users)

    async def fill(store: Store) -> None:
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
        await store.recordings.add_all(recordings.recordings(calendar.today, extensions, large=bool(others)))

    return fill


DEMO = DemoArea(
    records=_records,
    hostile=hostile.texts,
    events=(
        (activity.recording_arrived, 4),
        (activity.registrations_renewed, 3),
        (activity.telephone_unplugged, 1),
        (activity.telephone_plugged, 1),
    ),
)
