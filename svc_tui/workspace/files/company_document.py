"""A company as a document: what it consists of, how that is written as YAML, and how a written one is checked.

`COMPONENTS` is the one table: how a part is read, by what it is recognised, and which operations change it. Which
fields are managed is in the declaration: those that the update takes and a record has, but for secrets and IDs of other
records. What a document does not name is not managed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from svc_tui.interface.access import Role
from svc_tui.interface.catalogue import body_of, record_of
from svc_tui.interface.data import RecordData
from svc_tui.interface.field_specs import LISTS, FieldSpec, field_by_wire, fields_of
from svc_tui.interface.problems import problems_of
from svc_tui.language import _
from svc_tui.workspace.core.service import Reader, rows_of
from svc_tui.workspace.files.company_extras import (
    ACCEPTED,
    DEVICES,
    EXACTLY,
    EXTENSION,
    FURTHER_PARTS,
    MAC,
    SERVICES,
    Accepted,
    Nearest,
    accepted_of,
    extras_of,
    text_of,
    wanted_of,
)
from svc_tui.workspace.files.company_values import REFERRED, expected, folded, unknown, value_at
from svc_tui.workspace.files.positioned_yaml import Fault, FaultyDocument, Node

if TYPE_CHECKING:
    from svc_tui.interface.records import Record

#: The fields that say whose a record is.
_OWNERS = ("companyId", "ownedByCompany")


@dataclass(frozen=True)
class Component:
    """A part of a company. `kind` is what fields of other records refer to, `key` the field with the natural name."""

    name: str
    kind: str
    title: str
    key: str
    read: str
    update: str
    create: str
    delete: str
    #: The parameter of the path with the ID of a record.
    parameter: str
    query: Mapping[str, object] = field(default_factory=dict)
    #: The field that has the ID of the company in a record, and in the body of a creation.
    owner: str = "companyId"
    #: The object in a record that has the further fields of the update.
    inner: str = ""
    #: It is there once, and not in a list.
    single: bool = False
    #: The ID of the company is in the path of its operations.
    nested: bool = False
    #: It is a part of the CloudPBX, whose ID is in the path of its operations.
    of_system: bool = False
    #: The parameter with the ID in a deletion, where it is another one.
    deleted_by: str = ""
    #: Fields that are written as something else that an entry has.
    otherwise: tuple[str, ...] = ()
    #: The field of a creation with the ID of the offer that the key names.
    named_by: str = ""
    #: Whether a record is one of the document, and not one that the service made with its company.
    own: Callable[[RecordData], bool] = bool

    @cached_property
    def record(self) -> type[Record]:
        """The record that is read.

        Raises:
            LookupError: the operation returns none.
        """
        found = record_of(self.read)
        if found is None:
            raise LookupError(self.read)
        return found

    @cached_property
    def specs(self) -> dict[str, FieldSpec]:
        """The fields that a document can manage, by their names."""
        specs = {spec.wire: spec for spec in self._changeable if not self._left_out(spec)}
        return {self.key: specs.get(self.key) or self.readable[self.key], **specs}

    @cached_property
    def left_out(self) -> tuple[FieldSpec, ...]:
        """The fields that could be changed and are not managed."""
        every = {spec.wire: spec for name in (self.create, self.update) for spec in fields_of(body_of(name))}
        hidden = (*self.specs, *_OWNERS, *self.otherwise, self.named_by)
        return tuple(spec for wire, spec in every.items() if wire not in hidden)

    @property
    def _changeable(self) -> Iterator[FieldSpec]:
        readable = self.readable
        seen: set[str] = set()
        for operation in (self.update, self.create):
            for spec in fields_of(body_of(operation)):
                read = readable.get(spec.wire)
                if read and _shape(read) == _shape(spec) and spec.wire not in seen:
                    seen.add(spec.wire)
                    yield spec

    @cached_property
    def readable(self) -> dict[str, FieldSpec]:
        """The fields of a record, with those of its inner object."""
        own = field_by_wire(self.record)
        return {**field_by_wire(own[self.inner].record), **own} if self.inner else own

    def _left_out(self, spec: FieldSpec) -> bool:
        facet = spec.facet
        ids = (bool(facet.refers) and facet.refers not in REFERRED) or (spec.identifies and spec.kind != "objects")
        hidden = spec.wire in (*_OWNERS, *self.otherwise)
        return facet.secret or facet.by_action or bool(facet.deprecated) or ids or hidden

    def takes(self, operation_id: str) -> set[str]:
        """The names of the fields that an operation takes."""
        return {spec.wire for spec in fields_of(body_of(operation_id))}

    def problems(self, values: Mapping[str, Any]) -> list[tuple[str, str]]:
        """What is wrong with values of an entry: path and sentence. What is missing is no problem here."""
        model = body_of(self.update)
        known = {wire: value for wire, value in values.items() if wire in field_by_wire(model)}
        return [(problem.param, problem.msg) for problem in problems_of(model, known)]


def _shape(spec: FieldSpec) -> str:
    """What a field has: a value, an object or a list."""
    return "list" if spec.kind in LISTS else "object" if spec.kind == "object" else "value"


_ROLES = ",".join([*(role.value for role in Role), "admin"])
COMPONENTS = (
    Component(
        "company",
        "companies",
        _("Company"),
        "name",
        "list_companies",
        "update_company",
        "create_company",
        "",
        "companyId",
        owner="id",
        single=True,
    ),
    Component(
        "sites", "sites", _("Sites"), "name", "list_sites", "update_site", "create_site", "delete_site", "siteId"
    ),
    Component(
        "templates",
        "templates",
        _("Templates"),
        "name",
        "list_templates",
        "update_template",
        "create_template",
        "delete_template",
        "templateId",
        owner="ownedByCompany",
        own=lambda row: row.get("type") == "other",
    ),
    Component(
        "subscriptions",
        "subscriptions",
        _("Subscriptions"),
        "offerName",
        "list_company_subscriptions",
        "update_company_subscription",
        "create_company_subscription",
        "delete_company_subscription",
        "subscriptionId",
        nested=True,
        named_by="offerId",
        own=lambda row: not row.get("isDefault") and row.get("status") not in ("terminated", "failed"),
    ),
    Component(
        "users",
        "users",
        _("Users"),
        "loginEmail",
        "list_users",
        "update_user",
        "create_user",
        "delete_user",
        "userId",
        query={"roles": _ROLES},
    ),
    Component(
        "cloudpbx",
        "cloudpbxs",
        _("CloudPBX"),
        "name",
        "list_cloudpbxs",
        "update_cloudpbx",
        "create_cloudpbx",
        "delete_cloudpbx",
        "systemId",
        inner="cloudpbx",
        single=True,
    ),
    Component(
        "officeHours",
        "officehours",
        _("Office hours"),
        "name",
        "list_office_hours",
        "update_office_hours",
        "create_office_hours",
        "delete_ivr",
        "officeHoursId",
        owner="systemId",
        of_system=True,
        deleted_by="ivrId",
    ),
    Component(
        SERVICES,
        "welcomeservices",
        _("Welcome services"),
        "name",
        "list_welcome_services",
        "update_welcome_service",
        "create_welcome_service",
        "delete_ivr",
        "ivrId",
        owner="systemId",
        of_system=True,
        otherwise=("externalNumberId", "secondaryDDIs"),
    ),
)
BY_NAME = {component.name: component for component in COMPONENTS}
#: What a step of a plan can be of.
PARTS = (*BY_NAME, *FURTHER_PARTS)
NOT_COVERED = (
    _("Passwords and other secrets"),
    _("Promotional codes of subscriptions, and the subscription of every company"),
    _("The default DDI number, options of extensions and devices, and prohibited numbers"),
    _("The number that callees see, recordings, and welcomes, which office hours replaced"),
    _("Groups and automatic attendants, to which welcome services lead by their IDs"),
    _("The default template, and which template is applied to whom"),
    _("Applications, directories, images and login methods"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A record in a document: its ID and name, empty without, its values, and the node for places."""

    component: Component
    id: str
    name: str
    values: dict[str, Any]
    node: Node


