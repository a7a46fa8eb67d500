"""The model of the quotation workbench: alternatives of one purchase, their faults, and the order.

Each alternative has a form and a quotation that follows its values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.changes import Change, FieldChange, field_changes
from svc_tui.console.core.form import Form
from svc_tui.console.editing.conflicts import find_conflicts
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.formatting import NOTHING, is_past, whole_day
from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import months_after
from svc_tui.interface.field_specs import FieldSpec, field_by_wire
from svc_tui.interface.money import written
from svc_tui.interface.subscriptions.facts import OfferFacts, SubscriptionFacts
from svc_tui.interface.subscriptions.rules import (
    Violation,
    creation_violation,
    quotation_violation,
    reseller_shortage,
    term_violation,
    uncertain_decrease,
    update_violation,
)
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.subscriptions.buyer import Buyer, buyer_of
from svc_tui.workspace.subscriptions.quoting import (
    AmountChange,
    LiveQuotation,
    month,
    promoted_months,
    total,
    without_promotion,
)

if TYPE_CHECKING:
    from svc_tui.interface.subscriptions import ordering
    from svc_tui.workspace.workspace import Workspace
else:
    ordering = lazy_import("svc_tui.interface.subscriptions.ordering")


#: The names of the alternatives, and so their largest number.
NAMES = "ABC"
CREATE, UPDATE = "create_company_subscription", "update_company_subscription"


@dataclass(frozen=True, slots=True)
class Purchase:
    """The purchase: an offer for a company, or a change of the company's subscription of that offer."""

    company_id: str
    offer: RecordData
    subscription: RecordData | None = None

    @property
    def label(self) -> str:
        """The name of the offer."""
        named = (self.subscription or {}).get("offerName") or self.offer.get("name")
        return str(named or self.offer.get("id") or "?")

    @property
    def facts(self) -> tuple[OfferFacts, SubscriptionFacts | None]:
        """What the rules read of the offer and the subscription."""
        return OfferFacts.of(self.offer), SubscriptionFacts.known(self.subscription)


@dataclass(slots=True)
class Alternative:
    """One alternative of the purchase."""

    form: Form
    live: LiveQuotation

    @property
    def values(self) -> dict[str, Any]:
        """The chosen values, without empty and (still) invalid ones."""
        form = self.form
        wires = [spec.wire for spec in form.specs if not form.why_not(spec.wire) and not form.unfit_reason(spec.wire)]
        return {wire: form.values.get(wire) for wire in wires}


def where_sent(wire: str) -> str:
    """In which of the two requests a field is alone; empty where both have it."""
    if wire in ordering.ORDERED_FIELDS:
        return ""
    return _("in the quotation only") if wire in ordering.QUOTED_FIELDS else _("in the order only")


