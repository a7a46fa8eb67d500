"""The area audit, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.audit import resource, summaries
from svc_tui.console.core.area import Area
from svc_tui.language import _

AREA = Area(
    title=_("Audit log"),
    resources=(resource.AUDIT, resource.ACTIVITIES),
    related=resource.RELATED,
    summaries=summaries.SUMMARIES,
)
