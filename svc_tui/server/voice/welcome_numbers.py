"""DDI numbers of welcome services: a main number, and further numbers in their order (2.17, 4.7)."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import all_typed, copied, document_of
from svc_tui.interface.voice.welcomes import WelcomeServiceBody, WelcomeServiceUpdate
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.store.conditions import In, Is
from svc_tui.server.store.store import Store
from svc_tui.server.voice.ddis import holder_of, released
from svc_tui.server.voice.stored import StoredDdi, StoredWelcomeService
from svc_tui.server.voice.user_numbers import secondary, set_order

#: The fields of a service with its numbers: the main one, and further ones.
NUMBERS = _MAIN_ID, _MORE = "externalNumberId", "secondaryDDIs"


def requested_numbers(old: StoredWelcomeService | None, body: WelcomeServiceBody | WelcomeServiceUpdate) -> list[str]:
    """The ids of the numbers that a service has after a change, the main one first.

    Without a main number the first further number becomes it. Refusal 400000 for a number that is named twice.
    """
    main = old and old.external_number_id
    more = [each.phone_number_id for each in (old and old.secondary_ddis) or () if each.phone_number_id]
    if "external_number_id" in body.model_fields_set:
        main = body.external_number_id
    if "secondary_ddis" in body.model_fields_set:
        more = [each.phone_number_id for each in body.secondary_ddis or ()]
    else:
        # A further number that becomes the main one moves to the first place.
        more = [each for each in more if each != main]
    found = [*([main] if main else []), *more]
    if twice := next((each for each in found if found.count(each) > 1), None):
        raise invalid(Problem(_MORE, "names a number twice, or the main one", twice))
    return found


async def assign_numbers(store: Store, service: StoredWelcomeService, ids: Sequence[str]) -> StoredWelcomeService:
    """Assign exactly these numbers to a service, and release those it had before. Returns the service with them.

    Refusal 400000 for an id that is no number of this CloudPBX, 409000 for a number of another holder.
    """
    found = {ddi.id: ddi for ddi in all_typed(StoredDdi, (await store.ddis.find(In("id", list(ids)))).documents)}
    for id in ids:
        ddi = found.get(id)
        if ddi is None or ddi.system_id != service.system_id:
            raise invalid(Problem(_MAIN_ID if id == ids[0] else _MORE, "is not a DDI number of this CloudPBX", id))
        if ddi.ivr_id != service.id and (holder := holder_of(ddi)):
            raise Refusal(Code.ALREADY_EXISTS, f"The number {ddi.number_e164} already belongs to {holder}.")
    await release_numbers(store, service.id)
    for order, id in enumerate(ids):
        ddi = released(found[id])
        ddi.ivr_id, ddi.names = service.id, service.name
        set_order(ddi, order)
        await store.ddis.put(document_of(ddi))
    changed = copied(service)
    del changed.external_number, changed.external_number_id
    if ids:
        changed.external_number, changed.external_number_id = found[ids[0]].number_e164, ids[0]
    changed.secondary_ddis = [secondary(found[id]) for id in ids[1:]]
    return changed


async def release_numbers(store: Store, service_id: str) -> None:
    """Unassign all numbers from a service."""
    for ddi in all_typed(StoredDdi, (await store.ddis.find(Is("ivrId", service_id))).documents):
        await store.ddis.put(document_of(released(ddi)))
