"""The effect of a change: the kind of record, the record, and whether one was created or deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from svc_tui.cache.cached import RecordDict
from svc_tui.cache.secrets import record_model
from svc_tui.interface.field_specs import ReadFormat
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.interface.operations import AnyOperation

ChangeAction = Literal["create", "update", "delete"]


@dataclass(frozen=True, slots=True)
class Effect:
    """`record` is the record in the response, if any; `record_id` is empty where neither it nor the path names one."""

    kind: Kind
    action: ChangeAction
    record_id: str
    record: RecordDict | None = None

    def formats(self) -> dict[str, RecordDict]:
        """The record in each read format in which it may be cached."""
        model = record_model(self.kind.get)
        if self.record is None:
            return {}
        return {name: model.shown(self.record, name) if model else self.record for name in get_args(ReadFormat)}


def effect_of(changing: AnyOperation, path: Mapping[str, str], body: Any) -> Effect | None:
    """The effect of a successful change; None when it changes no kind that is shown in lists."""
    if changing.creates:
        kind = KINDS[changing.creates]
        created = _record(kind, body, "")
        return Effect(kind, "create", kind.id_of(created) if created else "", created)
    if changing.deletes:
        kind = KINDS[changing.deletes]
        return Effect(kind, "delete", str(path.get(kind.parameter, "")))
    if changing.updates:
        kind = KINDS[changing.updates]
        record_id = str(path.get(kind.parameter, ""))
        return Effect(kind, "update", record_id, _record(kind, body, record_id))
    return None


def _record(kind: Kind, body: Any, record_id: str) -> RecordDict | None:
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict) or not kind.id_of(data) or (record_id and kind.id_of(data) != record_id):
        return None
    return data
