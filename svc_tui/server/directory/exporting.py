"""Export of a company's whole directory, as records or as CSV."""

from __future__ import annotations

from svc_tui.interface.directory import import_operations as declared
from svc_tui.interface.directory.csv.columns import LDAP_ID
from svc_tui.interface.directory.csv.writing import written
from svc_tui.interface.directory.import_operations import ExportQuery
from svc_tui.server.directory.access import reached_company, represented
from svc_tui.server.directory.directories import live_directory
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Condition, Is, Not
from svc_tui.server.store.documents import Sort


@rule(declared.export_directory_synchronized)
async def export(call: Call[ExportQuery]) -> RuleResult:
    company = await reached_company(call, call.query.company_id)
    directory = await live_directory(call.store, ("companyId", company.id))
    where: list[Condition] = [Is("directory", directory.id if directory else "")]
    if call.query.ldap_id:
        where.append(Not(Is(LDAP_ID, None)))
    found = await call.store.directory_entries.find(*where, sort=Sort("lastName"))
    entries = [represented(entry) for entry in found.documents]
    if call.query.format == "json":
        return {"data": entries}
    text = written(entries)
    return {"data": text if call.query.format == "csv" else {"json": entries, "csv": text}}
