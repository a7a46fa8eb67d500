"""Notifications about subscriptions, in the transaction of their change: the messages of section 6."""

from __future__ import annotations

from datetime import datetime

from svc_tui.interface.access import Role
from svc_tui.interface.subscriptions.messages import subscription_message
from svc_tui.interface.typed_access import all_typed, document_of
from svc_tui.server.store.conditions import AllOf, AnyOf, ContainsAny, Is, Not
from svc_tui.server.store.events import Event
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredCompany, StoredSubscription, StoredUser, SyncAction

#: Name of the element.
MESSAGE = "companysubscription"
_PARTNERS = (Role.BP_ADMIN.value, Role.BP_FINANCE.value)


async def notify(
    store: Store, action: SyncAction, subscription: StoredSubscription, company: StoredCompany, now: datetime
) -> None:
    """Notify the administrators of the company and of its partner (BP)."""
    recipients = await _recipients(store, company)
    if recipients:
        content = subscription_message(action, document_of(subscription)).wire()
        await store.events.add(Event(MESSAGE, recipients, content), now=now)


async def _recipients(store: Store, company: StoredCompany) -> tuple[str, ...]:
    own = AllOf((Is("companyId", company.id), Is("adminType", Role.COMPANY_ADMIN.value)))
    # A company without a partner is its own partner: its partner roles are notified.
    finance = AllOf((Is("companyId", company.bp_id or company.id), ContainsAny("roles", _PARTNERS)))
    found = await store.users.find(AnyOf((own, finance)), Not(Is("isTerminated", True)))
    return tuple(user.id for user in all_typed(StoredUser, found.documents))
