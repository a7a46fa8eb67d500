"""Opening an XMPP stream over WebSocket as a client: authentication by SCRAM or PLAIN, then a bound address."""

from __future__ import annotations

import base64
import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from svc_tui.interface import messaging
from svc_tui.interface.messaging import BIND, CLIENT, FRAMING, SASL, STREAM, domain_of, is_element, node, parse, written
from svc_tui.language import _

#: Longest message of a service that is read, in characters.
LONGEST = 65_536
#: Iterations of SCRAM that a service may ask for: each costs time on this machine.
_MOST_ITERATIONS = 1_000_000


class ChannelRefused(Exception):
    """The service ended or refused the stream. The text is its reason, a word such as `not-authorized`."""


@dataclass(frozen=True, slots=True)
class MessagingAccount:
    """The `jid_im` and `jid_password` of a login response."""

    address: str
    password: str = field(repr=False)

    @property
    def name(self) -> str:
        """The name before the `@`."""
        return self.address.partition("@")[0]


@dataclass(frozen=True, slots=True)
class XmppStream:
    """An open WebSocket connection. `may_be_read` is False when only this machine or TLS carries it."""

    send: Callable[[str], Awaitable[None]]
    receive: Callable[[], Awaitable[str]]
    may_be_read: bool

    async def receive_element(self) -> Element:
        """The next element. ChannelRefused when the service ends the stream, BadXml when it is not XML."""
        element = parse(await self.receive(), longest=LONGEST)
        if is_element(element, FRAMING, "close"):
            raise ChannelRefused("closed")
        if is_element(element, STREAM, "error"):
            raise ChannelRefused(_condition(element))
        return element

    async def send_element(self, element: Element) -> None:
        await self.send(written(element))


async def log_in(stream: XmppStream, account: MessagingAccount, resource: str) -> str:
    """Authenticate and bind. Returns the full address. ChannelRefused when the service refuses."""
    features = await _open(stream, account)
    offered = {each.text for each in features.iter(f"{{{SASL}}}mechanism")}
    await _authenticate(stream, account, offered)
    await _open(stream, account)
    request = node("bind", BIND, children=[node("resource", text=resource)])
    await stream.send_element(node("iq", CLIENT, {"type": "set", "id": "bind"}, [request]))
    answer = await stream.receive_element()
    address = answer.findtext(f"{{{BIND}}}bind/{{{BIND}}}jid")
    if answer.get("type") != "result" or not address:
        error = answer.find(f"{{{CLIENT}}}error")
        raise ChannelRefused(_("not bound") if error is None else _condition(error))
    return address


async def _open(stream: XmppStream, account: MessagingAccount) -> Element:
    """Open the stream, or open it again. Returns its features."""
    await stream.send_element(node("open", FRAMING, {"to": domain_of(account.address), "version": "1.0"}))
    if not is_element(await stream.receive_element(), FRAMING, "open"):
        raise ChannelRefused(_("not an XMPP service"))
    features = await stream.receive_element()
    if not is_element(features, STREAM, "features"):
        raise ChannelRefused(_("not an XMPP service"))
    return features


async def _authenticate(stream: XmppStream, account: MessagingAccount, offered: set[str | None]) -> None:
    for mechanism, hash in messaging.HASHES.items():
        if mechanism in offered:
            await _by_scram(stream, account, mechanism, hash)
            return
    if "PLAIN" not in offered or stream.may_be_read:
        raise ChannelRefused("no-safe-mechanism")
    data = f"\0{account.name}\0{account.password}".encode()
    await _answer(stream, node("auth", SASL, {"mechanism": "PLAIN"}, text=_encoded(data)), "success")


async def _by_scram(stream: XmppStream, account: MessagingAccount, mechanism: str, hash: str) -> None:
    """RFC 5802: the service gets a proof instead of the password, and proves that it has the password as well."""
    nonce = secrets.token_urlsafe(18)
    first = f"n={messaging.escaped(account.name)},r={nonce}"
    begin = node("auth", SASL, {"mechanism": mechanism}, text=_encoded(f"n,,{first}".encode()))
    challenge = (await _answer(stream, begin, "challenge")).decode()
    try:
        given = messaging.fields(challenge)
        iterations = int(given["i"])
        salt = base64.b64decode(given["s"], validate=True)
        if not given["r"].startswith(nonce) or not messaging.ITERATIONS <= iterations <= _MOST_ITERATIONS:
            raise ValueError(_("unusable challenge"))
    except (ValueError, KeyError) as error:
        raise ChannelRefused(_("malformed challenge")) from error
    keys = messaging.keys(hash, account.password, salt, iterations)
    last = f"c=biws,r={given['r']}"
    spoken = f"{first},{challenge},{last}"
    proof = node("response", SASL, text=_encoded(f"{last},p={_encoded(keys.proof(spoken))}".encode()))
    signature = await _answer(stream, proof, "success")
    if not hmac.compare_digest(signature, b"v=" + _encoded(keys.signature(spoken)).encode()):
        raise ChannelRefused(_("the service did not prove that it knows the password"))


async def _answer(stream: XmppStream, element: Element, expected: str) -> bytes:
    """The data of the answer, which must have this name. ChannelRefused with the reason of a failure."""
    await stream.send_element(element)
    answer = await stream.receive_element()
    if not is_element(answer, SASL, expected):
        raise ChannelRefused(_condition(answer))
    try:
        return base64.b64decode(answer.text or "", validate=True)
    except ValueError as error:
        raise ChannelRefused(_("malformed response")) from error


def _condition(element: Element) -> str:
    """The first child of an error or a failure: what happened, in one word."""
    names = [child.tag.rpartition("}")[2] for child in element]
    return names[0] if names else "refused"


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()
