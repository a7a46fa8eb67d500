"""Masking of secrets with placeholders before anything is stored: by field name, declaration and pattern; and what
bodies declare: secrets, choices and nested records.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

from svc_tui.interface.field_specs import fields_of, record_in

if TYPE_CHECKING:
    from svc_tui.interface.operations import AnyOperation
    from svc_tui.interface.records import Record


#: Placeholders of secrets; also the shell variables of a copied curl command.
TOKEN, PASSWORD, API_KEY, APP_AUTH, SECRET = (
    "$SVC_TOKEN",
    "$SVC_PASSWORD",
    "$SVC_API_KEY",
    "$SVC_APP_AUTH",
    "$SVC_SECRET",
)
PLACEHOLDERS = (TOKEN, PASSWORD, API_KEY, APP_AUTH, SECRET)

#: Largest number of characters of a stored body.
MOST_TEXT = 20_000
#: Largest number of values of a stored body; a page of a list has thousands.
MOST_VALUES = 2_000
#: Stands for the values that were left out.
LEFT_OUT = "…"

#: End of a name (without `-`, `_` and case) -> its placeholder.
_ENDINGS = (
    ("authorization", TOKEN),
    ("appauth", APP_AUTH),
    ("apikey", API_KEY),
    ("password", PASSWORD),
    ("passwd", PASSWORD),
    ("token", TOKEN),
    ("tkn", TOKEN),
    ("jwt", TOKEN),
    ("secret", SECRET),
    ("recoverycode", SECRET),
    ("otpauthurl", SECRET),
    ("qrcode", SECRET),
    ("cookie", SECRET),
    ("privatekey", SECRET),
)

_NONE: Mapping[str, str] = MappingProxyType({})

#: The characters of tokens, as long as they follow each other. Every run is matched where it begins, so that no text
#: makes the search begin again within one: it takes time in proportion to the length.
_RUN = re.compile(r"[\w-]++(?:\.[\w-]*+)*+")
#: How the header of a JWT begins, and how many characters follow at least.
_JWT, _JWT_REST = "eyJ", 5
_SCHEME = re.compile(r"\b(Basic|Bearer)\s+[\w.~+/=-]+", re.IGNORECASE)
_PARAMETER = re.compile(r"(?P<start>(?:^|[?&#;])(?P<name>[\w.-]+)=)(?P<value>[^&#;\s\"'<>\\]+)")


@lru_cache(maxsize=4096)
def _by_name(name: str) -> str | None:
    short = re.sub(r"[^a-z0-9]", "", name.lower())
    return next((replacement for ending, replacement in _ENDINGS if short.endswith(ending)), None)


def placeholder(name: str, declared: Collection[str] = ()) -> str | None:
    """The placeholder for the value of this field, header or parameter. None when it is not a secret.

    `declared` are the wire names of declared secrets.
    """
    return _by_name(name) or (SECRET if name in declared else None)


def mask_text(text: str, declared: Collection[str] = ()) -> str:
    """A text, an address or a header value with masked tokens, credentials and secret parameters."""
    if "=" in text:
        text = _PARAMETER.sub(lambda found: _parameter(found, declared), text)
    if " " in text:
        text = _SCHEME.sub(lambda found: f"{found[1]} {TOKEN if found[1].lower() == 'bearer' else SECRET}", text)
    return _RUN.sub(_without_tokens, text) if _JWT in text else text


def _without_tokens(run: re.Match[str]) -> str:
    """A run with each `header.payload.signature` replaced; the signature may be missing, the dot before it not."""
    parts = run[0].split(".")
    kept = []
    place = 0
    while place < len(parts):
        start = parts[place].find(_JWT)
        header = start >= 0 and len(parts[place]) - start >= len(_JWT) + _JWT_REST
        if header and place + 2 < len(parts) and parts[place + 1]:
            kept.append(parts[place][:start] + TOKEN)
            place += 3
        else:
            kept.append(parts[place])
            place += 1
    return ".".join(kept)


def without(text: str, known: Mapping[str, str]) -> str:
    """A text with masked known secrets; `known`: value -> placeholder."""
    for value, replacement in known.items():
        text = text.replace(value, replacement)
    return text


def spellings(secret: str) -> frozenset[str]:
    """The spellings of a secret in a text: plain, or quoted in an address."""
    return frozenset({secret, quote(secret, safe=""), quote(secret), quote_plus(secret)})


def _parameter(found: re.Match[str], declared: Collection[str]) -> str:
    replacement = placeholder(found["name"], declared)
    return found[0] if replacement is None else found["start"] + replacement


def mask_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers with masked secrets. The scheme of an authorization stays readable."""
    masked = {}
    for name, value in headers.items():
        replacement = placeholder(name)
        scheme, blank, _ = value.partition(" ")
        if replacement is None:
            masked[name] = mask_text(value)
        elif blank and scheme in ("Basic", "Bearer"):
            masked[name] = f"{scheme} {APP_AUTH if replacement == APP_AUTH else _credential(scheme)}"
        else:
            masked[name] = replacement
    return masked


