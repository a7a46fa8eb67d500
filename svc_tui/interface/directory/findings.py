"""Findings about the last import of a directory (2.19, 3)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from svc_tui.interface.counts import counted
from svc_tui.interface.data import RecordData
from svc_tui.interface.directory.values import ENDED, ImportState
from svc_tui.interface.findings import Effect, Finding
from svc_tui.interface.timestamps import moment
from svc_tui.language import _, day_text, number_text

#: An import that takes longer than this has probably stopped.
LONG = timedelta(hours=1)


def import_findings(status: RecordData, now: datetime) -> Iterator[Finding]:
    """All findings about the last import."""
    failed = status.get("failed")
    if isinstance(failed, int) and failed > 0:
        changed = sum(count for name in ("created", "updated", "deleted") if isinstance(count := status.get(name), int))
        yield _finding(
            _("Last import: {failed} of {rows} failed.").format(
                failed=number_text(failed), rows=counted(failed + changed, "row")
            ),
            "limits",
            "failed",
        )
    elif status.get("state") == ImportState.FAILED:
        yield _finding(_("The last import failed."), "limits", "state")
    started = status.get("startTime")
    if status.get("state") and status["state"] not in ENDED and started and now - moment(str(started)) > LONG:
        yield _finding(
            _("The import of {started} has not ended.").format(started=day_text(str(started))), "limits", "startTime"
        )


def _finding(sentence: str, effect: Effect, field: str) -> Finding:
    return Finding(_("Directory"), sentence, effect, "directory", field, "2.19")
