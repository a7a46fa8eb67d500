"""The telephone system of a company at a glance: its CloudPBX with trunk, extensions and DDI numbers."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.console.areas.voice.resources import DDIS, DEVICES, PBX, STATUSES, SUBSCRIBERS
from svc_tui.console.core.overview import Entry, Facts, Remedy, Section, SetupStep
from svc_tui.console.core.places import Place
from svc_tui.console.widgets.formatting import day, dotted
from svc_tui.interface.errors import Finding
from svc_tui.interface.voice.findings import cloudpbx_findings
from svc_tui.language import _, number_text

#: Fields of findings that an edit of the CloudPBX changes.
_EDITED = ("externalTrunkId", "numberingPlan")


def _cloudpbxs(facts: Facts) -> Place:
    return Place(("companies", str(facts.record["id"]), PBX))


def _of_cloudpbx(facts: Facts, kind: str = "") -> Place | None:
    """A place of the CloudPBX; a company has at most one."""
    pbx = facts.one(PBX)
    return Place((PBX, str(pbx["id"]), *([kind] if kind else []))) if pbx else None


def _entries(facts: Facts) -> Iterator[Entry]:
    pbx = facts.one(PBX)
    if pbx is None:
        yield Entry("CloudPBX", read=PBX)
        return
    status = str(pbx.get("status") or "")
    word, style = STATUSES.get(status, (status, ""))
    word = _(word)
    trunk = dotted(pbx, "cloudpbx.externalTrunkAdditionalInfo.name")
    text = "   ".join(
        str(part) for part in (pbx.get("name"), word, trunk and _("trunk {trunk}").format(trunk=trunk)) if part
    )
    yield Entry("CloudPBX", text, place=_of_cloudpbx(facts), style="" if style == "ok" else style, asked=True)
    for label, kind in ((_("Extensions"), SUBSCRIBERS), (_("DDI numbers"), DDIS)):
        known = facts.known(kind)
        yield Entry(label, number_text(known.total) if known.rows is not None else "", kind)


def _setup(facts: Facts) -> Iterator[SetupStep]:
    rows, pbx = facts.rows(PBX), facts.one(PBX)
    new = Remedy(_cloudpbxs(facts), "new")
    yield SetupStep(
        30,
        "CloudPBX",
        None if rows is None else bool(rows),
        _("Create the CloudPBX."),
        new,
        operation="create_cloudpbx",
    )
    trunk = None if rows is None else bool(pbx and dotted(pbx, "cloudpbx.externalTrunkId"))
    edit = Remedy(Place((PBX, str(pbx["id"]))), "cloudpbxs.edit") if pbx else new
    yield SetupStep(40, _("trunk"), trunk, _("Link the trunk."), edit, "externalTrunkId", "update_cloudpbx")
    for order, kind, label, advice, creation in (
        (50, DDIS, _("DDI numbers"), _("Create the DDI numbers."), "create_ddi_number"),
        (75, SUBSCRIBERS, _("extensions"), _("Create extensions for the users."), "create_subscriber"),
    ):
        remedy = _new_in(facts, kind, "ddis.range" if kind == DDIS else "new")
        yield SetupStep(order, label, _some(facts, kind), advice, remedy or new, operation=creation)
    devices = facts.rows(DEVICES)
    assigned = any(each.get("phoneNumberId") for each in devices or ())
    done = assigned if devices is not None else _some(facts, DEVICES)
    advice, remedy = _("Create the first device."), _new_in(facts, DEVICES)
    if devices and not assigned and remedy is not None:
        advice, remedy = _("Assign the devices to extensions."), Remedy(remedy.place)
    yield SetupStep(80, _("devices"), done, advice, remedy or new, operation="create_sip_device")


def _some(facts: Facts, kind: str) -> bool | None:
    """Whether the CloudPBX has such records; None while that is not known."""
    if facts.rows(PBX) is not None and facts.one(PBX) is None:
        return False
    known = facts.known(kind)
    return known.total > 0 if known.rows is not None else None


def _new_in(facts: Facts, kind: str, action: str = "new") -> Remedy | None:
    place = _of_cloudpbx(facts, kind)
    return Remedy(place, action) if place else None


def _findings(facts: Facts) -> Iterator[Finding]:
    ddis = facts.known(DDIS)
    for pbx in facts.rows(PBX) or ():
        yield from cloudpbx_findings(pbx, ddis.total if ddis.rows is not None else None)


def _remedy(facts: Facts, finding: Finding) -> Remedy | None:
    if finding.field == "installationNumber":
        place = _of_cloudpbx(facts, DDIS)
        return Remedy(place) if place else None
    return Remedy(Place((PBX, finding.record_id)), "cloudpbxs.edit" if finding.field in _EDITED else "")


def _changes(facts: Facts) -> Iterator[Entry]:
    pbx = facts.one(PBX) or {}
    for wire, what in (("creationDate", "created"), ("statusUpdatedDate", _("status changed"))):
        if at := pbx.get(wire):
            yield Entry(day(at), _("CloudPBX {what}").format(what=what), place=_of_cloudpbx(facts), at=str(at))


SECTIONS = (
    Section(
        title=_("Telephone"),
        reads={
            PBX: _cloudpbxs,
            SUBSCRIBERS: lambda facts: _of_cloudpbx(facts, SUBSCRIBERS),
            DDIS: lambda facts: _of_cloudpbx(facts, DDIS),
            DEVICES: lambda facts: _of_cloudpbx(facts, DEVICES),
        },
        only_shown=frozenset({SUBSCRIBERS, DEVICES}),
        entries=_entries,
        findings=_findings,
        setup=_setup,
        remedy=_remedy,
    ),
    Section(title=_("Last changes"), latest=True, entries=_changes),
)
