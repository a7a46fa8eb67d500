"""Rows of a long list that the service finds by single fields, and their places between the rows found here."""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from svc_tui.cache.cached import RecordDict
from svc_tui.workspace.core.service import LARGEST_REQUEST, ReadError
from svc_tui.workspace.lists.filters import FieldQuery
from svc_tui.workspace.lists.held_rows import HeldRows, ordered, precedes
from svc_tui.workspace.lists.list_reader import ListReader

#: Most rows that are read because of text without a column: of the whole list, or of the answer to one question.
MOST_SEARCHED = 5 * LARGEST_REQUEST


class FieldResults:
    """The answers to the questions of a filter.

    `asked` has the labels of the fields by which the service was asked, `cut` those with more rows than are read.
    """

    def __init__(self, reader: ListReader, questions: Sequence[FieldQuery]) -> None:
        self._reader, self.questions = reader, questions
        self.asked: tuple[str, ...] = ()
        self.cut: tuple[str, ...] = ()
        self._found: dict[str, RecordDict] = {}
        #: IDs of rows that were found in the list itself.
        self.listed: set[str] = set()
        self._rows: list[RecordDict] = []
        # For each of these rows, the number of rows of the list in front of it, and its index among all.
        self._before = array("L")
        self._indexes = array("L")

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def rows(self) -> Sequence[RecordDict]:
        """The rows that were not found in the list itself, in its order."""
        return self._rows

    def clear(self) -> None:
        self.asked, self.cut = (), ()
        self._found.clear()
        self.listed.clear()

    def row(self, index: int) -> RecordDict | None:
        """The row at an index among all rows; None when a row of the list is there."""
        at = bisect_left(self._indexes, index)
        return self._rows[at] if at < len(self._rows) and self._indexes[at] == index else None

    def place(self, index: int) -> int:
        """The position among the rows of the list of the one at an index among all rows."""
        return index - bisect_left(self._indexes, index)

    def index(self, position: int) -> int:
        """The index among all rows of a row of the list, by its position there."""
        return position + bisect_right(self._before, position)

    def index_of(self, record_id: str) -> int | None:
        """The index among all rows of an answer's row; None when it is no such row."""
        id_of = self._reader.kind.id_of
        return next(
            (index for index, row in zip(self._indexes, self._rows, strict=True) if id_of(row) == record_id), None
        )

    def replace(self, record_id: str, row: RecordDict) -> None:
        """Show a changed record in its place."""
        if record_id in self._found:
            self._found[record_id] = row
            self._rows = [row if self._reader.kind.id_of(each) == record_id else each for each in self._rows]

    def remove(self, record_id: str) -> bool:
        """Remove a deleted record; whether it was among the rows."""
        return self._found.pop(record_id, None) is not None

    def arrange(self, places: Sequence[int], rows: HeldRows) -> bool:
        """Find the places of the rows between those of the list; whether they differ.

        `rows` are those of the list, as far as they are in memory.
        """
        id_of = self._reader.kind.id_of
        field, descending = self._order()
        new = [row for record_id, row in self._found.items() if record_id not in self.listed]
        new = ordered(new, field, descending=descending) if field else new
        self._before = array("L")
        position = 0
        for row in new:
            while position < len(places):
                here = rows.get(places[position])
                if field and here is not None and precedes(row, here, field, descending=descending):
                    break
                position += 1
            self._before.append(position)
        old, self._rows = self._rows, new
        self._indexes = array("L", (position + at for at, position in enumerate(self._before)))
        return [id_of(row) for row in old] != [id_of(row) for row in self._rows]

    def _order(self) -> tuple[str, bool]:
        query = self._reader.query
        return str(query.get("sortField") or ""), query.get("sortOrder") == -1

    async def ask(self, questions: Sequence[FieldQuery]) -> None:
        """Ask the service these questions, all at once. ReadError when an answer cannot be read."""
        self.cut = ()
        results = await asyncio.gather(*map(self._ask, questions), return_exceptions=True)
        self.asked = tuple(dict.fromkeys([*self.asked, *(question.label for question in questions)]))
        errors = [result for result in results if isinstance(result, BaseException)]
        if not errors:
            self._found.clear()
        for result in results:
            if not isinstance(result, BaseException):
                self._found.update(result)
        if errors:
            raise errors[0]

    async def _ask(self, question: FieldQuery) -> dict[str, RecordDict]:
        rows = await (self._one(question.record_id) if question.record_id else self._all(question))
        matches = question.predicate
        return {self._reader.kind.id_of(row): row for row in rows if matches is None or matches(row)}

    async def _one(self, record_id: str) -> list[RecordDict]:
        """The record with an ID, if there is one and the list is not of some records only."""
        reader = self._reader
        if set(reader.query) - {"format", "sortField", "sortOrder"}:
            return []
        path = {**reader.path, reader.kind.parameter: record_id}
        try:
            body = await reader.service.read(reader.kind.get, path, {})
        except ReadError as error:
            if error.missing:
                return []
            raise
        record = body.get("data") if isinstance(body, dict) else None
        return [reader.as_row(record, {})] if isinstance(record, dict) else []

    async def _all(self, question: FieldQuery) -> list[RecordDict]:
        """The rows of a query, up to the most that are read."""
        reader = self._reader
        asked = ListReader(reader.service, reader.operation_id, reader.path, {**reader.query, **question.query})
        rows: list[RecordDict] = []
        total = 1
        while len(rows) < min(total, MOST_SEARCHED):
            fetched = await asked.fetch(len(rows), LARGEST_REQUEST)
            rows += fetched.rows
            total = fetched.total
            if not fetched.rows:
                break
        if total > len(rows):
            self.cut = tuple(dict.fromkeys([*self.cut, question.label]))
        return rows
