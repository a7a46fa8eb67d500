"""The names of the records that the fields of a record refer to, in place of their IDs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.record_lines import reference
from svc_tui.console.core.resource import Resource
from svc_tui.workspace.lists.referenced_records import Reference, ReferencedRecords

if TYPE_CHECKING:
    from svc_tui.interface.field_specs import FieldSpec


class ReferenceNames:
    """Names as lists show them; those that are not cached are read from the service."""

    def __init__(self, records: ReferencedRecords, resources: Mapping[str, Resource]) -> None:
        self._records, self._resources = records, resources

    def name(self, kind: str, record_id: str) -> str:
        """The name of a record; empty while it is not known, or where it has none but its ID."""
        record = self._records.get((kind, record_id))
        label = self._resources[kind].label(record) if record else ""
        return "" if label == record_id else label

    def may_open(self, kind: str) -> bool:
        """Whether the role may read records of a kind."""
        return kind not in self._resources or self._records.may_open(kind)

    def in_record(self, record: Mapping[str, Any], specs: Sequence[FieldSpec]) -> Sequence[Reference]:
        """The records to which the fields of a record refer."""
        found = [reference(spec, record.get(spec.wire)) for spec in specs]
        return list(dict.fromkeys(each for each in found if each and each[0] in self._resources))

    async def load(self, references: Sequence[Reference], *, cached_only: bool = False) -> bool:
        """Find the names; whether one has changed."""
        return await self._records.load(references, cached_only=cached_only)
