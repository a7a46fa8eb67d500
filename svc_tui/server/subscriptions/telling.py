"""Who is told of a subscription, in the transaction of its change: the messages of section 6."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from svc_tui.interface.access import Role
from svc_tui.interface.subscriptions.messages import subscription_message
from svc_tui.server.store.conditions import AllOf, AnyOf, Has, Is, Not
from svc_tui.server.store.events import Event
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: Name of the element.
MESSAGE = "companysubscription"
_PARTNERS = (Role.BP_ADMIN.value, Role.BP_FINANCE.value)


async def tell(
    store: Store,
    action: Literal["create", "update", "delete"],
    subscription: Document,
    company: Document,
    now: datetime,
) -> None:
    """Tell the company's administrators and those of its partner."""
    recipients = await _recipients(store, company)
    if recipients:
        content = subscription_message(action, subscription).wire()
        await store.events.add(Event(MESSAGE, recipients, content), now=now)


async def _recipients(store: Store, company: Document) -> tuple[str, ...]:
    own = AllOf((Is("companyId", company["id"]), Is("adminType", Role.COMPANY_ADMIN.value)))
    # A partner that is linked to none hears of its own subscriptions.
    partner = company.get("bpId") or company["id"]
    finance = AllOf((Is("companyId", str(partner)), Has("roles", _PARTNERS)))
    found = await store.users.find(AnyOf((own, finance)), Not(Is("isTerminated", True)))
    return tuple(each["id"] for each in found.documents)
