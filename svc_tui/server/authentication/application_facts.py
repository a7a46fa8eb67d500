"""What a page says about an application before its user gives it access: who runs it, and who gets the result."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from svc_tui.interface.redirects import target_of
from svc_tui.interface.typed_access import typed
from svc_tui.server.http.pages import facts_list
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredApplication, StoredCompany, StoredUser

IMPOSTOR = "This application has the name of one of the service's own clients. Its owner must rename it."
_UNKNOWN = "unknown"


async def application_facts(
    store: Store, application: StoredApplication, address: str = "", more: Mapping[str, str] = MappingProxyType({})
) -> str:
    """A list for the page: the application, its owner and company, the host of the address, and more facts."""
    owner = typed(StoredUser, await store.users.get(application.owner_id))
    company = typed(StoredCompany, await store.companies.get(owner.company_id or "")) if owner else None
    facts = {
        "Application": application.name,
        "Owner": (owner.display_name if owner else None) or _UNKNOWN,
        "Company": (company.name if company else None) or _UNKNOWN,
    }
    target = {"Access goes to": target_of(address)} if address else {}
    return facts_list({**facts, **target, **more})
