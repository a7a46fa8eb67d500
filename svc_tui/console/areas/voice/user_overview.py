"""The telephone of a user at a glance: extension, numbers, devices, recordings, and what prevents or limits calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from svc_tui.console.areas.voice.recordings import RECORDINGS, duration
from svc_tui.console.areas.voice.resources import DDIS, DEVICES, PBX, SUBSCRIBERS, place_of
from svc_tui.console.areas.voice.subscribers import RECORDED
from svc_tui.console.core.overview import Entry, Facts, Remedy, Section
from svc_tui.console.core.places import Place
from svc_tui.console.widgets.formatting import choice, written
from svc_tui.interface.errors import Finding
from svc_tui.interface.telephone_numbers import written as number
from svc_tui.interface.voice.access import PERMISSIONS
from svc_tui.interface.voice.findings import (
    Telephone,
    extension_of,
    permitted,
    registered,
    telephone_findings,
)
from svc_tui.language import _

# What this section reads.
OFFERS, SUBSCRIBER, REGISTRATIONS = "offers", "subscriber", "registrations"
#: Most devices and recordings that are shown.
_DEVICES, _RECORDINGS = 3, 2


def _of_company(kind: str, facts: Facts) -> Place | None:
    company = facts.record.get("companyId")
    return Place(("companies", str(company), kind)) if company else None


def _offers(facts: Facts) -> Place | None:
    """The offers: only for a user without an extension, because a licence for voice is only required for a new one."""
    needed = facts.whole is not None and extension_of(facts.whole) is None
    return _of_company("offers", facts) if needed else None


def _subscriber(facts: Facts) -> Place | None:
    own = extension_of(facts.record)
    return place_of(str(own["systemId"]), SUBSCRIBERS, str(own["phoneNumberId"])) if own else None


def _of_subscriber(kind: str, facts: Facts) -> Place | None:
    place = _subscriber(facts)
    return place.related(kind) if place else None


def _telephone(facts: Facts) -> Telephone | None:
    if facts.whole is None:
        return None
    return Telephone(
        user=facts.whole,
        now=facts.now,
        cloudpbxs=facts.rows(PBX),
        offers=facts.rows(OFFERS),
        subscriber=facts.one(SUBSCRIBER),
        devices=facts.rows(DEVICES),
        registrations=facts.rows(REGISTRATIONS),
    )


def _findings(facts: Facts) -> Iterator[Finding]:
    telephone = _telephone(facts)
    if telephone is not None:
        yield from telephone_findings(telephone)


def _entries(facts: Facts) -> Iterator[Entry]:
    telephone = _telephone(facts)
    if telephone is None:
        yield Entry(_("Extension"), read=SUBSCRIBER)
        return
    own, subscriber = extension_of(telephone.user), facts.one(SUBSCRIBER) or {}
    pbx = telephone.cloudpbx or {}
    short = str((own or {}).get("shortNumber") or "")
    text = "   ".join(str(part) for part in (short, short and pbx.get("name")) if part)
    yield Entry(_("Extension"), text, SUBSCRIBER, asked=True)
    if own is None:
        return
    yield from _numbers(own, subscriber)
    if subscriber and pbx:
        yield Entry(_("May call"), PERMISSIONS.get(permitted(telephone), ""), SUBSCRIBER)
    yield from _devices(facts)
    yield from _recordings(facts, subscriber)


def _numbers(own: Mapping[str, Any], subscriber: Mapping[str, Any]) -> Iterator[Entry]:
    country = own.get("country")
    main = str(subscriber.get("externalNumber") or own.get("numberE164") or "")
    further = [str(each.get("numberE164")) for each in subscriber.get("secondaryDDIs") or ()]
    shown = ", ".join(number(each, country) for each in (main, *further) if each)
    cli = str((subscriber.get("cliOptions") or {}).get("numberE164") or "")
    seen = _("   callees see {cli}").format(cli=number(cli, country)) if cli and cli != main else ""
    ddi = subscriber.get("externalNumberId")
    place = place_of(str(own["systemId"]), DDIS, str(ddi)) if ddi else None
    yield Entry(_("DDI number"), f"{shown or _('none')}{seen}", "" if place else SUBSCRIBER, place)


def _devices(facts: Facts) -> Iterator[Entry]:
    """The devices, online or not, then other registrations, such as those of soft phones."""
    devices, online = facts.rows(DEVICES), facts.rows(REGISTRATIONS)
    if not devices and not online:
        yield Entry(_("Device"), read=DEVICES if devices is None else REGISTRATIONS)
        return
    now = registered(online or (), facts.now)
    until = {each.get("deviceId"): each for each in now}
    lines = []
    for device in devices or ():
        found = until.get(device.get("id"))
        state = _("not online") if found is None and online is not None else _until(found) if found else ""
        name = str(device.get("description") or device.get("macAddress") or "?")
        place = place_of(str(device.get("systemId")), DEVICES, str(device.get("id")))
        lines.append(Entry(_("Device"), f"{name}   {state}".rstrip(), place=place))
    known = {device.get("id") for device in devices or ()}
    others = [each for each in now if each.get("deviceId") not in known]
    lines += [
        Entry(_("Also online"), f"{each.get('user_agent') or '?'}   {_until(each)}", REGISTRATIONS) for each in others
    ]
    yield from lines[:_DEVICES]
    if len(lines) > _DEVICES:
        yield Entry(_("Devices"), _("{lines} more").format(lines=len(lines) - _DEVICES), DEVICES)


def _until(registration: Mapping[str, Any]) -> str:
    return _("online until {date}").format(date=written(registration.get("expirationDate")))


def _recordings(facts: Facts, subscriber: Mapping[str, Any]) -> Iterator[Entry]:
    profile = str(subscriber.get("recordingProfile") or "")
    if profile:
        yield Entry(_("Recorded calls"), _(RECORDED.get(profile, (profile, ""))[0]), SUBSCRIBER)
    rows = facts.rows(RECORDINGS)
    if not rows:
        yield Entry(_("Recordings"), read=RECORDINGS)
    for each in (rows or ())[:_RECORDINGS]:
        other = number(str((each.get("otherParty") or {}).get("number") or ""))
        length = duration(each.get("duration") or 0, each)
        direction = choice(each["direction"]) if each.get("direction") else ""
        text = f"{written(each.get('date'))}   {direction}   {other}   {length}"
        yield Entry(_("Recording"), text, place=place_of(str(each.get("systemId")), RECORDINGS, str(each.get("id"))))


def _at_subscriber(action: str, facts: Facts) -> Remedy | None:
    place = _subscriber(facts)
    return Remedy(place, action) if place else None


def _devices_place(facts: Facts) -> Remedy | None:
    place = facts.place(DEVICES)
    return Remedy(place) if place else None


def _at_company(kind: str, facts: Facts) -> Remedy | None:
    """The list of the company, where a record is missing."""
    place = _of_company(kind, facts)
    return Remedy(place, "new") if place else None


def _at_cloudpbx(action: str, facts: Facts) -> Remedy | None:
    own = extension_of(facts.record)
    return Remedy(Place((PBX, str(own["systemId"]))), action) if own else None


def _new_extension(facts: Facts) -> Remedy | None:
    """The subscribers of the company's CloudPBX."""
    pbx = facts.one(PBX)
    return Remedy(Place((PBX, str(pbx["id"]), SUBSCRIBERS)), "new") if pbx else None


