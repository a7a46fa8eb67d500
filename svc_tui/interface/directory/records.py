"""Directory entries: records, bodies and queries (4.9). The columns of CSV files are derived from their fields."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import StringConstraints

from svc_tui.interface.companies.kinds import COUNTRY
from svc_tui.interface.companies.texts import Country, Email
from svc_tui.interface.directory.values import (
    ENTRY_TYPES,
    LONGEST_NUMBER,
    LONGEST_TAG,
    LONGEST_TEXT,
    MOST_NUMBERS,
    MOST_TAGS,
    EntryType,
)
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.field_specs import ReadFormat
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record
from svc_tui.language import _

__all__ = [
    "DirectoryEntry",
    "EntryCreation",
    "EntryFields",
    "EntryFormatQuery",
    "EntryQuery",
    "EntryUpdate",
    "PhoneText",
    "Tag",
]

PhoneText = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NUMBER)]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TAG)]

_NAME, _NUMBERS, _ADDRESS, _MORE = "Name", "Telephone", "Address", "More"
_RECORD = _("Record")


class EntryFields(Record):
    """The editable fields of an entry.

    Telephone numbers are stored as E.164; national numbers are those of the country of the entry or the company.
    """

    first_name: str | None = field(
        None, max_length=LONGEST_TEXT, help="A contact needs a first or last name", group=_NAME, personal=True
    )
    last_name: str | None = field(
        None, max_length=LONGEST_TEXT, help="A contact needs a first or last name", group=_NAME, personal=True
    )
    company_name: str | None = field(
        None, max_length=LONGEST_TEXT, help="An entry with only this name is a company", group=_NAME, personal=True
    )
    job_title: str | None = field(None, max_length=LONGEST_TEXT, group=_NAME, personal=True)
    department: str | None = field(None, max_length=LONGEST_TEXT, group=_NAME, personal=True)
    work_phone_numbers: list[PhoneText] | None = field(None, max_length=MOST_NUMBERS, group=_NUMBERS, personal=True)
    mobile_phone_numbers: list[PhoneText] | None = field(None, max_length=MOST_NUMBERS, group=_NUMBERS, personal=True)
    other_phone_numbers: list[PhoneText] | None = field(None, max_length=MOST_NUMBERS, group=_NUMBERS, personal=True)
    e_mail: Email | None = field(None, group=_NUMBERS, personal=True)
    street: str | None = field(None, max_length=LONGEST_TEXT, group=_ADDRESS, personal=True)
    city: str | None = field(None, max_length=LONGEST_TEXT, group=_ADDRESS, personal=True)
    postal_code: str | None = field(None, max_length=LONGEST_TEXT, group=_ADDRESS, personal=True)
    state: str | None = field(
        None,
        max_length=LONGEST_TEXT,
        label="State or province",
        help="Only in the USA and Canada",
        group=_ADDRESS,
        personal=True,
    )
    country: Country | None = field(None, **COUNTRY, help="Three-letter ISO 3166-1 code", group=_ADDRESS)
    tags: list[Tag] | None = field(
        None, max_length=MOST_TAGS, help="Words to find the entry by", group=_MORE, personal=True
    )
    custom1: str | None = field(None, max_length=LONGEST_TEXT, group=_MORE, personal=True)
    custom2: str | None = field(None, max_length=LONGEST_TEXT, group=_MORE, personal=True)


class DirectoryEntry(EntryFields):
    """A directory entry."""

    SMALL: ClassVar = ("id", "firstName", "lastName")
    MEDIUM: ClassVar = (*SMALL, "companyId", "workPhoneNumbers")
    ALWAYS: ClassVar = ("id",)

    id: str | None = field(None, group=_RECORD, help="Identifier")
    company_id: str | None = field(
        None, group=_RECORD, refers="companies", help="Company of the directory; empty in a personal directory"
    )
    user_id: str | None = field(None, group=_RECORD, refers="users", help="User of the personal directory")
    type: EntryType | None = field(None, group=_RECORD, choices=ENTRY_TYPES)
    ldap_id: str | None = field(
        None,
        group=_RECORD,
        wire="ldap_id",
        help="Identifier in the source directory of a synchronisation",
        personal=True,
    )
    creation_date: datetime | None = field(None, group=_RECORD)
    last_update_date: datetime | None = field(None, group=_RECORD)


class EntryUpdate(EntryFields):
    """The update of an entry."""


class EntryCreation(EntryFields):
    """A new entry. Without a company it is added to the caller's personal directory."""

    company_id: str | None = field(
        None, refers="companies", help="Company of the directory; empty for your own", group=_NAME
    )


_NUMBER_FIELDS = ("workPhoneNumbers", "mobilePhoneNumbers", "otherPhoneNumbers")
_SEARCHED = ("firstName", "lastName", "companyName", *_NUMBER_FIELDS, "eMail", "tags")


class EntryQuery(ListQuery):
    """Filters of the list of entries. Only one of `name`, `phoneNumbers`, `search` and `tags` can be set."""

    DEFAULT_SORT: ClassVar = "lastName"
    #: Only one of these can be set.
    EXCLUSIVE: ClassVar = ("name", "phoneNumbers", "search", "tags")

    company_id: str | None = field(None, refers="companies", help="Entries of this company")
    organisation_ids: str | None = field(
        None, help="Entries of all companies of these organisations, comma-separated", several=str
    )
    name: str | None = field(None, filters=("firstName", "lastName"), help="Part of the first or last name")
    search: str | None = field(None, filters=_SEARCHED, help="Part of a name, number, email address or tag")
    type: EntryType = field("user", choices=ENTRY_TYPES, help="Contacts or companies")
    company_name: str | None = field(None, help="Part of the company's name")
    phone_numbers: str | None = field(
        None, filters=_NUMBER_FIELDS, help="Telephone numbers, comma-separated", several=str
    )
    from_update_date: datetime | None = field(None, filters=("lastUpdateDate",), help="Changed at or after this time")
    to_update_date: datetime | None = field(None, filters=("lastUpdateDate",), help="Changed at or before this time")
    tags: str | None = field(None, help="Any of these tags, comma-separated", several=str)
    view: Literal["personal", "company", "all"] = field("all", help="Personal directory, company directories, or all")
    sort_field: str | None = field("lastName", help="Field to sort by")


class EntryFormatQuery(Record):
    """The read format of one entry."""

    format: ReadFormat = field("small", help="Number of fields in the record")
