"""Voice in the demo data: CloudPBXs and their subscribers, devices, numbers, recordings, welcome services, trunks."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.server.demo.accounts import STORM
from svc_tui.server.demo.area import DemoArea, DemoRecords, Fill
from svc_tui.server.demo.hostile import TEXTS, HostileText
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.store.store import Store
from svc_tui.server.voice.demo import activity, devices, exchanges, numbers, recordings, welcomes
from svc_tui.server.voice.demo.lines import subscribers, with_lines


def hostile_texts() -> Iterator[HostileText]:
    """The texts of its CloudPBX, subscribers, devices and welcome services."""
    exchange = id_of("cloudpbx", STORM)
    plan = [{"prefix": "9", "digits": 4, "description": TEXTS["markup-action"]}]
    names = {"name": TEXTS["title"], "latin_name": TEXTS["title"]}
    settings = {"customSipHeader_1": TEXTS["bidi-override"], "numberingPlan": plan}
    yield HostileText("cloudpbxs", exchange, {**names, "cloudpbx": settings})
    patterns = [{"pattern": "+339", "description": TEXTS["bidi-override"]}]
    yield HostileText("prohibited_numbers", exchange, {"patterns": patterns})
    yield HostileText("office_hours", exchange, {"name": TEXTS["markup-close"]}, by="systemId")
    yield HostileText("welcomes", exchange, {"name": TEXTS["formula"]}, by="systemId")
    service = {"name": TEXTS["clipboard"], "companyCalendarName": TEXTS["markup-close"]}
    yield HostileText("welcome_services", exchange, service, by="systemId")
    for index, text in enumerate(TEXTS.values()):
        user, names = id_of("user", f"{STORM}/{index}"), {"firstName": "", "lastName": text, "names": text}
        yield HostileText("subscribers", user, {**names, "deviceName": text}, by="userId")
        yield HostileText("ddis", user, names, by="userId")
        yield HostileText("devices", user, {"userDisplayName": text}, by="userId")
        yield HostileText("devices", id_of("device", f"{STORM}/{index}"), {"description": text})


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
    hostile=hostile_texts,
    events=(
        (activity.recording_arrived, 4),
        (activity.registrations_renewed, 3),
        (activity.telephone_unplugged, 1),
        (activity.telephone_plugged, 1),
    ),
)
