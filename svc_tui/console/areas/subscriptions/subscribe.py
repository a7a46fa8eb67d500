"""Creating, changing and ending subscriptions: the rules of 4.6, checked before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from svc_tui.client.errors import ServiceError
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.form_rules import Forbidden, Rules
from svc_tui.console.core.resource import Context, Prices
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.editing import record_forms
from svc_tui.console.widgets.formatting import choice, whole_day
from svc_tui.interface import catalogue
from svc_tui.interface.access import Caller
from svc_tui.interface.data import RecordData
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.money import amount, written
from svc_tui.interface.subscriptions import descriptions
from svc_tui.interface.subscriptions.facts import CompanyFacts, OfferFacts, SubscriptionFacts
from svc_tui.interface.subscriptions.rules import (
    DEMANDED,
    QUOTED,
    Violation,
    creation_violation,
    frozen_violation,
    is_prepaid,
    reseller_shortage,
    termination_violation,
    uncertain_decrease,
    update_violation,
)
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.core.tasks import in_parallel
from svc_tui.workspace.subscriptions.buyer import Buyer, buyer_of
from svc_tui.workspace.subscriptions.quoting import QUOTE, AmountChange, month

#: Values to test whether a field can be set at all.
_TRIED: RecordData = {"autoRenew": True, "autoRenewToMonthly": True, "autoRenewOneTime": True, "monthlyDuration": 12}


def company_of(context: Context) -> str:
    """The company of the listed offers or subscriptions."""
    return context.require_resource().path_at(context.view.place, context.workspace.caller).get("companyId", "")


def _around(context: Context) -> CompanyFacts | None:
    """The company, if it is loaded with all fields: the fields of a list are not enough for the rules."""
    around = context.view.parent_record
    return CompanyFacts.known(around.data) if around is not None and not around.partial else None


def why_not(operation_id: str, record: RecordData, context: Context) -> str:
    """Why a subscription cannot be changed or ended, as far as known without a request."""
    caller, subscription = context.workspace.caller, SubscriptionFacts.of(record)
    if operation_id == "delete_company_subscription":
        broken = termination_violation(caller, subscription, None, datetime.now(UTC).date())
    else:
        broken = frozen_violation(caller, subscription, None, _around(context), None)
    return broken.sentence if broken else ""


def ends(record: RecordData, context: Context) -> tuple[tuple[FieldChange, ...], str]:
    """The losses at the end of a subscription: licences of users, and the rest of a paid term."""
    around, users = context.view.parent_record, int(record.get("numberAssignedUsers") or 0)
    name = str(((around.data if around else None) or {}).get("name") or context.view.owner)
    after = _("0, unassigned at once") if users else "0"
    lost = [
        FieldChange(_("Status"), choice(record.get("status") or "unknown"), _("terminated at once")),
        FieldChange(_("Users with a licence"), str(users), after),
    ]
    if _is_paid(record):
        until = _("until {date}").format(date=whole_day(record["expirationDate"]))
        lost.append(FieldChange(_("Paid term"), until, _("ends at once")))
    return tuple(lost), _("Ends 1 subscription{name} at once.").format(
        name=_(" of {name}").format(name=name) if name else ""
    )


def losses(records: Sequence[RecordData]) -> tuple[Sequence[str], str]:
    """The losses at the end of each subscription, and a sentence for all of them."""
    holders = [int(each.get("numberAssignedUsers") or 0) for each in records]
    paid = [whole_day(each["expirationDate"]) if _is_paid(each) else "" for each in records]
    lines = [
        " · ".join(
            (
                _("{users} lose{value} the licence").format(users=counted(users, "user"), value="s" * (users == 1))
                if users
                else _("no user has a licence"),
                *([_("paid until {until}").format(until=until)] if until else ()),
            )
        )
        for users, until in zip(holders, paid, strict=True)
    ]
    terms = sorted(filter(None, paid))
    lost = sum(holders)
    text = _("{licences} {lost} lost at once").format(
        licences=counted(lost, "assigned licence"), lost="is" if lost == 1 else "are"
    )
    if len(terms) == 1:
        text += _("; a term paid until {terms} ends").format(terms=terms[0])
    elif terms:
        text += _("; {terms} paid terms end, the longest until {longest}").format(terms=len(terms), longest=terms[-1])
    return lines, f"{text}."


def _is_paid(subscription: RecordData) -> bool:
    return is_prepaid(SubscriptionFacts.of(subscription), None) and bool(subscription.get("expirationDate"))


def _without_price(context: Context, offer: RecordData | None, way: str) -> str:
    """The hint in a preview without a price, for roles that may request a quotation."""
    quoted = offer is not None and offer.get("businessModel") in QUOTED and context.workspace.decide(QUOTE)
    return _("The price is not shown here. Open {way} to see it.").format(way=way) if quoted else ""


def why_not_buy(context: Context) -> str:
    """Why the company cannot subscribe to the offer under the cursor, with any values."""
    if context.record is None:
        return ""
    broken = _of_offer(context.workspace.caller, OfferFacts.of(context.record), Buyer(_around(context)))
    return broken.sentence if broken else ""


def _of_offer(caller: Caller | None, offer: OfferFacts, buyer: Buyer) -> Violation | None:
    """The rule that refuses an offer itself, not values chosen with it."""
    broken = creation_violation(
        caller, offer, buyer.company, buyer.partner, {}, subscribed=buyer.subscribed, no_sale=buyer.no_sale
    )
    return broken if broken and broken.param == "offerId" else None


async def rules(context: Context, record: RecordData | None, start: RecordData) -> Rules:
    """The rules of the form of a subscription, or of a new one with the offer that it starts with."""
    if record is not None:
        return await _update_rules(context, record)
    return await _creation_rules(context, company_of(context), str(start.get("offerId") or ""))


async def choose_offer(context: Context) -> RecordData | None:
    """Choose an offer from the catalog of the company for a new subscription."""
    caller, company_id = context.workspace.caller, company_of(context)
    held = await _held(context, company_id)

    async def found(text: str) -> Sequence[Choice]:
        query = {"format": "full", "limit": 50, **({"name": text} if text else {})}
        body = await context.workspace.read("list_company_offers", {"companyId": company_id}, query)
        rows = body.get("data") if isinstance(body, dict) else None
        return [_choice(caller, row, held) for row in rows or ()]

    chosen = await context.stage.ask(Picker(_("Which offer?"), search=found))
    return {"offerId": chosen} if chosen else None


async def _held(context: Context, company_id: str) -> frozenset[Any]:
    """The offers that the company has; only a hint, because the service checks it again."""
    try:
        body = await context.workspace.read("list_company_subscriptions", {"companyId": company_id}, {})
    except ReadError:
        return frozenset()
    rows = body.get("data") if isinstance(body, dict) else None
    return frozenset(row.get("offerId") for row in rows or ())


def _choice(caller: Caller | None, offer: RecordData, held: frozenset[Any]) -> Choice:
    broken = _of_offer(caller, OfferFacts.of(offer), Buyer(subscribed=offer.get("id") in held))
    name = str(offer.get("name") or offer.get("id") or "?")
    return Choice(
        str(offer.get("id") or ""),
        name,
        "; ".join(descriptions.description_lines(offer)[:2]),
        broken.sentence if broken else "",
    )


async def _creation_rules(context: Context, company_id: str, offer_id: str) -> Rules:
    offer = await offer_of(context, company_id, offer_id)
    if offer is None:
        raise Forbidden(_("The offer could not be read. Try again later."))
    buyer = await buyer_of(context.workspace, company_id, offer_id, new=True)
    caller, offered = context.workspace.caller, OfferFacts.of(offer)
    if against := _of_offer(caller, offered, buyer):
        raise Forbidden(f"{offer.get('name')}: {against.sentence}")

    def field(wire: str) -> str:
        if wire == "maxNumberUsers" and offered.is_company_level:
            return _("this offer always has one licence for the whole company")
        found = creation_violation(caller, offered, buyer.company, buyer.partner, {**DEMANDED, wire: "1"})
        return found.sentence if found and found.param == wire else ""

    def broken(values: RecordData) -> Mapping[str, str]:
        return _by_field(creation_violation(caller, offered, buyer.company, buyer.partner, values))

    name = str(offer.get("name") or offer_id)
    title, warning = (
        _("Subscribe {name}").format(name=name),
        _without_price(context, offer, _("the quotation of the offer")),
    )

    def warns(values: RecordData) -> str:
        return reseller_shortage(buyer.reseller, None, values.get("maxNumberUsers"))

    async def price(values: RecordData) -> str:
        return await _price_of_new(context, company_id, values)

    quoted = offer.get("businessModel") in QUOTED and bool(context.workspace.decide(QUOTE))
    fixed = {"offerId": offer_id}
    return Rules(name, title, warning, fixed, field=field, warns=warns, broken=broken, price=price if quoted else None)


def _quoted(values: RecordData) -> dict[str, Any]:
    """The values that a quotation has too."""
    known = field_by_wire(catalogue.body_of(QUOTE))
    return {wire: value for wire, value in values.items() if wire in known}


async def _price_of_new(context: Context, company_id: str, values: RecordData) -> str:
    """What a new subscription costs, or why there is no quotation."""
    try:
        answer = await context.workspace.perform(QUOTE, path={"companyId": company_id}, body=_quoted(values))
    except ServiceError as error:
        return _("The price is not shown: {reason}.").format(reason=error.sentence.removesuffix("."))
    quotation = answer.get("data")
    if not isinstance(quotation, Mapping):
        return _("The price is not shown: {reason}.").format(reason=_("the response is no quotation"))
    then = written(month(quotation).then, str(quotation.get("currency") or ""))
    invoice = written(amount(quotation.get("amount")), str(quotation.get("currency") or ""))
    return _("Price: {then} per month; next invoice {invoice}.").format(then=then, invoice=invoice)


async def _update_rules(context: Context, record: RecordData) -> Rules:
    company_id = str(record.get("companyId") or company_of(context))
    offer_id = str(record.get("offerId") or "")
    offer = await offer_of(context, company_id, offer_id)
    buyer = await buyer_of(context.workspace, company_id, offer_id, new=False)
    caller, subscription, offered = context.workspace.caller, SubscriptionFacts.of(record), OfferFacts.known(offer)
    if broken := frozen_violation(caller, subscription, offered, buyer.company, buyer.partner):
        raise Forbidden(_("Edit: {sentence}").format(sentence=broken.sentence))

    def judged(values: RecordData, no_sale: str = "") -> Violation | None:
        return update_violation(caller, subscription, offered, buyer.company, buyer.partner, values, no_sale=no_sale)

    def field(wire: str) -> str:
        tried = (subscription.seats or 0) + 1 if wire == "maxNumberUsers" else _TRIED.get(wire, "1")
        broken = judged({wire: tried})
        return broken.sentence if broken else ""

    def warns(values: RecordData) -> str:
        short = reseller_shortage(buyer.reseller, subscription, values.get("maxNumberUsers"))
        return " ".join(filter(None, (uncertain_decrease(subscription, offered, values), short)))

    return Rules(
        str(record.get("offerName") or record.get("id")),
        warning=_without_price(context, offer or record, _("the quotation in the form")),
        before=as_sent(record),
        field=field,
        warns=warns,
        broken=lambda values: _by_field(judged(values, buyer.no_sale)),
    )


async def prices_of(context: Context, changes: Mapping[str, Change]) -> Prices:
    """The quotations of changes of several subscriptions, and what they cost together."""
    priced = {id: body for id, change in changes.items() if (body := _quoted_body(change, id))}
    if not priced:
        return Prices(notes={}, reasons={}, total="")
    if not (allowed := context.workspace.decide(QUOTE)):
        return Prices(notes={}, reasons={}, total=_("The price is not shown: {reason}.").format(reason=allowed.reason))

    async def quoted(id: str) -> RecordData | str:
        path = {"companyId": changes[id].path["companyId"]}
        try:
            answer = await context.workspace.perform(QUOTE, path=path, body=priced[id])
        except ServiceError as error:
            return _("no quotation: {sentence}").format(sentence=error.sentence)
        quotation = answer.get("data")
        if not isinstance(quotation, Mapping):
            return _("no quotation: {sentence}").format(sentence=_("Unexpected response: not a quotation."))
        refusal = quotation.get("orderRefusal")
        return _("cannot be ordered: {refusal}").format(refusal=refusal) if refusal else quotation

    found = dict(zip(priced, await in_parallel(priced, quoted), strict=True))
    quotations = {id: quotation for id, quotation in found.items() if not isinstance(quotation, str)}
    return Prices(
        notes={id: _per_month([quotation]) for id, quotation in quotations.items()},
        reasons={id: reason for id, reason in found.items() if isinstance(reason, str)},
        total=_together(list(quotations.values()), len(changes) - len(found)),
    )


def _quoted_body(change: Change, subscription_id: str) -> dict[str, Any]:
    """The request for the quotation of a change; empty where the change has no price."""
    values = _quoted(change.body or {})
    return {"subscriptionId": subscription_id, **values} if values else {}


def _per_month(quotations: Sequence[RecordData]) -> str:
    """The amount per month before and after, in each currency: `per month 110.00 → 150.00 EUR`."""
    return "; ".join(
        _("per month {today} → {then}").format(today=written(today), then=written(then, currency))
        for currency, today, then in _sums(quotations, month)
    )


def _sums(
    quotations: Sequence[RecordData], amounts: Callable[[RecordData], AmountChange]
) -> Iterator[tuple[str, Decimal | None, Decimal | None]]:
    """The sums today and with the quotations, by currency; None where an amount is missing."""
    for currency in dict.fromkeys(str(each.get("currency") or "") for each in quotations):
        found = [amounts(each) for each in quotations if str(each.get("currency") or "") == currency]
        today, then = [each.today for each in found], [each.then for each in found]
        yield currency, _sum(today), _sum(then)


def _sum(amounts: Sequence[Decimal | None]) -> Decimal | None:
    known = [each for each in amounts if each is not None]
    return sum(known, Decimal(0)) if len(known) == len(amounts) else None


def _together(quotations: Sequence[RecordData], without: int) -> str:
    """What all changes cost: a month, the next invoices, and how many have no price."""
    if not quotations:
        return ""

    def invoice(quotation: RecordData) -> AmountChange:
        return AmountChange(None, amount(quotation.get("amount")), None)

    invoices = ", ".join(written(then, currency) for currency, __, then in _sums(quotations, invoice))
    texts = [
        _("Together {amount}.").format(amount=_per_month(quotations)),
        _("Next invoices: {amount}.").format(amount=invoices) if invoices else "",
        _("{count} without a price.").format(count=counted(without, "subscription")) if without else "",
        _("This is a binding order."),
    ]
    return " ".join(filter(None, texts))


def as_sent(record: RecordData) -> RecordData:
    """A subscription with the values of a request: a code by its name, days without a time."""
    code, ends = record.get("promoCode"), record.get("expirationDate")
    found = {**record, "promoCode": code.get("name") if isinstance(code, Mapping) else code}
    return {**found, "expirationDate": ends[:10] if isinstance(ends, str) else ends}


def _by_field(broken: Violation | None) -> Mapping[str, str]:
    return {broken.param: broken.sentence} if broken else {}


async def offer_of(context: Context, company_id: str, offer_id: str) -> RecordData | None:
    """The offer in the company's catalog; None when it is no longer there, or cannot be read."""
    try:
        body = await context.workspace.read("get_company_offer", {"companyId": company_id, "offerId": offer_id}, {})
    except ReadError:
        return None
    found = body.get("data") if isinstance(body, dict) else None
    return found if isinstance(found, Mapping) else None


async def subscribe(context: Context) -> None:
    """Open the form of a new subscription to the offer under the cursor."""

    subscriptions = context.stage.resources["subscriptions"]
    offer_id = context.require_resource().record_id(context.require_record())
    await context.stage.show(
        await record_forms.new_form(replace(context, resource=subscriptions, record=None), {"offerId": offer_id})
    )
