"""Offers and subscriptions of a company: columns, access and rules (2.9, 2.10, 4.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from svc_tui.console.areas.subscriptions import subscribe
from svc_tui.console.areas.subscriptions.cells import ENDS, LICENCES, elsewhere, model, renewal, settled, state
from svc_tui.console.core.actions import RECORDS, Action
from svc_tui.console.core.resource import (
    Context,
    Deletion,
    Display,
    Editing,
    Placement,
    Prices,
    RelatedList,
    Resource,
    managed,
)
from svc_tui.console.widgets.formatting import NOTHING, choice
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.data import RecordData
from svc_tui.interface.subscriptions import descriptions
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.console.core.changes import Change, FieldChange
    from svc_tui.console.core.form_rules import Rules

STATES: Mapping[Any, tuple[str, str]] = {
    "creating": ("creating", "accent"),
    "syncing": ("syncing", "accent"),
    "active": ("active", "ok"),
    "alerting": ("alerting", "warn"),
    "hold": ("on hold", "warn"),
    "terminating": ("terminating", "warn"),
    "terminated": ("terminated", "dim"),
    "failed": ("failed", "bad"),
    "unknown": ("unknown", "warn"),
}


def _subject(record: RecordData, caller: Caller) -> Subject:
    found = managed(str(record.get("companyId") or caller.company_id), caller)
    # A business_admin only gets subscriptions of demo offers.
    return replace(found, is_demo=True)


def _terms(value: Any, record: RecordData) -> str:
    """How an offer is paid: `prepaid 12`, `monthly`."""
    if record.get("isPrepaid"):
        return f"{_('prepaid')} {record.get('prepaidDuration') or ''}".strip()
    return _("monthly") if record.get("isMonthly") else NOTHING


def _offer_says(record: RecordData) -> Sequence[str]:
    return [*descriptions.description_lines(record), *descriptions.price_changes(record, datetime.now(UTC).date())]


def _subscription_says(record: RecordData) -> Sequence[str]:
    return descriptions.status_lines(record)


def _forbids(operation_id: str, record: RecordData, context: Context) -> str:
    # The rules are loaded after the first screen, like the roles.
    if not context.stage.declared:
        return ""

    return subscribe.why_not(operation_id, record, context)


async def _begins(context: Context) -> RecordData | None:
    return await subscribe.choose_offer(context)


async def _rules(context: Context, record: RecordData | None, start: RecordData) -> Rules:
    return await subscribe.rules(context, record, start)


async def _prices(context: Context, changes: Mapping[str, Change]) -> Prices:
    return await subscribe.prices_of(context, changes)


async def _ends(record: RecordData, context: Context) -> tuple[tuple[FieldChange, ...], str]:
    return subscribe.ends(record, context)


def _losses(records: Sequence[RecordData]) -> tuple[Sequence[str], str]:
    return subscribe.losses(records)


def _buyable(context: Context) -> str:
    if not context.stage.declared:
        return ""

    return subscribe.why_not_buy(context)


OFFERS = Resource(
    kind=KINDS["offers"],
    title="Offers",
    singular="offer",
    aliases=("offer",),
    display=Display(
        columns=(
            Column(field="name", title="NAME", width=20, flex=3, sort_field="name"),
            Column(field="businessModel", title="MODEL", width=11, format=model),
            Column(field="isPrepaid", title="TERMS", width=10, format=_terms, priority=1),
            Column(field="canBeSold", title="ON SALE", width=7, priority=3),
            Column(field="groupName", title="GROUP", width=10, flex=1, limit=20, priority=4),
            Column(field="offerReference", title="REFERENCE", width=12, flex=1, limit=24, priority=2),
        ),
        says=(_("Description"), _offer_says),
    ),
    query={"format": "full"},
    sort="name",
    placement=Placement(
        path={"companyId": "companies"},
        above="companies",
    ),
    subject=_subject,
    related=(RelatedList("o", "subscriptions", "Subscriptions", beside=True),),
)

SUBSCRIPTIONS = Resource(
    kind=KINDS["subscriptions"],
    title="Subscriptions",
    singular="subscription",
    aliases=("subs", "subscription"),
    known_as=("contract", "plan"),
    section=4,
    display=Display(
        columns=(
            Column(field="offerName", title="NAME", width=18, flex=3, sort_field="offerName"),
            Column(field="status", title="STATUS", width=11, state=STATES, of=state, sort_field="status"),
            replace(LICENCES, sort_field="maxNumberUsers"),
            Column(field="businessModel", title="MODEL", width=12, format=model, priority=2),
            Column(field="autoRenew", title="RENEWAL", width=15, of=renewal, priority=1),
            ENDS,
            Column(field="paymentPeriod", title="PAID", width=8, format=choice, priority=4),
            Column(field="purchaseOrderNumber", title="ORDER", width=12, flex=1, limit=20, priority=5),
            Column(field="creationDate", title="SINCE", width=14, aged=True, priority=3),
        ),
        says=(_("Summary"), _subscription_says),
        settled=settled,
        elsewhere=elsewhere,
    ),
    query={"format": "full"},
    sort="offerName",
    label_field="offerName",
    placement=Placement(
        path={"companyId": "companies"},
        above="companies",
    ),
    subject=_subject,
    editing=Editing(
        forbids=_forbids,
        begins=_begins,
        rules=_rules,
        priced=_prices,
    ),
    deletion=Deletion(
        consequences=_ends,
        bulk_consequences=_losses,
    ),
    create="create_company_subscription",
    update="update_company_subscription",
    delete="delete_company_subscription",
    related=(
        RelatedList("L", "holders", "Licences"),
        RelatedList("o", "offers", "Offers", beside=True),
    ),
)

RESOURCES = (SUBSCRIPTIONS, OFFERS)

ACTIONS: tuple[Action, ...] = (
    Action(
        name="offers.subscribe",
        keys=("n",),
        label="Subscribe",
        help="Subscribe this company to the offer, after a preview",
        run=subscribe.subscribe,
        group="Change",
        views=RECORDS,
        resource="offers",
        operation="create_company_subscription",
        needs="record",
        possible=_buyable,
        footer=30,
    ),
)
