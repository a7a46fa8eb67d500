"""User tokens: RS256 JWTs (2.2), and their signing keys: in the database, so that all processes and machines agree, and
exchanged from time to time.

A new key signs an hour after it was stored: every process has read it by then. The one before it is read for as long as
a token that it signed can be valid, so an exchange logs no user out.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey
from joserfc.jws import JWSRegistry
from pydantic_core import from_json, to_json

from svc_tui.interface.dates import stamp
from svc_tui.interface.errors import JWT_EXPIRED, Code
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.server.clock import Clock
from svc_tui.server.log_lines import log
from svc_tui.server.refusal import Refusal
from svc_tui.server.running.background import Sleep, in_background, run_repeatedly
from svc_tui.server.settings import Settings, SettingsError
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.database import Database
from svc_tui.server.store.store import Store

#: Between storing a key and its first token, and the seconds between two reads of the keys.
LEAD, LOOK_SECONDS = timedelta(hours=1), 60.0
#: Keys of user tokens.
TOKENS = "tokens"
_OTHER_SECRET = "the signing keys in the database are encrypted with another signing_key_secret"


class StoredKey(Record):
    """A signing key. It signs from `signs_from` until a later one does, and is removed when it `expires`."""

    id: str = field(...)
    purpose: str = field(...)
    pem: str = field(...)
    signs_from: datetime = field(...)
    #: Longest time that a token of it is valid, in seconds.
    lifetime: int = field(0)
    expires: datetime | None = field(None)


class KeyRing:
    """The keys of one purpose, as this process knows them. `lifetime` is that of its longest token, in seconds."""

    def __init__(
        self, database: Database, clock: Clock, settings: Settings, *, purpose: str = TOKENS, lifetime: int
    ) -> None:
        self._database, self._clock = database, clock
        self._purpose, self._lifetime = purpose, lifetime
        self._every = timedelta(days=settings.signing_key_days)
        self._secret = settings.signing_key_secret
        #: Where earlier versions kept the key.
        self._file = settings.data_dir / "signing-key.pem" if purpose == TOKENS else None
        self._keys: list[StoredKey] = []

    def signing(self) -> RSAKey:
        """The key that signs now. SettingsError when all were replaced by some that cannot be read here."""
        if not self._keys:
            raise SettingsError(_OTHER_SECRET)
        now = self._clock.now()
        begun = [key for key in self._keys if key.signs_from <= now]
        return self._read(begun[-1] if begun else self._keys[0])

    def verifying(self) -> list[RSAKey]:
        """The keys whose tokens can be valid, the newest first."""
        now = self._clock.now()
        return [self._read(key) for key in reversed(self._keys) if key.expires is None or key.expires > now]

    def _read(self, key: StoredKey) -> RSAKey:
        return _parsed(key.pem, self._secret)

    async def refresh(self) -> None:
        """Read the keys. The first process that finds one missing, too old or expired changes that for all.

        SettingsError when a key cannot be read with the secret of the settings.
        """
        async with self._database.unit() as store:
            keys = await self._stored(store)
        if self._is_outdated(keys):
            # Before the lock: it takes a while, and others wait for the lock.
            needed = self._is_due(keys) and self._adopted() is None
            made = await asyncio.to_thread(_generate) if needed else None
            async with self._database.unit() as store:
                await store.lock("signing keys")
                keys = await self._changed(store, await self._stored(store), made)
            if self._file is not None:
                self._file.unlink(missing_ok=True)
        try:
            for key in keys:
                self._read(key)
        except SettingsError:
            # Nothing new can be read, but removed keys are not valid any more.
            stored = {key.id for key in keys}
            self._keys = [key for key in self._keys if key.id in stored]
            raise
        self._keys = keys

    async def replace(self) -> None:
        """Replace all keys by a new one that signs immediately: tokens of the old ones are refused.

        Other processes do so when they read the keys, within a minute. Keys that cannot be read are replaced too.
        """
        made = await asyncio.to_thread(_generate)
        async with self._database.unit() as store:
            await store.lock("signing keys")
            for key in await self._stored(store):
                await store.signing_keys.remove(key.id)
            self._keys = [self._new(made, self._clock.now())]
            await store.signing_keys.put(document_of(self._keys[0]))
            store.audit.performed("perform")
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    async def _stored(self, store: Store) -> list[StoredKey]:
        found = all_typed(StoredKey, (await store.signing_keys.find(Is("purpose", self._purpose))).documents)
        return sorted(found, key=lambda key: key.signs_from)

    def _is_outdated(self, keys: list[StoredKey]) -> bool:
        now = self._clock.now()
        expired = any(key.expires is not None and key.expires <= now for key in keys)
        shorter = any(key.lifetime < self._lifetime for key in keys)
        return expired or shorter or self._is_due(keys) or self._adopted() is not None

    def _is_due(self, keys: list[StoredKey]) -> bool:
        return not keys or keys[-1].signs_from + self._every <= self._clock.now()

    def _adopted(self) -> RSAKey | None:
        """The key in the data folder, which an earlier version signed with."""
        if self._file is None or not self._file.exists():
            return None
        return _parsed(self._file.read_text(encoding="ascii"), "")

    async def _changed(self, store: Store, keys: list[StoredKey], made: RSAKey | None) -> list[StoredKey]:
        """The keys, brought up to date in the store."""
        now = self._clock.now()
        left = []
        for key in keys:
            if key.expires is not None and key.expires <= now:
                await store.signing_keys.remove(key.id)
            else:
                left.append(key)
        adopted = self._adopted()
        if adopted is not None and adopted.thumbprint() not in {key.id for key in left}:
            # With a newer key in the database, the one of this folder is only read.
            since = min([now, *(key.signs_from - timedelta(seconds=1) for key in left)])
            left.insert(0, self._new(adopted, since))
            if len(left) > 1:
                left[0].expires = now + timedelta(seconds=self._lifetime)
        if self._is_due(left):
            left.append(self._new(made or _generate(), now + LEAD if left else now))
        for key in left:
            key.lifetime = max(key.lifetime, self._lifetime)
        for key, following in pairwise(left):
            ends = following.signs_from + timedelta(seconds=key.lifetime)
            key.expires = max(key.expires or ends, ends)
        for key in left:
            await store.signing_keys.put(document_of(key))
        return left

    def _new(self, key: RSAKey, since: datetime) -> StoredKey:
        pem = key.as_pem(private=True, password=self._secret or None).decode("ascii")
        document = {"id": key.thumbprint(), "purpose": self._purpose, "pem": pem, "lifetime": self._lifetime}
        return typed(StoredKey, {**document, "signsFrom": stamp(since)})

    async def _look(self) -> None:
        try:
            await self.refresh()
        except SettingsError as error:
            log.error("the signing keys of another machine are not used here: %s", error)

    def running(self, sleep: Sleep = asyncio.sleep) -> AbstractAsyncContextManager[None]:
        """Keep the keys up to date for the length of a block. They are read before it begins."""

        @asynccontextmanager
        async def refreshing() -> AsyncIterator[None]:
            await self.refresh()
            rounds = run_repeatedly(self._look, LOOK_SECONDS, "signing keys could not be read", sleep=sleep)
            async with in_background(rounds):
                yield

        return refreshing()


def _generate() -> RSAKey:
    return RSAKey.generate_key(2048, private=True)


@lru_cache(maxsize=8)
def _parsed(pem: str, secret: str) -> RSAKey:
    # Importing checks the numbers of the key, which is slow.
    encrypted = "ENCRYPTED" in pem
    try:
        return RSAKey.import_key(pem, password=secret if encrypted else None)
    except (ValueError, TypeError) as error:
        raise SettingsError(_OTHER_SECRET if encrypted else "a signing key cannot be read") from error


_ALGORITHM = "RS256"
#: The library's own limit would refuse tokens with long names.
_REGISTRY = JWSRegistry(algorithms=[_ALGORITHM])
#: Tokens whose signature is not checked again. Their expiry, and everything about their user, is.
_MOST_CHECKED = 2048


class Tokens:
    """Signing and reading of tokens."""

    def __init__(self, keys: KeyRing) -> None:
        self.keys = keys
        #: The key and the claims, as JSON, of tokens whose signature was checked, the oldest first.
        self._checked: dict[str, tuple[RSAKey, bytes]] = {}

    def sign(self, claims: dict[str, Any]) -> str:
        """A token with these claims."""
        return jwt.encode({"alg": _ALGORITHM, "typ": "JWT"}, claims, self.keys.signing(), registry=_REGISTRY)

    def read(self, token: str, now: datetime) -> dict[str, Any]:
        """The claims of a valid token.

        Refusal 401202 when it is not signed by this service with RS256, or has expired (`jwt expired`).
        """
        claims = self._signed(token)
        expiry = claims.get("exp")
        if not isinstance(expiry, int):
            raise Refusal(Code.INVALID_TOKEN, "invalid token")
        if expiry <= now.timestamp():
            raise Refusal(Code.INVALID_TOKEN, JWT_EXPIRED)
        return claims

    def _signed(self, token: str) -> dict[str, Any]:
        keys = self.keys.verifying()
        known = self._checked.get(token)
        if known is not None and any(key is known[0] for key in keys):
            claims: dict[str, Any] = from_json(known[1])
            return claims
        for key in keys:
            try:
                claims = jwt.decode(token, key, algorithms=[_ALGORITHM], registry=_REGISTRY).claims
            except (JoseError, ValueError, TypeError, UnicodeError):
                continue
            if len(self._checked) >= _MOST_CHECKED:
                del self._checked[next(iter(self._checked))]
            self._checked[token] = (key, to_json(claims))
            return claims
        raise Refusal(Code.INVALID_TOKEN, "invalid token")
