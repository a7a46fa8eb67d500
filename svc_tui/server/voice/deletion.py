"""Deletion of CloudPBXs: refused while they have content, or forced together with the content (4.7).

Of their parts: refused while another record calls or uses them (2.17).
"""

from __future__ import annotations

from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.interface.voice import cloudpbx_operations as declared
from svc_tui.interface.voice.cloudpbx import CloudPbxDeletion
from svc_tui.interface.voice.deletion import CONTENT, HOURS, Reference, preventing, references
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is, ReferencedBy
from svc_tui.server.store.documents import DocumentCollection
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredUser, change_users
from svc_tui.server.voice.access import locked_pbx
from svc_tui.server.voice.stored import StoredCloudPbx


@rule(declared.delete_cloudpbx)
async def delete_cloudpbx(call: Call[CloudPbxDeletion]) -> RuleResult:
    pbx = await locked_pbx(call)
    of_pbx = Is("systemId", pbx.id)
    contents = _contents(call.store)
    if not call.query.force_delete:
        counts = {param: count for param, records in contents.items() if (count := await records.count(of_pbx))}
        if present := [content for content in CONTENT if content.param in counts]:
            problems = [Problem(each.param, each.sentence, counts[each.param]) for each in present]
            raise Refusal(present[0].code, [problem.wire() for problem in problems])
    await _remove_user_numbers(call.store, pbx)
    store = call.store
    for records in (*contents.values(), store.registrations, store.recordings, store.welcomes, store.office_hours):
        await records.remove_all(of_pbx)
    await store.prohibited_numbers.remove(pbx.id)
    await store.cloudpbxs.remove(pbx.id)
    return {"status": f"CloudPBX {pbx.id} successfully deleted", "data": []}


def _contents(store: Store) -> dict[str, DocumentCollection]:
    """The content that prevents a deletion, by its names in a refusal."""
    return {
        "welcomeservices": store.welcome_services,
        "ddis": store.ddis,
        "subscribers": store.subscribers,
        "devices": store.devices,
    }


async def _remove_user_numbers(store: Store, pbx: StoredCloudPbx) -> None:
    """Remove the extensions of this CloudPBX from the telephone numbers of their users."""

    def change(document: Document) -> Document:
        user = copied(typed(StoredUser, document))
        user.phone_numbers = [each for each in user.phone_numbers or () if each.system_id != pbx.id]
        return document_of(user)

    await change_users(store, ReferencedBy("subscribers", "userId", Is("systemId", pbx.id)), change)


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
