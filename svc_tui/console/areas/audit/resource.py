"""The audit log: who changed what, when and from where; of a record, its company, or a user."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from svc_tui.console.core.resource import Display, Placement, RelatedList, Resource
from svc_tui.console.core.summaries import Parts
from svc_tui.console.widgets.formatting import NOTHING, moment
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface import labels
from svc_tui.interface.audit.record_kinds import RECORD_KINDS
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS

KIND, ACTIVITY = "audit", "activity"
#: Actions are words of every language, and only a lock has a style.
ACTIONS = {
    action: (action, "warn" if action == "lock" else "")
    for action in ("create", "update", "delete", "perform", "login", "failed login", "lock", "attempt")
}


def _when(value: Any, record: RecordData) -> str:
    return moment(str(value)) if value else NOTHING


def _who(record: RecordData) -> str:
    """The login, or what acted without one; of a failed login only the address is known."""
    roles = ", ".join(map(str, record.get("roles") or ()))
    return str(record.get("loginEmail") or record.get("job") or roles or record.get("address") or "")


def record_name(record: RecordData) -> str:
    """The name of the record, or otherwise its kind and ID."""
    kind = record.get("kind")
    unnamed = (_(RECORD_KINDS.get(kind, kind)) if isinstance(kind, str) else "", record.get("recordId"))
    return str(record.get("recordName") or " ".join(str(each) for each in unnamed if each))


def _what(record: RecordData) -> str:
    """The changed fields, in a line."""
    if count := record.get("count"):
        return _("{count} records").format(count=count)
    found = changes(list(record.get("changes") or ()))
    return ", ".join(f"{name} {values}" for name, values in found.items())


def _called(record: RecordData) -> str:
    done = _("{action} of {record}").format(
        action=_(str(record.get("action") or "change")), record=record_name(record) or _("a record")
    )
    who = _who(record)
    return f"{who}: {done}" if who else done


def changes(value: list[Mapping[str, Any]]) -> Parts:
    """Label of each field -> old and new value. Fields with the same label have their names in the API."""
    names = [str(each.get("field") or "") for each in value]
    counted = Counter(map(labels.label_of, names))
    shown = (label if counted[label := labels.label_of(name)] == 1 else name for name in names)
    return {name: _values(each) for name, each in zip(shown, value, strict=True)}


def _values(change: Mapping[str, Any]) -> str:
    if change.get("secret"):
        return _("changed")
    return f"{change.get('old') or NOTHING} → {change.get('new') or NOTHING}"


SUMMARIES: Mapping[str, Callable[[Any], Parts]] = {"changes": changes}


AUDIT = Resource(
    kind=KINDS[KIND],
    title="Audit log",
    singular="change",
    plural="changes",
    aliases=("log", "changes"),
    known_as=("history", "who changed it", "security log"),
    display=Display(
        columns=(
            Column(field="date", title="WHEN", width=16, format=_when, sort_field="date"),
            Column(field="who", title="WHO", width=19, flex=1, limit=34, of=_who, also=("loginEmail", "address")),
            Column(field="action", title="ACTION", width=12, state=ACTIONS),
            Column(
                field="kind",
                title="KIND",
                width=19,
                state={kind: (word, "") for kind, word in RECORD_KINDS.items()},
                sort_field="kind",
                priority=2,
            ),
            Column(field="recordName", title="RECORD", width=16, flex=1, limit=34, of=record_name),
            Column(field="changes", title="CHANGES", width=20, flex=3, of=_what, priority=1),
            Column(field="operation", title="OPERATION", width=18, sort_field="operation", priority=4),
            Column(
                field="outcome",
                title="OUTCOME",
                width=8,
                state={"done": ("done", ""), "refused": ("refused", "bad")},
                priority=3,
            ),
        ),
        called=_called,
    ),
    query={"format": "full"},
    sort="date",
    descending=True,
    placement=Placement(
        parents={
            "applications": "recordId",
            "companies": "companyId",
            "subscriptions": "recordId",
            "users": "recordId",
        },
    ),
)

#: What one user did, in all records.
ACTIVITIES = replace(
    AUDIT,
    kind=KINDS[ACTIVITY],
    title=_("Activity"),
    aliases=("did",),
    known_as=(),
    placement=Placement(parents={"users": "userId"}, opens=KIND),
)

#: The audit log of the records of these kinds.
RELATED: dict[str, tuple[RelatedList, ...]] = {
    kind: (RelatedList("J", KIND, "Audit log", footer=0),) for kind in AUDIT.placement.parents
}
RELATED["users"] += (RelatedList("H", ACTIVITY, "Activity", footer=0, help=_("What this user did, in all records")),)
