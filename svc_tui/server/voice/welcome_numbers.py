"""DDI numbers of welcome services: one is the main one, further ones follow in their order (2.17, 4.7)."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.store.conditions import In, Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.ddis import HOLDERS, freed

_MAIN, _MAIN_ID, _MORE = "externalNumber", "externalNumberId", "secondaryDDIs"


def wanted(old: Document, values: Document) -> list[str]:
    """The ids of the numbers that a service is to have after a change, the main one first.

    Without a main number the first further one becomes it. Refusal 400000 for a number that is named twice.
    """
    had = [each["phoneNumberId"] for each in old.get(_MORE) or ()]
    more = [each["phoneNumberId"] for each in values[_MORE] or ()] if _MORE in values else had
    main = values[_MAIN_ID] if _MAIN_ID in values else old.get(_MAIN_ID)
    if _MORE not in values:
        # It is moved to the first place.
        more = [each for each in more if each != main]
    found = [*([main] if main else []), *more]
    if twice := next((each for each in found if found.count(each) > 1), None):
        raise invalid(Problem(_MORE, "names a number twice, or the main one", twice))
    return found


async def give(store: Store, service: Document, ids: Sequence[str]) -> Document:
    """Give a service exactly these numbers; it, with them. Those it had before are free.

    Refusal 400000 for what is no number of this CloudPBX, 409000 for one that somebody else has.
    """
    found = {each["id"]: each for each in (await store.ddis.find(In("id", list(ids)))).documents}
    for id in ids:
        ddi = found.get(id)
        if ddi is None or ddi["systemId"] != service["systemId"]:
            raise invalid(Problem(_MAIN_ID if id == ids[0] else _MORE, "is no DDI number of this CloudPBX", id))
        if any(ddi.get(wire) and ddi[wire] != service["id"] for wire in HOLDERS.values()):
            raise Refusal(Code.ALREADY_EXISTS, f"the number {ddi['numberE164']} belongs to somebody else already")
    await take(store, service)
    for order, id in enumerate(ids):
        held = {"ivrId": service["id"], "names": service["name"], "isAssignedAsSecondaryCloudPbxDDI": order > 0}
        await store.ddis.put({**freed(found[id]), **held, **({"secondaryDdiOrder": order} if order else {})})
    changed = {wire: value for wire, value in service.items() if wire not in (_MAIN, _MAIN_ID)}
    if ids:
        changed.update({_MAIN: found[ids[0]]["numberE164"], _MAIN_ID: ids[0]})
    changed[_MORE] = [{"phoneNumberId": id, "numberE164": found[id]["numberE164"]} for id in ids[1:]]
    return changed


async def take(store: Store, service: Document) -> None:
    """Take all numbers from a service."""
    for ddi in (await store.ddis.find(Is("ivrId", service["id"]))).documents:
        await store.ddis.put(freed(ddi))
