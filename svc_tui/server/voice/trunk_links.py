"""External trunks (2.14) and their links to CloudPBXs: permission, and when a link is locked (4.7)."""

from __future__ import annotations

from svc_tui.interface.access import Reach, Role, Subject
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.interface.voice import trunks as declared
from svc_tui.interface.voice.access import LINK_TRUNK
from svc_tui.interface.voice.cloudpbx import CloudPbxSettings
from svc_tui.interface.voice.trunks import ExternalTrunkQuery
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.store.conditions import Condition, ContainsAny, Is
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.store import Store
from svc_tui.server.voice.access import denial
from svc_tui.server.voice.stored import StoredCloudPbx, StoredDdi, StoredTrunk

_TRUNK = "externalTrunkId"


async def check_link(call: AnyCall, pbx: StoredCloudPbx, old: str | None, new: str | None) -> None:
    """Refuse a change of the linked trunk without permission (403000, 403301), or of a locked one (403719)."""
    if old == new:
        return
    if reason := await denial(call, pbx, LINK_TRUNK):
        raise Refusal(Code.ROLE_MISSING, [Problem(_TRUNK, reason, new).wire()])
    linked = await trunk_of(call, old)
    if linked is not None and linked.locked:
        raise Refusal(Code.TRUNK_LOCKED)
    if new is None:
        return
    trunk = await trunk_of(call, new)
    if trunk is None:
        raise invalid(Problem(_TRUNK, "is not an external trunk", new))
    assert call.caller is not None
    if Role.SUPERADMIN not in call.caller.roles and call.caller.company_id not in (trunk.bp_ids or ()):
        raise Refusal(Code.NOT_MANAGED, [Problem(_TRUNK, "is not a trunk of your company", new).wire()])


def check_prefix(old: CloudPbxSettings, new: CloudPbxSettings, trunk: StoredTrunk | None) -> None:
    """Refuse (403722) to remove the outgoing prefix while a trunk stays linked, and to change it for a locked trunk."""
    if old.outgoing_prefix == new.outgoing_prefix or not old.external_trunk_id:
        return
    if trunk is not None and trunk.locked:
        raise Refusal(Code.OUTGOING_PREFIX_LOCKED, "The outgoing prefix is fixed while this trunk is linked.")
    if new.outgoing_prefix is None and new.external_trunk_id:
        raise Refusal(Code.OUTGOING_PREFIX_LOCKED)


async def trunk_of(call: AnyCall, id: str | None) -> StoredTrunk | None:
    """The external trunk with this id."""
    return typed(StoredTrunk, await call.store.external_trunks.get(id)) if id else None


async def pass_on(store: Store, system_id: str, trunk_id: str | None) -> None:
    """Let the DDI numbers of a CloudPBX follow to the trunk that it is linked to now: their calls come in over it."""
    for ddi in all_typed(StoredDdi, (await store.ddis.find(Is("systemId", system_id))).documents):
        if ddi.external_trunk_id != trunk_id:
            ddi.external_trunk_id = trunk_id
            await store.ddis.put(document_of(ddi))


@rule(declared.list_external_trunks)
async def list_external_trunks(call: Call[ExternalTrunkQuery]) -> RuleResult:
    assert call.caller is not None
    query = call.query
    plain = (("voiceInstanceId", query.voice_instance_id), ("status", query.status), ("trunkType", query.trunk_type))
    where: list[Condition] = [Is(wire, value) for wire, value in plain if value]
    if Reach.ANY not in call.reached:
        where.append(ContainsAny("bpIds", (call.caller.company_id,)))
    return {"data": (await call.store.external_trunks.find(*where, sort=Sort("name"))).documents}


@rule(declared.get_external_trunk)
async def get_external_trunk(call: Call) -> RuleResult:
    assert call.caller is not None
    trunk = typed(StoredTrunk, await call.store.external_trunks.get(call.path["externalTrunkId"]))
    if trunk is None:
        raise not_found("External trunk", call.path["externalTrunkId"])
    own = call.caller.company_id in (trunk.bp_ids or ())
    call.require(Subject(company_id=call.caller.company_id if own else ""))
    return {"data": document_of(trunk)}
