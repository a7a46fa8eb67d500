"""Messaging, as both sides speak it: the XML of XMPP over WebSocket (RFC 7395), one element in each message, read with
limits and written safely; the arithmetic of SCRAM (RFC 5802); and the elements of management messages (section 6)."""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser, tostring

from pydantic import ValidationError

from svc_tui.interface.records import Record
from svc_tui.interface.subscriptions.records import CompanySubscriptionMessage, UserProfileMessage

#: The WebSocket subprotocol, and the path at which a service offers it.
SUBPROTOCOL, PATH = "xmpp", "/websocket"

FRAMING = "urn:ietf:params:xml:ns:xmpp-framing"
STREAM = "http://etherx.jabber.org/streams"
STREAM_ERRORS = "urn:ietf:params:xml:ns:xmpp-streams"
SASL = "urn:ietf:params:xml:ns:xmpp-sasl"
BIND = "urn:ietf:params:xml:ns:xmpp-bind"
SESSION = "urn:ietf:params:xml:ns:xmpp-session"
CLIENT = "jabber:client"
STANZA_ERRORS = "urn:ietf:params:xml:ns:xmpp-stanzas"
PING = "urn:xmpp:ping"

#: Longest message in characters, and deepest nesting of elements, that are read.
LONGEST, DEEPEST = 16_384, 12

#: Characters that XML cannot contain, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_ATTRIBUTES: Mapping[str, str] = {}


class BadXml(ValueError):
    """A message is not one element, or exceeds a limit. `condition` is the stream error of RFC 6120 for it."""

    def __init__(self, condition: str) -> None:
        super().__init__(condition)
        self.condition = condition


class _Builder:
    """Builds the tree of one element. Refuses what RFC 6120 section 11.1 forbids: DTDs, comments and instructions."""

    def __init__(self, deepest: int) -> None:
        self._tree = TreeBuilder()
        self._left = deepest

    def start(self, tag: str, attributes: dict[Any, Any]) -> Element:
        self._left -= 1
        if self._left < 0:
            raise BadXml("policy-violation")
        return self._tree.start(tag, attributes)

    def end(self, tag: str) -> Element:
        self._left += 1
        return self._tree.end(tag)

    def data(self, text: str) -> None:
        self._tree.data(text)

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        raise BadXml("restricted-xml")

    def comment(self, _text: str) -> None:
        raise BadXml("restricted-xml")

    def pi(self, _target: str, _text: str | None = None) -> None:
        raise BadXml("restricted-xml")

    def close(self) -> Element:
        return self._tree.close()


def parse(text: str, *, longest: int = LONGEST, deepest: int = DEEPEST) -> Element:
    """The one element of a message; its tag is `{namespace}name`. BadXml for anything else."""
    if len(text) > longest:
        raise BadXml("policy-violation")
    parser = XMLParser(target=_Builder(deepest))
    try:
        parser.feed(text)
        found: Element = parser.close()
    except (ParseError, ValueError) as error:
        raise error if isinstance(error, BadXml) else BadXml("not-well-formed") from None
    return found


def node(
    name: str,
    namespace: str = "",
    attributes: Mapping[str, str | None] = _NO_ATTRIBUTES,
    children: Iterable[Element] = (),
    text: str = "",
) -> Element:
    """An element to write. Without a namespace it has that of its parent; attributes that are None are left out."""
    made = Element(name, {"xmlns": namespace} if namespace else {})
    for key, value in attributes.items():
        if value is not None:
            made.set(key, _writable(value))
    made.text = _writable(text) or None
    made.extend(children)
    return made


def written(element: Element) -> str:
    """An element of `node` as XML."""
    return tostring(element, encoding="unicode")


def split_tag(element: Element) -> tuple[str, str]:
    """Namespace and name of a read element."""
    namespace, closed, name = element.tag.rpartition("}")
    return (namespace[1:], name) if closed else ("", element.tag)


def is_element(element: Element, namespace: str, name: str) -> bool:
    """Whether a read element has this name in this namespace."""
    return element.tag == f"{{{namespace}}}{name}"


def bare(address: str) -> str:
    """An address without its resource."""
    return address.partition("/")[0]


def domain_of(address: str) -> str:
    """The domain of an address, in lower case."""
    return bare(address).rpartition("@")[2].casefold()


