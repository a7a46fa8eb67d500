"""The private default template of each standalone company (2.8)."""

from __future__ import annotations

from svc_tui.interface.companies.access import is_standalone
from svc_tui.interface.customisation.features import TEMPLATE_DEFAULTS
from svc_tui.interface.customisation.records import TemplateType
from svc_tui.interface.typed_access import document_of
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import Is
from svc_tui.server.stored import StoredCompany

TYPE: TemplateType = "private_default_company"
NAME = "Default"


async def ensure_private_default(call: AnyCall, company: StoredCompany) -> None:
    """Add the template of a standalone company that has none. A company that gets a partner keeps its template."""
    if not is_standalone(document_of(company)):
        return
    await call.store.lock(f"templates of:{company.id}")
    if await call.store.templates.one(Is("type", TYPE), Is("ownedByCompany", company.id)) is not None:
        return
    template = {
        "id": call.service.ids.record(),
        "name": NAME,
        "visibility": "private",
        "visibleBy": [],
        "type": TYPE,
        "createdBy": call.user.id,
        "creationDate": call.stamp,
        "ownedByCompany": company.id,
    }
    await call.store.templates.add({**TEMPLATE_DEFAULTS, **template})