@dataclass(frozen=True, slots=True)
class Document:
    """The entries in the order of the table, the components whose list is managed whole, and what may deviate."""

    entries: tuple[Entry, ...]
    whole: frozenset[str]
    accepted: tuple[Accepted, ...] = ()

    @property
    def company(self) -> Entry:
        return self.entries[0]


# --- reading a document ------------------------------------------------------------------------------------------


def checked(root: Node, nearest: Nearest) -> Document:
    """The document of a file. FaultyDocument with all faults. `nearest(name, known)` is a suggestion, or empty."""
    faults: list[Fault] = []
    entries: list[Entry] = []
    whole: set[str] = set()
    parts = root.value if isinstance(root.value, dict) else {}
    if not isinstance(root.value, dict):
        faults.append(root.fault(_("a mapping is expected: company, sites, users and so on")))
    elif "company" not in parts:
        faults.append(root.fault(_("the company is missing: `company:` with its name or ID")))
    for name in parts:
        if name not in BY_NAME and name != ACCEPTED:
            faults.append(unknown(root, name, {**BY_NAME, ACCEPTED: None}, nearest))
    accepted: list[Accepted] = []
    if ACCEPTED in parts:
        accepted = accepted_of(parts[ACCEPTED], dict.fromkeys(PARTS), faults, nearest)
    for component in COMPONENTS:
        if component.name not in parts:
            continue
        items, exact = _items(component, parts[component.name], faults)
        if exact:
            whole.add(component.name)
        entries += [entry for item in items if (entry := _entry(component, item, faults, nearest)) is not None]
    _check_once(entries, faults)
    if faults:
        raise FaultyDocument(faults)
    return Document(tuple(entries), frozenset(whole), tuple(accepted))


