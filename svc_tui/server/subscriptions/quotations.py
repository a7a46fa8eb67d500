"""Quotations, and the check of applicant numbers that they depend on (2.11, 4.6, rule 1)."""

from __future__ import annotations

from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.subscriptions import operations, quotations
from svc_tui.interface.subscriptions.quotations import QuotationRequest
from svc_tui.interface.subscriptions.rules import OVER, quotation_violation, term_violation
from svc_tui.server.billing.interface import NoPromotion
from svc_tui.server.companies.fields import given
from svc_tui.server.companies.seen import bp_of
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.tables import Document
from svc_tui.server.subscriptions.counting import with_numbers
from svc_tui.server.subscriptions.reaching import About, about, catalog_of, check, subscription_of
from svc_tui.server.subscriptions.terms import check_terms, standing, wanted


@rule(quotations.create_quotation)
async def create_quotation(call: Call[Nothing, QuotationRequest]) -> RuleResult:
    found, today = await about(call), call.now.date()
    values = {wire: value for wire, value in given(call.body).items() if value is not None}
    subscription, offer = await _target(call, found, values)
    check(
        quotation_violation(
            offer,
            found.company,
            found.bp,
            in_catalog=offer["id"] in await catalog_of(call.store, found.partner),
            applicant_known=await _is_known(call, found),
        )
    )
    check(term_violation(values.get("prepaidDuration"), subscription, offer), values.get("prepaidDuration"))
    check_terms(offer, values)
    if values.get("prepaidRenewalOption") == "volume" and "renewalVolume" not in values:
        raise invalid(Problem("renewalVolume", "is required with the option volume"))
    payer = found.partner or found.company
    now = standing(subscription, offer, payer, today) if subscription else None
    assigned = int((subscription or {}).get("numberAssignedUsers") or 0)
    try:
        data = await call.service.billing.quote(wanted(values, offer, payer, now, today, assigned), now, call.now)
    except NoPromotion as error:
        raise invalid(Problem("promoCode", str(error), values.get("promoCode"))) from error
    return {"data": data}


async def _target(
    call: Call[Nothing, QuotationRequest], found: About, values: Document
) -> tuple[Document | None, Document]:
    """The subscription that is quoted, if it is one, and its offer. Refusal 400, 404."""
    if values.get("offerId") and values.get("subscriptionId"):
        raise Refusal(Code.MUTUALLY_EXCLUSIVE, "offerId is for a new offer, subscriptionId for a subscription")
    subscription = None
    if values.get("subscriptionId"):
        stored = await subscription_of(call, found.company, values["subscriptionId"])
        if stored.get("status") in OVER:
            raise invalid(Problem("subscriptionId", f"the subscription is {stored['status']}", stored["id"]))
        (subscription,) = await with_numbers(call.store, {found.company["id"]: found.company}, [stored], full=True)
    id = str((subscription or values).get("offerId") or "")
    if not id:
        raise invalid(Problem("offerId", "is required (or subscriptionId, for a subscription that there is)"))
    offer = await call.store.offers.get(id)
    if offer is None:
        raise not_found("Offer", id, Code.NO_OFFER)
    return subscription, offer


async def _is_known(call: Call[Nothing, QuotationRequest], found: About) -> bool:
    """Whether the store knows who orders; for a reseller (IR), who has no number, that is his distributor."""
    number = (found.partner or {}).get("bpApplicantNumber")
    if not number and found.partner and found.partner.get("bpType") == "IR":
        number = (await bp_of(call.store, found.partner) or {}).get("bpApplicantNumber")
    return bool(number) and await call.service.billing.knows_applicant(str(number))


@rule(operations.check_applicant_number)
async def check_applicant_number(call: Call) -> RuleResult:
    return {"data": await call.service.billing.knows_applicant(call.path["bpApplicantNumber"])}