def _credential(scheme: str) -> str:
    return TOKEN if scheme == "Bearer" else PASSWORD


def mask_body(content: str, declared: Collection[str] = (), known: Mapping[str, str] = _NONE) -> str:
    """A body for the log: JSON with secrets masked at any depth, other content as masked text, shortened."""
    try:
        return mask_json(json.loads(content), declared, known)
    except RecursionError:
        return "(nested too deeply for the log)"
    except ValueError:
        # Cut after masking: a cut inside a secret would leave half of it unrecognised.
        return mask_text(without(content[: 4 * MOST_TEXT], known), declared)[:MOST_TEXT]


def mask_json(value: Any, declared: Collection[str] = (), known: Mapping[str, str] = _NONE) -> str:
    """A JSON value as compact text with masked secrets, cut after MOST_VALUES values and MOST_TEXT characters."""
    kept = _Mask(declared, known).value(value)
    text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"), default=str)
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"


class _Mask:
    """Masking of one value, limited to MOST_VALUES nested values; the rest is left out (`…`)."""

    def __init__(self, declared: Collection[str], known: Mapping[str, str]) -> None:
        self._declared = declared
        self._known = known
        self._left = MOST_VALUES

    def value(self, value: Any) -> Any:
        self._left -= 1
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return self._mapping(value)
        if isinstance(value, (list, tuple)):
            return self._list(value)
        return value

    def _text(self, text: str) -> str:
        return mask_text(without(text, self._known), self._declared)

    def _list(self, values: Collection[Any]) -> list[Any]:
        kept = []
        for value in values:
            if self._left <= 0:
                kept.append(LEFT_OUT)
                break
            kept.append(self.value(value))
        return kept

    def _mapping(self, mapping: Mapping[str, Any]) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        # A validation error echoes the value beside the name of its field.
        echoed = placeholder(str(mapping.get("param", "")).rpartition(".")[2], self._declared)
        for name, value in mapping.items():
            if self._left <= 0:
                kept[LEFT_OUT] = LEFT_OUT
                break
            replacement = placeholder(name, self._declared) or (echoed if name == "value" else None)
            if replacement and value not in (None, "", True, False):
                self._left -= 1
                kept[self._text(name)] = replacement
            else:
                kept[self._text(name)] = self.value(value)
        return kept


#: Fields with free keys, which are not part of the interface.
FREE = frozenset({"customData"})


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields of a record by wire names: choices with their values, and nested records."""

    names: frozenset[str]
    choices: Mapping[str, tuple[str, ...]]
    nested: Mapping[str, type[Record]]


@cache
def shape_of(model: type[Record]) -> Shape:
    """The shape of a declared record."""
    fields = fields_of(model)
    return Shape(
        names=frozenset(spec.wire for spec in fields),
        choices={spec.wire: spec.choices for spec in fields if spec.choices},
        nested={spec.wire: inner for spec in fields if (inner := spec.record) is not None},
    )


@cache
def secrets_of(model: type[Record]) -> frozenset[str]:
    """Wire names of secrets anywhere in a record."""
    own = {spec.wire for spec in fields_of(model) if spec.facet.secret}
    return frozenset(own.union(*(secrets_of(inner) for inner in shape_of(model).nested.values())))


_BY_OPERATION: dict[str, frozenset[str]] = {}


def secrets_in(operation: AnyOperation) -> frozenset[str]:
    """Wire names of secrets in the query, the body or the response of an operation."""
    known = _BY_OPERATION.get(operation.id)
    if known is None:
        models = [model for part in (operation.query, operation.body, operation.result) if (model := record_in(part))]
        known = frozenset[str]().union(*(secrets_of(model) for model in models))
        _BY_OPERATION[operation.id] = known
    return known
