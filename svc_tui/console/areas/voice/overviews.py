"""A CloudPBX and a subscriber at a glance: what they consist of, and what prevents or limits calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from svc_tui.console.areas.voice.resources import DDIS, DEVICES, PBX, SUBSCRIBERS, place_of
from svc_tui.console.areas.voice.subscribers import RECORDED
from svc_tui.console.core.overview import Entry, Facts, Remedy, Section
from svc_tui.console.core.places import Link, Place
from svc_tui.console.views.report_list import report_resource
from svc_tui.console.widgets.formatting import choice, dotted
from svc_tui.interface.data import RecordData
from svc_tui.interface.errors import Finding
from svc_tui.interface.telephone_numbers import written as number
from svc_tui.interface.value_words import word
from svc_tui.interface.voice.access import PERMISSIONS
from svc_tui.interface.voice.findings import Telephone, cloudpbx_findings, permitted, registered, subscriber_findings
from svc_tui.language import _, number_text
from svc_tui.workspace.voice.reports import AREAS, NUMBERS
from svc_tui.workspace.voice.reports import DDIS as ALL_DDIS
from svc_tui.workspace.voice.reports import DEVICES as OFFLINE

# What these sections read.
COMPANY, REGISTRATIONS = "company", "registrations"
FREE, SERVICES, ASSIGNED = "unassigned", "welcomeservices", "assigned"
#: Most devices whose registrations are read, so many at a time: no operation reads those of a whole CloudPBX.
_MOST_DEVICES, _AT_ONCE = 100, 8
#: Fields of findings that an edit of the CloudPBX changes.
_EDITED = ("externalTrunkId", "numberingPlan", "barringOptions")


# --- a CloudPBX ----------------------------------------------------------------------------------------------------


def _below(kind: str) -> Callable[[Facts], Place | None]:
    return lambda facts: Place((PBX, str(facts.record["id"]), kind))


def _company(facts: Facts) -> Place | None:
    company = facts.record.get("companyId")
    return Place(("companies", str(company))) if company else None


def _free(facts: Facts) -> Link:
    return Link(Place((PBX, str(facts.record["id"]), DDIS)), where={"isAssigned": False})


def _assigned(facts: Facts) -> Link:
    return Link(Place((PBX, str(facts.record["id"]), DEVICES)), where={"assigned": True})


def _online(at: int, facts: Facts) -> Place | None:
    """The registrations of one of the assigned devices, when those of an earlier one are there."""
    assigned = facts.rows(ASSIGNED) or ()
    if at >= len(assigned) or (at >= _AT_ONCE and not facts.known(f"online-{at - _AT_ONCE}").settled):
        return None
    return place_of(str(facts.record["id"]), DEVICES, str(assigned[at]["id"])).related("deviceregistrations")


#: The read of each device.
_ONLINE: dict[str, Callable[[Facts], Place | None]] = {
    f"online-{at}": partial(_online, at) for at in range(_MOST_DEVICES)
}


def _devices(facts: Facts) -> Entry:
    """How many devices there are, are assigned, and are online; and of how many that is known."""
    known, assigned = facts.known(DEVICES), facts.known(ASSIGNED)
    checked = [rows for name in _ONLINE if (rows := facts.rows(name)) is not None]
    total = number_text(known.total) if known.rows is not None else ""
    if not checked or not total:
        return Entry(_("Devices"), total, DEVICES)
    online = number_text(sum(bool(registered(rows, facts.now)) for rows in checked))
    text = (
        _("{all}; {online} online of {assigned} assigned")
        if len(checked) == assigned.total
        else _("{all}; {online} online of {checked} that were asked, {assigned} assigned")
    )
    text = text.format(
        all=total, online=online, checked=number_text(len(checked)), assigned=number_text(assigned.total)
    )
    return Entry(_("Devices"), text, DEVICES)


def _of_cloudpbx(facts: Facts) -> Iterator[Entry]:
    pbx = facts.record
    for label, kind in ((_("Subscribers"), SUBSCRIBERS), (_("DDI numbers"), DDIS)):
        known = facts.known(kind)
        text = number_text(known.total) if known.rows is not None else ""
        if kind == DDIS and text and facts.rows(FREE) is not None:
            text = _("{all}, {free} free").format(all=text, free=number_text(facts.known(FREE).total))
        yield Entry(label, text, kind, asked=True)
    trunk = dotted(pbx, "cloudpbx.externalTrunkAdditionalInfo.name")
    state = dotted(pbx, "cloudpbx.externalTrunkAdditionalInfo.status")
    text = "   ".join(str(part) for part in (trunk, state and word(state)) if part)
    yield Entry(_("Trunk"), text or _("none"), style="" if trunk else "dim", asked=True)
    yield _devices(facts)
    for service in facts.rows(SERVICES) or ():
        open = service.get("state") == "open"
        name, state = service.get("name"), _("open now") if open else _("closed now")
        yield Entry(_("Welcome"), f"{name}   {state}", SERVICES, style="" if open else "dim")
    permissions = dotted(pbx, "cloudpbx.barringOptions.permissions")
    if permissions:
        yield Entry(_("May call"), PERMISSIONS.get(permissions, str(permissions)))
    yield Entry(_("Company"), str((facts.one(COMPANY) or {}).get("name") or ""), COMPANY)


def _cloudpbx_findings(facts: Facts) -> Iterator[Finding]:
    ddis = facts.known(DDIS)
    yield from cloudpbx_findings(facts.record, ddis.total if ddis.rows is not None else None)


def _change_cloudpbx(facts: Facts, finding: Finding) -> Remedy | None:
    if finding.field == "installationNumber":
        return Remedy(Place((PBX, str(facts.record["id"]), DDIS)))
    own = Place((PBX, str(facts.record["id"])))
    return Remedy(own, "cloudpbxs.edit") if finding.field in _EDITED else None


OF_CLOUDPBX = (
    Section(
        title=_("Telephone"),
        reads={
            SUBSCRIBERS: _below(SUBSCRIBERS),
            DDIS: _below(DDIS),
            FREE: _free,
            DEVICES: _below(DEVICES),
            ASSIGNED: _assigned,
            SERVICES: _below(SERVICES),
            COMPANY: _company,
            **_ONLINE,
        },
        only_shown=frozenset({SUBSCRIBERS, FREE, DEVICES, ASSIGNED, SERVICES, COMPANY, *_ONLINE}),
        entries=_of_cloudpbx,
        findings=_cloudpbx_findings,
        remedy=_change_cloudpbx,
    ),
)


# --- a subscriber --------------------------------------------------------------------------------------------------


def _pbx(facts: Facts) -> Place | None:
    system = facts.record.get("systemId")
    return Place((PBX, str(system))) if system else None


def _own(facts: Facts, *below: str) -> Place | None:
    system = facts.record.get("systemId")
    own = place_of(str(system), SUBSCRIBERS, str(facts.record["id"])) if system else None
    return Place((*own.parts, *below)) if own else None


def _telephone(facts: Facts) -> Telephone:
    return Telephone(
        user={},
        now=facts.now,
        cloudpbxs=facts.rows(PBX),
        subscriber=facts.record if facts.complete else None,
        devices=facts.rows(DEVICES),
        registrations=facts.rows(REGISTRATIONS),
    )


def _of_subscriber(facts: Facts) -> Iterator[Entry]:
    subscriber, pbx = facts.record, facts.one(PBX) or {}
    yield Entry(_("Extension"), str(subscriber.get("shortNumber") or ""), asked=True)
    main, ddi = str(subscriber.get("externalNumber") or ""), subscriber.get("externalNumberId")
    place = place_of(str(subscriber.get("systemId")), DDIS, str(ddi)) if ddi else None
    text = number(main, subscriber.get("country")) if main else _("none")
    yield Entry(_("DDI number"), text, place=place, style="" if main else "dim", asked=True)
    devices, online = facts.rows(DEVICES), facts.rows(REGISTRATIONS)
    if devices is not None and online is not None:
        now = len(registered(online, facts.now))
        # A device can be registered twice, and a soft phone without a device: neither is a part of the other.
        text = _("{devices}; registrations: {online}").format(
            online=number_text(now), devices=number_text(len(devices))
        )
        yield Entry(_("Devices"), text, DEVICES, style="" if now else "warn", asked=True)
    else:
        yield Entry(_("Devices"), "", DEVICES if devices is None else REGISTRATIONS)
    if facts.complete and pbx:
        yield Entry(_("May call"), PERMISSIONS.get(permitted(_telephone(facts)), ""))
    profile = str(subscriber.get("recordingProfile") or "")
    if profile:
        yield Entry(
            _("Recorded calls"), _(RECORDED.get(profile, (choice(profile), ""))[0]), place=_own(facts, "recordings")
        )
    if user := subscriber.get("userId"):
        yield Entry(_("User"), str(subscriber.get("names") or user), place=Place(("users", str(user))))
    yield Entry("CloudPBX", str(pbx.get("name") or ""), PBX)


def _at(action: str) -> Callable[[Facts], Remedy | None]:
    def remedy(facts: Facts) -> Remedy | None:
        place = _own(facts)
        return Remedy(place, action) if place else None

    return remedy


def _at_pbx(action: str) -> Callable[[Facts], Remedy | None]:
    def remedy(facts: Facts) -> Remedy | None:
        place = _pbx(facts)
        return Remedy(place, action) if place else None

    return remedy


OF_SUBSCRIBER = (
    Section(
        title=_("Telephone"),
        reads={
            PBX: _pbx,
            DEVICES: lambda facts: _own(facts, DEVICES),
            REGISTRATIONS: lambda facts: _own(facts, REGISTRATIONS),
        },
        entries=_of_subscriber,
        findings=lambda facts: subscriber_findings(_telephone(facts)),
        remedies={
            "cloudpbxs.status": _at_pbx(""),
            "cloudpbxs.barringOptions": _at_pbx("cloudpbxs.edit"),
            "cloudpbxs.externalTrunkId": _at_pbx("cloudpbxs.edit"),
            "subscribers.externalNumber": _at("subscribers.number"),
            "subscribers.cliOptions": _at("subscribers.options"),
            "subscribers.barringOptions": _at("subscribers.options"),
            "subscribers.recordingProfile": _at("subscribers.recording"),
            "sipdevices.phoneNumberId": _at("subscribers.device"),
            "registrations.expirationDate": lambda facts: Remedy(place) if (place := _own(facts, DEVICES)) else None,
        },
    ),
)


def _ranges(row: RecordData) -> Place:
    return Place(("cloudpbxs", str(row.get("systemId")), "ddis"))


def _number(row: RecordData) -> Place:
    return Place(("cloudpbxs", str(row.get("systemId")), "ddis", str(row.get("id"))))


def _device(row: RecordData) -> Place:
    return Place(("cloudpbxs", str(row.get("systemId")), "sipdevices", str(row.get("id"))))


#: The reports across CloudPBXs, whose rows lead to the numbers and the device.
REPORTS = (
    report_resource(NUMBERS, _ranges, "range of numbers", "ranges of numbers"),
    report_resource(AREAS, _ranges, "area", "areas"),
    report_resource(ALL_DDIS, _number, "DDI number", "DDI numbers"),
    report_resource(OFFLINE, _device, "offline device", "offline devices"),
)