def _items(component: Component, node: Node, faults: list[Fault]) -> tuple[list[Node], bool]:
    """The entries of a part, and whether they are all that there may be."""
    if component.single:
        return [node], False
    exact = isinstance(node.value, dict) and list(node.value) == [EXACTLY]
    items = node.value[EXACTLY] if exact else node
    if items.value is None:
        return [], exact
    if not isinstance(items.value, list):
        faults.append(
            node.fault(_("{name}: a list is expected, or `exactly:` with a list").format(name=component.name))
        )
        return [], False
    return items.value, exact


def _entry(component: Component, node: Node, faults: list[Fault], nearest: Nearest) -> Entry | None:
    if not isinstance(node.value, dict):
        faults.append(node.fault(_("{name}: names with values are expected").format(name=component.name)))
        return None
    values: dict[str, Any] = {}
    for wire, inner in node.value.items():
        if wire == "id":
            continue
        spec = component.specs.get(wire)
        if spec is not None:
            values[wire] = value_at(spec, inner, faults, nearest)
        elif (extra := extras_of(component.name).get(wire)) is not None:
            values[wire] = extra.value(inner, faults, nearest)
        elif any(wire == each.wire for each in component.left_out):
            faults.append(node.fault(_("{name} is not managed by documents: remove it").format(name=wire), wire))
        else:
            known = {**component.specs, "id": None, **extras_of(component.name)}
            faults.append(unknown(node, wire, known, nearest))
    found = {(fault.line, fault.column) for fault in faults}
    bare = {wire: value[EXACTLY] if _is_exact(value) else value for wire, value in values.items()}
    for path, msg in component.problems({wire: value for wire, value in bare.items() if value is not None}):
        head, _dot, rest = path.partition(".")
        exact = f"{EXACTLY}." if _is_exact(values.get(head)) else ""
        place = node.at(f"{head}.{exact}{rest}")
        if (place.line, place.column) not in found:
            faults.append(place.fault(expected(path, msg, place.value, nearest)))
    identity = node.value.get("id")
    id = text_of(identity) if identity else ""
    if identity and identity.value is not None and not id:
        faults.append(identity.fault(_("{name}: a text is expected").format(name="id")))
    name = values.get(component.key)
    if isinstance(name, str):
        name = values[component.key] = name.strip()
    if not id and not name and component.name != "cloudpbx":
        faults.append(node.fault(_("{key} is missing: an entry has its {key} or its id").format(key=component.key)))
        return None
    return Entry(component, id, str(name or ""), values, node)


def _is_exact(value: Any) -> bool:
    return isinstance(value, dict) and list(value) == [EXACTLY] and isinstance(value[EXACTLY], list)


def _check_once(entries: list[Entry], faults: list[Fault]) -> None:
    seen: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        for word in filter(None, (entry.id, folded(entry.name))):
            first = seen.setdefault((entry.component.name, word), entry)
            if first is not entry and not (entry.id and first.id and word != entry.id):
                repeated = entry.id if word == entry.id else entry.name
                text = _("{name} already stands in line {line}").format(name=repeated, line=first.node.line)
                faults.append(entry.node.fault(text))
    _check_telephony_once(entries, faults)


def _check_telephony_once(entries: list[Entry], faults: list[Fault]) -> None:
    """An extension and a MAC address are those of one user."""
    seen: dict[str, Entry] = {}
    for entry in entries:
        devices, _whole = wanted_of(entry.values.get(DEVICES))
        for text in (entry.values.get(EXTENSION), *(device.get(MAC) for device in devices)):
            if text and (first := seen.setdefault(str(text), entry)) is not entry:
                sentence = _("{name} already stands in line {line}").format(name=text, line=first.node.line)
                faults.append(entry.node.fault(sentence))


# --- reading the service -----------------------------------------------------------------------------------------


async def records_of(service: Reader, component: Component, owner_id: str) -> AsyncIterator[RecordData]:
    """The records of a part. `owner_id` is the ID of the company, or that of the CloudPBX. ReadError."""
    of_owner = {"systemId" if component.of_system else "companyId": owner_id}
    in_path = component.nested or component.of_system
    query: dict[str, object] = {} if component.of_system else {**component.query, "format": "full"}
    if component.name != "company" and not in_path:
        query |= of_owner
    async for row in rows_of(service, component.read, of_owner if in_path else {}, query):
        if not component.own(row):
            continue
        if owner_id == str(row.get(component.owner) or "") or (component.name == "company" and not owner_id):
            yield {**row[component.inner], **row} if row.get(component.inner) else row


async def companies_named(service: Reader, id: str, name: str) -> list[RecordData]:
    """The companies with an ID, or else with a name; all without both. ReadError."""
    rows = [row async for row in records_of(service, BY_NAME["company"], "")]
    return named_among(rows, id, name) if id or name else rows


def named_among(rows: list[RecordData], id: str, name: str) -> list[RecordData]:
    """The companies with an ID, or else with a name."""
    return [row for row in rows if id and row.get("id") == id] or [
        row for row in rows if name and folded(str(row.get("name") or "")) == folded(name)
    ]
