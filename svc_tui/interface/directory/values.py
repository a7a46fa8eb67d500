"""Limits, choices and states of directories (2.19, 4.9), for all who need no record."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from svc_tui.language import _

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
