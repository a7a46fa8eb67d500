"""Rows of SQLite that are replaced by the columns that differ: they end as if each whole row had been written."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text

from svc_tui.server.store.database import Database
from svc_tui.server.store.tables import USERS, Document
from tests.support.databases import TABLES

#: Few values, so that many of them stay the same; those that Python or SQLite take for equal, or fold.
_TEXTS = st.sampled_from(["", "a", "A", "ß", "1"])
_FLAGS = st.sampled_from([True, False, 0, 1, None])
_USERS = st.fixed_dictionaries(
    {"id": st.sampled_from(["u1", "u2"])},
    optional={
        "displayName": _TEXTS | st.none(),
        "authenticationExternalUid": _TEXTS,
        "companyId": _TEXTS,
        "roles": st.lists(st.sampled_from(["user", "support"]), max_size=2),
        "isActive": _FLAGS,
        "isTerminated": _FLAGS,
        "profiles": st.lists(st.builds(lambda id: {"subscriptionId": id}, _TEXTS), max_size=2),
        # No columns of their own: 1, 1.0 and True are equal, and are not the same JSON.
        "other": st.sampled_from([1, 1.0, True, "1", None]),
    },
)
_CHANGES = st.lists(st.lists(_USERS, min_size=1, max_size=4), min_size=1, max_size=5)


@settings(max_examples=100, deadline=None)
@given(_CHANGES)
def test_a_replaced_row_is_the_one_that_a_whole_write_stores(changes: list[list[Document]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        stored = asyncio.run(_after(changes, Path(folder)))
    last = {each["id"]: each for written in changes for each in written}
    assert stored == {id: USERS.prepared(USERS.row(each)) for id, each in last.items()}


async def _after(changes: list[list[Document]], folder: Path) -> dict[str, Any]:
    """The rows after these changes, each in a transaction: of one record, or of several together."""
    database = Database(TABLES.copy(folder / "svc.db"))
    for written in changes:
        async with database.unit() as store:
            if len(written) == 1:
                await store.users.put(written[0])
            else:
                await store.users.put_all(written)
    async with database.unit() as store:
        rows = {row[0]: tuple(row) for row in await store.rows(select(USERS.table))}
        # Indexes that a change did not name still agree with their columns.
        assert [tuple(row) for row in await store.rows(text("PRAGMA integrity_check"))] == [("ok",)]
    await database.close()
    return rows
