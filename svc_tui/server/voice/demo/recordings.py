"""Recordings of the demo data: calls on weekdays over three months, most of them in Northwind Telecom."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta

from svc_tui.interface.dates import stamp
from svc_tui.interface.voice.recordings import SHORTEST_RECORDING
from svc_tui.server.demo.accounts import LOGISTICS, NORTHWIND, PARTNER, STORM
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.store.tables import Document

#: company -> number of recordings, and of days: slightly less than the company's retention.
_SMALL = {NORTHWIND: (1_250, 89), LOGISTICS: (180, 58), "bluebird": (50, 58), PARTNER: (64, 58), STORM: (20, 20)}
_LARGE = {**_SMALL, NORTHWIND: (100_000, 89)}
#: Frequently called numbers, of all companies.
FREQUENT = ("+351213000111", "+34910000222", "+442079460033", "+33199001234", "+4930901820444", "+12125550155")
_OFTEN = 0.25
#: Weights of the hours of a day, from 8 o'clock.
_HOURS = (6, 14, 16, 13, 8, 9, 14, 13, 10, 5, 2)
_FIRST_HOUR = 8
_MIME, _BYTES_A_SECOND = "audio/mpeg", 2_000
_SATURDAY = 5


def recordings(today: date, subscribers: Sequence[Document], *, large: bool) -> Iterator[Document]:
    """All recordings of a scale, of the calls of these subscribers."""
    for company, (count, days) in (_LARGE if large else _SMALL).items():
        own = [each for each in subscribers if each["systemId"] == id_of("cloudpbx", company)]
        chance = random.Random(f"recordings/{company}")
        recorded = [each for each in own if each["isRecordingActivated"]]
        inside = [str(each["shortNumber"]) for each in own]
        for at in _moments(chance, today, count, days):
            yield one(chance, chance.choice(recorded), inside, id_of("company", company), at)


def _moments(chance: random.Random, today: date, count: int, days: int) -> list[datetime]:
    """The moments of the calls: mostly on working days, sometimes on a Saturday. Sorted, which halves the time for
    writing them to a database."""
    past = [today - timedelta(days=back) for back in range(1, days + 1)]
    open = [day for day in past if day.weekday() < _SATURDAY or _works(day)]
    # Few calls on Saturdays, many on Mondays.
    weights = [{0: 13, _SATURDAY: 2}.get(day.weekday(), 10) for day in open]
    hours = range(_FIRST_HOUR, _FIRST_HOUR + len(_HOURS))
    when = zip(chance.choices(open, weights, k=count), chance.choices(hours, _HOURS, k=count), strict=True)
    return sorted(
        datetime.combine(day, time(hour), UTC) + timedelta(milliseconds=chance.randrange(3_600_000))
        for day, hour in when
    )


def _works(day: date) -> bool:
    return day.weekday() == _SATURDAY and day.toordinal() % 14 < 7


def one(chance: random.Random, subscriber: Document, inside: Sequence[str], company_id: str, at: datetime) -> Document:
    """A recording of a subscriber's call that began at this moment; `inside` are numbers of colleagues."""
    duration = max(SHORTEST_RECORDING, int(chance.lognormvariate(4.6, 1.0)))
    profile, short, ddi = subscriber["recordingProfile"], subscriber["shortNumber"], subscriber.get("externalNumber")
    internal = profile == "internal_only" or (profile == "all" and chance.random() < 0.3)
    date = stamp(at)
    return {
        "id": f"{int(at.timestamp()):08x}{chance.getrandbits(64):016x}",
        "fileName": f"{short}-{date[:19].replace(':', '')}.mp3",
        "mime": _MIME,
        "size": duration * _BYTES_A_SECOND + chance.randrange(500),
        "date": date,
        "duration": duration,
        "otherParty": {"number": chance.choice(inside) if internal else _outside(chance)},
        "recordedParty": {
            "userId": subscriber["userId"],
            "phoneNumberId": subscriber["id"],
            "name": subscriber["names"],
            "number": short if internal or not ddi else ddi,
        },
        "direction": "in" if chance.random() < 0.6 else "out",
        "callId": f"{chance.getrandbits(64):016x}",
        "systemId": subscriber["systemId"],
        "companyId": company_id,
    }


def _outside(chance: random.Random) -> str:
    if chance.random() < _OFTEN:
        return chance.choice(FREQUENT)
    return chance.choice(("+35121", "+35122", "+3491", "+3314", "+49306")) + f"{chance.randrange(10**6, 10**7)}"
