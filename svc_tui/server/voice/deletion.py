"""Deletion of CloudPBXs: refused with everything that stands in the way, or forced with all of it (4.7)."""

from __future__ import annotations

from svc_tui.interface.problems import Problem
from svc_tui.interface.voice import cloudpbx_operations as declared
from svc_tui.interface.voice.cloudpbx import CloudPbxDeletion
from svc_tui.interface.voice.deletion import CONTENT
from svc_tui.server.locking import users_locked
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is, Referred
from svc_tui.server.store.documents import DocumentCollection
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.seen import locked_pbx


@rule(declared.delete_cloudpbx)
async def delete_cloudpbx(call: Call[CloudPbxDeletion]) -> RuleResult:
    pbx = await locked_pbx(call)
    of_it = Is("systemId", pbx["id"])
    held = _contents(call.store)
    if not call.query.force_delete:
        standing = {param: count for param, kept in held.items() if (count := await kept.count(of_it))}
        there = [content for content in CONTENT if content.param in standing]
        if there:
            problems = [Problem(each.param, each.sentence, standing[each.param]) for each in there]
            raise Refusal(there[0].code, [problem.wire() for problem in problems])
    await _take_numbers(call.store, pbx)
    store = call.store
    for kept in (*held.values(), store.registrations, store.recordings, store.welcomes, store.office_hours):
        await kept.remove_all(of_it)
    await store.prohibited_numbers.remove(pbx["id"])
    await store.cloudpbxs.remove(pbx["id"])
    return {"status": f"CloudPBX {pbx['id']} successfully deleted", "data": []}


def _contents(store: Store) -> dict[str, DocumentCollection]:
    """What may stand in the way, by the names that a refusal gives it."""
    return {
        "welcomeservices": store.welcome_services,
        "ddis": store.ddis,
        "subscribers": store.subscribers,
        "devices": store.devices,
    }


async def _take_numbers(store: Store, pbx: Document) -> None:
    """The extensions of this CloudPBX are no longer among their users' telephone numbers."""
    async for user in users_locked(store, Referred("subscribers", "userId", Is("systemId", pbx["id"]))):
        left = [each for each in user.get("phoneNumbers") or () if each.get("systemId") != pbx["id"]]
        await store.users.put({**user, "phoneNumbers": left})
