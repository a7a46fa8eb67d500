"""Opening the quotation workbench from an offer, a subscription or its form, and ordering what was chosen in it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from svc_tui.console.actions import Context
from svc_tui.console.quotation import Purchase, Workbench
from svc_tui.console.resource import Resource
from svc_tui.console.views.form import FormView
from svc_tui.console.views.quotation import QuotationView
from svc_tui.console.writing import full_record, preview
from svc_tui.workspace.kinds import Kind
from svc_tui.workspace.list_source import NotRead
from svc_tui.workspace.quoting import QUOTE

if TYPE_CHECKING:
    from svc_tui.console.views.view import View

Record = Mapping[str, Any]

#: What the workbench shows: no record of the service, so it has no list and no place.
QUOTATIONS = Resource(Kind("quotations", QUOTE, QUOTE), "Quotation", "quotation", (), ())


async def open_workbench(context: Context) -> None:
    """The workbench of the record under the cursor."""
    assert context.resource is not None and context.record is not None
    found = await full_record(context, context.resource.record_id(context.record))
    company_id = _company(context, context.record)
    if context.kind == "offers":
        await _show(context, Purchase(company_id, found))
    else:
        await _show(context, Purchase(company_id, await _offer_of(context, company_id, found), found))


async def open_from_form(context: Context) -> None:
    """The workbench of what is edited; what was typed is its first alternative."""
    view = context.view
    assert isinstance(view, FormView)
    edited = view.form.before if view.form.before.get("id") else None
    of = edited or {"offerId": view.form.values.get("offerId")}
    company_id = _company(context, of)
    offer = await _offer_of(context, company_id, of)
    await _show(context, Purchase(company_id, offer, edited), view.form.body())


def _company(context: Context, record: Record) -> str:
    """Whose the record is, or will be."""
    above = context.view.place.parents.get("companies")
    caller = context.workspace.caller
    return above or str(record.get("companyId") or "") or (caller.company_id if caller else "")


async def _offer_of(context: Context, company_id: str, record: Record) -> Record:
    """The offer of a subscription; one that is not in the catalog any more as far as the subscription tells."""
    path = {"companyId": company_id, "offerId": str(record.get("offerId") or "")}
    try:
        body = await context.workspace.read("get_company_offer", path, {})
    except NotRead:
        if not record.get("id"):
            raise
        body = {}
    found = body.get("data") if isinstance(body, dict) else None
    if isinstance(found, Mapping):
        return found
    return {
        "id": record.get("offerId"),
        "name": record.get("offerName"),
        "businessModel": record.get("businessModel"),
        "isPrepaid": bool(record.get("prepaidDuration")),
    }


async def _show(context: Context, purchase: Purchase, start: Record = MappingProxyType({})) -> None:
    below = context.view

    async def ordered(view: QuotationView) -> None:
        await _order(context, view, below)

    bench = Workbench(context.workspace, purchase, start)
    await context.frame.show(QuotationView(below.place, QUOTATIONS, bench, ordered))


async def _order(context: Context, view: QuotationView, below: View) -> None:
    """Preview the order of the chosen alternative and send it; then back to where the workbench was opened."""
    frame = context.frame
    change = view.bench.order()
    outcome = await preview(context, change)
    if outcome is None:
        return
    if outcome.error is not None:
        view.post_message(view.Said(str(outcome.error)))
        return
    await frame.back()
    if below.kind == "form" and frame.view is below:
        await frame.back()
    frame.say("Ordered: the billing systems are being told.", "ok")
