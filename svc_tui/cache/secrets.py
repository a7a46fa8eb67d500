"""Secrets never enter the cache: fields that are declared secret, at any depth, and fields with well-known names."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, get_args

if TYPE_CHECKING:
    from svc_tui.interface.records import Record

#: Names (letters and digits only, lower case) of secrets in any record.
WELL_KNOWN = frozenset(
    {"apikey", "authorization", "credentials", "otpauthurl", "qrcode", "recoverycode", "mfarecoverycode", "privatekey"}
)
#: Ends of names of secrets: jid_password, appSecret, mfaSecret, refreshToken …
ENDINGS = ("password", "passwd", "secret", "token", "passphrase")


@cache
def is_well_known(name: str) -> bool:
    """Whether a field with this name is treated as a secret in any record."""
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    return plain in WELL_KNOWN or plain.endswith(ENDINGS)


def without_secrets(operation_id: str, record: dict[str, Any]) -> dict[str, Any]:
    """A copy of a record in the response of this operation, without its secrets."""
    kept: dict[str, Any] = _clean(record, record_model(operation_id))
    return kept


@cache
def record_model(operation_id: str) -> type[Record] | None:
    """The declared record in the response of an operation, single or listed. None when there is none."""
    from svc_tui.interface.catalogue import operation

    try:
        result = operation(operation_id).result
    except KeyError:
        return None
    inner: type[Record] | None = _model_in(result)
    data = inner.model_fields.get("data") if inner else None
    return _model_in(data.annotation) if data else inner


def _clean(value: Any, model: type[Record] | None) -> Any:
    if isinstance(value, list):
        return [_clean(item, model) for item in value]
    if not isinstance(value, dict):
        return value
    nested = _nested(model) if model else {}
    return {
        name: _clean(inner, nested.get(name))
        for name, inner in value.items()
        if not is_well_known(name) and name not in (_secret(model) if model else ())
    }


@cache
def _secret(model: type[Record]) -> frozenset[str]:
    from svc_tui.interface.records import fields_of

    return frozenset(spec.wire for spec in fields_of(model) if spec.facet.secret)


@cache
def _nested(model: type[Record]) -> dict[str, type[Record]]:
    from svc_tui.interface.records import fields_of

    found = ((spec.wire, _model_in(spec.annotation)) for spec in fields_of(model))
    return {wire: inner for wire, inner in found if inner is not None}


def _model_in(annotation: Any) -> type[Record] | None:
    """The record inside `T`, `T | None`, `list[T]` and the like."""
    from svc_tui.interface.records import Record

    if isinstance(annotation, type) and issubclass(annotation, Record):
        return annotation
    return next((model for part in get_args(annotation) if (model := _model_in(part)) is not None), None)
