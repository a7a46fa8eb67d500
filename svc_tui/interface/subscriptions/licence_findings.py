"""Findings about the licences of a user (2.10, 4.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from svc_tui.interface.data import RecordData
from svc_tui.interface.findings import Finding
from svc_tui.language import _

#: Statuses of a licence whose subscription is suspended or has ended.
SUSPENDED = {"hold": _("on hold"), "terminated": _("terminated")}


def licence_findings(licences: Iterable[RecordData]) -> Iterator[Finding]:
    """One finding for each licence that is on hold or terminated."""
    for licence in licences:
        if status := SUSPENDED.get(str(licence.get("status"))):
            name = licence.get("offerName") or "one"
            yield Finding(
                _("Licences"),
                _("Suspended: {name} is {status}.").format(name=name, status=status),
                "limits",
                "licences",
                "status",
                "2.10",
            )
