"""What an audit record says of a changed record: its kind, and its changed fields with old and new values.

Values are recorded only of fields that the interface declares and that are no secrets; of any other field only that it
changed. So nothing that the service stores for itself gets into the audit log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from svc_tui.interface.catalogue import operation, record_of
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.records import Record
from svc_tui.server.store.tables import Document

#: Most fields of one audit record, and most characters of a value.
MOST_CHANGES = 100
MOST_VALUE = 500
#: Table -> kind in the audit log, and the operation that reads such a record. Kinds without one have no values.
_KINDS: Mapping[str, tuple[str, str]] = {
    "applications": ("applications", "get_application"),
    "api_keys": ("apikeys", "get_api_key"),
    "catalogs": ("catalogs", ""),
    "client_versions": ("clientsversions", "get_client_version"),
    "cloudpbxs": ("cloudpbxs", "get_cloudpbx"),
    "companies": ("companies", "get_company"),
    "ddis": ("ddis", "get_ddi_number"),
    "devices": ("sipdevices", "get_sip_device"),
    "directory_entries": ("directoryentries", "get_directory_entry"),
    "external_trunks": ("externaltrunks", "get_external_trunk"),
    "identity_providers": ("identityproviders", ""),
    "import_reports": ("importreports", ""),
    "invoice_files": ("invoicefiles", "list_invoice_files"),
    "invoices": ("invoices", "list_company_invoices"),
    "mfa_settings": ("mfasettings", "get_company_mfa_setting"),
    "oauth_tokens": ("oauthtokens", "get_oauth_token"),
    "office_hours": ("officehours", "get_office_hours"),
    "offers": ("offers", "get_company_offer"),
    "prohibited_numbers": ("cloudpbxs", ""),
    "recordings": ("recordings", "get_recording"),
    "sites": ("sites", "get_site"),
    "splash_screens": ("companies", ""),
    "subscribers": ("subscribers", "get_subscriber"),
    "subscriptions": ("subscriptions", "get_company_subscription"),
    "templates": ("templates", "get_template"),
    "trusted_applications": ("trustedapplications", ""),
    "user_secrets": ("users", ""),
    "users": ("users", "get_user"),
    "welcome_services": ("welcomeservices", "list_welcome_services"),
    "welcomes": ("welcomes", "get_welcome"),
}
#: Fields that must differ for a record: others of this table count the progress of a job.
_DECISIVE: Mapping[str, frozenset[str]] = {"import_reports": frozenset({"state"})}
#: Fields that a login or a renewal sets, which have their own records, and when the service looks again.
_IGNORED: Mapping[str, frozenset[str]] = {
    "applications": frozenset({"dateOfLastTokenWhenRenew"}),
    "subscriptions": frozenset({"syncDue"}),
    "users": frozenset({"firstLoginDate", "lastLoginDate", "loggedSince", "lastSeenDate", "sessionsEnded"}),
}
#: How names of secrets end, without case and punctuation.
_SECRET = re.compile(r"(?:password|passwd|secret|token|hash|jwt|apikey|privatekey|recoverycode|otpauthurl|qrcode)$")
_NAMES = ("name", "displayName", "appName", "description", "loginEmail", "offerName", "number")


def kind_of(table: str) -> str:
    """The kind of the records of a table in the audit log; empty when their changes are not recorded."""
    return _KINDS[table][0] if table in _KINDS else ""


@cache
def record_of_kind(kind: str) -> type[Record] | None:
    """The record of a kind in the audit log. None where changes have no values."""
    found = next((name for known, name in _KINDS.values() if known == kind and name), "")
    try:
        return record_of(operation(found).id) if found else None
    except KeyError:
        return None


def name_of(document: Document) -> str:
    """The name of a record as a reader knows it; empty without one."""
    return next((str(document[name])[:MOST_VALUE] for name in _NAMES if document.get(name)), "")


def changes_of(table: str, before: Document | None, after: Document | None) -> list[Document]:
    """The changed fields: {field, old, new}, or {field, secret} without values. Empty when nothing changed."""
    before, after = before or {}, after or {}
    # Most fields of a changed record are equal, with everything in them.
    equal = {name for name, value in after.items() if name in before and before[name] == value}
    old, new = (
        dict(_leaves({name: value for name, value in document.items() if name not in equal}))
        for document in (before, after)
    )
    ignored = _IGNORED.get(table, frozenset())
    paths = [path for path in {**old, **new} if old.get(path) != new.get(path) and path not in ignored]
    decisive = _DECISIVE.get(table)
    if decisive is not None and decisive.isdisjoint(paths):
        return []
    shown = _shown(table)
    found = [_change(path, old.get(path), new.get(path), shown) for path in paths]
    if len(found) > MOST_CHANGES:
        rest = len(found) - MOST_CHANGES + 1
        return [*found[: MOST_CHANGES - 1], {"field": "", "new": f"and {rest} more fields"}]
    return found


def _leaves(document: Document, before: str = "") -> Iterator[tuple[str, Any]]:
    """Path and value of each field that has one, also inside objects."""
    for name, value in document.items():
        path = f"{before}{name}"
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{path}.")
        elif value not in (None, "", [], {}):
            yield path, value


def _change(path: str, old: Any, new: Any, shown: frozenset[str]) -> Document:
    names = path.split(".")
    if names[0] not in shown or any(_is_secret(name) for name in names):
        return {"field": path[:MOST_VALUE], "secret": True}
    change = {"field": path[:MOST_VALUE], "old": _text(old), "new": _text(new)}
    return {name: value for name, value in change.items() if value is not None}


def _is_secret(name: str) -> bool:
    return _SECRET.search(re.sub(r"[^a-z0-9]", "", name.lower())) is not None


def _text(value: Any) -> str | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(_without_secrets(value), ensure_ascii=False)
    return text if len(text) <= MOST_VALUE else text[: MOST_VALUE - 1] + "…"


def _without_secrets(value: Any) -> Any:
    """The value of a list without the secrets of its objects."""
    if isinstance(value, dict):
        return {name: "…" if _is_secret(name) else _without_secrets(inner) for name, inner in value.items()}
    return [_without_secrets(inner) for inner in value] if isinstance(value, list) else value


@cache
def _shown(table: str) -> frozenset[str]:
    """The fields of a table whose values are recorded."""
    kind, name = _KINDS[table]
    record = record_of_kind(kind) if name else None
    return frozenset(spec.wire for spec in fields_of(record) if not spec.facet.secret) if record else frozenset()
