"""The tables of directories (4.9) and of statistics (4.8).

A company has several directories, one of them live. An import fills another directory, which becomes the live one at
its end, in one transaction.
"""

from __future__ import annotations

from dataclasses import dataclass

from svc_tui.server.store.tables import ColumnType, Document, Key, declare

_folded, _words, _flag = ColumnType.FOLDED, ColumnType.WORDS, ColumnType.BOOLEAN


@dataclass(frozen=True, slots=True)
class CombinedTextKey(Key):
    """Several fields and lists of values as one text, searched in any case."""

    of: tuple[str, ...] = ()

    def value(self, document: Document) -> str | bool | None:
        parts: list[str] = []
        for wire in self.of:
            found = document.get(wire)
            parts += [str(each) for each in found] if isinstance(found, list) else [str(found)] if found else []
        return " ".join(parts).casefold() or None


NUMBERS = ("workPhoneNumbers", "mobilePhoneNumbers", "otherPhoneNumbers")

#: {id, companyId or userId, live, creationDate}
DIRECTORIES = declare("directories", Key("companyId"), Key("userId"), Key("live", _flag))
DIRECTORY_ENTRIES = declare(
    "directory_entries",
    Key("directory"),
    Key("lastName", _folded),
    Key("firstName", _folded),
    Key("companyName", _folded),
    Key("type"),
    Key("ldap_id"),
    # Lists are sorted by fields with an index below.
    CombinedTextKey("name", _folded, sorts=False, of=("firstName", "lastName")),
    CombinedTextKey("numbers", _folded, sorts=False, of=NUMBERS),
    Key("tags", _words, sorts=False),
    CombinedTextKey(
        "search",
        _folded,
        sorts=False,
        of=("firstName", "lastName", "companyName", *NUMBERS, "eMail", "jobTitle", "tags"),
    ),
    Key("creationDate", sorts=False),
    Key("lastUpdateDate"),
    # No index on search texts: they can be longer than PostgreSQL can index.
    order=("lastName", "firstName"),
    indexes=(
        # With the type, which each list asks for: no entry before a page is looked up.
        ("directory", "last_name", "first_name", "id", "type"),
        ("directory", "first_name", "last_name", "id", "type"),
        ("directory", "company_name", "last_name", "first_name", "id", "type"),
        ("directory", "last_update_date", "last_name", "first_name", "id", "type"),
        ("directory", "ldap_id"),
    ),
)
#: The last import of a company, a configuration, a user and a command, and the last check of a command.
IMPORT_REPORTS = declare("import_reports", Key("state"), Key("companyId"), Key("startTime"), Key("command"))
#: {id: <report>/<number>, report, number, status, ...}
IMPORTED_ROWS = declare("imported_rows", Key("report"), Key("status"))
#: The numbers of a company on one day: {id: <company>/<date>, companyId, date, ...}
DAILY_STATS = declare("daily_stats", Key("companyId"), Key("date"), indexes=(("company_id", "date"),))
