"""Numbers of subscribers: in their own records, and among the telephone numbers of their users."""

from __future__ import annotations

from svc_tui.interface.authentication.users import PhoneNumber
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.interface.voice.ddis import SecondaryDdi
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredUser
from svc_tui.server.voice.stored import StoredDdi, StoredSubscriber


async def subscriber_of_user(store: Store, system_id: str, user_id: str) -> StoredSubscriber | None:
    """The extension of a user at a CloudPBX."""
    return typed(StoredSubscriber, await store.subscribers.one(Is("systemId", system_id), Is("userId", user_id)))


async def ddis_of_user(store: Store, system_id: str, user_id: str) -> list[StoredDdi]:
    """The DDI numbers of a user, the main one first."""
    found = all_typed(StoredDdi, (await store.ddis.find(Is("systemId", system_id), Is("userId", user_id))).documents)
    return sorted(
        found, key=lambda each: (bool(each.is_assigned_as_secondary_cloud_pbx_ddi), each.secondary_ddi_order or 0)
    )


async def update_numbers(store: Store, subscriber: StoredSubscriber) -> StoredSubscriber:
    """Bring the subscriber, the DDI numbers and the user's telephone numbers in line: the first number is the main one.

    Returns the subscriber with these numbers.
    """
    ddis = await ddis_of_user(store, subscriber.system_id, subscriber.user_id)
    for order, ddi in enumerate(ddis):
        ordered = copied(ddi)
        set_order(ordered, order)
        if ordered != ddi:
            await store.ddis.put(document_of(ordered))
    changed = copied(subscriber)
    del changed.external_number, changed.external_number_id
    if ddis:
        changed.external_number, changed.external_number_id = ddis[0].number_e164, ddis[0].id
    changed.secondary_ddis = [secondary(ddi) for ddi in ddis[1:]]
    ringing = changed.pstn_device_options
    if not ddis and ringing is not None and ringing.policy == "subscriber_ddi":
        # It has no number of its own that could ring too: the company's setting applies again.
        del changed.pstn_device_options
    await store.subscribers.put(document_of(changed))
    await update_user(store, changed)
    return changed


def set_order(ddi: StoredDdi, order: int) -> None:
    """Mark a DDI number as the main one (0), or as a further one in this place."""
    ddi.is_assigned_as_secondary_cloud_pbx_ddi = order > 0
    if order:
        ddi.secondary_ddi_order = order
    else:
        del ddi.secondary_ddi_order


def secondary(ddi: StoredDdi) -> SecondaryDdi:
    """A further number as its holder names it."""
    return typed(SecondaryDdi, {"phoneNumberId": ddi.id, "numberE164": ddi.number_e164})


async def update_user(store: Store, subscriber: StoredSubscriber, *, removed: bool = False) -> None:
    """Write the extension among the telephone numbers of its user, or remove it from them."""
    # At this moment the user may log in or get a licence.
    await store.lock(f"user:{subscriber.user_id}")
    user = typed(StoredUser, await store.users.get(subscriber.user_id))
    if user is None:
        return
    numbers = [each for each in user.phone_numbers or () if each.phone_number_id != subscriber.id]
    user.phone_numbers = numbers if removed else [*numbers, _entry(subscriber)]
    await store.users.put(document_of(user))


def _entry(subscriber: StoredSubscriber) -> PhoneNumber:
    external = subscriber.external_number
    return typed(
        PhoneNumber,
        {
            "phoneNumberId": subscriber.id,
            "shortNumber": subscriber.short_number,
            "pbxId": subscriber.pbx_id,
            "systemId": subscriber.system_id,
            "country": subscriber.country,
            "isMonitored": bool(subscriber.is_monitored),
            "isFromSystem": True,
            "deviceType": "landline",
            "type": "work",
            **({"number": external, "numberE164": external} if external else {}),
        },
    )
