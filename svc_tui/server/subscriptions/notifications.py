"""Notifications about subscriptions, in the transaction of their change: the messages of section 6."""

from __future__ import annotations

from datetime import datetime

from svc_tui.interface.access import Role
from svc_tui.interface.readers import Whose
from svc_tui.interface.subscriptions.records import Subscription, subscription_message
from svc_tui.interface.typed_access import document_of
from svc_tui.server.readers import Readers
from svc_tui.server.security.callers import caller_of
from svc_tui.server.store.conditions import AllOf, AnyOf, ContainsAny, Is, Not
from svc_tui.server.store.events import Event
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany, StoredSubscription, SyncAction

#: Name of the element.
MESSAGE = "companysubscription"
_PARTNERS = (Role.BP_ADMIN.value, Role.BP_FINANCE.value)


async def notify(
    store: Store, action: SyncAction, subscription: StoredSubscription, company: StoredCompany, now: datetime
) -> None:
    """Notify the administrators of the company and of its partner (BP)."""
    whose = Whose(company_id=company.id)
    by_content: dict[str, tuple[Document, list[str]]] = {}
    for user in await _recipients(store, company):
        seen = await Readers(caller_of(user), store).of_record(Subscription, document_of(subscription), whose)
        content = subscription_message(action, {**seen, "id": subscription.id, "companyId": company.id}).wire()
        by_content.setdefault(repr(content), (content, []))[1].append(str(user["id"]))
    for content, recipients in by_content.values():
        await store.events.add(Event(MESSAGE, tuple(recipients), content), now=now)


async def _recipients(store: Store, company: StoredCompany) -> list[Document]:
    own = AllOf((Is("companyId", company.id), Is("adminType", Role.COMPANY_ADMIN.value)))
    # A company without a partner is its own partner: its partner roles are notified.
    finance = AllOf((Is("companyId", company.bp_id or company.id), ContainsAny("roles", _PARTNERS)))
    return (await store.users.find(AnyOf((own, finance)), Not(Is("isTerminated", True)))).documents
