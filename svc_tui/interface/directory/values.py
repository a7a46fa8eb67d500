"""Limits, choices, states and access by role of directories (2.19, 4.9), and findings about their last import, for all
who need no record.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from svc_tui.interface.access import OWNER, Role, access
from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import moment
from svc_tui.interface.errors import Effect, Finding
from svc_tui.interface.texts import counted
from svc_tui.language import _, day_text, number_text

__all__ = [
    "ENDED",
    "ENTRY_TYPES",
    "EntryType",
    "ImportState",
    "LONGEST_NUMBER",
    "LONGEST_TAG",
    "LONGEST_TEXT",
    "MOST_ENTRIES",
    "MOST_NUMBERS",
    "MOST_TAGS",
    "NAME_REQUIRED",
    "STATE_COUNTRIES",
]


#: The most entries of a company's directory, as in the help pages of the service.
MOST_ENTRIES = 50_000
#: The most telephone numbers of one kind, the most tags, and the longest tag.
MOST_NUMBERS, MOST_TAGS, LONGEST_TAG = 10, 5, 64
#: Longest text of an entry, in characters. The specification has no limit; other directories have this one.
LONGEST_TEXT = 255
LONGEST_NUMBER = 32

EntryType = Literal["user", "company"]
ENTRY_TYPES = {"user": _("a contact: with a first or last name"), "company": _("a company: only with its name")}
#: The fault of an entry without any name.
NAME_REQUIRED = _("a contact needs a first or last name, a company its name")
#: Countries whose entries may have a state.
STATE_COUNTRIES = ("USA", "CAN")
#: The character that begins a comment in a file, by default.
COMMENT = "%"


def keeps_state(country: str | None) -> bool:
    """Whether an address in a country can have a state; without a country it is not known, and can."""
    return not country or country in STATE_COUNTRIES


class ImportState(StrEnum):
    """The state of an import."""

    INITIALIZING = "Initializing"
    CREATING = "Creating"
    COMPLETED = _("Completed successfully")
    FAILED = _("Completed with failure")
    DELETED = "Deleted"


#: States of an import that has ended.
ENDED = frozenset({ImportState.COMPLETED, ImportState.FAILED, ImportState.DELETED})


_COMPANY = {
    "end_customers": (Role.BP_ADMIN,),
    "organisation": (Role.ORGANIZATION_ADMIN,),
}
#: Changing the whole directory of a company.
WRITE_COMPANY = access(
    any=(Role.SUPERADMIN,),
    own_company=(Role.BP_ADMIN, Role.COMPANY_ADMIN, Role.DIRECTORY_ADMIN),
    **_COMPANY,
)
#: Changing entries of companies, and of the caller's personal directory.
WRITE_ENTRIES = access(
    any=(Role.SUPERADMIN,),
    own_company=(Role.BP_ADMIN, Role.COMPANY_ADMIN, Role.DIRECTORY_ADMIN),
    own=Role,
    **_COMPANY,
)
#: Every role reads the directory of its own company, and the personal directory.
READ_ENTRIES = access(any=(Role.SUPERADMIN, Role.SUPPORT), own_company=Role, own=Role, **_COMPANY)
#: A personal directory is available only to its user.
PERSONAL = OWNER


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
