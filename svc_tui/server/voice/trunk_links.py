"""Who links a CloudPBX to which trunk, and when a linked trunk stays (4.7)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import Role
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice.access import LINK_TRUNK
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.rules import Call
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.seen import may

_TRUNK, _OUT = "externalTrunkId", "outgoingPrefix"


async def check_link(call: Call[Any, Any], pbx: Document, settings: Document) -> None:
    """Refuse a new link, or its end, that the caller may not make (403000, 403301), or that is locked (403719)."""
    old, new = pbx["cloudpbx"].get(_TRUNK), settings.get(_TRUNK)
    if old == new:
        return
    if reason := await may(call, pbx, LINK_TRUNK):
        raise Refusal(Code.ROLE_MISSING, [Problem(_TRUNK, reason, new).wire()])
    linked = await call.store.external_trunks.get(str(old)) if old else None
    if linked is not None and linked.get("locked"):
        raise Refusal(Code.TRUNK_LOCKED)
    if new is None:
        return
    trunk = await call.store.external_trunks.get(str(new))
    if trunk is None:
        raise invalid(Problem(_TRUNK, "is no external trunk", new))
    assert call.caller is not None
    if Role.SUPERADMIN not in call.caller.roles and call.caller.company_id not in (trunk.get("bpIds") or ()):
        raise Refusal(Code.NOT_MANAGED, [Problem(_TRUNK, "is not a trunk of your company", new).wire()])


def check_prefix(old: Document, settings: Document, trunk: Document | None) -> None:
    """Refuse (403722) the end of the outgoing prefix while a trunk stays linked, and any change while it is locked."""
    if old.get(_OUT) == settings.get(_OUT) or not old.get(_TRUNK):
        return
    if trunk is not None and trunk.get("locked"):
        raise Refusal(Code.OUTGOING_PREFIX_LOCKED, "The outgoing prefix is fixed while this trunk is linked.")
    if settings.get(_OUT) is None and settings.get(_TRUNK):
        raise Refusal(Code.OUTGOING_PREFIX_LOCKED)