SECTIONS = (
    Section(
        title=_("Telephone"),
        reads={
            PBX: partial(_of_company, PBX),
            OFFERS: _offers,
            SUBSCRIBER: _subscriber,
            DEVICES: partial(_of_subscriber, DEVICES),
            REGISTRATIONS: partial(_of_subscriber, REGISTRATIONS),
            RECORDINGS: partial(_of_subscriber, RECORDINGS),
        },
        only_shown=frozenset({RECORDINGS}),
        entries=_entries,
        findings=_findings,
        remedies={
            "cloudpbxs.companyId": partial(_at_company, PBX),
            "cloudpbxs.status": partial(_at_cloudpbx, ""),
            "cloudpbxs.barringOptions": partial(_at_cloudpbx, "cloudpbxs.edit"),
            "cloudpbxs.externalTrunkId": partial(_at_cloudpbx, "cloudpbxs.edit"),
            "users.phoneNumbers": _new_extension,
            "subscribers.status": partial(_at_subscriber, ""),
            "subscribers.externalNumber": partial(_at_subscriber, "subscribers.number"),
            "subscribers.cliOptions": partial(_at_subscriber, "subscribers.options"),
            "subscribers.barringOptions": partial(_at_subscriber, "subscribers.options"),
            "subscribers.recordingProfile": partial(_at_subscriber, "subscribers.recording"),
            "sipdevices.phoneNumberId": partial(_at_subscriber, "subscribers.device"),
            "registrations.expirationDate": _devices_place,
        },
    ),
)
