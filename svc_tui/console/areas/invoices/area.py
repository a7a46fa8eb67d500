"""The area invoices, as the console registers it."""

from __future__ import annotations

from svc_tui.console.areas.invoices import resources
from svc_tui.console.core.area import Area
from svc_tui.console.core.resource import RelatedList
from svc_tui.language import _

AREA = Area(
    title=_("Invoices"),
    resources=(*resources.RESOURCES, resources.RECONCILED),
    actions=(*resources.ACTIONS,),
    related={
        "companies": (
            RelatedList("I", resources.INVOICES, "Invoices", why_not=resources.no_invoices),
            RelatedList("f", resources.FILES, "Invoicing files"),
        )
    },
)
