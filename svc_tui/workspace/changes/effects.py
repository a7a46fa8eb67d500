"""The effect of a change: the kind of record, the record, and whether one was created or deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from svc_tui.cache.cached import RecordDict
from svc_tui.cache.secrets import record_model
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.outlines import path_of
from svc_tui.interface.records import ReadFormat
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS, kind_of

ChangeAction = Literal["create", "update", "delete"]


@dataclass(frozen=True, slots=True)
class Effect:
    """`record_id` is empty for a creation; `record` is the record in the response, if any."""

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
    changeable = [kind for kind in KINDS.values() if kind_of(kind.list) is kind]
    for kind in sorted(changeable, key=lambda kind: -len(_record_path(kind))):
        one, all_of_them = _record_path(kind), path_of(kind.list_path_of or kind.list)
        if changing.path == one or changing.path.startswith(one + "/"):
            record_id = str(path.get(kind.parameter, ""))
            gone = changing.method == "DELETE" and changing.path == one
            record = None if gone else _record(kind, body, record_id)
            return Effect(kind, "delete" if gone else "update", record_id, record)
        if changing.path == all_of_them:
            created = _record(kind, body, "")
            return Effect(kind, "create", kind.id_of(created) if created else "", created)
    return None


def _record_path(kind: Kind) -> str:
    """The path of one record."""
    return path_of(kind.record_path_of or kind.get)


def _record(kind: Kind, body: Any, record_id: str) -> RecordDict | None:
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict) or not kind.id_of(data) or (record_id and kind.id_of(data) != record_id):
        return None
    return data
