"""The company that a record belongs to: named in the record or its place, or by its user or a record above it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from svc_tui.cache.cached import RecordDict
from svc_tui.cache.store import Cache
from svc_tui.workspace.core.service import Reader
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS

COMPANIES, USERS = "companies", "users"
#: The longest way: a usage of an application, the application, its owner.
_STEPS = 3
_FORMS = ("full", "medium", "small")


@dataclass(frozen=True, slots=True)
class CompanyReference:
    """The ID of the company; without it, the record that leads to it."""

    company_id: str = ""
    kind: str = ""
    record_id: str = ""


class RecordService(Reader, Protocol):
    """The parameters for reading a record."""

    @property
    def cache(self) -> Cache: ...


def belonging(kind: Kind, record: Mapping[str, Any], above: Mapping[str, str]) -> CompanyReference | None:
    """The company of a record below these records (kind -> ID); None when it has none.

    The outermost of them is read, because its path needs no other record.
    """
    company_id = record.get(kind.company_field) or above.get(COMPANIES)
    if company_id:
        return CompanyReference(str(company_id))
    if kind.user_field and record.get(kind.user_field):
        return CompanyReference(kind=USERS, record_id=str(record[kind.user_field]))
    return next((CompanyReference(kind=name, record_id=id) for name, id in above.items() if name in KINDS), None)


async def company_of(service: RecordService, found: CompanyReference) -> str:
    """The ID of the company, from cached records if possible; empty when there is none. ReadError without a
    response."""
    for _ in range(_STEPS):
        if found.company_id:
            return found.company_id
        kind = KINDS[found.kind]
        next_step = belonging(kind, await _record(service, kind, found.record_id), {})
        if next_step is None:
            return ""
        found = next_step
    return found.company_id


async def _record(service: RecordService, kind: Kind, record_id: str) -> RecordDict:
    for form in _FORMS:
        cached = await service.cache.read_record(kind.name, record_id, form)
        if cached is not None and belonging(kind, cached.data, {}) is not None:
            return cached.data
    body = await service.read(kind.get, {kind.parameter: record_id}, {"format": "full"})
    record = body.get("data") if isinstance(body, dict) else None
    return record if isinstance(record, dict) else {}
