"""Management messages (section 6): one element in its own namespace, whatever the type of the message says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from pydantic import ValidationError

from svc_tui.interface.records import Record
from svc_tui.interface.stanzas import CLIENT, node, split_tag
from svc_tui.interface.subscriptions.messages import CompanySubscriptionMessage, UserProfileMessage

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