class Workbench:
    """Up to three alternatives, one of them chosen for editing. `start` are the values of the first one."""

    def __init__(self, workspace: Workspace, purchase: Purchase, start: RecordData = MappingProxyType({})) -> None:
        self._workspace = workspace
        self.purchase = purchase
        self.buyer: Buyer | None = None
        self._notify: Callable[[], None] = lambda: None
        self.chosen = 0
        #: The currency, and today's price per month and for the whole term, once a quotation contains them.
        self.currency = ""
        self.today: tuple[AmountChange, AmountChange] | None = None
        #: Today's price per month after the current promotion.
        self._regular: Decimal | None = None
        self.wires = (*ordering.QUOTED_FIELDS, *ordering.order_only_fields(purchase.offer, purchase.subscription))
        self.alternatives = [self._made()]
        for wire, value in start.items():
            if wire in self.wires:
                self.form.set(wire, value)

    @property
    def alternative(self) -> Alternative:
        """The chosen alternative."""
        return self.alternatives[self.chosen]

    @property
    def form(self) -> Form:
        return self.alternative.form

    @property
    def specs(self) -> list[FieldSpec]:
        """The fields with a choice for this offer, always including the number of licences."""
        offer = self.purchase.offer
        kept = [
            wire for wire in self.wires if wire == "maxNumberUsers" or not ordering.inapplicable_reason(wire, offer)
        ]
        return [self.form.spec(wire) for wire in kept]

    @property
    def dirty(self) -> bool:
        return any(each.form.dirty for each in self.alternatives)

    # --- alternatives ------------------------------------------------------------------------------------------

    async def begin(self, notify: Callable[[], None]) -> None:
        """Find out the buyer, then request the first quotation; `notify` is called after every change."""
        self._notify = notify
        company_id, subscription = self.purchase.company_id, self.purchase.subscription
        offer_id = str(self.purchase.offer.get("id") or "")
        self.buyer = await buyer_of(self._workspace, company_id, offer_id, new=subscription is None)
        for each in self.alternatives:
            each.live.request(self.asked(each), at_once=True)
        self._notify()

    def follow(self) -> None:
        """Request a quotation for the changed values of the chosen alternative."""
        if self.buyer is not None:
            self.alternative.live.request(self.asked(self.alternative))

    def add(self, *, copy: bool) -> bool:
        """Add an alternative and choose it: a copy of the chosen one, or today's values. False when there are three."""
        if len(self.alternatives) >= len(NAMES):
            return False
        made, model = self._made(), self.alternative
        if copy:
            for wire, value in model.form.values.items():
                made.form.set(wire, value)
            made.form.named |= model.form.named
            made.live.copy_from(model.live)
        elif self.buyer is not None:
            made.live.request(self.asked(made), at_once=True)
        self.chosen += 1
        self.alternatives.insert(self.chosen, made)
        return True

    def drop(self) -> bool:
        """Remove the chosen alternative; False when it is the only one."""
        if len(self.alternatives) < 2:
            return False
        self.alternatives.pop(self.chosen).live.close()
        self.chosen = min(self.chosen, len(self.alternatives) - 1)
        return True

    def step(self, by: int) -> None:
        """Choose the next alternative."""
        self.chosen = (self.chosen + by) % len(self.alternatives)

    def close(self) -> None:
        """Cancel all requests."""
        for each in self.alternatives:
            each.live.close()

    def _made(self) -> Alternative:
        offer, subscription = self.purchase.offer, self.purchase.subscription
        others = frozenset(field_by_wire(ordering.Order)) - set(self.wires)
        form = Form(
            ordering.Order,
            frozenset(),
            ordering.current_values(subscription) if subscription is not None else None,
            leave_out=others,
            gate=lambda spec: ordering.inapplicable_reason(spec.wire, offer),
        )
        if subscription is None:
            form.values = ordering.initial_values(offer)
            form.begin()
        made = Alternative(form, LiveQuotation(self._workspace, self.purchase.company_id))
        made.live.subscribe(lambda: self._heard(made))
        return made

    def _heard(self, alternative: Alternative) -> None:
        alternative.form.refuse(alternative.live.problems)
        if (quotation := alternative.live.quotation) is not None:
            self.currency = safe_text(str(quotation.get("currency") or "")).text
            self.today = month(quotation), total(quotation)
            self._regular = without_promotion(quotation).today
        self._notify()

    # --- rules -------------------------------------------------------------------------------------------------

    def asked(self, alternative: Alternative) -> dict[str, Any] | None:
        """The request for a quotation; None while a rule refuses it."""
        broken = self.why_not_ordered(alternative)
        about_value = broken is not None and broken.param in ordering.QUOTED_FIELDS
        if self._wrong(alternative) or about_value or self.quotation_violation(alternative):
            return None
        return ordering.quotation_body(
            alternative.values, offer=self.purchase.offer, subscription=self.purchase.subscription
        )

    def _wrong(self, alternative: Alternative) -> dict[str, str]:
        """Values that the declaration refuses, without earlier refusals of the service."""
        form = alternative.form
        found = {wire: form.problem(wire) for wire in self.wires if wire not in form.refused}
        return {wire: text for wire, text in found.items() if text}

    def quotation_violation(self, alternative: Alternative) -> Violation | None:
        """The rule that refuses a quotation."""
        buyer, (offer, subscription) = self.buyer or Buyer(), self.purchase.facts
        return quotation_violation(
            offer,
            buyer.company,
            buyer.partner,
            in_catalog=buyer.in_catalog,
            applicant_known=buyer.applicant_known,
        ) or term_violation(alternative.values.get("prepaidDuration"), subscription, offer)

    def why_not_ordered(self, alternative: Alternative) -> Violation | None:
        """The rule that refuses an order."""
        buyer, caller, held = self.buyer or Buyer(), self._workspace.caller, self.purchase.subscription
        offer, subscription = self.purchase.facts
        if held is None or subscription is None:
            return creation_violation(
                caller,
                offer,
                buyer.company,
                buyer.partner,
                alternative.values,
                subscribed=buyer.subscribed,
                no_sale=buyer.no_sale,
            )
        changes = ordering.update_body(alternative.values, held)
        return update_violation(
            caller, subscription, offer, buyer.company, buyer.partner, changes, no_sale=buyer.no_sale
        )

    def licence_warning(self, alternative: Alternative) -> str:
        """A change that only the service can allow or refuse, or that the reseller's licences do not cover."""
        (offer, subscription), values = self.purchase.facts, alternative.values
        uncertain = uncertain_decrease(subscription, offer, values) if subscription else ""
        short = reseller_shortage((self.buyer or Buyer()).reseller, subscription, values.get("maxNumberUsers"))
        return " ".join(filter(None, (uncertain, short)))

    def problems(self, alternative: Alternative) -> list[tuple[str, str]]:
        """The faults of an alternative, each with its field, which may be empty."""
        rules = (self.quotation_violation(alternative), self.why_not_ordered(alternative))
        wrong = self._wrong(alternative)
        # A rule about a missing value adds nothing where the value is invalid.
        found = [*wrong.items(), *((each.param, each.sentence) for each in rules if each and each.param not in wrong)]
        live = alternative.live
        if live.state == "lost":
            found.append(("", _("{sentence} The request is repeated automatically.").format(sentence=live.sentence)))
        elif live.state == "refused" and not live.problems:
            found.append(("", live.sentence))
        elif (refusal := (live.quotation or {}).get("orderRefusal")) and not any(rules) and not wrong:
            # A rule that only the service can judge.
            found.append(("", _("cannot be ordered: {refusal}").format(refusal=refusal)))
        # A refusal of an order stays until the field is edited.
        return list(dict.fromkeys([*found, *live.problems.items(), *alternative.form.refused.items()]))

    async def take_changes(self) -> list[str]:
        """Read the subscription again; the labels of the values that another administrator has changed since.

        Quotations for the new values are requested. Without a response the subscription stays as it was read. ReadError
        when it was deleted.
        """
        held = self.purchase.subscription
        if held is None:
            return []
        path = {"companyId": self.purchase.company_id, "subscriptionId": str(held["id"])}
        try:
            body = await self._workspace.read("get_company_subscription", path, {"format": "full"})
        except ReadError as error:
            if error.missing:
                raise
            return []
        self.purchase = replace(self.purchase, subscription=body["data"])
        was, now = ordering.current_values(held), ordering.current_values(body["data"])
        found = find_conflicts(was, now, {}).changed
        changed = [spec.label for spec in self.specs if spec.wire in found]
        for each in self.alternatives if changed else ():
            each.form.rebase(now)
            each.live.request(self.asked(each), at_once=True, again=True)
        self._notify()
        return changed

    # --- the order ---------------------------------------------------------------------------------------------

    @property
    def expired(self) -> bool:
        """Whether the quotation of the chosen alternative has expired."""
        quotation = self.alternative.live.quotation or {}
        return bool(quotation.get("expirationDate")) and is_past(quotation["expirationDate"], self._now)

    @property
    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._workspace.now(), UTC)

    def why_not_sent(self) -> tuple[str, str]:
        """The field and the reason why the chosen alternative cannot be ordered; both empty when it can."""
        alternative = self.alternative
        if found := self.problems(alternative):
            return found[0]
        if alternative.live.state != "quoted":
            return "", _("waiting for the quotation")
        if not self.body():
            return "", _("nothing is changed")
        return "", self._workspace.decide(self.operation).reason

    def ends(self, alternative: Alternative | None) -> str:
        """The last day of the term in an alternative, or today (None); empty without a paid term."""
        held = self.purchase.subscription or {}
        months = held.get("prepaidDuration") if alternative is None else alternative.values.get("prepaidDuration")
        found = ordering.end_of_term(months, held)
        return found.isoformat() if found else ""

    @property
    def promotion(self) -> tuple[str, str]:
        """The current promotional code and its last day, as far as known; empty without one."""
        code = (self.purchase.subscription or {}).get("promoCode")
        if not isinstance(code, Mapping) or not code.get("name"):
            return "", ""
        until = code.get("discountEndDate")
        if until and is_past(until, self._now):
            return "", ""
        return str(code["name"]), whole_day(until) if until else ""

    def promoted(self, alternative: Alternative | None) -> tuple[str, Decimal] | None:
        """The last day of the promotion (empty when unknown) and the price per month after it, of an
        alternative or today; None without a promotion."""
        if alternative is None:
            return None if self._regular is None else (self.promotion[1], self._regular)
        quotation = alternative.live.quotation or {}
        found, months = without_promotion(quotation).then, promoted_months(quotation)
        if found is None:
            return None
        if not alternative.values.get("promoCode"):
            return self.promotion[1], found
        return (months_after(self._now.date(), months) - timedelta(days=1)).isoformat() if months else "", found

    @property
    def operation(self) -> str:
        """The operation of the order."""
        return CREATE if self.purchase.subscription is None else UPDATE

    def body(self) -> dict[str, Any]:
        """The order of the chosen alternative."""
        values, subscription = self.alternative.values, self.purchase.subscription
        return (
            ordering.creation_body(values, self.purchase.offer)
            if subscription is None
            else ordering.update_body(values, subscription)
        )

    def order(self) -> Change:
        """The chosen alternative as a change to preview; it costs money, so its name must be typed."""
        purchase, subscription, body = self.purchase, self.purchase.subscription, self.body()
        new = subscription is None
        before = {} if subscription is None else ordering.current_values(subscription)
        path = {"companyId": purchase.company_id}
        buyer = self.buyer or Buyer()
        company = (buyer.company.name if buyer.company else None) or ""
        whose = _(" of {company}").format(company=company) if company else ""
        return Change(
            label=_("Subscribe {label}").format(label=purchase.label)
            if new
            else _("Edit subscription {label}").format(label=purchase.label),
            operation=self.operation,
            path=path if subscription is None else {**path, "subscriptionId": str(subscription["id"])},
            body=body,
            fields=(*self._money(), *field_changes(self.operation, before, body)),
            reach=_("{new} 1 subscription{whose}.").format(new=_("Creates") if new else _("Affects"), whose=whose),
            confirm=purchase.label,
            warning=f"{self.licence_warning(self.alternative)} {_('This is a binding order.')}".lstrip(),
        )

    def _money(self) -> tuple[FieldChange, ...]:
        quotation = self.alternative.live.quotation or {}

        def line(label: str, found: AmountChange) -> FieldChange:
            return FieldChange(label, written(found.today, self.currency), written(found.then, self.currency))

        promoted = self.promoted(self.alternative)
        after: tuple[FieldChange, ...] = ()
        if promoted is not None:
            since = _("after {promoted}").format(promoted=promoted[0]) if promoted[0] else _("after the promotion")
            known = written(self._regular, self.currency) if self._regular is not None else NOTHING
            after = (
                FieldChange(_("Per month {since}").format(since=since), known, written(promoted[1], self.currency)),
            )
        invoice = FieldChange(_("Next invoice"), NOTHING, written(quotation.get("amount"), self.currency))
        today, then = self.ends(None), self.ends(self.alternative)
        term = (FieldChange(_("Term ends"), today, then),) if then not in ("", today) else ()
        return line(_("Per month"), month(quotation)), *after, line(_("Whole term"), total(quotation)), *term, invoice
