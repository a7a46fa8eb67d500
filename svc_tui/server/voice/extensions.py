"""What follows from the numbers of a subscriber: his own record, and his entry among the user's telephone numbers."""

from __future__ import annotations

from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

_ORDER, _SECONDARY = "secondaryDdiOrder", "isAssignedAsSecondaryCloudPbxDDI"


async def subscriber_of_user(store: Store, system_id: str, user_id: str) -> Document | None:
    """The extension of a user at a CloudPBX."""
    return await store.subscribers.one(Is("systemId", system_id), Is("userId", user_id))


async def ddis_of_user(store: Store, system_id: str, user_id: str) -> list[Document]:
    """The DDI numbers of a user, the main one first."""
    found = (await store.ddis.find(Is("systemId", system_id), Is("userId", user_id))).documents
    return sorted(found, key=lambda each: (bool(each.get(_SECONDARY)), each.get(_ORDER) or 0))


async def renumber(store: Store, subscriber: Document) -> Document:
    """Bring the subscriber, his DDI numbers and the user's telephone numbers in line: the first number is the main one.

    Answers the subscriber as he is now.
    """
    ddis = await ddis_of_user(store, subscriber["systemId"], subscriber["userId"])
    for order, ddi in enumerate(ddis):
        wanted = {**ddi, _SECONDARY: order > 0, _ORDER: order}
        if order == 0:
            del wanted[_ORDER]
        if wanted != ddi:
            await store.ddis.put(wanted)
    changed = {wire: value for wire, value in subscriber.items() if wire not in ("externalNumber", "externalNumberId")}
    if ddis:
        changed.update(externalNumber=ddis[0]["numberE164"], externalNumberId=ddis[0]["id"])
    changed["secondaryDDIs"] = [{"phoneNumberId": each["id"], "numberE164": each["numberE164"]} for each in ddis[1:]]
    await store.subscribers.put(changed)
    await tell_user(store, changed)
    return changed


async def tell_user(store: Store, subscriber: Document, *, gone: bool = False) -> None:
    """Write the extension among the telephone numbers of its user, or take it away."""
    # He may be logging in or getting a licence at this moment.
    await store.lock(f"user:{subscriber['userId']}")
    user = await store.users.get(str(subscriber["userId"]))
    if user is None:
        return
    others = [each for each in user.get("phoneNumbers") or () if each.get("phoneNumberId") != subscriber["id"]]
    await store.users.put({**user, "phoneNumbers": others if gone else [*others, _entry(subscriber)]})


def _entry(subscriber: Document) -> Document:
    external = subscriber.get("externalNumber")
    return {
        "phoneNumberId": subscriber["id"],
        "shortNumber": subscriber["shortNumber"],
        "pbxId": subscriber.get("pbxId"),
        "systemId": subscriber["systemId"],
        "country": subscriber.get("country"),
        "isMonitored": bool(subscriber.get("isMonitored")),
        "isFromSystem": True,
        "deviceType": "landline",
        "type": "work",
        **({"number": external, "numberE164": external} if external else {}),
    }
