"""Secrets never enter the cache: fields that are declared secret, at any depth, and fields with well-known names."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from svc_tui.interface.catalogue import operation, record_of
from svc_tui.interface.field_specs import fields_of, record_in

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
    """A copy of a record in the response of this operation, or of all of that response, without its secrets."""
    model = record_model(operation_id)
    kept: dict[str, Any] = _clean(record, model)
    if "data" in record and (model is None or "data" not in model.model_fields):
        kept["data"] = _clean(record["data"], model)
    return kept


@cache
def record_model(operation_id: str) -> type[Record] | None:
    """The declared record in the response of an operation, single or listed. None when there is none."""
    try:
        answer = record_in(operation(operation_id).result)
    except KeyError:
        return None
    return record_of(operation_id) if answer is None or "data" in answer.model_fields else answer


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
    return frozenset(spec.wire for spec in fields_of(model) if spec.facet.secret)


@cache
def _nested(model: type[Record]) -> dict[str, type[Record]]:
    return {spec.wire: inner for spec in fields_of(model) if (inner := spec.record) is not None}