def _writable(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


#: Mechanism -> its hash, the strongest first.
HASHES = {"SCRAM-SHA-256": "sha256", "SCRAM-SHA-1": "sha1"}
#: Iterations that a server asks for; the lowest of RFC 7677. Message passwords are 128 random bits.
ITERATIONS = 4096


@dataclass(frozen=True)
class Keys:
    """What a password becomes with a salt. `stored_key` is the hash of `client_key`."""

    hash: str
    client_key: bytes
    server_key: bytes

    @property
    def stored_key(self) -> bytes:
        return hashlib.new(self.hash, self.client_key).digest()

    def proof(self, spoken: str) -> bytes:
        """The proof of the client for the messages spoken so far."""
        return exclusive_or(self.client_key, _mac(self.hash, self.stored_key, spoken.encode()))

    def signature(self, spoken: str) -> bytes:
        """The signature of the server for the messages spoken so far."""
        return _mac(self.hash, self.server_key, spoken.encode())


def keys(hash: str, password: str, salt: bytes, iterations: int) -> Keys:
    """The keys of a password."""
    prepared = unicodedata.normalize("NFKC", password).encode()
    salted = hashlib.pbkdf2_hmac(hash, prepared, salt, iterations)
    return Keys(hash, _mac(hash, salted, b"Client Key"), _mac(hash, salted, b"Server Key"))


def fields(message: str) -> dict[str, str]:
    """The fields of a message, `r=…,s=…,i=…`. ValueError for anything else."""
    found: dict[str, str] = {}
    for part in message.split(","):
        name, equals, value = part.partition("=")
        if len(name) != 1 or not equals or name in found:
            raise ValueError("not a SCRAM message")
        found[name] = value
    return found


def escaped(name: str) -> str:
    """A user name as it stands in a message."""
    return name.replace("=", "=3D").replace(",", "=2C")


def unescaped(name: str) -> str:
    """The user name of a message."""
    return name.replace("=2C", ",").replace("=3D", "=")


def exclusive_or(one: bytes, other: bytes) -> bytes:
    """Bit by bit; both have the same length."""
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def _mac(hash: str, key: bytes, text: bytes) -> bytes:
    return hmac.new(key, text, hash).digest()


#: Type of the message, and namespace of its element.
TYPE, NAMESPACE = "management", "jabber:iq:configuration"


class CommandEnded(Record):
    """`command_ended`: the check of a directory file with a command id has ended."""

    command_id: str


@dataclass(frozen=True, slots=True)
class DeclaredMessage:
    """A message: its record, and which fields are attributes. All others are child elements."""

    record: type[Record]
    attributes: tuple[str, ...]


#: Messages by the name of their element.
MESSAGES: Mapping[str, DeclaredMessage] = {
    "companysubscription": DeclaredMessage(CompanySubscriptionMessage, ("action", "subscriptionId", "companyId")),
    "userprofile": DeclaredMessage(UserProfileMessage, ("action", "subscriptionId", "offerReference")),
    "command_ended": DeclaredMessage(CommandEnded, ("commandId",)),
}


def message(
    name: str, content: Mapping[str, Any], *, id: str, sender: str, recipient: str, namespace: str = CLIENT
) -> Element:
    """An event as the stanza that clients receive. `id` is that of the event, `namespace` that of the stream."""
    declared = MESSAGES[name].attributes if name in MESSAGES else ()
    texts = {wire: str(value).lower() if isinstance(value, bool) else str(value) for wire, value in content.items()}
    attributes = {wire: text for wire, text in texts.items() if wire in declared}
    children = [node(wire, text=text) for wire, text in texts.items() if wire not in declared]
    child = node(name, NAMESPACE, attributes, children)
    stanza = {"type": TYPE, "id": id, "from": sender, "to": recipient}
    return node("message", namespace, stanza, [child])


def content_of(stanza: Element) -> tuple[str, Record] | None:
    """Name and content of the event in a received message. None when it is no management message that is known.

    The namespace of the element decides: a widely used server leaves out the type of the message.
    """
    for child in stanza:
        namespace, name = split_tag(child)
        if namespace == NAMESPACE and name in MESSAGES:
            values = {split_tag(each)[1]: each.text or "" for each in child}
            try:
                return name, MESSAGES[name].record.model_validate({**values, **child.attrib})
            except ValidationError:
                return None
    return None
