"""The area audit, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.audit import home, resource
from svc_tui.console.core.area import Area
from svc_tui.console.core.glance import LAST_DAYS, Glance
from svc_tui.language import _

AREA = Area(
    title=_("Audit log"),
    resources=(resource.AUDIT, resource.ACTIVITIES),
    related=resource.RELATED,
    glances=(
        Glance(
            name="changes",
            title=_("Recent changes"),
            screens=("home", "dashboard"),
            operation="list_audit_records",
            read=home.recent_changes,
        ),
        Glance(name="logins", title=LAST_DAYS, screens=("home",), operation="list_audit_records", read=home.logins),
    ),
    summaries=resource.SUMMARIES,
)
