"""A CloudPBX at a glance: trunk, extensions, free numbers, devices online, what is open now, and its findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from svc_tui.console.areas.voice.resources import DDIS, DEVICES, PBX, STATUSES, SUBSCRIBERS
from svc_tui.console.core.overview import Entry, Facts, Remedy, Section
from svc_tui.console.core.places import Link, Place
from svc_tui.console.widgets.formatting import dotted
from svc_tui.interface.errors import Finding
from svc_tui.interface.voice.findings import cloudpbx_findings, registered
from svc_tui.language import _, number_text

TRUNK, FREE, SERVICES = "externaltrunks", "free numbers", "welcomeservices"
#: Most devices whose registrations are read: no operation reads those of a whole CloudPBX.
_DEVICES = 10
#: Fields of findings that an edit of the CloudPBX changes.
_EDITED = ("externalTrunkId", "numberingPlan")


def _below(kind: str, facts: Facts) -> Place:
    return Place((PBX, str(facts.record["id"]), kind))


def _free(facts: Facts) -> Link:
    return Link(_below(DDIS, facts), where={"isAssigned": False})


def _trunk(facts: Facts) -> Place | None:
    trunk = dotted(facts.record, "cloudpbx.externalTrunkId")
    return Place((TRUNK, str(trunk))) if trunk else None


def _online(at: int, facts: Facts) -> Place | None:
    """The registrations of one of the first devices that are assigned."""
    assigned = [each for each in facts.rows(DEVICES) or () if each.get("phoneNumberId")][:_DEVICES]
    return (
        _below(DEVICES, facts).record(str(assigned[at]["id"])).related("deviceregistrations")
        if at < len(assigned)
        else None
    )


#: The read of each device.
_ONLINE: dict[str, Callable[[Facts], Place | None]] = {f"online {at}": partial(_online, at) for at in range(_DEVICES)}


def _entries(facts: Facts) -> Iterator[Entry]:
    status = str(facts.record.get("status") or "")
    word, style = STATUSES.get(status, (status, ""))
    yield Entry(_("Status"), _(word), style="" if style == "ok" else style)
    trunk = facts.one(TRUNK) or {}
    name = trunk.get("name") or dotted(facts.record, "cloudpbx.externalTrunkAdditionalInfo.name")
    yield Entry(_("Trunk"), "   ".join(str(part) for part in (name, trunk.get("status")) if part), TRUNK)
    for label, kind in ((_("Extensions"), SUBSCRIBERS), (_("DDI numbers"), DDIS)):
        known = facts.known(kind)
        text = number_text(known.total) if known.rows is not None else ""
        if kind == DDIS and text and facts.rows(FREE) is not None:
            text = _("{all}, {free} free").format(all=text, free=number_text(facts.known(FREE).total))
        yield Entry(label, text, kind)
    yield from _devices(facts)
    for service in facts.rows(SERVICES) or ():
        open = service.get("state") == "open"
        text = _("{name}   open now") if open else _("{name}   closed now")
        yield Entry(_("Welcome"), text.format(name=service.get("name")), SERVICES, style="" if open else "dim")


def _devices(facts: Facts) -> Iterator[Entry]:
    devices = facts.rows(DEVICES)
    if not devices:
        yield Entry(_("Devices"), read=DEVICES)
        return
    checked = [rows for name in _ONLINE if (rows := facts.rows(name)) is not None]
    online = sum(bool(registered(rows, facts.now)) for rows in checked)
    text = _("{all}; of {checked} assigned ones, {online} online")
    total = number_text(facts.known(DEVICES).total)
    yield Entry(_("Devices"), text.format(all=total, checked=len(checked), online=online), DEVICES)


def _findings(facts: Facts) -> Iterator[Finding]:
    ddis = facts.known(DDIS)
    yield from cloudpbx_findings(facts.record, ddis.total if ddis.rows is not None else None)


def _remedy(facts: Facts, finding: Finding) -> Remedy | None:
    if finding.field == "installationNumber":
        return Remedy(_below(DDIS, facts))
    return Remedy(Place((PBX, str(facts.record["id"]))), "cloudpbxs.edit") if finding.field in _EDITED else None


SECTIONS = (
    Section(
        title=_("Telephone"),
        reads={
            TRUNK: _trunk,
            SUBSCRIBERS: partial(_below, SUBSCRIBERS),
            DDIS: partial(_below, DDIS),
            FREE: _free,
            DEVICES: partial(_below, DEVICES),
            SERVICES: partial(_below, SERVICES),
            **_ONLINE,
        },
        only_shown=frozenset({TRUNK, SUBSCRIBERS, FREE, DEVICES, SERVICES, *_ONLINE}),
        entries=_entries,
        findings=_findings,
        remedy=_remedy,
    ),
)
