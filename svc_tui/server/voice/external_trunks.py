"""External trunks: the list of those that a caller may use, and one of them (2.14, 4.7)."""

from __future__ import annotations

from svc_tui.interface.access import Reach, Subject
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.interface.voice import trunks as declared
from svc_tui.interface.voice.trunks import ExternalTrunkQuery
from svc_tui.server.refusal import not_found
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Condition, ContainsAny, Is
from svc_tui.server.store.documents import Sort
from svc_tui.server.voice.stored import StoredTrunk


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
