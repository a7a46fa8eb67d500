"""XML of XMPP over WebSocket (RFC 7395): one element in each message, read with limits and written safely."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser, tostring

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
