"""Recordings of calls: their record, their filters, and the operations on them (2.16, 4.7, 8)."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Literal

from svc_tui.interface.envelopes import Done, ListQuery, Page, Single
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.voice.access import BASE, CLOUDPBX, READ_ALL_RECORDINGS, RECORDING, REFUSALS, RecordingProfile

#: Recordings shorter than this are never kept, in seconds.
SHORTEST_RECORDING = 3


class OtherParty(Record):
    """The other party of a recorded call."""

    number: str | None = field(None, help="Number of the other party", personal=True)


class RecordedParty(Record):
    """The recorded party of a call: a user or a group."""

    user_id: str | None = field(None, refers="users", help="User")
    group_id: str | None = field(None, help="Group")
    phone_number_id: str | None = field(None, refers="subscribers", help="Subscriber")
    name: str | None = field(None, help="Name of the user or group", personal=True)
    number: str | None = field(None, help="Number of the user or group", personal=True)


#: The list across companies.
_ACROSS = ("list_recordings_across_companies",)


class Recording(Record):
    """A recording."""

    ALWAYS: ClassVar = ("id", "date", "duration", "direction")

    id: str | None = field(None, help="Identifier")
    date: datetime | None = field(None, help="Start of the call")
    duration: int | None = field(None, unit="s", help="Duration of the recording")
    direction: Literal["in", "out"] | None = field(None, help="Incoming or outgoing call of the recorded party")
    recorded_party: RecordedParty | None = field(None, help="Recorded user or group")
    other_party: OtherParty | None = field(None, help="Other party of the call")
    file_name: str | None = field(None, help="Name of the file", personal=True)
    mime: str | None = field(None, help="Content type of the file")
    size: int | None = field(None, unit="bytes", help="Size of the file")
    system_id: str | None = field(None, refers="cloudpbxs", help="CloudPBX of the call")
    company_id: str | None = field(
        None, refers="companies", only_in=_ACROSS, help="Company; only in the list across companies"
    )
    call_id: str | None = field(None, only_in=_ACROSS, help="Identifier of the call; only in the list across companies")


class RecordingQuery(ListQuery):
    """Filters of the recordings of a CloudPBX, the latest first."""

    DEFAULT_SORT: ClassVar = "date"

    phone_number_id: str | None = field(
        None, filters=("recordedParty",), refers="subscribers", help="Recordings of this subscriber"
    )
    from_date: datetime | None = field(None, filters=("date",), help="Earliest start")
    to_date: datetime | None = field(None, filters=("date",), help="Latest start")
    recorded_name: str | None = field(None, filters=("recordedParty",), help="Part of the name of the recorded party")
    recorded_number: str | None = field(
        None, filters=("recordedParty",), help="Part of the number of the recorded party"
    )
    other_number: str | None = field(None, filters=("otherParty",), help="Part of the number of the other party")
    sort_field: str | None = field("date", help="Field to sort by")
    sort_order: Literal[-1, 1] = field(-1, help="1 ascending, -1 descending")


class RecordingScope(ListQuery):
    """The companies, CloudPBXs and sites whose recordings are listed."""

    company_ids: str | None = field(None, refers="companies", help="Companies, comma-separated", several=str)
    system_ids: str | None = field(None, refers="cloudpbxs", help="CloudPBXs, comma-separated", several=str)
    site_ids: str | None = field(None, refers="sites", help="Sites, comma-separated", several=str)


class AllRecordingsQuery(RecordingQuery, RecordingScope):
    """Filters of the recordings across companies. Several scopes add up."""


class RecordingDeletion(Record):
    """The recordings to delete."""

    record_ids: str = field(..., help="Identifiers of recordings, comma-separated", several=str)


class AnnouncementBody(Record):
    """The choice of the announcement."""

    announcement_profile: RecordingProfile = field(..., help="Calls with an announcement that they are recorded")


_ALL = CLOUDPBX + "/recordings"

list_recordings = Operation(
    "list_recordings",
    "4.7",
    "GET",
    _ALL,
    "List the recordings of a CloudPBX",
    Page[Recording],
    RECORDING,
    query=RecordingQuery,
    refuses=REFUSALS,
)

list_recordings_across_companies = Operation(
    "list_recordings_across_companies",
    "4.7",
    "GET",
    BASE + "/recordings",
    "List the recordings of several companies",
    Page[Recording],
    READ_ALL_RECORDINGS,
    query=AllRecordingsQuery,
    refuses=REFUSALS,
)

get_recording = Operation(
    "get_recording",
    "4.7",
    "GET",
    _ALL + "/{recordId}",
    "Get a recording",
    Single[Recording],
    RECORDING,
    refuses=REFUSALS,
)

delete_recordings = Operation(
    "delete_recordings",
    "4.7",
    "DELETE",
    _ALL,
    "Delete recordings",
    Done,
    RECORDING,
    query=RecordingDeletion,
    refuses=REFUSALS,
    deletes="recordings",
)

set_recording_announcement_profile = Operation(
    "set_recording_announcement_profile",
    "4.7",
    "PUT",
    _ALL + "/announcement-profile",
    "Update which calls have an announcement that they are recorded",
    Done,
    RECORDING,
    body=AnnouncementBody,
    refuses=REFUSALS,
    updates="cloudpbxs",
)

__all__ = [
    "AllRecordingsQuery",
    "AnnouncementBody",
    "Recording",
    "RecordingDeletion",
    "RecordingQuery",
    "SHORTEST_RECORDING",
    "delete_recordings",
    "get_recording",
    "list_recordings",
    "list_recordings_across_companies",
    "set_recording_announcement_profile",
]
