"""The reports of licences across companies, and the keys that take idle licences back and lower free ones."""

from __future__ import annotations

from svc_tui.console.areas.subscriptions import licences, order
from svc_tui.console.areas.subscriptions.quotation_actions import OPERATION
from svc_tui.console.core.actions import LIST, Action
from svc_tui.console.core.places import Place
from svc_tui.console.views.report_list import report_resource
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.subscriptions import reports


def _holder(row: RecordData) -> Place:
    return Place(("users", str(row.get("userId")), "licences"))


def _subscription(row: RecordData) -> Place:
    return Place(("companies", str(row.get("companyId")), "subscriptions", str(row.get("id"))))


LICENCES = report_resource(reports.LICENCES, _holder, "idle licence", "idle licences")
SEATS = report_resource(reports.SEATS, _subscription, "subscription", "subscriptions")

RESOURCES = (LICENCES, SEATS)

ACTIONS: tuple[Action, ...] = (
    Action(
        name=f"{LICENCES.name}.take_back",
        keys=("x", "delete"),
        label="Take back",
        help="Unassign the idle licence from its holder, or all marked ones",
        run=licences.take_back,
        group="Change",
        views=LIST,
        resource=LICENCES.name,
        operation="unassign_licence",
        needs="records",
        footer=20,
    ),
    Action(
        name=f"{SEATS.name}.lower",
        keys=("u",),
        label="Lower",
        help="Quote the subscription with as many licences as are assigned, and order it",
        run=order.lower,
        group="Change",
        views=LIST,
        resource=SEATS.name,
        operation=OPERATION,
        needs="record",
        possible=lambda context: "" if (context.record or {}).get("free") else _("no licence is free"),
        footer=20,
    ),
)
