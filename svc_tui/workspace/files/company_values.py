"""The values of a company's document: as a document has them, and compared with those of the service."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.interface.directory.csv.columns import suggested_country
from svc_tui.interface.field_specs import LISTS, FieldSpec, field_by_wire
from svc_tui.interface.telephone_numbers import read_number
from svc_tui.language import _
from svc_tui.workspace.files.company_extras import EXACTLY, Nearest
from svc_tui.workspace.files.positioned_yaml import Fault, Node

#: Kinds of records that a document names by their natural name.
REFERRED = ("sites", "externaltrunks", "officehours")
#: The field with the user, attendant or group whom a welcome service calls.
DESTINATION = "destinationId"


# --- as a document has them --------------------------------------------------------------------------------------


def unknown(node: Node, name: str, known: Mapping[str, object], nearest: Nearest) -> Fault:
    """The fault of a name that a document cannot have there."""
    hint = nearest(name, known)
    return node.fault(_("unknown name “{name}”. {hint}").format(name=name, hint=hint).strip(), name)


def value_at(spec: FieldSpec, node: Node, faults: list[Fault], nearest: Nearest) -> Any:
    """The value of a field, and in it no unknown name and no value of another kind.

    A text is what is written: `0123` and `12` stay texts in fields of texts.
    """
    value = node.value
    if isinstance(value, dict) and list(value) == [EXACTLY] and spec.kind in LISTS:
        return {EXACTLY: value_at(spec, value[EXACTLY], faults, nearest)}
    if spec.kind in ("text", "choice", "date", "datetime") and node.text is not None and value is not None:
        return node.text
    if spec.kind in ("texts", "choices") and isinstance(value, list):
        return [each.text if each.text is not None and each.value is not None else each.plain() for each in value]
    if spec.kind in ("object", "objects") and spec.record is not None:
        if isinstance(value, list):
            return [_object_at(spec, each, faults, nearest) for each in value]
        return _object_at(spec, node, faults, nearest)
    if value is not None and (problem := _of_another_kind(spec, value)):
        faults.append(node.fault(f"{spec.wire}: {problem}"))
    return node.plain()


def _object_at(spec: FieldSpec, node: Node, faults: list[Fault], nearest: Nearest) -> Any:
    if not isinstance(node.value, dict):
        return node.plain()
    known = field_by_wire(spec.record)
    faults += [unknown(node, wire, known, nearest) for wire in node.value if wire not in known]
    return {wire: value_at(known[wire], inner, faults, nearest) for wire, inner in node.value.items() if wire in known}


def expected(path: str, msg: str, value: Any, nearest: Nearest) -> str:
    """What is wrong with a value at a path: of a country what is expected, in place of a length."""
    if path.rpartition(".")[2] != "country" or not isinstance(value, str):
        return f"{path}: {msg}"
    code = suggested_country(value)
    hint = nearest(code, {code: None}) if code else ""
    sentence = f"{path}: {_('is no country: use a code of three letters, such as PRT')}"
    return f"{sentence}. {hint}" if hint else sentence


def _of_another_kind(spec: FieldSpec, value: Any) -> str:
    """Why a value is none of a truth value or number, which the service could read as one: `on`, `"20"`, `1.000`."""
    if spec.kind == "boolean" and not isinstance(value, bool):
        return _("must be true or false")
    if spec.kind in ("integer", "number"):
        if isinstance(value, str) and value.isdecimal():
            return _("must be a number without quotes and leading zeros")
        if spec.kind == "integer" and type(value) is not int:
            return _("must be a whole number")
    return ""


# --- compared with those of the service --------------------------------------------------------------------------


def folded(name: str) -> str:
    """A name as names are compared: without regard to case, and to how many spaces of which kind it has."""
    return " ".join(name.split()).casefold()


def licences_of(user: RecordData) -> list[str]:
    """The offers whose licences a user has, but for that of every user."""
    return [str(profile.get("offerName") or "") for profile in profiles_of(user)]


def profiles_of(user: RecordData) -> list[RecordData]:
    """The licences of a user, but for that of every user."""
    return [each for each in user.get("profiles") or () if isinstance(each, Mapping) and not each.get("isDefault")]


def named(spec: FieldSpec, value: Any, names: Mapping[str, str]) -> Any:
    """A value as a document has it: the name of what it refers to, and only what can be set."""
    if spec.facet.refers in REFERRED:
        return names.get(str(value), value)
    if spec.kind == "date" and value:
        # Some records have the moment at which a day ends.
        return str(value)[:10]
    if spec.record is not None and spec.kind in ("object", "objects"):
        known = field_by_wire(spec.record)
        if isinstance(value, list):
            return [_known(item, known) for item in value if not (isinstance(item, dict) and item.get("isFromSystem"))]
        found = _known(value, known)
        if isinstance(found, dict) and DESTINATION in found:
            found[DESTINATION] = names.get(found[DESTINATION], found[DESTINATION])
        return found
    return value


def _known(value: Any, known: Mapping[str, FieldSpec]) -> Any:
    if not isinstance(value, dict):
        return value
    return {
        wire: each
        for wire, each in value.items()
        if wire in known and each is not None and _applies(known[wire], value)
    }


def _applies(spec: FieldSpec, values: Mapping[str, Any]) -> bool:
    """Whether a field of an object is there with its other values, such as the number of a destination."""
    return spec.facet.needs is None or spec.facet.needs.met(values)


def merged(spec: FieldSpec, current: Any, wanted: Any) -> Any:
    """The value that would be sent: objects keep what is not named, and lists what they have, without `exactly`."""
    if isinstance(wanted, dict) and list(wanted) == [EXACTLY] and isinstance(wanted[EXACTLY], list):
        return wanted[EXACTLY]
    if isinstance(wanted, list):
        kept = list(current) if isinstance(current, list) else []
        return kept + [item for item in wanted if not any(_covers(each, item) for each in kept)]
    if isinstance(wanted, dict) and isinstance(current, dict):
        after = {**current, **wanted}
        known = field_by_wire(spec.record) if spec.record is not None else {}
        return {
            wire: each
            for wire, each in after.items()
            if wire in wanted or wire not in known or _applies(known[wire], after)
        }
    return wanted


def _covers(current: Any, wanted: Any) -> bool:
    """Whether an item has everything that is wanted of it."""
    if isinstance(current, dict) and isinstance(wanted, dict):
        return all(
            _covers(current.get(name), value)
            or (name == "number" and _is_one_number(current, wanted))
            or (name == "email" and str(current.get(name)).casefold() == str(value).casefold())
            for name, value in wanted.items()
        )
    return bool(current == wanted)


def _is_one_number(current: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether two telephone numbers are the same in E.164, where the wanted one has the country of the current one."""
    country = wanted.get("country") or current.get("country")
    numbers = {read_number(str(each.get("number") or ""), country).number for each in (current, wanted)}
    return len(numbers) == 1 and "" not in numbers


def same(spec: FieldSpec, current: Any, after: Any) -> bool:
    """Whether a value and the one that would be sent are the same."""
    empty: tuple[Any, ...] = (None, "", [], {})
    if current in empty and after in empty:
        return True
    if isinstance(current, list) and isinstance(after, list):
        return len(current) == len(after) and all(_covers(a, b) for a, b in zip(current, after, strict=True))
    if isinstance(current, dict) and isinstance(after, dict):
        return _set(current) == _set(after)
    if spec.wire == "loginEmail":
        return str(current).casefold() == str(after).casefold()
    if spec.kind == "date" and current and after:
        return str(current)[:10] == str(after)[:10]
    if spec.kind == "datetime" and current and after:
        return bool(_moment(current) == _moment(after))
    return bool(current == after)


def _set(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _moment(value: Any) -> Any:
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        return value
