"""A file of users: its rows with their faults, which can be corrected, and what each row changes.

A row is compared with the users of the company where these are known: what the service has already is not sent again.
An absent column leaves its field untouched, and an empty value changes nothing.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal

from svc_tui.interface.catalogue import body_of
from svc_tui.interface.data import RecordData
from svc_tui.interface.directory.csv.dialects import visible
from svc_tui.interface.directory.csv.encodings import UTF8, name_of
from svc_tui.interface.directory.csv.faults import NUL, BadFile, Fault, is_doubtful
from svc_tui.interface.directory.csv.reading import CsvFormat
from svc_tui.interface.directory.csv.tables import Table, TableRow, read_table
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import problem_of
from svc_tui.language import _, number_text
from svc_tui.workspace.files.export import cell
from svc_tui.workspace.users.columns import (
    ACTION,
    LOGIN,
    PASSWORD,
    UserColumn,
    UserColumns,
    columns_of,
    known_names,
    merged_addresses,
    merged_numbers,
    merged_tags,
)
from svc_tui.workspace.users.values import ValueFault, action_in, expected, numbers_in, unescaped, value_of
from svc_tui.workspace.users.workbook import is_workbook, workbook_rows

#: Most bytes and rows of a file.
MOST_BYTES, MOST_ROWS = 16 * 2**20, 20_000
#: What a row does: `same` changes nothing, because the service has its values.
Effect = Literal["create", "update", "delete", "same"]
_REQUIRED = ("firstName", "lastName")


@dataclass(frozen=True, slots=True)
class KnownUsers:
    """What the service has: the users of the company by their logins in small letters, and what applies to new ones.

    `users` None: not known, and rows are checked only by themselves. `own_login` is that of the caller. `earlier` has
    what an import of the same file sent before it was interrupted: login in small letters -> effect, and whether it was
    done or its outcome is unknown.
    """

    users: Mapping[str, RecordData] | None = None
    country: str = ""
    own_login: str = ""
    earlier: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def find(self, login: str) -> RecordData | None:
        return (self.users or {}).get(login.casefold())


@dataclass(slots=True)
class UserRow:
    """A row with its current values, its faults and, without any, its effect with the body of the request.

    `user` is the user whom it updates or deletes. `earlier` is the outcome of a row that was sent before.
    """

    row: TableRow
    cells: list[str]
    faults: list[Fault] = field(default_factory=list)
    effect: Effect = "same"
    login: str = ""
    body: dict[str, Any] = field(default_factory=dict)
    user: RecordData | None = None
    earlier: str = ""

    @property
    def line(self) -> int:
        return self.row.line

    @property
    def doubtful(self) -> bool:
        """Whether a choice resolves all its faults."""
        return is_doubtful(self.faults)

    @property
    def label(self) -> str:
        """The row in a list: its line and its login."""
        return f"{self.line}: {self.login or '?'}"


class UserFile:
    """The rows of a file. A value that is edited is checked again, with the rows that have the same login."""

    def __init__(self, table: Table, known: KnownUsers) -> None:
        if len(table.rows) > MOST_ROWS:
            raise BadFile(Code.BAD_FILE, _("the file has more than {most} rows").format(most=MOST_ROWS))
        self.csv_format, self.headings = table.csv_format, table.headings
        self.columns: UserColumns = columns_of(table.headings, table.line)
        self.rows = [UserRow(row, list(row.cells)) for row in table.rows]
        self.known = known
        if not self.rows:
            raise BadFile(Code.NO_DATA, _("the file has no rows after its first line"))
        self.check()

    @property
    def left(self) -> list[UserRow]:
        """The rows with faults: they are not sent."""
        return [row for row in self.rows if row.faults]

    @property
    def right(self) -> list[UserRow]:
        return [row for row in self.rows if not row.faults]

    def count(self, effect: Effect) -> int:
        """How many right rows have this effect."""
        return sum(row.effect == effect for row in self.right)

    def notes(self) -> list[str]:
        """How the file was read, where that is not obvious, as sentences."""
        encoding = self.csv_format.encoding
        read = [] if encoding.startswith("utf-8") else [_("Read as {encoding}.").format(encoding=name_of(encoding))]
        return [*self.columns.lines(self.headings), *read]

    def use(self, known: KnownUsers) -> None:
        """Check all rows again with what the service has."""
        self.known = known
        self.check()

    def check(self) -> None:
        """Check all rows."""
        first: dict[str, int] = {}
        for row in self.rows:
            _RowCheck(self, row).run()
            key = row.login.casefold()
            if key and first.setdefault(key, row.line) != row.line:
                message = _("is also in line {line}").format(line=first[key])
                row.faults.append(Fault(self.heading(LOGIN), message, row.login, rule=_("login twice")))

    def edit(self, row: UserRow, heading: str, value: str) -> None:
        """Change a value of a row. An empty heading replaces nothing."""
        if heading in self.headings:
            place = self.headings.index(heading)
            row.cells += [""] * (place + 1 - len(row.cells))
            row.cells[place] = value
            self.check()

    def accept_suggestions(self, rows: Sequence[UserRow], *, doubtful_only: bool = False) -> int:
        """Put the suggestion in place of each faulty value that has one; how many values were changed."""
        changed = 0
        for row in rows:
            for fault in row.faults:
                if fault.suggestion and fault.column in self.headings and (fault.doubtful or not doubtful_only):
                    row.cells[self.headings.index(fault.column)] = fault.suggestion
                    changed += 1
        self.check()
        return changed

    def heading(self, name: str) -> str:
        """The heading of the column with this name in the format; the name itself where the file has none."""
        column = self.columns.find(name)
        return column.heading if column else name


def read_users(
    file: BinaryIO,
    known: KnownUsers,
    *,
    delimiter: str = "",
    comment: str = "%",
    encoding: str = "",
    corrected: Mapping[int, str] | None = None,
) -> UserFile:
    """Read and check a file. BadFile where it cannot be read, UnknownEncoding where its encoding must be chosen."""
    file.seek(0, 2)
    if file.tell() > MOST_BYTES:
        raise BadFile(Code.BAD_FILE, _("the file is larger than {most} MiB").format(most=MOST_BYTES // 2**20))
    if is_workbook(file):
        return UserFile(_of_workbook(file), known)
    table = _exported(file) or read_table(
        file, known_names, delimiter=delimiter or None, comment=comment, encoding=encoding, corrected=corrected
    )
    return UserFile(table, known)


def _of_workbook(file: BinaryIO) -> Table:
    """The rows of the first worksheet of a workbook."""
    rows = [TableRow(line, "", list(map(visible, cells))) for line, cells in workbook_rows(file)]
    if not rows:
        raise BadFile(Code.NO_DATA, _("the file is empty; its first line must name the columns"))
    first = rows.pop(0)
    headings = [cell.strip() for cell in first.cells]
    while not headings[-1]:
        headings.pop()
    for row in rows:
        row.cells.extend([""] * (len(headings) - len(row.cells)))
    return Table(CsvFormat(UTF8, ",", "%"), first.line, headings, rows)


def _exported(file: BinaryIO) -> Table | None:
    """The rows of an export as JSON, one record in a line; None for another file."""
    file.seek(0)
    begins = re.match(rb"\s*\[\s*\{", file.read(64))
    file.seek(0)
    try:
        found = json.loads(file.read()) if begins else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        return None
    headings = list(dict.fromkeys(name for each in found for name in each))
    rows = [TableRow(line, "", [cell(each.get(name)) for name in headings]) for line, each in enumerate(found, 2)]
    return Table(CsvFormat(UTF8, ",", "%"), 1, headings, rows)


def summary(file: UserFile) -> str:
    """What an import would do, in a few words."""
    known = file.known.users is not None
    parts = [
        _("{create} to create").format(create=number_text(file.count("create"))),
        _("{update} to update").format(update=number_text(file.count("update"))),
        _("{delete} to delete").format(delete=number_text(file.count("delete"))),
        *([_("{same} unchanged").format(same=number_text(file.count("same")))] if known else ()),
    ]
    doubtful = sum(row.doubtful for row in file.left)
    if doubtful:
        parts.append(_("{doubtful} doubtful").format(doubtful=number_text(doubtful)))
    return ", ".join([*parts, _("{wrong} with errors").format(wrong=number_text(len(file.left) - doubtful))])


class _RowCheck:
    """One check of one row."""

    def __init__(self, file: UserFile, row: UserRow) -> None:
        self._file, self._row = file, row
        self._known = file.known
        self._values: dict[str, Any] = {}
        self._lists: list[tuple[UserColumn, Any]] = []
        row.faults, row.body, row.effect, row.user = [], {}, "same", None
        row.earlier = ""
        row.login = self._cell(LOGIN)

    def _cell(self, name: str) -> str:
        column = self._file.columns.find(name)
        if column is None:
            return ""
        place = self._file.headings.index(column.heading)
        return unescaped(self._row.cells[place]) if place < len(self._row.cells) else ""

    def _fault(self, name: str, message: str, rule: str, suggestion: str = "") -> None:
        hint = _(" (did you mean {suggestion}?)").format(suggestion=suggestion) if suggestion else ""
        self._row.faults.append(
            # A password is not shown anywhere.
            Fault(
                self._file.heading(name),
                f"{message}{hint}",
                "" if name == PASSWORD else self._cell(name),
                rule=rule,
                suggestion=suggestion,
            )
        )

    def run(self) -> None:
        row = self._row
        row.faults += [fault for fault in row.row.faults if row.cells == row.row.cells or not fault.column]
        if any(cell.strip() for cell in row.cells[len(self._file.headings) :]) or len(row.cells) < len(
            self._file.headings
        ):
            message = _("has {cells} values, but the file has {columns} columns").format(
                cells=len(row.cells), columns=len(self._file.headings)
            )
            row.faults.append(Fault("", message, rule=_("wrong number of values")))
            return
        action = action_in(self._cell(ACTION))
        if isinstance(action, ValueFault):
            self._fault(ACTION, action.message, _("unknown action"), action.suggestion)
            action = action.suggestion
        fits = self._login_is_right()
        if fits:
            row.user = self._known.find(row.login)
            row.earlier = self._sent_before()
            if row.earlier:
                return
            fits = self._is_possible(action)
        if action == "delete":
            row.effect = "delete"
            return
        self._read()
        if action == "create" or (not action and self._known.users is not None and row.user is None):
            row.effect = "create"
            for name in _REQUIRED:
                if fits and not self._values.get(name):
                    self._fault(name, _("is required for a new user"), _("value missing"))
        if not row.faults:
            row.body = self._body()
            if row.effect != "create":
                row.effect = "update" if row.body or self._known.users is None else "same"

    def _login_is_right(self) -> bool:
        login = self._row.login
        problem = problem_of(body_of("create_user"), LOGIN, login)
        if not login:
            self._fault(LOGIN, _("is required"), _("value missing"))
        elif problem:
            self._fault(LOGIN, expected(LOGIN, problem), _("login"))
        return bool(login and not problem)

    def _sent_before(self) -> str:
        """The outcome of a row that an interrupted import sent; empty where it is sent now."""
        effect, state = self._known.earlier.get(self._row.login.casefold(), ("", ""))
        if not effect or self._row.faults:
            return ""
        if state == "done":
            return _("done before the import was interrupted")
        if effect == "create" and self._row.user is not None:
            return _("sent before the import was interrupted, and done: the user exists")
        if effect == "delete" and self._row.user is None:
            return _("sent before the import was interrupted, and done: the user is deleted")
        return ""

    def _is_possible(self, action: str) -> bool:
        """Whether the action is possible with what the service has; otherwise a fault has the reason."""
        row, users = self._row, self._known.users
        if action == "delete" and row.login.casefold() == self._known.own_login.casefold():
            self._fault(LOGIN, _("is your own login, which you cannot delete"), _("own user"))
        elif users is None:
            return True
        elif action == "create" and row.user is not None:
            message = _("create: a user of the company has this login already")
            self._fault(ACTION, message, _("login is taken"), "update")
        elif action in ("update", "delete") and row.user is None:
            near = difflib.get_close_matches(row.login.casefold(), users, n=1, cutoff=0.85)
            suggestion = str(users[near[0]].get(LOGIN)) if near else ""
            self._fault(LOGIN, _("no user of the company has this login"), _("unknown login"), suggestion)
        else:
            return True
        return False

    def _read(self) -> None:
        """Read the values of all columns."""
        row = self._row
        for column, place in self._columns():
            text = unescaped(row.cells[place])
            if not text or column.name in (ACTION, LOGIN):
                continue
            if NUL in text:
                self._fault(column.name, _("contains NUL, a character that cannot be stored"), _("invalid character"))
                continue
            if column.shape == "number":
                self._take_numbers(column, text)
                continue
            found = value_of(column, text)
            if isinstance(found, ValueFault):
                self._fault(column.name, found.message, found.rule, found.suggestion)
                if column.name == "country":
                    # Numbers have no further fault where only their country is wrong.
                    self._values["country"] = found.suggestion
            elif column.shape in ("address", "tag"):
                self._lists.append((column, found))
            else:
                self._values[column.field] = found

    def _columns(self) -> list[tuple[UserColumn, int]]:
        """The columns with their places; the country first, because numbers are read with it."""
        found = [(column, place) for place, column in enumerate(self._file.columns.columns) if column is not None]
        return sorted(found, key=lambda pair: pair[0].name != "country")

    def _take_numbers(self, column: UserColumn, text: str) -> None:
        country = self._values.get("country") or (self._row.user or {}).get("country") or self._known.country
        numbers, faults = numbers_in(text, str(country or ""))
        for fault in faults:
            self._row.faults.append(
                Fault(
                    column.heading,
                    fault.message,
                    text,
                    rule=fault.rule,
                    suggestion=fault.suggestion,
                    doubtful=fault.doubtful,
                )
            )
        self._lists.append((column, numbers))

    def _body(self) -> dict[str, Any]:
        """The fields to send: of an existing user those that differ."""
        row = self._row
        body, before = dict(self._values), dict(row.user or {})
        of_shape = {
            shape: [(column, value) for column, value in self._lists if column.shape == shape]
            for shape in ("number", "address", "tag")
        }
        for wire, merge, shape in (
            ("phoneNumbers", merged_numbers, "number"),
            ("emails", merged_addresses, "address"),
            ("tags", merged_tags, "tag"),
        ):
            merged = merge(before.get(wire) or (), self._values.get(wire), of_shape[shape])
            body.pop(wire, None)
            if merged is not None:
                body[wire] = merged
        changed = {wire: value for wire, value in body.items() if not _is_same(wire, value, before)}
        if row.effect == "create":
            changed[LOGIN] = row.login
        return changed


def _is_same(wire: str, value: Any, before: RecordData) -> bool:
    """Whether a user has this value already."""
    if wire == "roles":
        return set(value) == set(before.get(wire) or ())
    return bool(before) and value == before.get(wire)
