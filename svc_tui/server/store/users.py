"""Users, and the copies of their names in the records of voice, by which lists are sorted and searched (2.15)."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic_core import from_json

from svc_tui.server.store.conditions import Is
from svc_tui.server.store.documents import DocumentCollection
from svc_tui.server.store.tables import Document
from svc_tui.server.store.voice_tables import DDIS, DEVICES, SUBSCRIBERS

#: The fields of a user that make up the name.
_NAMES = ("firstName", "lastName", "displayName")


def name_of(user: Document) -> str:
    """What a user is called."""
    return str(user.get("displayName") or f"{user.get('firstName') or ''} {user.get('lastName') or ''}".strip())


class Users(DocumentCollection):
    """The users. A change of a name reaches the copies of it in the same transaction."""

    async def replace(self, document: Document) -> bool:
        before = await self._transaction.replace_row(self._kind, self._kind.row(document))
        if before is None:
            return False
        self._changed(document[self._kind.id], before, document)
        await self._follow(from_json(before), document)
        return True

    async def put_all(self, documents: Iterable[Document]) -> None:
        changed = list(documents)
        before = {user[self._kind.id]: user for user in await self.of([each[self._kind.id] for each in changed])}
        await super().put_all(changed)
        for each in changed:
            if each[self._kind.id] in before:
                await self._follow(before[each[self._kind.id]], each)

    async def _follow(self, before: Document, after: Document) -> None:
        """Write the new name of a user into the subscribers, DDI numbers and devices of the user."""
        if all(before.get(wire) == after.get(wire) for wire in _NAMES):
            return
        old, new = name_of(before), name_of(after)
        names: Document = {"firstName": after.get("firstName"), "lastName": after.get("lastName"), "names": new}
        for kind, values in ((SUBSCRIBERS, names), (DDIS, names), (DEVICES, {"userDisplayName": new})):
            collection = DocumentCollection(self._transaction, kind)
            for each in (await collection.find(Is("userId", after[self._kind.id]))).documents:
                # A device may have been called otherwise on purpose.
                device = {"deviceName": new} if each.get("deviceName") == old and kind is not DEVICES else {}
                await collection.put({**each, **values, **device})
