"""Opening the quotation workbench from an offer, a subscription or its form, and ordering the chosen alternative."""

from __future__ import annotations

from types import MappingProxyType

from svc_tui.console.areas.subscriptions.quotation import Purchase, Workbench
from svc_tui.console.areas.subscriptions.quotation_view import QuotationView
from svc_tui.console.areas.subscriptions.subscribe import company_of, offer_of
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.core.stage import TopView
from svc_tui.console.editing.record_edit import (
    ChangedSinceReview,
    changed_since_review,
    go_to_created,
    preview,
    refused,
)
from svc_tui.console.views.form import FormView
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.subscriptions.quoting import QUOTE

#: The resource of the workbench: not a record of the service, so without list and place.
QUOTATIONS = Resource(kind=Kind("quotations", QUOTE, QUOTE), title="Quotation", singular="quotation")


async def open_workbench(context: Context) -> None:
    """Open the workbench for the record under the cursor."""
    found = await full_record(context, context.require_resource().record_id(context.require_record()))
    if context.kind == "offers":
        await _show(context, Purchase(company_of(context), found))
    else:
        await _show(context, await _change_of(context, found))


async def lower(context: Context) -> None:
    """Open the workbench for the subscription of a row of a report, with as many licences as are assigned."""
    row = context.require_record()
    path = {"companyId": str(row.get("companyId")), "subscriptionId": str(row.get("id"))}
    body = await context.workspace.read("get_company_subscription", path, {"format": "full"})
    purchase = await _change_of(context, {"companyId": row.get("companyId"), **body["data"]})
    await _show(context, purchase, {"maxNumberUsers": body["data"].get("numberAssignedUsers") or 0})


async def open_from_form(context: Context) -> None:
    """Open the workbench for the subscription in the form; its first alternative has the edited values."""
    view = context.require_view(FormView)
    if view.form.before.get("id"):
        await _show(context, await _change_of(context, view.form.before), view.form.body())
        return
    # The offer of a new subscription is fixed: no field of the form has it.
    sent = next(iter(view.calls())).body
    offer_id, company_id = str((sent or {}).get("offerId") or ""), company_of(context)
    offer = await offer_of(context, company_id, offer_id)
    if offer is None:
        context.stage.show_message(_("The offer could not be read. Try again later."), "warn")
        return
    await _show(context, Purchase(company_id, offer), view.form.body())


async def _change_of(context: Context, subscription: RecordData) -> Purchase:
    company_id = str(subscription.get("companyId") or "") or company_of(context)
    offer = await offer_of(context, company_id, str(subscription.get("offerId") or ""))
    return Purchase(company_id, offer or _offer_from(subscription), subscription)


def _offer_from(subscription: RecordData) -> RecordData:
    """An offer that is no longer in the catalog, as far as the subscription describes it."""
    return {
        "id": subscription.get("offerId"),
        "name": subscription.get("offerName"),
        "businessModel": subscription.get("businessModel"),
        "isPrepaid": bool(subscription.get("prepaidDuration")),
    }


async def _show(context: Context, purchase: Purchase, start: RecordData = MappingProxyType({})) -> None:
    below = context.view

    async def ordered(view: QuotationView) -> None:
        await _order(context, view, below)

    bench = Workbench(context.workspace, purchase, start)
    await context.stage.show(QuotationView(below.place, QUOTATIONS, bench, ordered))


async def _order(context: Context, view: QuotationView, below: TopView[Resource]) -> None:
    """Preview and send the order of the chosen alternative; then show the new subscription, or the view below."""
    stage = context.stage

    async def check_unchanged() -> None:
        try:
            changed = await view.bench.take_changes()
        except ReadError as error:
            raise ChangedSinceReview(error.sentence) from error
        if changed:
            raise changed_since_review(changed)

    outcome = await preview(context, view.bench.order(), check_unchanged)
    if outcome is None:
        return
    if outcome.error is not None:
        view.refuse(refused(outcome))
        return
    await stage.back()
    if below.kind == "form" and stage.top is below:
        await stage.back()
    if outcome.answer is not None and view.bench.purchase.subscription is None:
        await go_to_created(context, stage.resources["subscriptions"], outcome.answer)
    stage.show_message(outcome.found or _("Ordered. The billing systems confirm it shortly."), "ok")
