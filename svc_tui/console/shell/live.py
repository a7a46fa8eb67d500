"""The events of the service in the frame: what was changed elsewhere, in a sentence."""

from __future__ import annotations

from svc_tui.console.core.resource import Resource
from svc_tui.console.widgets.formatting import in_a_sentence
from svc_tui.interface.counts import counted
from svc_tui.workspace.core.events import ChangedElsewhere
from svc_tui.workspace.workspace import Workspace


async def elsewhere_sentence(workspace: Workspace, resource: Resource, event: ChangedElsewhere) -> str:
    """What was changed elsewhere: one record by its name, several by their number."""
    records = {report.record_id for report in event.reports}
    if len(records) > 1:
        number = counted(len(records), resource.singular, in_a_sentence(resource.title))
        return f"{number} were changed elsewhere."
    last, first = event.reports[-1], event.reports[0]
    company_id = str(last.content.get("companyId") or "")
    await workspace.company_names.load_cached([company_id])
    return resource.display.elsewhere(last.content, first.before, workspace.company_names.get(company_id))
