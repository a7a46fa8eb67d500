"""An entry of a directory, and what is sent to make or change one (4.9; columns of the CSV follow its fields)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import StringConstraints

from svc_tui.interface.companies.kinds import COUNTRY, Country, Email
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.records import ReadFormat, Record, field

#: Most entries of a company's directory (the service's own help pages name it).
MOST_ENTRIES = 50_000
#: Telephone numbers of one kind, and tags, that an entry may have.
MOST_NUMBERS, MOST_TAGS, LONGEST_TAG = 10, 5, 64
#: Nothing says how long the texts of an entry may be: what fits a column of most directories.
LONGEST_TEXT = 255
LONGEST_NUMBER = 32

EntryType = Literal["user", "company"]
ENTRY_TYPES = {"user": "a contact: with a first or last name", "company": "a company: only with its name"}
#: The sentence about an entry without any name.
NAME_REQUIRED = "a contact needs a first or last name, a company its name"
#: What a state is told for; elsewhere it is left out.
STATE_COUNTRIES = ("USA", "CAN")

PhoneText = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NUMBER)]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TAG)]

_NAME, _NUMBERS, _ADDRESS, _MORE = "Name", "Telephone", "Address", "More"
_RECORD = "Record"


class EntryFields(Record):
    """What an entry says; telephone numbers are stored as E.164, read with the country of the entry or the company."""

    first_name: str | None = field(
        None, max_length=LONGEST_TEXT, help="A contact has a first or a last name", group=_NAME
    )
    last_name: str | None = field(
        None, max_length=LONGEST_TEXT, help="A contact has a first or a last name", group=_NAME
    )
    company_name: str | None = field(
        None, max_length=LONGEST_TEXT, help="Alone it makes the entry a company", group=_NAME
    )
    job_title: str | None = field(None, max_length=LONGEST_TEXT, group=_NAME)
    department: str | None = field(None, max_length=LONGEST_TEXT, group=_NAME)
    work_phone_numbers: list[PhoneText] | None = field(None, max_length=MOST_NUMBERS, group=_NUMBERS)
    mobile_phone_numbers: list[PhoneText] | None = field(None, max_length=MOST_NUMBERS, group=_NUMBERS)
    other_phone_numbers: list[PhoneText] | None = field(None, max_length=MOST_NUMBERS, group=_NUMBERS)
    e_mail: Email | None = field(None, group=_NUMBERS)
    street: str | None = field(None, max_length=LONGEST_TEXT, group=_ADDRESS)
    city: str | None = field(None, max_length=LONGEST_TEXT, group=_ADDRESS)
    postal_code: str | None = field(None, max_length=LONGEST_TEXT, group=_ADDRESS)
    state: str | None = field(None, max_length=LONGEST_TEXT, help="In the USA and Canada", group=_ADDRESS)
    country: Country | None = field(None, **COUNTRY, help="Three letters of ISO 3166-1", group=_ADDRESS)
    tags: list[Tag] | None = field(None, max_length=MOST_TAGS, help="Words to find it by", group=_MORE)
    custom1: str | None = field(None, max_length=LONGEST_TEXT, group=_MORE)
    custom2: str | None = field(None, max_length=LONGEST_TEXT, group=_MORE)


class DirectoryEntry(EntryFields):
    """An entry as it is read."""

    SMALL: ClassVar = ("id", "firstName", "lastName")
    MEDIUM: ClassVar = (*SMALL, "companyId", "companyName", "workPhoneNumbers", "mobilePhoneNumbers", "type")

    id: str | None = field(None, group=_RECORD, help="Identifier")
    company_id: str | None = field(
        None, group=_RECORD, refers="companies", help="Whose directory; none is a personal one"
    )
    user_id: str | None = field(None, group=_RECORD, refers="users", help="Whose personal directory")
    type: EntryType | None = field(None, group=_RECORD, choices=ENTRY_TYPES)
    ldap_id: str | None = field(
        None, group=_RECORD, wire="ldap_id", help="Identifier in the directory it is synchronised from"
    )
    creation_date: datetime | None = field(None, group=_RECORD)
    last_update_date: datetime | None = field(None, group=_RECORD)


class EntryUpdate(EntryFields):
    """What may be sent to change an entry."""


class EntryCreation(EntryFields):
    """What may be sent to make an entry; without a company it stands in the caller's own directory."""

    company_id: str | None = field(
        None, refers="companies", help="Company of the directory; empty for your own", group=_NAME
    )


class EntryQuery(ListQuery):
    """Filters of the list of entries. `name`, `phoneNumbers`, `search` and `tags` exclude one another."""

    DEFAULT_SORT: ClassVar = "lastName"
    #: At most one of these.
    EXCLUSIVE: ClassVar = ("name", "phoneNumbers", "search", "tags")

    company_id: str | None = field(None, refers="companies", help="Entries of this company")
    organisation_ids: str | None = field(None, help="Entries of all companies of these organisations, comma separated")
    name: str | None = field(None, help="Part of the first or last name")
    search: str | None = field(None, help="Part of a name, number, mail address or tag")
    type: EntryType = field("user", choices=ENTRY_TYPES, help="Contacts, or companies")
    company_name: str | None = field(None, help="Part of the company's name")
    phone_numbers: str | None = field(None, help="Telephone numbers, comma separated")
    from_update_date: datetime | None = field(None, help="Changed at this moment or later")
    to_update_date: datetime | None = field(None, help="Changed at this moment or earlier")
    tags: str | None = field(None, help="One of these tags, comma separated")
    view: Literal["personal", "company", "all"] = field("all", help="Which directories")
    sort_field: str | None = field("lastName", help="Field to sort by")


class EntryFormatQuery(Record):
    """The read format of one entry."""

    format: ReadFormat = field("small", help="How many fields the entry carries")
