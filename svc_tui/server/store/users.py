"""Users with their secrets, and what follows their changes in the same transaction, so that no rule can forget it.

- Copies of their names in the records of voice, by which lists are sorted and searched (2.15).
- The end of all earlier sessions when a user loses access or gets another password: tokens, grants to applications, and
  event sessions, with a new messaging password. A client with a `jid_password` can receive the events of its user;
  `renew_messaging` renews it for other reasons; event sessions with the earlier one end within half a minute then
  (`server/events/session_registry.py`).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from pydantic_core import from_json

from svc_tui.server.store.conditions import Is
from svc_tui.server.store.documents import DocumentCollection
from svc_tui.server.store.events import EventSessions
from svc_tui.server.store.tables import OAUTH_TOKENS, USERS, Document
from svc_tui.server.store.voice_tables import DDIS, DEVICES, SUBSCRIBERS

#: The fields of a user that make up the name.
_NAMES = ("firstName", "lastName", "displayName")


def name_of(user: Document) -> str:
    """What a user is called."""
    return str(user.get("displayName") or f"{user.get('firstName') or ''} {user.get('lastName') or ''}".strip())


class Users(DocumentCollection):
    """The users."""

    async def put(self, document: Document) -> Document:
        document = await self._ended(document)
        if not await self._replaced(document):
            await self.add(document)
        return document

    async def replace(self, document: Document) -> bool:
        return await self._replaced(await self._ended(document))

    async def _replaced(self, document: Document) -> bool:
        before = await self._transaction.replace_row(self._kind, self._kind.row(document))
        if before is None:
            return False
        self._changed(document[self._kind.id], before, document)
        await self._follow(from_json(before), document)
        return True

    async def put_all(self, documents: Iterable[Document]) -> None:
        changed = [await self._ended(document) for document in documents]
        before = {user[self._kind.id]: user for user in await self.of([each[self._kind.id] for each in changed])}
        await super().put_all(changed)
        for each in changed:
            if each[self._kind.id] in before:
                await self._follow(before[each[self._kind.id]], each)

    async def renew_messaging(self, id: str) -> None:
        """Give a user a new messaging password, if the user has an address for messages."""
        await self._transaction.lock(f"user:{id}")
        user = await self.get(id)
        if user is not None and user.get("jid_im"):
            await self._replaced({**user, "jid_password": _new_password()})

    async def end_sessions(self, id: str) -> None:
        """End all earlier sessions of a user."""
        await self._transaction.lock(f"user:{id}")
        user = await self.get(id)
        if user is not None:
            await self._replaced(await self._without_sessions(user, user))

    async def _ended(self, document: Document) -> Document:
        """A user who has lost access since the record was stored, without earlier sessions."""
        if _has_access(document):
            return document
        before = await self.get(document[self._kind.id])
        if before is None or not _has_access(before):
            return document
        return await self._without_sessions(document, before)

    async def _without_sessions(self, user: Document, before: Document) -> Document:
        id = str(user[self._kind.id])
        await DocumentCollection(self._transaction, OAUTH_TOKENS).remove_all(Is("userId", id))
        await EventSessions(self._transaction).end_all(id)
        ended: Document = {"sessionsEnded": int(before.get("sessionsEnded") or 0) + 1}
        return {**user, **ended, **({"jid_password": _new_password()} if user.get("jid_im") else {})}

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


class UserSecrets(DocumentCollection):
    """Hashes and secrets of users."""

    async def replace(self, document: Document) -> bool:
        id = str(document[self._kind.id])
        before = await self.get(id)
        replaced = await super().replace(document)
        if before is not None and before.get("passwordHash") != document.get("passwordHash"):
            await Users(self._transaction, USERS).end_sessions(id)
        return replaced

    async def set_password(self, id: str, hashed: str) -> None:
        """Store the hash of a new password, which ends all earlier sessions of the user."""
        await self._transaction.lock(f"mfa:{id}")
        secrets = {**(await self.get(id) or {self._kind.id: id}), "passwordHash": hashed}
        if not await self.replace(secrets):
            await self.add(secrets)
            await Users(self._transaction, USERS).end_sessions(id)


def _has_access(user: Document) -> bool:
    return user.get("isActive") is not False and not user.get("isTerminated")


def _new_password() -> str:
    return secrets.token_hex(16)
