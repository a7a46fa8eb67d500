"""What the entries of a document have besides the fields of their records: the licences of a user, and its extension,
DDI numbers and devices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.catalogue import body_of
from svc_tui.interface.problems import problems_of
from svc_tui.interface.texts import mac_address
from svc_tui.language import _
from svc_tui.workspace.files.positioned_yaml import Fault, Node

#: A list whose items are all that there may be, and the items.
EXACTLY = "exactly"
LICENCES, EXTENSION, DDIS, DEVICES = "licences", "extension", "ddiNumbers", "devices"
#: The part with the welcome services.
SERVICES = "welcomeServices"
#: The names of the values of a device.
MAC, MODEL, DESCRIPTION = "macAddress", "model", "description"
_DEVICE = (MAC, MODEL, DESCRIPTION)

#: The parts whose steps are those of other entries, besides the parts of a document.
EXTENSIONS = "extensions"
FURTHER_PARTS = (LICENCES, EXTENSIONS, DDIS, DEVICES)
#: The deviations that a document accepts.
ACCEPTED = "accepted"

#: Suggests a known name for an unknown one; empty for none.
Nearest = Callable[[str, Mapping[str, object]], str]


@dataclass(frozen=True, slots=True)
class Extra:
    """A value of an entry. `read` makes it of an item, or of the value itself where it is no list."""

    name: str
    help: str
    read: Callable[[Node, list[Fault], Nearest], Any]
    #: An item in the JSON Schema.
    item: Mapping[str, Any]
    several: bool = True

    def value(self, node: Node, faults: list[Fault], nearest: Nearest) -> Any:
        """The value: a list, or one that is whole. `null` is a whole list without items."""
        if not self.several:
            return None if node.value is None else self.read(node, faults, nearest)
        if node.value is None:
            return {EXACTLY: []}
        exact = isinstance(node.value, dict) and list(node.value) == [EXACTLY]
        items = node.value[EXACTLY] if exact else node
        if items.value is None and exact:
            return {EXACTLY: []}
        if not isinstance(items.value, list):
            faults.append(node.fault(_("{name}: a list is expected, or `exactly:` with a list").format(name=self.name)))
            return []
        found = [self.read(each, faults, nearest) for each in items.value]
        return {EXACTLY: found} if exact else found

    def schema(self) -> dict[str, Any]:
        """The value in the JSON Schema."""
        if not self.several:
            return {"anyOf": [dict(self.item), {"type": "null"}], "description": self.help}
        items = {"type": "array", "items": dict(self.item)}
        whole = {"type": "object", "properties": {EXACTLY: items}, "additionalProperties": False}
        return {"anyOf": [items, whole, {"type": "null"}], "description": self.help}


def wanted_of(value: Any) -> tuple[list[Any], bool]:
    """The items of a list, and whether they are all that there may be."""
    return (list(value[EXACTLY]), True) if isinstance(value, dict) else (list(value or ()), False)


def text_of(node: Node) -> str:
    """A text as it is written; empty where there is none."""
    if node.text is not None and node.value is not None:
        return node.text.strip()
    return node.value.strip() if isinstance(node.value, str) else ""


def _licence(node: Node, faults: list[Fault], nearest: Nearest) -> str:
    if not (text := text_of(node)):
        faults.append(node.fault(_("the name of an offer is expected")))
    return text


def _number(node: Node, faults: list[Fault], nearest: Nearest) -> str:
    """A telephone number; one with letters is none, such as `3.5E+11` of a spreadsheet."""
    if not (text := text_of(node)) or any(char.isalpha() for char in text):
        faults.append(node.fault(_("a telephone number is expected")))
    return text


def _extension(node: Node, faults: list[Fault], nearest: Nearest) -> str:
    text = text_of(node)
    for problem in problems_of(body_of("create_subscriber"), {"userId": "0" * 24, "shortNumber": text}):
        faults.append(node.fault(f"{EXTENSION}: {problem.msg}"))
    return text


def _device(node: Node, faults: list[Fault], nearest: Nearest) -> dict[str, str]:
    values: dict[str, str] = {}
    if not isinstance(node.value, dict):
        faults.append(node.fault(_("{name}: names with values are expected").format(name=DEVICES)))
        return values
    for name, inner in node.value.items():
        if name not in _DEVICE:
            hint = nearest(name, dict.fromkeys(_DEVICE))
            faults.append(node.fault(_("unknown name “{name}”. {hint}").format(name=name, hint=hint).strip(), name))
            continue
        values[name] = text_of(inner)
        if not values[name]:
            faults.append(inner.fault(_("{name}: a text is expected").format(name=name)))
    if values.get(MAC):
        try:
            values[MAC] = mac_address(values[MAC])
        except ValueError as error:
            faults.append(node.value[MAC].fault(f"{MAC}: {error}"))
    if set(values) == set(node.value) and not values.get(MAC) and not values.get(DESCRIPTION):
        faults.append(node.fault(_("a device has its macAddress, or else its description")))
    return values


_TEXT = {"type": "string"}
_LICENCES = Extra(LICENCES, _("Offers whose licences the user has"), _licence, _TEXT)
_DDIS = Extra(DDIS, _("DDI numbers, the main one first"), _number, _TEXT)
EXTRAS: Mapping[str, Mapping[str, Extra]] = {
    "users": {
        LICENCES: _LICENCES,
        EXTENSION: Extra(EXTENSION, _("Internal number of the user"), _extension, _TEXT, several=False),
        DDIS: _DDIS,
        DEVICES: Extra(
            DEVICES,
            _("Devices of the extension"),
            _device,
            {"type": "object", "properties": dict.fromkeys(_DEVICE, _TEXT), "additionalProperties": False},
        ),
    },
    "cloudpbx": {DDIS: Extra(DDIS, _("Further DDI numbers of the CloudPBX"), _DDIS.read, _TEXT)},
    SERVICES: {DDIS: _DDIS},
}
#: The extras that need the CloudPBX.
TELEPHONY = (EXTENSION, DDIS, DEVICES)


def extras_of(component: str) -> Mapping[str, Extra]:
    """The extras of the entries of a component."""
    return EXTRAS.get(component, {})


# --- accepted deviations -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Accepted:
    """A deviation that stays as it is. What is empty is any: the record, its field, the company (by name or ID)."""

    component: str
    reason: str
    name: str = ""
    field: str = ""
    company: str = ""

    def is_of(self, company: Mapping[str, Any], component: str, name: str, field: str = "") -> bool:
        """Whether a deviation of a company is this one; without a field, that of a whole record."""
        own = {str(company.get(wire) or "").casefold() for wire in ("id", "name")}
        return (
            self.component == component
            and self.field in ("", field)
            and self.name.casefold() in ("", name.casefold())
            and (not self.company or self.company.casefold() in own)
        )


_ACCEPTED = ("component", "reason", "name", "field", "company")


def accepted_of(node: Node, parts: Mapping[str, object], faults: list[Fault], nearest: Nearest) -> list[Accepted]:
    """The accepted deviations of a document; `parts` are the components that there are."""
    items = node.value if isinstance(node.value, list) else [node] if node.value is not None else []
    found = []
    for item in items:
        if not isinstance(item.value, dict):
            faults.append(item.fault(_("{name}: names with values are expected").format(name=ACCEPTED)))
            continue
        values = {name: text_of(inner) for name, inner in item.value.items()}
        before = len(faults)
        for name in values:
            if name not in _ACCEPTED:
                hint = nearest(name, dict.fromkeys(_ACCEPTED))
                faults.append(item.fault(_("unknown name “{name}”. {hint}").format(name=name, hint=hint).strip(), name))
        faults += [
            item.fault(_("{field} is missing: an accepted deviation has it").format(field=wire))
            for wire in ("component", "reason")
            if not values.get(wire)
        ]
        if (part := values.get("component")) and part not in parts:
            text = _("unknown name “{name}”. {hint}").format(name=part, hint=nearest(part, parts))
            faults.append(item.value["component"].fault(text.strip()))
        if len(faults) == before:
            found.append(Accepted(**values))
    return found


def accepted_schema(parts: Iterable[str]) -> dict[str, Any]:
    """The accepted deviations in the JSON Schema."""
    texts: dict[str, Any] = dict.fromkeys(_ACCEPTED, _TEXT)
    item = {
        "type": "object",
        "properties": {**texts, "component": {"enum": list(parts)}},
        "required": ["component", "reason"],
        "additionalProperties": False,
    }
    return {"type": "array", "items": item, "description": _("Deviations that stay as they are, each with its reason")}
