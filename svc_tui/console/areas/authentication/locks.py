"""Whether an account is locked, for lists of users and for what unlocks them (2.4)."""

from __future__ import annotations

from svc_tui.console.widgets.formatting import is_past
from svc_tui.interface.data import RecordData


def is_locked(record: RecordData) -> bool:
    """Whether failed logins lock the account now."""
    until = record.get("lockedUntil")
    return bool(until) and not is_past(until)
