"""Authentication of XMPP clients with the `jid_im` and `jid_password` of a user: SASL PLAIN and SCRAM."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from svc_tui.interface import messaging
from svc_tui.server.http.parsing import storable

#: Makes the keys of SCRAM, which take milliseconds: one at a time, however many clients begin a login.
_EXECUTOR = ThreadPoolExecutor(1, "scram")


class SaslError(Exception):
    """The authentication failed. `condition` is its element in RFC 6120 section 6.5."""

    def __init__(self, condition: str) -> None:
        super().__init__(condition)
        self.condition = condition


@dataclass(frozen=True, slots=True)
class XmppUser:
    """A user who can connect."""

    user_id: str
    address: str
    password: str


#: The account with this name before the `@`; None when there is none that can connect.
Find = Callable[[str], Awaitable[XmppUser | None]]


@dataclass(frozen=True, slots=True)
class Success:
    """The end of an authentication, with the last data for the client."""

    account: XmppUser
    data: bytes = b""


class SaslExchange(Protocol):
    """One authentication. Each message of the client has an answer. SaslError when it fails."""

    async def answer(self, data: bytes) -> bytes | Success: ...


class PlainExchange:
    """RFC 4616: the password itself, as protected as the connection."""

    def __init__(self, find: Find) -> None:
        self._find = find

    async def answer(self, data: bytes) -> Success:
        parts = _text(data).split("\0")
        if len(parts) != 3:
            raise SaslError("malformed-request")
        account = await self._find(_name(parts[1]))
        expected = account.password if account else secrets.token_hex(16)
        if not _same(expected.encode(), parts[2].encode()) or account is None:
            raise SaslError("not-authorized")
        _check_authorisation(parts[0], account)
        return Success(account)


class ScramExchange:
    """RFC 5802, without channel binding. An unknown name is answered as a known one, and fails at the end."""

    def __init__(self, hash: str, find: Find) -> None:
        self._hash, self._find = hash, find
        self._account: XmppUser | None = None
        self._authorisation = ""
        self._header = self._nonce = self._spoken = ""
        self._keys: messaging.Keys | None = None

    async def answer(self, data: bytes) -> bytes | Success:
        try:
            return self._last(_text(data)) if self._keys else await self._first(_text(data))
        except (ValueError, KeyError) as error:
            raise SaslError("malformed-request") from error

    async def _first(self, message: str) -> bytes:
        binding, authorisation, rest = message.split(",", 2)
        if binding not in ("n", "y") or (authorisation and not authorisation.startswith("a=")):
            raise SaslError("malformed-request")
        given = messaging.fields(rest)
        self._header = f"{binding},{authorisation},"
        self._authorisation = messaging.unescaped(authorisation[2:])
        self._account = await self._find(_name(messaging.unescaped(given["n"])))
        password = self._account.password if self._account else secrets.token_hex(16)
        salt = secrets.token_bytes(16)
        loop, given_keys = asyncio.get_running_loop(), (self._hash, password, salt, messaging.ITERATIONS)
        self._keys = await loop.run_in_executor(_EXECUTOR, messaging.keys, *given_keys)
        self._nonce = given["r"] + secrets.token_urlsafe(18)
        answer = f"r={self._nonce},s={base64.b64encode(salt).decode()},i={messaging.ITERATIONS}"
        self._spoken = f"{rest},{answer}"
        return answer.encode()

    def _last(self, message: str) -> Success:
        assert self._keys is not None
        without_proof, _, proof = message.rpartition(",p=")
        given = messaging.fields(without_proof)
        if _decoded(given["c"]) != self._header.encode() or not _same(given["r"].encode(), self._nonce.encode()):
            raise SaslError("not-authorized")
        spoken = f"{self._spoken},{without_proof}"
        # The proof hides the client's key with a signature that the server can compute; the key's hash must fit.
        signature = messaging.exclusive_or(self._keys.proof(spoken), self._keys.client_key)
        client_key = messaging.exclusive_or(_decoded(proof), signature)
        fits = _same(hashlib.new(self._hash, client_key).digest(), self._keys.stored_key)
        if not fits or self._account is None:
            raise SaslError("not-authorized")
        _check_authorisation(self._authorisation, self._account)
        return Success(self._account, b"v=" + base64.b64encode(self._keys.signature(spoken)))


#: Mechanisms in the order in which they are offered.
MECHANISMS: dict[str, Callable[[Find], SaslExchange]] = {
    "SCRAM-SHA-256": lambda find: ScramExchange("sha256", find),
    "SCRAM-SHA-1": lambda find: ScramExchange("sha1", find),
    "PLAIN": PlainExchange,
}


def decoded(text: str | None) -> bytes:
    """The data of a SASL element: base64, or `=` for no data. SaslError for anything else."""
    try:
        return b"" if text == "=" else _decoded(text or "")
    except ValueError as error:
        raise SaslError("incorrect-encoding") from error


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("not base64") from error


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise SaslError("malformed-request") from error


def _name(text: str) -> str:
    """The name of an account. SaslError for one that no account can have."""
    if not text or not storable(text):
        raise SaslError("malformed-request")
    return text


def _same(one: bytes, other: bytes) -> bool:
    return hmac.compare_digest(one, other)


def _check_authorisation(name: str, account: XmppUser) -> None:
    """A client can act for its own account only."""
    if name and name.casefold() != account.address.casefold():
        raise SaslError("invalid-authzid")
