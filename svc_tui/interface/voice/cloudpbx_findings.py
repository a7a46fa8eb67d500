"""Findings about a CloudPBX, so that all its subscribers notice it (2.14, 4.7)."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.interface.data import RecordData
from svc_tui.interface.findings import Effect, Finding
from svc_tui.interface.value_words import word
from svc_tui.interface.voice import numbering
from svc_tui.language import _, day_text


def cloudpbx_findings(cloudpbx: RecordData, ddi_numbers: int | None = None) -> Iterator[Finding]:
    """All findings about a CloudPBX with this many DDI numbers (None: not known)."""

    def found(sentence: str, effect: Effect, field: str, rule: str = "2.14") -> Finding:
        return Finding("CloudPBX", sentence, effect, "cloudpbxs", field, rule, record_id=str(cloudpbx.get("id") or ""))

    inner = cloudpbx.get("cloudpbx")
    settings: RecordData = inner if isinstance(inner, dict) else {}
    if cloudpbx.get("blockedDate"):
        yield found(
            _("Blocked since {date}.").format(date=day_text(str(cloudpbx["blockedDate"]))),
            "prevents",
            "blockedDate",
        )
    if cloudpbx.get("status") == "disconnected":
        day = day_text(str(cloudpbx.get("statusUpdatedDate") or ""))
        yield found(
            _("Disconnected{day}: no calls.").format(day=_(" since {day}").format(day=day) if day else ""),
            "prevents",
            "status",
        )
    trunk = settings.get("externalTrunkAdditionalInfo")
    state = trunk.get("status") if isinstance(trunk, dict) else None
    if not settings.get("externalTrunkId"):
        yield found(_("Only internal calls: no trunk is linked."), "limits", "externalTrunkId", "4.7")
    elif state not in (None, "", "active"):
        yield found(_("Its trunk is {state}.").format(state=word(state)), "limits", "externalTrunkAdditionalInfo")
    if not numbering.ranges(settings):
        yield found(_("No internal numbers: the numbering plan is empty."), "limits", "numberingPlan", "4.7")
    if ddi_numbers == 0:
        yield found(_("No calls from outside: it has no DDI numbers."), "limits", "installationNumber")
    elif not settings.get("installationNumber"):
        yield found(_("No default DDI number is set."), "notes", "installationNumber")
