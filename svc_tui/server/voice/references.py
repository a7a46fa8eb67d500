"""Deletions that are refused while another record of the CloudPBX calls, or uses, the deleted one (2.17, 4.7)."""

from __future__ import annotations

from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice.references import HOURS, Reference, preventing, references
from svc_tui.server.refusal import Refusal
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document


async def refuse_while_used(store: Store, kind: str, record: Document, code: Code) -> None:
    """Refuse with this code, and the list of all records that prevent the deletion of this one."""
    found = await _preventing(store, kind, record)
    if found and kind in HOURS:
        names = ", ".join(dict.fromkeys(each.name for each in found))
        raise Refusal(code, f"Used by the welcome service{'s' * (len(found) > 1)} {names}.")
    if found:
        raise Refusal(code, [problem.wire() for problem in _problems(found)])


async def problems_of_use(store: Store, kind: str, record: Document) -> list[Problem]:
    """The records that prevent the deletion of this one."""
    return _problems(await _preventing(store, kind, record))


async def _preventing(store: Store, kind: str, record: Document) -> list[Reference]:
    services = (await store.welcome_services.find(Is("systemId", record["systemId"]))).documents
    return preventing(references(kind, record, {"welcomeservices": services}))


def _problems(found: list[Reference]) -> list[Problem]:
    return [Problem(each.kind, f"{each.name} {each.sentence}".strip(), each.id) for each in found]
